"""Seega against a second implementation on plain lists: every answer, over many plies."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numba
import pytest

import plies
import seega_oracle as oracle
from plies.core import DRAW, ONGOING, verbs
from seega_oracle import OTHER, Position, Rules

IS_INTERPRETED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
PLIES = 1_000 if IS_INTERPRETED else 8_000
BIASED_PLIES = 700 if IS_INTERPRETED else 2_000
SET_UP_LENGTH = 15

OPTIONS = [
    Rules(),
    Rules(chain=True),
    Rules(limit=1),
    Rules(limit=200),
    Rules(size=3),
    Rules(size=7),
]
OUTCOMES = {"": ONGOING, "draw": DRAW, "X": 0, "O": 1}


def game_of(rules: Rules) -> plies.Game:
    chain = str(rules.chain).lower()
    return plies.game(f"seega:size={rules.size},chain={chain},limit={rules.limit}")


def fields_text(state: Any) -> str:
    """What `position_text` says, read from the fields and so in a tenth of the time."""
    own = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    names = {}
    rows = []
    for row in reversed(range(state.size)):
        line = ""
        for column in range(state.size):
            bit = 1 << row * (state.size + 1) + column
            names[bit] = (row, column)
            line += "X" if own[0] & bit else "O" if own[1] & bit else "."
        rows.append(line)
    words = ["/".join(rows), "XO"[state.turn], "place" if state.to_place else str(state.quiet)]
    return " ".join([*words, oracle.name(names[state.chaining])] if state.chaining else words)


def agree(game: plies.Game, state: Any, position: Position) -> dict[str, int]:
    """Compare every answer about a position; its moves by their texts."""
    text = oracle.text_of(position)
    assert fields_text(state) == text
    numbers = game.moves(state)
    moves = {move_text(game, state, position, move): move for move in numbers}
    assert len(moves) == len(numbers), text
    assert sorted(moves) == sorted(oracle.legal(position)), text
    assert game.mover(state) == "XO".index(position.mark), text
    outcome = game.outcome(state)
    assert outcome == OUTCOMES[oracle.result(position)], text
    assert bool(moves) == (outcome == ONGOING), text
    if position.rules.size == 5:
        assert len(moves) <= (24 if position.is_placing else 38), text
    return moves


KNOWN: dict[tuple[int, bool, int], str] = {}


def move_text(game: plies.Game, state: Any, position: Position, move: int) -> str:
    """What a move is called depends on the size of the board and the phase only."""
    which = (position.rules.size, position.is_placing, move)
    if which not in KNOWN:
        KNOWN[which] = game.move_text(state, move)
    return KNOWN[which]


def walk(game: plies.Game, position: Position, rng: random.Random, taste: float) -> Iterator[str]:
    """One game by both; what happens in it, ply by ply, as events.

    With probability `taste` a move is not any legal one: pieces are placed next to the
    centre, captures are preferred, and steps that leave the opponent the fewest.
    """
    state = game.parse_position(oracle.text_of(position))
    assert game.position_text(state) == oracle.text_of(position)
    while moves := agree(game, state, position):
        texts = list(moves)
        move = tasty(position, texts, rng) if rng.random() < taste else rng.choice(texts)
        before, position = position, oracle.after(position, move)
        state = verbs.play(state, moves[move])
        yield "ply"
        yield from events(before, move, position)
    yield "draw" if oracle.result(position) == "draw" else "win"


def tasty(position: Position, moves: list[str], rng: random.Random) -> str:
    if position.is_placing:
        around = [oracle.name(cell) for cell in oracle.neighbours(position.rules.centre)]
        return rng.choice([move for move in moves if move in around] or moves)
    captures = [move for move in moves if move != "stop" and victims(position, move)]
    if captures:
        return max(captures, key=lambda move: (victims(position, move), rng.random()))
    other = OTHER[position.mark]
    rests = {move: len(oracle.steps(oracle.after(position, move), other)) for move in moves}
    return min(moves, key=lambda move: (rests[move], rng.random()))


def victims(position: Position, move: str) -> int:
    here, there = (oracle.cell_of(word) for word in move.split("-"))
    return len(oracle.caught(position, here, there))


def events(before: Position, move: str, now: Position) -> Iterator[str]:
    """What a move did, in words that the tests below ask for."""
    if before.is_placing:
        if not now.is_placing and now.mark != before.mark:
            yield "the starter is blocked"
        return
    if move == "stop":
        yield "stop"
    else:
        yield from events_of_step(before, move)
    if now.going is not None:
        yield "goes on" if before.going is None else "goes on twice"
    elif oracle.result(now):
        yield "limit" if now.quiet else "all captured"
    elif now.mark == before.mark:
        yield "the opponent is blocked"
        openings = oracle.openings(now)
        if not openings:
            yield "no opening can be made"
        elif len(openings) < len(oracle.steps(now, now.mark)):
            yield "an opening must be made"


def events_of_step(before: Position, move: str) -> Iterator[str]:
    here, there = (oracle.cell_of(word) for word in move.split("-"))
    caught = oracle.caught(before, here, there)
    yield f"captures {len(caught)}"
    centre, enemy = before.rules.centre, OTHER[before.mark]
    around = [oracle.mark_at(before.cells, cell) for cell in oracle.neighbours(there)]
    if around[:2] == [enemy] * 2 or around[2:] == [enemy] * 2:
        yield "walks between two enemies"
    if caught and there == centre:
        yield "captures from the centre"
    for cell in oracle.neighbours(there):
        behind = (2 * cell[0] - there[0], 2 * cell[1] - there[1])
        if cell in caught and behind == centre:
            yield "captures against the centre"
        is_held = oracle.mark_at(before.cells, behind) == before.mark and behind != here
        if cell == centre and oracle.mark_at(before.cells, cell) == enemy and is_held:
            yield "spares the centre"


def set_up(rules: Rules, rng: random.Random) -> Position:
    """Pieces anywhere, close to a corner rather than not, with a player to move who can."""
    every = [(row, column) for row in range(rules.size) for column in range(rules.size)]
    while True:
        spread = rng.choice([0.5, 2, 100])
        cells = sorted(every, key=lambda cell: sum(cell) + spread * rng.random())
        cells = cells if rng.random() < 0.5 else rng.sample(every, len(every))
        crew = [rng.randint(1, rules.hand) for _ in "XO"]
        if sum(crew) == 2 * rules.hand:
            continue
        marks = rng.sample("X" * crew[0] + "O" * crew[1], sum(crew))
        board = [["."] * rules.size for _ in range(rules.size)]
        for (row, column), mark in zip(cells, marks, strict=False):
            board[row][column] = mark
        found = Position(rules, board, rng.choice("XO"), False, rng.randrange(rules.limit))
        if not oracle.is_blocked(found, found.mark):
            return found


def played(rules: Rules, count: int, taste: float) -> Counter[str]:
    """The events of whole games with that many plies at least."""
    seen: Counter[str] = Counter()
    game, rng = game_of(rules), random.Random(f"{rules}/{taste}")
    while seen["ply"] < count:
        seen.update(walk(game, oracle.start(rules), rng, taste))
    return seen


def played_on(rules: Rules, count: int) -> Counter[str]:
    """The events of the first plies after many positions that were set up."""
    seen: Counter[str] = Counter()
    game, rng = game_of(rules), random.Random(f"{rules}/set up")
    while seen["ply"] < count:
        for length, event in enumerate(walk(game, set_up(rules, rng), rng, 0.6)):
            seen[event] += 1
            if length > 2 * SET_UP_LENGTH:
                break
    return seen


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_both_agree_on_random_games(rules: Rules) -> None:
    seen = played(rules, PLIES, taste=0)
    assert seen["win"] > 0
    assert seen["limit"] > 0


@pytest.mark.parametrize("rules", [Rules(), Rules(chain=True), Rules(size=7, chain=True)], ids=str)
def test_both_agree_on_what_random_games_seldom_show(rules: Rules) -> None:
    seen = played(rules, BIASED_PLIES, taste=0.7) + played_on(rules, BIASED_PLIES)
    rare = {
        "all captured",
        "an opening must be made",
        "captures 2",
        "captures against the centre",
        "captures from the centre",
        "limit",
        "spares the centre",
        "the opponent is blocked",
        "walks between two enemies",
    }
    chains = {"goes on", "goes on twice", "stop"}
    assert rare - set(seen) == set()
    assert chains & set(seen) == (chains if rules.chain else set())


# The board of 3 x 3 is small enough to compare every state that can be reached.  Of the
# C(8, 4) = 70 ways to place the pieces only one blocks the starter: X on all four cells
# next to the centre.
def test_both_agree_on_every_state_of_the_smallest_board() -> None:
    rules = Rules(size=3, limit=1 if IS_INTERPRETED else 3)
    game = game_of(rules)
    states = {oracle.text_of(oracle.start(rules)): game.initial()}
    begun = set()
    waiting = list(states)
    for text in waiting:
        position, state = oracle.read(text, rules), states[text]
        assert game.position_text(state) == text
        assert game.parse_position(text) == state
        for move, number in agree(game, state, position).items():
            child = oracle.after(position, move)
            found = oracle.text_of(child)
            if found not in states:
                states[found] = verbs.play(state, number)
                waiting.append(found)
            if position.is_placing and not child.is_placing:
                begun.add(found)
    assert len(begun) == 70
    assert [text for text in begun if " X " in text] == ["OXO/X.X/OXO X 0"]


TRIPLE = "..X../..O../XO.OX/..X../O.... X 3"
SPARED = "...../..X../..O../XO.OX/..X.. X 3"
LAST_PIECE = "XXXXX/XOXOX/OX.XO/OOXOO/XOOO. O place"
CHAIN = "....O/...../...../..OX./X.OX. X 4"


# Worked out by hand: (options, position, its moves, the move played, the position then).
@pytest.mark.parametrize(
    ("rules", "text", "moves", "move", "then"),
    [
        # Three at once, which only a step to the centre can do.
        (
            Rules(),
            TRIPLE,
            "c5-b5 c5-d5 a3-a4 a3-a2 e3-e4 e3-e2 c2-c1 c2-b2 c2-d2 c2-c3",
            "c2-c3",
            "..X../...../X.X.X/...../O.... O 0",
        ),
        # b2 and d2 are caught, the piece on the centre is not.
        (
            Rules(),
            SPARED,
            "a2-a1 a2-a3 e2-e1 e2-e3 c1-b1 c1-d1 c1-c2 c4-b4 c4-d4 c4-c5",
            "c1-c2",
            "...../..X../..O../X.X.X/..... O 0",
        ),
        # O has no step after b2-b1, so X goes on.
        (
            Rules(),
            "....X/...../...../XX.../O.... X 3",
            "e5-d5 e5-e4 a2-a3 b2-b1 b2-b3 b2-c2",
            "b2-b1",
            "....X/...../...../X..../OX... X 4",
        ),
        # O is blocked: only a2 and b1, which stand next to it, may step.
        (
            Rules(),
            "....X/...../...../X..../OX... X 4",
            "a2-a3 a2-b2 b1-b2 b1-c1",
            "a2-a3",
            "....X/...../X..../...../OX... O 5",
        ),
        # O is blocked by pieces that have no step themselves: any step will do.
        (
            Rules(),
            "...../...../X..../XX.../OXX.. X 4",
            "a3-a4 a3-b3 b2-b3 b2-c2 c1-c2 c1-d1",
            "c1-d1",
            "...../...../X..../XX.../OX.X. X 5",
        ),
        # O places the last piece and is blocked: X begins.
        (Rules(), LAST_PIECE, "e1", "e1", "XXXXX/XOXOX/OX.XO/OOXOO/XOOOO X 0"),
        # The last piece of O is caught; X, who has won, is named as the mover.
        (
            Rules(),
            "...../...../...../XO.../..X.. X 9",
            "a2-a1 a2-a3 c1-b1 c1-d1 c1-c2",
            "c1-c2",
            "...../...../...../X.X../..... X 0",
        ),
        # After c1 is caught from b1, a step to b2 catches c2: X may go on or stop.
        (
            Rules(chain=True),
            CHAIN,
            "a1-a2 a1-b1 d1-e1 d2-e2 d2-d3",
            "a1-b1",
            "....O/...../...../..OX./.X.X. X 0 b1",
        ),
        (
            Rules(chain=True),
            "....O/...../...../..OX./.X.X. X 0 b1",
            "b1-b2 stop",
            "b1-b2",
            "....O/...../...../.X.X./...X. O 0",
        ),
        (
            Rules(chain=True),
            "....O/...../...../..OX./.X.X. X 0 b1",
            "b1-b2 stop",
            "stop",
            "....O/...../...../..OX./.X.X. O 0",
        ),
        (
            Rules(),
            CHAIN,
            "a1-a2 a1-b1 d1-e1 d2-e2 d2-d3",
            "a1-b1",
            "....O/...../...../..OX./.X.X. O 0",
        ),
        # The seventh step without a capture ends the game.
        (
            Rules(limit=7),
            "....O/...../...../...../X.... X 6",
            "a1-a2 a1-b1",
            "a1-a2",
            "....O/...../...../X..../..... O 7",
        ),
    ],
)
def test_both_agree_with_moves_worked_out_by_hand(
    rules: Rules, text: str, moves: str, move: str, then: str
) -> None:
    game, position = game_of(rules), oracle.read(text, rules)
    state = game.parse_position(text)
    found = agree(game, state, position)
    assert sorted(found) == sorted(moves.split())
    child = game.play(state, found[move])
    assert game.position_text(child) == then
    agree(game, child, oracle.after(position, move))
