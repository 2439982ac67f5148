"""The text forms and drawings of Seega: board, moves, positions, endings."""

from plies.core import (
    DRAW,
    ONGOING,
    Board,
    grid,
    lowest_bit,
    popcount,
    rows_text,
    set_bits,
)
from plies.core.verbs import legal_moves, outcome
from plies.drawing.text import draw_board
from plies.errors import IllegalMove, shorten
from plies.games.seega.cells import CENTRE, STOP, State, has_step, name_of, neighbours
from plies.games.seega.reading import MARKS, PLACING


def board(state: State) -> Board:
    """The grid, with the centre marked."""
    return grid(state.size, state.size, marked=(centre_of(state),))


def sides(state: State) -> tuple[int, int]:
    """The pieces of X and of O."""
    return (state.theirs, state.mine) if state.turn else (state.mine, state.theirs)


def pieces(state: State) -> dict[str, str]:
    return {
        name_of(int(bit), state.size): mark
        for own, mark in zip(sides(state), MARKS, strict=True)
        for bit in set_bits(own)
    }


def centre_of(state: State) -> str:
    return name_of(lowest_bit(CENTRE[state.size]), state.size)


# Texts


def steps(state: State, move: int) -> tuple[str, ...]:
    """The cell of a placement; origin and target of a step; or `stop`."""
    if state.to_place:
        return (name_of(move, state.size),)
    if move == STOP:
        return ("stop",)
    return name_of(move >> 6, state.size), name_of(move & 63, state.size)


def find_move(state: State, text: str) -> None:
    """Refuse the centre with its reason; all other texts are read as steps."""
    if state.to_place and text.strip().lower() == centre_of(state):
        legal = [name_of(int(cell), state.size) for cell in legal_moves(state)]
        reason = "the centre stays empty while pieces are placed"
        raise IllegalMove(f"{reason}; legal are {shorten(legal)}", legal)


def position_text(state: State) -> str:
    fields = [rows_text(board(state), pieces(state)), MARKS[state.turn]]
    fields.append(PLACING if state.to_place else str(state.quiet))
    if state.chaining:
        fields.append(name_of(lowest_bit(state.chaining), state.size))
    return " ".join(fields)


def captures(state: State) -> tuple[int, int]:
    """The numbers of pieces that X and O have captured, once all have been placed."""
    most = state.size * state.size // 2
    x, o = sides(state)
    return most - popcount(o), most - popcount(x)


def ending(state: State) -> str:
    """The reason of the end, and who has captured more; empty while the game goes on."""
    result = outcome(state)
    if result == ONGOING:
        return ""
    for mark, own in zip(MARKS, sides(state), strict=True):
        if own == 0:
            return f"{mark} has no pieces left"
    fewer, more = sorted(captures(state))
    count = "captures are even" if result == DRAW else f"{MARKS[result]} has captured more"
    quiet = f"{state.quiet} step{'s' if state.quiet > 1 else ''} without a capture"
    return f"{quiet}, and {count}, {more} to {fewer}"


# Drawings


def draw(state: State) -> str:
    """The board with its centre marked; below it the counts, and a blockade."""
    drawn = draw_board(board(state), {centre_of(state): "+"} | pieces(state))
    return "\n".join([drawn, _counts(state), *_blockade(state)])


def situation(state: State) -> str:
    return "; ".join([_counts(state), *_blockade(state)])


def _counts(state: State) -> str:
    if state.to_place:
        most = state.size * state.size // 2
        left = [most - popcount(side) for side in sides(state)]
        return f"to place: X {left[0]}, O {left[1]}"
    x, o = captures(state)
    counts = f"captured: X {x}, O {o}"
    if state.chaining:
        return f"{counts}; {name_of(lowest_bit(state.chaining), state.size)} may go on"
    return f"{counts}; quiet steps: {state.quiet} of {state.limit}"


def _blockade(state: State) -> list[str]:
    """A line about the rule for a blocked opponent, where it applies."""
    if (
        state.to_place
        or outcome(state) != ONGOING
        or has_step(state.theirs, state.mine, state.size)
    ):
        return []
    mark, other = MARKS[state.turn], MARKS[state.turn ^ 1]
    # Either all legal steps begin next to an enemy piece or, where none could, no step does.
    origin = 1 << (int(legal_moves(state)[0]) >> 6)
    if neighbours(state.theirs, state.size + 1) & origin:
        return [f"{other} is blocked: {mark} must make an opening, with a piece next to {other}"]
    return [f"{other} is blocked: no piece next to {other} can step, any step is allowed"]
