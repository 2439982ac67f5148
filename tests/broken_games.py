"""Games that break a promise: the game of taking from a heap with parts of its file replaced."""

from typing import NamedTuple

from game_samples import (
    ARRAY,
    ENDLESS,
    INITIAL,
    LAST,
    LEGAL_MOVES,
    OUTCOME,
    PLAY,
    STUCK,
    TAKE,
    replaced,
)

IMPORTING = TAKE.replace("import ONGOING,", "import ONGOING, SCORED, Board, Evaluator, grid,")
HEAP = "    heap: int\n"


class Broken(NamedTuple):
    breaks: tuple[str, ...]  # the checks of `plies check` that fail
    text: str
    needs_compiler: bool


def broken(
    *breaks: str,
    changes: tuple[tuple[str, str], ...] = (),
    rules: str = "",
    keywords: str = "",
    text: str = IMPORTING,
    needs_compiler: bool = False,
) -> Broken:
    """The game with parts replaced, with more rules, and with more said about it."""
    if rules:
        changes = (*changes, (LAST, f"{rules}{LAST.removesuffix(')')}{keywords})"))
    return Broken(breaks, replaced(text, *changes), needs_compiler)


def plain(head: str, body: str) -> str:
    return f"def {head}:\n    {body}\n\n\n"


def compiled(head: str, body: str) -> str:
    return f"@compiled\n{plain(head, body)}"


