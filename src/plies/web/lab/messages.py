"""What crosses the wire about the laboratory.

Nodes are numbered as they are listed, the root is 0.  Values and windows are in words, Max's
(the first player's), as in a textbook drawing.
"""

from typing import Literal

from pydantic import BaseModel, Field

from plies.web.messages import LONGEST_TEXT, OptionView, Request, Spec

Order = Literal["left", "right", "best"]
NodeKind = Literal["max", "min", "player", "leaf", "horizon", "rest"]
StepKind = Literal["enter", "leaf", "update", "drop", "cut", "leave"]


class LabOption(OptionView):
    """An option of an algorithm, with what it means and its bounds, where it is a number."""

    told: str
    least: float | None = None
    most: float | None = None


class LabAlgorithm(BaseModel):
    """A search that can be stepped through; `is_growing` where it is told by simulations."""

    name: str
    title: str
    told: str
    options: list[LabOption]
    has_windows: bool
    is_growing: bool
    is_for_two: bool  # players, whose gains and losses cancel out


class LabExample(BaseModel):
    """Something worth looking at: the parameters of its address."""

    title: str
    told: str
    parameters: dict[str, str]


class Laboratory(BaseModel):
    """What can be looked at, and how."""

    algorithms: list[LabAlgorithm]
    estimates: list[str]  # how nodes of an explicit tree are estimated at the horizon
    tree: str  # to begin with
    examples: list[LabExample]


class TraceRequest(Request):
    """A search of an explicit `tree`, or, where that is empty, of a position of a game.

    `algorithm` is a spec such as `alphabeta:depth=3,fail=hard`; an empty `position` is the
    start of the game, an empty `evaluator` the first there is.
    """

    tree: str = Field(default="", max_length=LONGEST_TEXT)
    game: Spec = ""
    position: str = Field(default="", max_length=LONGEST_TEXT)
    evaluator: Spec = ""
    algorithm: Spec = "alphabeta"
    order: Order = "left"


class PositionRequest(Request):
    """A position of a game to be drawn; an empty one is the start."""

    game: Spec
    position: str = Field(default="", max_length=LONGEST_TEXT)


class LabNode(BaseModel):
    """A node of the drawing.

    parent    its number, None for the root
    move      what leads here in words; `label` is what is drawn of it
    kind      whose turn it is, or why nothing is below: the game ends (`leaf`), the search
              looks no further (`horizon`), or it stands for `hidden` children of its parent
              that were never looked at (`rest`)
    value     of a leaf and at the horizon, where it is known before the search
    position  of a game, empty in an explicit tree
    hidden    how many nodes below it are not drawn
    """

    parent: int | None
    move: str
    label: str
    kind: NodeKind
    player: int | None
    value: str
    position: str
    hidden: int


class LabStep(BaseModel):
    """One step of a search at a node, as `plies.search.trace.Step`.

    `child` is a node below it, None also where that one is not drawn.
    """

    kind: StepKind
    node: int
    window: str
    value: str
    bound: str  # of a node that is left: exact, at least, at most
    child: int | None
    told: str
    nodes: int
    leaves: int
    cutoffs: int


class LabPass(BaseModel):
    """One walk over the tree, to `depth` plies (None: to the leaves)."""

    depth: int | None
    steps: list[LabStep]


class LabSimulation(BaseModel):
    """One simulation: it went from the root to `node`, and `values` is what the players got."""

    node: int
    is_new: bool
    values: list[float]
    told: str


class LabTrace(BaseModel):
    """A search, ready to be stepped through.

    `is_whole`: all of the tree is drawn, also what the search left out.  `orders` says how many
    leaves alpha-beta evaluates with the children in every order, None where that cannot be said.
    """

    algorithm: str
    options: dict[str, str]
    title: str
    order: Order
    sides: list[str]
    is_whole: bool
    notes: list[str]
    tree: list[LabNode]
    passes: list[LabPass]
    simulations: list[LabSimulation]
    value: str
    line: list[int]
    line_text: str
    nodes: int
    leaves: int
    cutoffs: int
    all_nodes: int  # of the tree that is drawn
    all_leaves: int
    is_complete: bool
    orders: dict[Order, int] | None
    is_best_proven: bool
    ordered_text: str  # an explicit tree with its children in this order
