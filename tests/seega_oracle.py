"""Seega a second time: slow, on plain lists, and sharing nothing with the game file.

Positions and moves are spoken of as text only, in the words of the game: `b2`, `b3-c3`,
`stop`; rows from the top, the mark to move, `place` or the steps since a capture, and the
cell of a piece that may go on capturing.
"""

from dataclasses import dataclass

EMPTY = "."
OTHER = {"X": "O", "O": "X"}

Cell = tuple[int, int]  # row from the bottom, column


@dataclass(frozen=True)
class Rules:
    size: int = 5
    chain: bool = False
    limit: int = 50

    @property
    def centre(self) -> Cell:
        return self.size // 2, self.size // 2

    @property
    def hand(self) -> int:
        """How many pieces each player places."""
        return (self.size * self.size - 1) // 2


@dataclass(frozen=True)
class Position:
    rules: Rules
    cells: list[list[str]]  # [row from the bottom][column]
    mark: str  # of the player to move
    is_placing: bool
    quiet: int = 0
    going: Cell | None = None


def start(rules: Rules) -> Position:
    cells = [[EMPTY] * rules.size for _ in range(rules.size)]
    return Position(rules, cells, "X", is_placing=True)


# Text


def name(cell: Cell) -> str:
    return f"{'abcdefghi'[cell[1]]}{cell[0] + 1}"


def cell_of(text: str) -> Cell:
    return int(text[1:]) - 1, "abcdefghi".index(text[0])


def text_of(position: Position) -> str:
    rows = "/".join("".join(row) for row in reversed(position.cells))
    words = [rows, position.mark, "place" if position.is_placing else str(position.quiet)]
    return " ".join(words if position.going is None else [*words, name(position.going)])


def read(text: str, rules: Rules) -> Position:
    rows, mark, phase, *going = text.split()
    cells = [list(row) for row in reversed(rows.split("/"))]
    is_placing = phase == "place"
    quiet = 0 if is_placing else int(phase)
    return Position(rules, cells, mark, is_placing, quiet, cell_of(going[0]) if going else None)


# What stands where


def pieces(position: Position, mark: str) -> list[Cell]:
    return [
        (row, column)
        for row, marks in enumerate(position.cells)
        for column, found in enumerate(marks)
        if found == mark
    ]


def mark_at(cells: list[list[str]], cell: Cell) -> str:
    """What stands on a cell; nothing, not even EMPTY, beside the board."""
    row, column = cell
    size = len(cells)
    return cells[row][column] if 0 <= row < size and 0 <= column < size else ""


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column)]


def steps(position: Position, mark: str) -> list[tuple[Cell, Cell]]:
    """Every step of one player's pieces, whoever is to move."""
    cells, size = position.cells, position.rules.size
    return [
        (here, (row, column))
        for here in pieces(position, mark)
        for row, column in neighbours(here)
        if 0 <= row < size and 0 <= column < size and cells[row][column] == EMPTY
    ]


def is_blocked(position: Position, mark: str) -> bool:
    return not steps(position, mark)


def caught(position: Position, here: Cell, there: Cell) -> list[Cell]:
    """The enemy pieces that a step captures."""
    cells = [list(row) for row in position.cells]
    mark = cells[here[0]][here[1]]
    cells[here[0]][here[1]] = EMPTY
    cells[there[0]][there[1]] = mark
    found = []
    for enemy in neighbours(there):
        behind = (2 * enemy[0] - there[0], 2 * enemy[1] - there[1])
        is_between = mark_at(cells, enemy) == OTHER[mark] and mark_at(cells, behind) == mark
        if is_between and enemy != position.rules.centre:
            found.append(enemy)
    return found


# Moves


def openings(position: Position) -> list[tuple[Cell, Cell]]:
    """The steps of pieces that stand next to an enemy piece."""
    enemy = OTHER[position.mark]
    return [
        (here, there)
        for here, there in steps(position, position.mark)
        if enemy in [mark_at(position.cells, cell) for cell in neighbours(here)]
    ]


def free_steps(position: Position) -> list[tuple[Cell, Cell]]:
    """The steps that are allowed at the beginning of a turn."""
    if is_blocked(position, OTHER[position.mark]) and openings(position):
        return openings(position)
    return steps(position, position.mark)


def further_steps(position: Position) -> list[tuple[Cell, Cell]]:
    """The capturing steps of the piece that may go on."""
    return [
        (here, there)
        for here, there in steps(position, position.mark)
        if here == position.going and caught(position, here, there)
    ]


def legal(position: Position) -> list[str]:
    if result(position):
        return []
    if position.is_placing:
        empty = pieces(position, EMPTY)
        return [name(cell) for cell in empty if cell != position.rules.centre]
    if position.going is not None:
        return [*(f"{name(a)}-{name(b)}" for a, b in further_steps(position)), "stop"]
    return [f"{name(a)}-{name(b)}" for a, b in free_steps(position)]


def after(position: Position, move: str) -> Position:
    if position.is_placing:
        return _after_placing(position, cell_of(move))
    if move == "stop":
        return _after_turn(position)
    here, there = (cell_of(word) for word in move.split("-"))
    victims = caught(position, here, there)
    cells = [list(row) for row in position.cells]
    cells[there[0]][there[1]] = cells[here[0]][here[1]]
    for row, column in [here, *victims]:
        cells[row][column] = EMPTY
    quiet = 0 if victims else position.quiet + 1
    moved = Position(position.rules, cells, position.mark, False, quiet, there)
    if position.rules.chain and victims and further_steps(moved):
        return moved
    return _after_turn(moved)


def _after_placing(position: Position, cell: Cell) -> Position:
    cells = [list(row) for row in position.cells]
    cells[cell[0]][cell[1]] = position.mark
    placed = sum(mark != EMPTY for row in cells for mark in row)
    if placed == 2 * position.rules.hand:
        # The player who has placed last begins, or the other if that one is blocked.
        begun = Position(position.rules, cells, position.mark, is_placing=False)
        return _after_turn(begun) if is_blocked(begun, begun.mark) else begun
    mark = position.mark if placed % 2 else OTHER[position.mark]
    return Position(position.rules, cells, mark, is_placing=True)


def _after_turn(position: Position) -> Position:
    """The opponent is to move, unless blocked."""
    other = OTHER[position.mark]
    mark = position.mark if is_blocked(position, other) else other
    return Position(position.rules, position.cells, mark, False, position.quiet)


def result(position: Position) -> str:
    """`X` or `O` has won, `draw`, or nothing while the game goes on."""
    if position.is_placing:
        return ""
    left = {mark: sum(row.count(mark) for row in position.cells) for mark in OTHER}
    if min(left.values()) > 0 and position.quiet < position.rules.limit:
        return ""
    if left["X"] == left["O"]:
        return "draw"
    return max(left, key=lambda mark: left[mark])
