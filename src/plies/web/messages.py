"""What crosses the wire about games: requests, and views of games, positions and sessions.

Players are numbered from 0.  A `share` says how good a position is for the first player, from
0 (lost) to 1 (won); it is None where not just two play, or one's gain is not the other's loss.
A value that is `told` is in words, from the side of the player to move.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST_SPEC = 200
LONGEST_TEXT = 20_000  # of a position or a game
MOST_PLAYERS = 9
MOST_PLIES = 100_000  # more than any game has

Spec = Annotated[str, Field(max_length=LONGEST_SPEC)]
Share = Annotated[float, Field(ge=0, le=1)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES)]


class Request(BaseModel):
    """What comes from outside: nothing unknown in it, nothing guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


# Games


class BoardShape(BaseModel):
    """Named points (x to the right, y upwards), the lines between them, and how it looks."""

    points: dict[str, tuple[float, float]]
    lines: list[tuple[str, str]]
    style: str
    marked: list[str]


class Table(BaseModel):
    """What a board is drawn from, besides the pieces of a position."""

    board: BoardShape | None  # None where a game declares none: then a position has its picture
    marks: list[str]  # the symbols of each player's pieces
    glyphs: dict[str, str]  # symbol -> SVG elements in a box of 45 x 45
    sides: list[str]  # what the players are called


class GameCard(BaseModel):
    """A game in the list; `problem` says why it cannot be shown."""

    spec: str
    title: str
    summary: str  # what it is about, in a sentence
    players: int
    table: Table
    pieces: dict[str, str]
    picture: str  # lines of text, where there is no board
    problem: str


class OptionView(BaseModel):
    """An option of a game or an agent: of which kind, with which default and choices.

    `told` says what it does, and is empty where nobody has said it.
    """

    name: str
    kind: Literal["whole", "number", "yes-no", "choice", "text"]
    default: str
    choices: list[str]
    told: str


class MoveView(BaseModel):
    """A legal move: its text, and what is clicked for it, points and choice words in order.

    `gone` are points whose pieces would vanish, told where the game says itself what is clicked.
    """

    text: str
    clicks: list[str]
    gone: list[str] = []


class PositionView(BaseModel):
    """A position of a game, `ply` moves after its start; `mover` is None when it is over.

    `last` are the points that the move before it touched, `motions` what visibly moved then.
    `board` is given only where it is not the table's.
    """

    ply: int
    text: str
    mover: int | None
    pieces: dict[str, str]
    moves: list[MoveView]
    last: list[str]
    motions: list[tuple[str, str]]
    situation: str
    picture: str
    board: BoardShape | None = None


class GameDetail(BaseModel):
    """Everything about a game that a page shows before the first move."""

    spec: str
    name: str  # without options
    title: str
    summary: str  # what it is about, in a sentence
    rules: str
    players: int
    is_zero_sum: bool
    table: Table
    options: list[OptionView]
    evaluators: list[str]
    position: PositionView


class Level(BaseModel):
    """An opponent with a name that says how strong it is."""

    name: str
    agent: str


class AgentKind(BaseModel):
    """A method that plays, and its options."""

    name: str
    summary: str
    options: list[OptionView]


class Opponents(BaseModel):
    """Whoever plays a game: a few to choose at once, and all kinds with their options.

    `learned` are the models that the server was started with for this game.
    """

    levels: list[Level]
    learned: list[Level]
    kinds: list[AgentKind]


# Sessions


class ClockSetting(Request):
    """So many seconds for the game, and so many more with every move."""

    credit: float = Field(gt=0, le=24 * 3600)
    increment: float = Field(default=0, ge=0, le=3600)


class CopyOf(Request):
    """The first `ply` moves of another session."""

    session: str = Field(max_length=40)
    ply: Ply


class CreateSession(Request):
    """A new game.  `seats` are agents' specs, empty for a person, one for every player.

    It begins at the start, or with what `text` describes (a position or a whole game), or
    as a copy of another session.
    """

    game: Spec
    seats: list[Spec] = Field(default_factory=list, max_length=MOST_PLAYERS)
    text: str = Field(default="", max_length=LONGEST_TEXT)
    copy_of: CopyOf | None = None
    clock: ClockSetting | None = None
    is_paused: bool = False
    seconds: float = Field(default=0.5, ge=0, le=60)


