"""What crosses the wire about tournaments.  They are named by the names of their files."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from plies.arena.config import Kind
from plies.web.contests import limits
from plies.web.messages import PlayedView, PositionView, Request, Spec, Table

Name = Annotated[str, Field(min_length=1, max_length=limits.LONGEST_NAME)]
Seconds = Annotated[float, Field(ge=0, le=24 * 3600)]
State = Literal["running", "stopped", "finished"]


class Entrant(Request):
    """An agent that takes part, under a name of its own."""

    name: Name
    agent: Spec


class Times(Request):
    """Seconds for a game, more with every move, and at most for one; 0: no such limit."""

    credit: Seconds = 0
    increment: Seconds = 0
    per_move: Seconds = 0


class NewContest(Request):
    """A tournament to be played; what does not concern its kind is left alone.

    `rounds` are those of a Swiss tournament (0: as many as a knock-out would have), the first
    `challengers` of a gauntlet meet all others, and a test decides between `elo0` and `elo1`.
    """

    name: Name
    games: list[Spec] = Field(min_length=1, max_length=limits.MOST_GAMES_OF_PLAY)
    agents: list[Entrant] = Field(min_length=2, max_length=limits.MOST_AGENTS)
    kind: Kind = "round-robin"
    pairs: int = Field(default=5, ge=1, le=limits.MOST_PAIRS)
    opening_plies: int = Field(default=2, ge=0, le=limits.MOST_OPENING_PLIES)
    seed: int = Field(default=1, ge=0, le=2**31)
    clock: Times = Times()
    rounds: int = Field(default=0, ge=0, le=limits.MOST_AGENTS)
    challengers: int = Field(default=1, ge=1, le=limits.MOST_AGENTS)
    elo0: float = Field(default=0, ge=-1000, le=1000)
    elo1: float = Field(default=50, ge=-1000, le=1000)


class StageView(BaseModel):
    """A part of a tournament: how many meetings, pairs and games it has."""

    name: str
    meetings: int
    pairs: int
    games: int


class EntrantView(BaseModel):
    """An agent as it takes part; `agent` is its spec, or its method where that names a file."""

    name: str
    agent: str


class ContestPlan(BaseModel):
    """What would be played.  `seconds` is None where no move was timed; `is_most`: or fewer."""

    games: int
    is_most: bool
    stages: list[StageView]
    openings: dict[str, int]  # how many different ones each game has
    agents: list[EntrantView]
    workers: int
    seconds: float | None
    basis: str


class ContestCard(BaseModel):
    """A tournament in the list; `problem` says why it cannot be shown."""

    id: str
    name: str
    kind: str
    games: list[str]
    agents: int
    played: int
    total: int
    is_most: bool
    state: State
    begun: str
    problem: str


class ContestList(BaseModel):
    """All tournaments, the latest first; `may_start`: another one can be played now."""

    tournaments: list[ContestCard]
    may_start: bool


class StandingView(BaseModel):
    """An agent's results; `elo` with the ends of its 95 % interval.

    `error` is half its width, None where `elo` is not in the middle of it.
    """

    name: str
    elo: float | None
    error: float | None
    low: float | None
    high: float | None
    share: float
    points: float
    games: int
    won: int
    drawn: int
    lost: int
    seconds: float | None  # for a move, on average
    nodes: float | None
    faults: int


class CellView(BaseModel):
    """What an agent got against another, both by their places in the standings."""

    agent: int
    other: int
    share: float
    points: float
    games: int
    won: int
    drawn: int
    lost: int


class TableView(BaseModel):
    """A table of texts with its heading."""

    title: str
    columns: list[str]
    rows: list[list[str]]


class GameRow(BaseModel):
    """A game in a list: who sat where, the points of each seat, and how it ended."""

    number: int
    game: str
    seats: list[str]
    points: list[float]
    plies: int
    termination: str


class ContestView(BaseModel):
    """A tournament as it stands.  `standings` are ordered by rating, the best first.

    `left` is an estimate of the seconds until it is finished, None where there is none.
    """

    id: str
    name: str
    kind: str
    games: list[str]
    agents: list[EntrantView]
    state: State
    problem: str
    played: int
    total: int
    is_most: bool
    left: float | None
    standings: list[StandingView]
    cells: list[CellView]
    tables: list[TableView]  # what the kind of the tournament tells besides
    remarks: list[str]
    warnings: list[str]
    latest: list[GameRow]
    settings: list[tuple[str, str]]


class GameList(BaseModel):
    """Games of a tournament by number, `left_out` how many more there are."""

    games: list[GameRow]
    left_out: int


class ReplayView(BaseModel):
    """A game to be stepped through: `positions` has one more entry than `played`."""

    number: int
    game: str
    title: str
    table: Table
    seats: list[str]
    result: str
    positions: list[PositionView]
    played: list[PlayedView]


class ChartView(BaseModel):
    """A chart as a document of SVG."""

    name: str
    title: str
    remark: str
    svg: str


class Charts(BaseModel):
    """The charts of the first so many games that ended."""

    games: int
    charts: list[ChartView]


class ContestNews(BaseModel):
    type: Literal["tournament"] = "tournament"
    tournament: ContestView
