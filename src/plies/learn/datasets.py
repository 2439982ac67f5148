"""Positions with what an evaluator says of them at once and what a search says later.

A row belongs to a position that is not the end of a game, and all its numbers are seen by
the mover there.  That serves both for a state and for a child of one: the child is such a
position, with the opponent to move.

Rows are made in chunks.  The chances of a chunk are drawn from the seed and its number and
its agents begin without memory, so that the rows are the same however many workers there are
and however often the work was interrupted.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from plies.agents import Agent, agent, read_spec, spec_text
from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.scores import MAX_EVALUATION, ONGOING
from plies.errors import BadSpec
from plies.files import new_file
from plies.learn.dataset_files import (
    DECIDED,
    KEY,
    OWN,
    TARGET,
    Dataset,
    data_path,
    read_dataset,
    write_dataset,
)
from plies.learn.parts import OtherWork, Parts, difference, digests
from plies.match import play_game
from plies.models.predictor import VALUE, columns_of, input_names, row_of
from plies.processes import answers
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.limits import checked_whole
from plies.search.random_numbers import GENERATOR, random_below
from plies.version import __version__

CHUNK = 256  # rows: a moment's work, which an interruption may cost
MOST_ROWS = 100_000_000
MOST_PLIES = 10_000
PATIENCE = 1000  # positions in a row that may be the end of a game


@dataclass(frozen=True)
class DataPlan:
    """What is to be computed; cap and distinctness are matters of putting it together.

    `positions` are reached by so many random `plies` (a number between the two), or are
    those of games that begin there and that `player` plays against itself; by default the
    player is the search.
    """

    game: str
    evaluator: str
    search: str
    rows: int
    seed: int = 1
    positions: Literal["random", "games"] = "random"
    plies: tuple[int, int] = (10, 20)
    player: str = ""


def data_plan(asked: DataPlan) -> DataPlan:
    """The same with every spec written out, once all of it is known to make sense."""
    game = find_game(asked.game)
    evaluator = asked.evaluator or next(iter(game.evaluators), "zero")
    base = game.evaluator(evaluator)
    names = verbs.feature_names(base)
    if taken := [name for name in names if name in OWN and name != VALUE]:
        raise BadSpec(f"{evaluator} has a feature {taken[0]}, which is a column of every dataset")
    checked_whole("rows", asked.rows, 1, MOST_ROWS)
    low, high = asked.plies
    for number in asked.plies:
        checked_whole("plies", number, 0, MOST_PLIES)
    if high < low:
        raise BadSpec(f"plies go from the lower number to the higher, not from {low} to {high}")
    search = agent(asked.search, game).search
    if search.is_outside or not (hasattr(search, "depth") and hasattr(search, "eval")):
        raise BadSpec(
            "--search is a search with a depth and an evaluator, such as alphabeta:depth=3,"
            f" not {asked.search}"
        )
    search = _with_evaluator(asked.search, evaluator)
    player = agent(asked.player, game).spec if asked.player else ""
    if player and asked.positions == "random":
        raise BadSpec("a player is for --positions games; random positions have none")
    return DataPlan(
        game=game.spec,
        evaluator=evaluator,
        search=agent(search, game).spec,
        rows=asked.rows,
        seed=asked.seed,
        positions=asked.positions,
        plies=(low, high),
        player=player,
    )


def _with_evaluator(search: str, evaluator: str) -> str:
    """The search with the evaluator, unless it names one of its own."""
    name, texts = read_spec(search)
    return spec_text(name, {**texts, "eval": texts.get("eval", evaluator)})


# Rows


@compiled
def wander(state, plies, chance):
    """The state after random moves, or the end of the game on the way there."""
    for _ in range(plies):
        if verbs.outcome(state) != ONGOING:
            break
        moves = verbs.legal_moves(state)
        state = verbs.play(state, moves[random_below(len(moves), chance)])
    return state


@dataclass(frozen=True)
class Watched(Agent):
    """An agent that keeps every position it was asked about, with its value there."""

    seen: list[tuple[Any, int | None]] = field(default_factory=list)

    def choose(self, state: Any, *arguments: Any, **options: Any) -> Decision:
        decision = super().choose(state, *arguments, **options)
        self.seen.append((state, decision.value))
        return decision


class Maker:
    """Makes the rows of a plan."""

    def __init__(self, plan: DataPlan):
        self.plan = plan
        self.game: Game = find_game(plan.game)
        self.base = self.game.evaluator(plan.evaluator)
        self.columns = columns_of(self.base, list(input_names(self.base)))
        self.search = agent(plan.search, self.game)

    @cached_property
    def players(self) -> list[Watched]:
        """Two, who share what they have seen."""
        spec = self.plan.player or self.plan.search
        seen: list[tuple[Any, int | None]] = []
        made = [agent(spec, self.game) for _ in range(2)]
        return [Watched(**_fields(each), seen=seen) for each in made]

    def chunk(self, number: int) -> np.ndarray:
        """The rows of a chunk: key, features, value and target, which is not yet capped."""
        plan = self.plan
        chance = random.Random(f"{plan.seed}/{number}")
        count = _size(plan, number)
        self.search.forget()
        find = self._from_games if plan.positions == "games" else self._from_chance
        positions = find(chance)
        with explaining(self.game):
            return np.array([self._row(*next(positions), chance) for _ in range(count)], np.int64)

    def _row(self, state: Any, value: int | None, chance: random.Random) -> list[int]:
        if value is None:
            value = self.search.choose(state, rng=chance).value
        if value is None:
            raise BadSpec(f"{self.plan.search} finds no value of {self.game.position_text(state)}")
        inputs = row_of(self.base, self.columns, state)
        return [int(verbs.key(state)), *map(int, inputs), value]

    def _from_chance(self, chance: random.Random) -> Iterator[tuple[Any, None]]:
        """Positions after random plies, none the end of a game."""
        low, high = self.plan.plies
        generator = np.zeros(1, GENERATOR).view(np.recarray)[0]
        start, misses = self.game.initial(), 0
        while misses < PATIENCE:
            generator.random = np.uint64(chance.getrandbits(63) | 1)
            state = wander(start, chance.randint(low, high), generator)
            misses = 0 if verbs.outcome(state) == ONGOING else misses + 1
            if misses == 0:
                yield state, None
        plies = f"{low} to {high}" if low < high else str(low)
        raise BadSpec(f"{self.game.spec} is over after {plies} random plies; ask for fewer")

    def _from_games(self, chance: random.Random) -> Iterator[tuple[Any, int | None]]:
        """The positions of games, with their values where the search itself plays."""
        players = self.players
        seen = players[0].seen
        for start, _ in self._from_chance(chance):
            seen.clear()
            text = self.game.position_text(start)
            play_game(self.game, *players, seed=chance.getrandbits(32), start=text)
            for state, value in seen:
                yield state, None if self.plan.player else value


def _size(plan: DataPlan, number: int) -> int:
    """How many rows a chunk has."""
    return min(CHUNK, plan.rows - number * CHUNK)


def _fields(of: Agent) -> dict[str, Any]:
    return {
        "name": of.name,
        "options": of.options,
        "game": of.game,
        "search": of.search,
        "evaluator": of.evaluator,
    }


@lru_cache(maxsize=1)
def _maker(plan: DataPlan) -> Maker:
    return Maker(plan)


def made_chunk(job: tuple[DataPlan, int]) -> np.ndarray:
    """What a worker does."""
    plan, number = job
    return _maker(plan).chunk(number)


# Datasets


def make_dataset(
    plan: DataPlan,
    path: Path,
    *,
    cap: int = 0,
    is_distinct: bool = False,
    workers: int = 1,
    on_rows: Callable[[int], None] = lambda rows: None,
) -> Dataset:
    """Compute the rows that are not there yet and write the dataset, see `put_together`.

    `on_rows` is told how many rows there are.  The parts are in `PATH.parts` meanwhile; after
    an interruption the same call goes on, and once the dataset is there it is only read.
    """
    checked_whole("cap", cap, 0, MAX_EVALUATION)
    files = digests(plan.game, plan.search, plan.player)
    if data_path(path).exists():
        return _finished({**asdict(plan), "files": files}, path, cap, is_distinct)
    parts = Parts(path, {**asdict(plan), "files": files, "version": __version__})
    names = [f"{number:06}.npy" for number in range(-(-plan.rows // CHUNK))]
    chunks = {
        number: parts.read(name, partial(_read_chunk, plan, number))
        for number, name in enumerate(names)
        if name in parts
    }
    made = sum(map(len, chunks.values()))
    on_rows(made)
    jobs = [(plan, number) for number in range(len(names)) if number not in chunks]
    for (_, number), rows in answers(made_chunk, jobs, workers):
        with new_file(parts.path(names[number])) as part, part.open("wb") as file:
            np.save(file, rows, allow_pickle=False)
        chunks[number] = rows
        made += len(rows)
        on_rows(made)
    rows = np.concatenate([chunks[number] for number in range(len(names))])
    dataset = put_together(plan, rows, cap=cap, is_distinct=is_distinct)
    dataset.card["files"] = files
    write_dataset(path, dataset)
    parts.remove()
    return dataset


def _read_chunk(plan: DataPlan, number: int, path: Path) -> np.ndarray:
    """The rows of a chunk that is kept; `ValueError` where they cannot be these."""
    rows = np.load(path, allow_pickle=False)
    base = find_game(plan.game).evaluator(plan.evaluator)
    shape = (_size(plan, number), len(input_names(base)) + 2)  # key and target besides
    if rows.shape != shape or rows.dtype != np.int64:
        raise ValueError(f"{rows.dtype} {rows.shape} instead of int64 {shape}")
    return rows


def _finished(plan: dict[str, Any], path: Path, cap: int, is_distinct: bool) -> Dataset:
    """The dataset of that plan that is there already; another one is not touched."""
    dataset = read_dataset(path)
    wanted = {**plan, "is_distinct": is_distinct, **({"cap": cap} if cap else {})}
    wanted["asked"] = wanted.pop("rows")
    if found := difference({"files": {}, **dataset.card}, wanted):
        raise OtherWork(
            f"{path} is there and holds another dataset ({found}); choose another --out"
        )
    return dataset


def put_together(
    plan: DataPlan, rows: np.ndarray, *, cap: int = 0, is_distinct: bool = False
) -> Dataset:
    """The dataset of computed rows.

    Proven wins count as `cap` points, by default as much as the greatest opinion of all
    rows.  If it is to be distinct, a position that was met before is left out.
    """
    game = find_game(plan.game)
    base = game.evaluator(plan.evaluator)
    search: Any = agent(plan.search, game).search
    if is_distinct:
        rows = rows[np.sort(np.unique(rows[:, 0], return_index=True)[1])]
    names = (KEY, *input_names(base), TARGET)
    columns = {name: np.ascontiguousarray(rows[:, index]) for index, name in enumerate(names)}
    target = columns[TARGET]
    decided = np.where(np.abs(target) > MAX_EVALUATION, np.sign(target), 0)
    opinions = (columns[VALUE], np.where(decided == 0, target, 0))
    cap = cap or max(*(int(np.abs(found).max()) for found in opinions), 1)
    columns[TARGET] = np.where(decided == 0, target, decided * cap)
    columns[DECIDED] = decided.astype(np.int8)
    card = {
        **asdict(plan),
        "depth": search.depth,
        "measure": verbs.evaluators_of[type(base)].measure._asdict(),
        "features": list(input_names(base)),
        "asked": plan.rows,
        "rows": len(rows),
        "decided": int(np.count_nonzero(decided)),
        "cap": cap,
        "is_distinct": is_distinct,
        "version": __version__,
    }
    return Dataset(card, columns)
