"""The one table of rules: everything that a game file may define, each declared once.

From it come the verbs of searches (`verbs`), the types that rules must answer (`answers`),
what a file must define (`requirements`), the contract in docs/writing-a-game.md, and the
list of `plies check`.
"""

from typing import Literal, NamedTuple

# What a rule answers.  For compiled code each kind is one type; a plain Python function answers
# `text`, or anything ("python").
Answer = Literal["number", "flag", "numbers", "state", "states", "pair", "text", "python"]


class Rule(NamedTuple):
    """A function (or class) of a game file.

    `check` is the check of `plies check` that tests it.  `sentence` describes the answer, and
    `default` the answer in a game that does not define it.
    """

    name: str
    takes: tuple[str, ...]
    answers: Answer
    check: str
    sentence: str
    default: str = ""
    needed: str = "no"

    @property
    def is_compiled(self) -> bool:
        return self.answers not in ("text", "python")

    @property
    def is_required(self) -> bool:
        return self.needed == "yes"


STATE, MOVE = ("state",), ("state", "move")
POINTS = "steps are points of the board or words"
PIECES = "pieces stand on points of the board"
POSITIONS = "positions read back from their text"
DRAWINGS = "drawings are text and svg"
TACTICS = "tactical moves are legal moves in order"
EXCHANGES = "exchanges never exceed gains"
THREATS = "threats must be answered"
INPUTS = "inputs are numbers below their count"
SHORTCUTS = "shortcuts agree with the rules"
REMARKS = "remarks are text"

