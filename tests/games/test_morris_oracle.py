"""Morris against a slow implementation: letters in lists, no bits, no tables of masks."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

import plies
from plies.compiling.compiler import is_interpreting
from plies.games import morris as rules
from plies.games.morris.boards import BOARDS, NOWHERE, MorrisBoard
from plies.games.morris.moves import parts

PLIES = 100 if is_interpreting() else 5000
Move = tuple[int | None, int, int | None]  # origin, target, removed


@dataclass(frozen=True)
class Position:
    """The rules once more; White is side 0."""

    board: MorrisBoard
    letters: tuple[str, ...]
    turn: int
    hands: tuple[int, int]
    takes: bool

    @property
    def own(self) -> str:
        return "WB"[self.turn]

    @property
    def other(self) -> str:
        return "BW"[self.turn]

    def points(self, letter: str) -> list[int]:
        return [point for point, found in enumerate(self.letters) if found == letter]

    def has_mill(self, point: int, letters: tuple[str, ...]) -> bool:
        """Whether three equal letters lie on a mill through the point."""
        return any(
            point in mill and len({letters[corner] for corner in mill}) == 1
            for mill in self.board.mills
        )

    def ways(self) -> Iterator[tuple[int | None, int]]:
        """Where a piece comes from and goes to."""
        empty = self.points("x")
        if self.hands[self.turn]:
            yield from ((None, target) for target in empty)
            return
        own = self.points(self.own)
        for origin in own:
            targets = empty if len(own) == 3 else self.board.adjacency[origin]
            yield from ((origin, target) for target in targets if target in empty)

    def moves(self) -> list[Move]:
        others = self.points(self.other)
        free = [point for point in others if not self.has_mill(point, self.letters)]
        if not free and self.takes:
            free = others
        found: list[Move] = []
        for origin, target in self.ways():
            is_closing = self.has_mill(target, self.arranged(origin, target, None))
            removals = free if is_closing and free else [None]
            found += [(origin, target, removed) for removed in removals]
        return found

    def arranged(self, origin: int | None, target: int, removed: int | None) -> tuple[str, ...]:
        letters = list(self.letters)
        letters[target] = self.own
        for point in (origin, removed):
            if point is not None:
                letters[point] = "x"
        return tuple(letters)

    def played(self, move: Move) -> "Position":
        hands = list(self.hands)
        hands[self.turn] -= move[0] is None
        return replace(
            self, letters=self.arranged(*move), turn=1 - self.turn, hands=(hands[0], hands[1])
        )

    def winner(self) -> int:
        for side in (0, 1):
            if len(self.points("WB"[side])) + self.hands[side] < 3:
                return 1 - side
        return plies.ONGOING if next(self.ways(), None) else 1 - self.turn

    def text(self) -> str:
        return f"{''.join(self.letters)} {self.own} {self.hands[0]} {self.hands[1]}"


def start(name: str, takes: bool) -> Position:
    board = BOARDS[name]
    empty = tuple("x" for _ in board.points)
    return Position(board, empty, 0, (board.pieces, board.pieces), takes)


def read(move: int) -> Move:
    """A move of the game as points or None."""
    origin, target, removed = (None if p == NOWHERE else p for p in parts(move))
    assert target is not None
    return origin, target, removed


def kind(position: Position, move: Move) -> str:
    """What sort of move this is, to see that each was met."""
    origin, target, removed = move
    if origin is None:
        way = "placement"
    else:
        way = "hop" if len(position.points(position.own)) == 3 else "slide"
    if removed is not None:
        is_protected = position.has_mill(removed, position.letters)
        return f"{way} that takes from a mill" if is_protected else f"{way} that takes"
    is_closing = position.has_mill(target, position.arranged(origin, target, None))
    return f"{way} that keeps all in mills" if is_closing else way


SPECS = [(name, board.takes) for name, board in BOARDS.items()]


@pytest.mark.parametrize(("name", "takes"), [*SPECS, ("22", True), ("24", False)])
def test_random_games_go_as_in_plain_lists(name, takes):
    game = plies.game(f"morris:board={name},all_in_mills={'take' if takes else 'keep'}")
    chance = random.Random(f"{name}/{takes}")
    kinds: Counter[str] = Counter()
    state, position = game.initial(), start(name, takes)
    for _ in range(PLIES):
        if rules.outcome(state) != plies.ONGOING:
            kinds["end"] += 1
            state, position = game.initial(), start(name, takes)
        moves = [int(move) for move in rules.legal_moves(state)]
        expected = position.moves()
        assert [read(move) for move in moves] == expected
        # Half of the time a move that takes, if there is one: quiet games do not end.
        eager = [index for index, move in enumerate(expected) if move[2] is not None]
        choices = eager if eager and chance.random() < 0.5 else range(len(moves))
        index = chance.choice(choices)
        kinds[kind(position, expected[index])] += 1
        state, position = rules.play(state, moves[index]), position.played(expected[index])
        assert rules.position_text(state) == position.text()
        assert rules.outcome(state) == position.winner()
    if not is_interpreting():
        all_in_mills = "takes from a mill" if takes else "keeps all in mills"
        assert kinds.keys() >= {"end", "placement", "slide", "hop"}
        assert kinds.keys() >= {f"{way} that takes" for way in ("placement", "slide", "hop")}
        assert any(all_in_mills in met for met in kinds)


# Positions of the three phases on several boards, counted in plain lists.
@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("board=22", "WWxBxxWxBxxxxBxxWxxxxB W 5 5"),
        ("board=23", "WWxBxxWxBxxxxBxxWxxxxBx B 4 5"),
        ("board=22", "WWxxxxxWWWWBBBBxxBWBxB W 0 0"),
        ("board=24", "WWxBxxWWxBxxxBBWWxxxWBBx B 0 0"),
        ("board=18", "WWxxxWBBxxxxBxxxxx W 0 0"),
        ("board=21n", "WxxWxBBxxxWxxxxBxxxBx B 0 0"),
    ],
)
def test_perft_is_that_of_plain_lists(spec, text):
    def count(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        if position.winner() != plies.ONGOING:
            return 0
        if depth == 1:
            return len(position.moves())
        return sum(count(position.played(move), depth - 1) for move in position.moves())

    game = plies.game(f"morris:{spec}")
    name = spec.removeprefix("board=")
    letters, side, *hands = text.split()
    white, black = map(int, hands)
    position = replace(
        start(name, BOARDS[name].takes),
        letters=tuple(letters),
        turn="WB".index(side),
        hands=(white, black),
    )
    assert plies.perft(game, game.parse_position(text), 3) == count(position, 3)
