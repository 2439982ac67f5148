"""The nodes of a drawing, and the steps of a search as steps from node to node."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from plies.games.tree.nodes import Path
from plies.search.trace import Node, Trace
from plies.search.trace import Tree as Recorded
from plies.web.lab.messages import LabNode, LabPass, LabSimulation, LabStep
from plies.web.lab.tree import Spot, Subject, walk_spots


@dataclass(frozen=True)
class Drawing:
    """Nodes, and by their paths where in the list they are."""

    nodes: list[LabNode]
    places: dict[Path, int]
    subject: Subject

    @property
    def leaves(self) -> int:
        return sum(node.kind in ("leaf", "horizon") for node in self.nodes)

    def place(self, path: Path) -> int:
        """The node of a path, or the nearest one above that is drawn."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]

    def line(self, path: Path) -> list[int]:
        ways = (path[:end] for end in range(1, len(path) + 1))
        return [self.places[way] for way in ways if way in self.places]

    def passes(self, trace: Trace) -> list[LabPass]:
        return [
            LabPass(depth=tree.depth, steps=list(self.steps(tree)))
            for tree in trace.trees
            if tree.steps
        ]

    def steps(self, tree: Recorded) -> Iterable[LabStep]:
        """Entering a leaf and evaluating it are one step here."""
        bounds = {node.path: node.bound for node in tree.nodes}
        ends = {step.path for step in tree.steps if step.kind == "leaf"}
        for step in tree.steps:
            if step.kind == "enter" and step.path in ends:
                continue
            child = None if step.child is None else self.places.get((*step.path, step.child))
            yield LabStep(
                kind=step.kind,
                node=self.dropped(step.path) if step.kind == "drop" else self.place(step.path),
                window=step.window_text,
                value=step.value_text,
                bound=bounds[step.path] if step.kind == "leave" else "",
                child=child,
                told=step.text,
                nodes=step.nodes,
                leaves=step.leaves,
                cutoffs=step.cutoffs,
            )

    def dropped(self, path: Path) -> int:
        """A child that is left out: itself, or what stands for all of them."""
        return self.places.get(path, self.places.get((*path[:-1], REST), self.place(path)))

    def simulations(self, trace: Trace) -> list[LabSimulation]:
        seen: set[Path] = set()
        found = []
        for number, simulation in enumerate(trace.simulations, start=1):
            path, is_new = simulation.path, simulation.path not in seen
            seen.add(path)
            told = self.told(number, path, is_new, simulation.value)
            values = [float(value) for value in simulation.value]
            found.append(
                LabSimulation(node=self.place(path), is_new=is_new, values=values, told=told)
            )
        return found

    def told(self, number: int, path: Path, is_new: bool, values: tuple[Any, ...]) -> str:
        """`Simulation 7: down to a b, a new node; played on at random it ends 1, -1`."""
        node: Any = self.subject.root
        moves = []
        for index in path:
            moves.append(self.subject.names.move(node, index))
            node = self.subject.children(node)[index]
        is_end = not self.subject.children(node)
        way = f"down to {' '.join(moves)}" if moves else "at the root"
        kind = ", a new node" if is_new and moves else ""
        got = ", ".join(map(str, values))
        ends = f"the game ends: {got}" if is_end else f"played on at random it ends {got}"
        return f"Simulation {number}: {way}{kind}; {ends}"


REST = -1  # the number, among its siblings, of what stands for children never looked at


def drawing_of_spots(subject: Subject, root: Spot, is_sided: bool) -> Drawing:
    """Every node that is laid out; `subject` is over spots."""
    places: dict[Path, int] = {}
    nodes = []
    for path, spot in walk_spots(root):
        places[path] = len(places)
        is_end = not spot.children
        kind = "horizon" if spot.beyond else "leaf" if is_end else _kind(subject, spot, is_sided)
        value = subject.names.value(subject.tools["evaluate"](spot)) if is_end else ""
        nodes.append(
            LabNode(
                parent=places[path[:-1]] if path else None,
                move=spot.move,
                label=spot.label,
                kind=kind,
                player=None if kind == "leaf" else subject.mover(spot),
                value=value,
                position=subject.names.position(spot),
                hidden=spot.beyond,
            )
        )
    return Drawing(nodes, places, subject)


def _kind(subject: Subject, node: Any, is_sided: bool) -> Any:
    if not is_sided:
        return "player"
    hero = 0 if subject.is_zero_sum else subject.mover(subject.root)
    return "max" if subject.mover(node) == hero else "min"


def drawing_of_record(subject: Subject, trace: Trace, is_sided: bool) -> Drawing:
    """What a search looked at, of all its passes, and for every node what it left out."""
    recorded: dict[Path, Node] = {}
    for tree in trace.trees:  # a later pass knows more
        recorded |= {node.path: node for node in tree.nodes}
    hero = 0 if subject.is_zero_sum else recorded[()].player
    ways: list[Path] = [*recorded]
    ways += [(*path, REST) for path, node in recorded.items() if node.left_out]
    places = {path: place for place, path in enumerate(sorted(ways, key=_in_order))}
    nodes = [_node_of(recorded, path, places, hero if is_sided else None) for path in places]
    return Drawing(nodes, places, subject)


def _in_order(path: Path) -> Path:
    """From left to right, what was left out last."""
    return tuple(10**6 if index == REST else index for index in path)


def _node_of(
    recorded: dict[Path, Node], path: Path, places: dict[Path, int], hero: int | None
) -> LabNode:
    parent = places[path[:-1]] if path else None
    if path and path[-1] == REST:
        count = len(recorded[path[:-1]].left_out)
        return LabNode(
            parent=parent,
            move=f"{count} more",
            label=f"{count} more",
            kind="rest",
            player=None,
            value="",
            position="",
            hidden=count,
        )
    node = recorded[path]
    kind = node.kind
    if hero is not None and kind == "player":
        kind = "max" if node.player == hero else "min"
    return LabNode(
        parent=parent,
        move=node.move,
        label=node.move,
        kind=kind,
        player=node.player,
        value="",
        position=node.position,
        hidden=node.hidden,
    )