# Name, arguments, answer and check of each rule stand in one line, by unpacking a tuple.
RULES: tuple[Rule, ...] = (
    Rule(
        *("initial", ("**options",), "python", "a game begins with whole numbers"),
        "the first state; its signature declares the options",
        needed="yes",
    ),
    Rule(
        *("mover", STATE, "number", "the mover is one of the players"),
        "the player to move, 0 or 1 (or more)",
        needed="yes",
    ),
    Rule(
        *("legal_moves", STATE, "numbers", "moves are whole numbers listed once"),
        "an `int64` array, each move once; only called while the game goes on",
        needed="yes",
    ),
    Rule(
        *("play", MOVE, "state", "play leads to states of this game"),
        "the state after the move",
        needed="yes",
    ),
    Rule(
        *("outcome", STATE, "number", "a state without moves is decided"),
        "`ONGOING`, `DRAW`, `SCORED`, or the number of the winner",
        needed="yes",
    ),
    Rule(
        *("payoff", ("state", "player"), "number", "a decided game pays every player"),
        "the points of a player, a whole number",
        needed="with `SCORED`",
    ),
    Rule(
        *("key", STATE, "number", "equal keys mean equal positions"),
        "a number that is equal for equal states",
        "all fields, mixed",
    ),
    Rule(
        *("is_tactical", MOVE, "flag", TACTICS),
        "whether a move changes the balance at once, as a capture does",
        "none does",
    ),
    Rule(
        *("tactical_moves", STATE, "numbers", TACTICS),
        "the tactical ones of the legal moves, in their order, where that is faster than"
        " testing each",
    ),
    Rule(
        *("capture_gain", MOVE, "number", EXCHANGES),
        "what a tactical move wins at once, in the units of the evaluators",
        "1",
    ),
    Rule(
        *("static_exchange", MOVE, "number", EXCHANGES),
        "the gain that remains after the best replies, negative where the move loses",
        "the gain",
    ),
    Rule(
        *("must_respond", STATE, "flag", THREATS),
        "whether the mover must answer a threat at once, as in check",
        "never",
    ),
    Rule(
        *("threatens", MOVE, "flag", THREATS),
        "whether a move makes a threat of that kind; it may miss some, but reports no false one",
        "none does",
    ),
    Rule(
        *("null_move", STATE, "state", "a null move changes only the turn"),
        "the state after the mover has passed the turn, or the state itself where passing might be"
        " an advantage or is senseless",
    ),
    Rule(
        *("inputs", STATE, "numbers", INPUTS),
        "the inputs of models, from the mover's side: an int64 array with the numbers of the"
        " [inputs](#inputs-for-what-learns) that are on",
    ),
    Rule(
        *("input_count", STATE, "number", INPUTS),
        "the number of inputs",
        needed="with `inputs`",
    ),
    Rule(
        *("phase", STATE, "number", "phases are counted from zero"),
        "the number of the phase the game is in, 0 for the first:"
        " [`contest`](search/textbook.md#the-contest-agent) divides its clock by it",
        "0",
    ),
    Rule(
        *("payoff_bounds", STATE, "pair", "payoffs stay inside their bounds"),
        "the most that one player, and that two players together, can get: `(WIN, 0)`, with `WIN`"
        " of `plies.core.scores`, where it is won, lost or drawn",
    ),
    Rule(
        *("symmetries", STATE, "states", "symmetric states have symmetric futures"),
        "a tuple of equivalent states, the state itself among them",
    ),
    Rule(
        *("swap_players", STATE, "state", "swapped players swap what comes"),
        "the same position with the two players exchanged: each has the moves and payoffs of the"
        " other",
    ),
    Rule(
        *("count_moves", STATE, "number", SHORTCUTS),
        "the number of legal moves, 0 when the game is over, where that is faster than making the"
        " list",
    ),
    Rule(
        *("identity", STATE, "state", SHORTCUTS),
        "the state without what makes no difference to the play, such as a clock",
        "all of it",
    ),
    Rule(
        *("board", STATE, "python", PIECES),
        'a `Board`: named points with coordinates, perhaps lines; `style="checkered"` or `"cubes"`'
        " for its cells, and points that are always `marked`",
    ),
    Rule(*("pieces", STATE, "python", PIECES), "point name -> symbol"),
    Rule(
        *("steps", MOVE, "python", POINTS),
        "the move as point names and words, in the order of typing or clicking",
    ),
    Rule(
        *("clicks", MOVE, "python", "every move has clicks of its own"),
        "the points and words to click in the browser, where they are not the steps: in Nim the"
        " object at which the taken ones begin",
    ),
    Rule(
        *("motions", MOVE, "python", "what moves goes from point to point"),
        "what visibly moves, as pairs of points: in Quixo all cubes of the row",
        "a piece from the first step's point to the second's",
    ),
    Rule(
        *("situation", STATE, "text", REMARKS),
        "one line about what the pieces do not show, such as the pieces in hand; it stands"
        " below the board",
    ),
    Rule(
        *("glyphs", (), "python", "glyphs are svg"),
        "symbol -> SVG elements in a box of 45 x 45, for pieces with drawings of their own",
    ),
    Rule(
        *("move_text", MOVE, "text", "moves read back from their text"),
        "a move in the game's own notation",
        "its steps joined by `-`",
    ),
    Rule(
        *("move_notation", MOVE, "text", "notations read back"),
        "a move as players write it to each other, where `move_text` is for programs",
    ),
    Rule(
        *("theory", STATE, "python", "strategies answer legal moves"),
        "the best move where it is known, or several that are equally good, else `None`: what the"
        " agent `theory` plays",
    ),
    Rule(
        *("find_move", ("state", "text"), "python", "notations read back"),
        "the legal move that a text in other notations means, or `None`; steps are always read",
    ),
    Rule(*("position_text", STATE, "text", POSITIONS), "the state as one line of text"),
    Rule(
        *("parse_position", ("text", "initial"), "python", POSITIONS),
        "the inverse of `position_text`; `ValueError` for anything else",
    ),
    Rule(*("draw", STATE, "text", DRAWINGS), "a drawing as text instead of the one from `board`"),
    Rule(*("svg", STATE, "text", DRAWINGS), "a picture instead of the one from `board`"),
    Rule(
        *("players", STATE, "python", "the mover is one of the players"),
        "the number of players",
        "2",
    ),
    Rule(
        *("is_zero_sum", STATE, "python", "a decided game pays every player"),
        "whether one gets what the other loses",
        "yes with two players",
    ),
    Rule(
        *("ending", STATE, "text", REMARKS),
        "why the game is over, in words, such as `Black is checkmated`",
    ),
    Rule(
        *("draw_claim", ("state", "earlier"), "text", REMARKS),
        'why a match is drawn here although the rules go on, or `""`; `earlier` holds the states'
        " before, the oldest first",
    ),
)

RULE: dict[str, Rule] = {rule.name: rule for rule in RULES}
COMPILED = tuple(rule.name for rule in RULES if rule.is_compiled)
REQUIRED = ("State", *(rule.name for rule in RULES if rule.is_required))