BOARD = plain("board(state)", "return grid(7, 1)")
STONES = plain("pieces(state)", 'return {f"{cell}1": "O" for cell in "abcdefg"[: state.heap]}')
BROKEN = {
    "take": broken(),
    # A truth value where a whole number belongs.
    "bool_after_a_move": broken(
        "play leads to states of this game",
        changes=(
            (PLAY, PLAY.replace("1 - state.turn", "state.turn == 0")),
            (OUTCOME, OUTCOME.replace("1 - state.turn", "int(state.turn == 0)")),
        ),
    ),
    "bool_at_the_start": broken(
        "a game begins with whole numbers",
        changes=(
            (HEAP, f"{HEAP}    is_new: int\n"),
            (INITIAL, "return State(heap, True, 0)"),
            (PLAY, PLAY.replace("move,", "move, 0,")),
        ),
    ),
    # The text of its option does not read back.
    "negative_rows": broken(
        "options read back from their text",
        changes=(
            ("heap: int = 7", "rows: tuple[int, ...] = (-1, 8)"),
            (INITIAL, "return State(sum(rows), 0)"),
        ),
    ),
    "moves_as_list": broken(
        "moves are whole numbers listed once",
        changes=((LEGAL_MOVES, "return list(range(1, min(state.heap, 2) + 1))"),),
    ),
    "moves_twice": broken(
        "moves are whole numbers listed once",
        changes=((LEGAL_MOVES, "return np.array([1, min(state.heap, 2), 1])"),),
    ),
    # The text of a move begins with a separator.
    "negative_moves": broken(
        "steps are points of the board or words",
        "moves read back from their text",
        changes=(
            (LEGAL_MOVES, LEGAL_MOVES.replace("np", "-np")),
            (PLAY, PLAY.replace("- move", "+ move")),
        ),
    ),
    "raising_rule": broken(
        "random games run",
        changes=(
            (OUTCOME, f'if state.heap == 3:\n        raise ValueError("a crowd")\n    {OUTCOME}'),
        ),
    ),
    "endless": broken("games end", text=ENDLESS.read_text()),
    "stuck": broken("a state without moves is decided", text=STUCK.read_text()),
    "third_mover": broken(
        "the mover is one of the players",
        "positions read back from their text",
        changes=(("return state.turn\n", "return state.turn + 1\n"),),
    ),
    "third_winner": broken(
        "a decided game pays every player", changes=((OUTCOME, OUTCOME.replace("1 -", "2 -")),)
    ),
    # Says SCORED, but not what anybody gets.
    "missing_payoff": broken(
        "a decided game pays every player",
        changes=((OUTCOME, OUTCOME.replace("1 - state.turn", "SCORED")),),
    ),
    # Both players of a zero-sum game win something.
    "generous_payoff": broken(
        "a decided game pays every player",
        changes=((OUTCOME, OUTCOME.replace("1 - state.turn", "SCORED")),),
        rules=compiled("payoff(state, player)", "return 1 if player == state.turn else 2"),
    ),
    # No room for a win.
    "low_bounds": broken(
        "payoffs stay inside their bounds", rules=compiled("payoff_bounds(state)", "return 1, 0")
    ),
    # Leaves something to chance.
    "chance": broken(
        "rules answer the same when called twice",
        "compiled rules equal the interpreted",
        changes=(
            (HEAP, f"{HEAP}    luck: int\n"),
            (INITIAL, "return State(heap, 0, 0)"),
            (PLAY, PLAY.replace("move,", "move, np.random.randint(0, 2**40),")),
        ),
    ),
    "changed_argument": broken("rules leave their argument alone", text=ARRAY),
    # A key of more than 64 bits, unless it is compiled.
    "overflow": broken(
        "compiled rules equal the interpreted",
        rules=compiled("key(state)", "return (state.heap * 2 + state.turn) * (2**62 + 1)"),
        needs_compiler=True,
    ),
    "uncompilable": broken(
        "the rules compile",
        "random games run",
        changes=((PLAY, PLAY.replace("state.heap - move", "int(str(state.heap) + move)")),),
        needs_compiler=True,
    ),
    # Forgets whose turn it is.
    "careless_key": broken(
        "equal keys mean equal positions", rules=compiled("key(state)", "return state.heap")
    ),
    # An image in which the other player moves.
    "false_symmetry": broken(
        "symmetric states have symmetric futures",
        rules=compiled("symmetries(state)", "return state, State(state.heap, 1 - state.turn)"),
    ),
    # An image whose moves lead elsewhere.
    "false_mirror": broken(
        "symmetric states have symmetric futures",
        changes=(
            (HEAP, f"{HEAP}    taken: int\n"),
            (INITIAL, "return State(heap, 0, 0)"),
            (PLAY, PLAY.replace("move,", "move, state.taken + move,")),
        ),
        rules=compiled(
            "symmetries(state)", "return state, State(state.heap, -state.taken, state.turn)"
        ),
    ),
    "false_exchange": broken(
        "swapped players swap what comes",
        rules=compiled("swap_players(state)", "return State(state.heap, state.turn)"),
    ),
    # Counts two moves with one left to take.
    "quick_count": broken(
        "shortcuts agree with the rules",
        rules=compiled("count_moves(state)", "return 2 if state.heap > 0 else 0"),
    ),
    # What should not matter for the play takes the heap along.
    "lost_identity": broken(
        "shortcuts agree with the rules",
        rules=compiled("identity(state)", "return State(0, state.turn)"),
    ),
    # Taking two is tactical, but not listed.
    "forgotten_capture": broken(
        "tactical moves are legal moves in order",
        rules=compiled("is_tactical(state, move)", "return move == 2")
        + compiled("tactical_moves(state)", "return np.empty(0, np.int64)"),
    ),
    # What is left of a capture is more than what it takes.
    "rich_exchange": broken(
        "exchanges never exceed gains",
        rules=compiled("is_tactical(state, move)", "return move == 2")
        + compiled("capture_gain(state, move)", "return 1")
        + compiled("static_exchange(state, move)", "return move"),
    ),
    # Every move is said to threaten, but only a heap of one must be answered.
    "false_alarm": broken(
        "threats must be answered",
        rules=compiled("must_respond(state)", "return state.heap == 1")
        + compiled("threatens(state, move)", "return move > 0"),
    ),
    # Passing takes from the heap and keeps the turn.
    "taking_pass": broken(
        "a null move changes only the turn",
        rules=compiled("null_move(state)", "return State(state.heap + 1, state.turn)"),
    ),
    "negative_phase": broken(
        "phases are counted from zero",
        rules=compiled("phase(state)", "return -1 if state.heap < 3 else 0"),
    ),
    "too_few_inputs": broken(
        "inputs are numbers below their count",
        rules=compiled("inputs(state)", "return np.array([state.heap])")
        + compiled("input_count(state)", "return 3"),
    ),
    # As strong as a proof.
    "excited_evaluator": broken(
        "evaluators stay inside their band",
        rules=compiled("much(state)", "return state.heap * 10**9"),
        keywords=', evaluators={"much": Evaluator(much)}',
    ),
    # Two heaps, equal when exchanged; the evaluator looks at the left one alone.
    "lopsided_evaluator": broken(
        "evaluators value images alike",
        changes=(
            (HEAP, "    left: int\n    right: int\n"),
            ("heap: int = 7", "heap: int = 3"),
            (INITIAL, "return State(heap, heap, 0)"),
            (LEGAL_MOVES, "return np.arange(2)[int(state.left == 0) : 1 + int(state.right > 0)]"),
            (PLAY, "return State(state.left - (1 - move), state.right - move, 1 - state.turn)"),
            (OUTCOME, OUTCOME.replace("state.heap", "state.left + state.right")),
        ),
        rules=compiled(
            "symmetries(state)", "return state, State(state.right, state.left, state.turn)"
        )
        + compiled("left_heap(state)", "return state.left"),
        keywords=', evaluators={"left": Evaluator(left_heap)}',
    ),
    # Takes two even of a heap of one.
    "greedy_strategy": broken(
        "strategies answer legal moves",
        rules=plain("always_two(state)", "return 2"),
        keywords=', strategies={"two": always_two}',
    ),
    # Forgets whose turn it is.
    "forgetful_text": broken(
        "positions read back from their text",
        rules=plain("position_text(state)", "return str(state.heap)")
        + plain("parse_position(text, initial)", "return initial._replace(heap=int(text))"),
    ),
    # Reads a position out of any text.
    "lenient_parser": broken(
        "text that is no position is refused",
        rules=plain("position_text(state)", 'return f"{state.heap} {state.turn}"')
        + plain(
            "parse_position(text, initial)",
            "numbers = [int(word) for word in text.split() if word.isdecimal()]\n"
            "    return initial._replace(heap=sum(numbers[:1]), turn=sum(numbers[1:2]))",
        ),
    ),
    "raising_text": broken(
        "positions read back from their text",
        "text that is no position is refused",
        "drawings are text and svg",
        rules=plain("position_text(state)", 'return "abcdefg"[state.heap]'),
    ),
    # Writes what the other player would take.
    "other_notation": broken(
        "notations read back", rules=plain("move_notation(state, move)", "return str(3 - move)")
    ),
    # Calls two moves by the same name.
    "same_steps": broken(
        "every move has steps of its own",
        "every move has clicks of its own",
        "moves read back from their text",
        rules=plain("steps(state, move)", 'return ("take",)'),
    ),
    "two_line_remark": broken(
        "remarks are text", rules=plain("situation(state)", r'return f"heap\n{state.heap}"')
    ),
    "broken_glyph": broken(
        "glyphs are svg", rules=plain("glyphs()", 'return {"X": "<circle r=20>"}')
    ),
    "broken_picture": broken(
        "drawings are text and svg",
        rules=plain("svg(state)", 'return f"<svg><text>{state.heap}</svg>"'),
    ),
    "piece_beside_the_board": broken(
        "pieces stand on points of the board",
        "drawings are text and svg",
        rules=BOARD + STONES.replace("abcdefg", "bcdefgh"),
    ),
    "piece_of_nobody": broken(
        "every piece is somebodys or declared neutral",
        rules=BOARD + STONES.replace("O", "o"),
        keywords=', marks=("X", "O"), neutral="#"',
    ),
    "steps_beside_the_board": broken(
        "steps are points of the board or words",
        rules=BOARD + plain("steps(state, move)", 'return ("bcdefgh"[state.heap - move] + "1",)'),
    ),
    # One click stands for two moves.
    "same_clicks": broken(
        "every move has clicks of its own",
        rules=BOARD + plain("clicks(state, move)", 'return ("a1",)'),
    ),
    "motion_beside_the_board": broken(
        "what moves goes from point to point",
        rules=BOARD + plain("motions(state, move)", 'return (("a1", "h1"),)'),
    ),
}