class MakeMove(Request):
    """A move in the position after `ply` moves; `wait` for the agents to reply."""

    ply: Ply
    move: str = Field(max_length=200)
    wait: bool = False


class AtPly(Request):
    """Something asked for in the position after `ply` moves."""

    ply: Ply


class HandOver(Request):
    """Who plays a seat from now on: an agent's spec, or empty for a person."""

    agent: Spec


class Pace(Request):
    """Whether agents wait to be told to move, and the least seconds from move to move."""

    is_paused: bool
    seconds: float = Field(ge=0, le=60)


class SeatView(BaseModel):
    """A seat: its side's name, who sits there, and the seconds left on its clock."""

    name: str
    agent: str
    is_taken: bool  # by somebody who came with an invitation
    left: float | None


class PlayedView(BaseModel):
    """A move that was played, and what its player thought."""

    player: int
    text: str
    spoken: str
    told: str
    share: float | None
    depth: int
    nodes: int
    seconds: float
    line: list[str]
    fault: str


class EndingView(BaseModel):
    """How a game has ended: in words, what each got, which kind of end, why."""

    text: str
    payoffs: list[int]
    termination: str
    reason: str


class SessionView(BaseModel):
    """A game that is being played, as one of its listeners may see it."""

    id: str
    game: str
    title: str
    start: str
    seats: list[SeatView]
    ply: int
    position: PositionView
    played: list[PlayedView]
    ending: EndingView | None
    pace: Pace
    problem: str  # why an agent has paused the game, if it has
    clock: ClockSetting | None
    is_thinking: bool
    role: Literal["owner", "player", "watcher"]
    yours: list[int]  # the seats that whoever asks may move for


class SessionCreated(BaseModel):
    """A new session, the key of its owner, and a key to invite somebody to each seat."""

    key: str
    invites: list[str]
    session: SessionView


class SessionText(BaseModel):
    """A session to be copied: the position as it is, and the whole game."""

    position: str
    game: str


# Looking inside


class LineMove(BaseModel):
    """A move that a search expects."""

    text: str
    spoken: str
    clicks: list[str]


class Thinking(BaseModel):
    """How far a search is; `seat` is None for an analysis that belongs to no player."""

    ply: int
    seat: int | None
    depth: int
    nodes: int
    rate: float  # nodes a second
    seconds: float
    told: str
    share: float | None
    line: list[LineMove]


class MoveValue(BaseModel):
    """What a legal move is worth to the player who makes it."""

    text: str
    spoken: str
    clicks: list[str]
    value: int
    told: str
    share: float | None


class Inside(BaseModel):
    """An analysis of one position, as far as it is: a search, and the values of all moves."""

    ply: int
    is_done: bool
    thinking: Thinking | None
    depth: int  # to which the moves were looked at
    values: list[MoveValue]


class Hint(BaseModel):
    """A move to consider."""

    ply: int
    move: LineMove
    told: str
    share: float | None
    depth: int
    nodes: int


class Compiling(BaseModel):
    """What is being compiled while somebody waits, and how far along it is."""

    subject: str  # such as `chess: engine`
    done: int  # functions
    expected: int  # about so many
    share: Annotated[float, Field(ge=0, lt=1)]
    seconds: float


class LookInside(Request):
    """A listener wants to see, or no longer to see, inside the position after `ply` moves."""

    type: Literal["inside"]
    on: bool
    ply: Ply


class Ping(Request):
    """Is anybody there?"""

    type: Literal["ping"]


class SessionNews(BaseModel):
    type: Literal["session"] = "session"
    session: SessionView


class ThinkingNews(BaseModel):
    type: Literal["thinking"] = "thinking"
    thinking: Thinking


class InsideNews(BaseModel):
    type: Literal["inside"] = "inside"
    inside: Inside


class ValuesNews(BaseModel):
    """The share of the first player after each ply, None where it is not known yet."""

    type: Literal["values"] = "values"
    values: list[float | None]


class CompilingNews(BaseModel):
    """None when what was waited for is compiled, or nobody waits any more."""

    type: Literal["compiling"] = "compiling"
    compiling: Compiling | None


class ProblemNews(BaseModel):
    type: Literal["problem"] = "problem"
    error: str


class Pong(BaseModel):
    type: Literal["pong"] = "pong"


class Problem(BaseModel):
    """Why something was refused; `legal` and `session` where they help to go on."""

    error: str
    legal: list[str] | None = None
    session: SessionView | None = None
