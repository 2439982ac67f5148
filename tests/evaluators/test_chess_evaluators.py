"""Evaluators of chess: the published ones by their definition, the strong one term by term."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies.compiling.compiler import is_interpreting
from plies.core.verbs import evaluate, legal_moves, play
from plies.evaluators.chess import Sef, components
from plies.evaluators.chess.strong import FULL, HALF, QUARTER, scale_factor, terms
from plies.evaluators.chess.weights import ENDGAME, MIDDLEGAME, OFFSETS, TABLE
from plies.games.chess.piece_squares import endgame_of, middlegame_of, pack
from plies.games.chess.playing import piece_sums

pytestmark = pytest.mark.plain

GAME = plies.game("chess")
NAMES = ("strong", "sef", "material")
POSITIONS = 500 if is_interpreting() else 2000
LONGEST = 150  # plies of a random game
SIGNATURES = {500: 417_927, 2000: 1_465_346}  # of the first so many positions

# Oracle: the definitions, on the boards of python-chess.

PIECE_VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
HALF_PAWN, TENTH, FIFTH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 5)
CENTRE = (chess.D4, chess.D5, chess.E4, chess.E5)
# Weights of material, pawn structure, centre, mobility and king safety.
PHASES = {
    "opening": (1, Fraction("0.2"), Fraction("0.5"), Fraction("0.5"), Fraction("0.1")),
    "middlegame": (1, Fraction("0.3"), Fraction("0.3"), Fraction("0.4"), Fraction("0.3")),
    "endgame": (Fraction("1.5"), Fraction("0.2"), Fraction("0.1"), Fraction("0.2"), HALF_PAWN),
}


def material(board, side):
    return sum(n * len(board.pieces(kind, side)) for kind, n in PIECE_VALUES.items())


def pawn_structure(board, side):
    files = [chess.square_file(square) for square in board.pieces(chess.PAWN, side)]
    extra = len(files) - len(set(files))
    isolated = sum(file - 1 not in files and file + 1 not in files for file in files)
    return -HALF_PAWN * (extra + isolated)


def centre(board, side):
    return HALF_PAWN * sum(board.color_at(square) == side for square in CENTRE)


def mobility(board, side):
    board = board.copy(stack=False)
    if board.turn != side:
        board.turn, board.ep_square = side, None
    return TENTH * board.legal_moves.count()


def king_safety(board, side):
    near = board.attacks(board.king(side))
    return FIFTH * sum(not board.is_attacked_by(not side, square) for square in near)


PARTS = (material, pawn_structure, centre, mobility, king_safety)


def expected_sef(sample, opening_above=62, middlegame_above=30):
    total = material(sample.board, True) + material(sample.board, False)
    is_endgame = total <= middlegame_above
    phase = "opening" if total > opening_above else "endgame" if is_endgame else "middlegame"
    weighed = zip(PHASES[phase], sample.components, strict=True)
    return sum(weight * component for weight, component in weighed)


# Positions


class Sample(NamedTuple):
    board: chess.Board
    state: Any
    components: Sequence[Fraction | int]  # the mover's less the opponent's, in pawns

    @classmethod
    def of(cls, board):
        side, other = board.turn, not board.turn
        components = [part(board, side) - part(board, other) for part in PARTS]
        return cls(board, GAME.parse_position(board.fen()), components)


@cache
def samples():
    """One in eight positions of random games, and all with a rare kind of move.

    Captures are preferred now and then, so that boards empty.
    """
    chance, collected, board = random.Random(1), [], chess.Board()
    while len(collected) < POSITIONS:
        moves = list(board.legal_moves)
        if not moves or board.ply() > LONGEST:
            board = chess.Board()
            continue
        captures = [move for move in moves if board.is_capture(move) or move.promotion]
        board.push(chance.choice(captures if captures and chance.random() < 0.1 else moves))
        moves = list(board.legal_moves)
        is_rare = any(move.promotion or board.is_en_passant(move) for move in moves)
        if moves and (is_rare or chance.random() < 0.125):
            collected.append(Sample.of(board.copy(stack=False)))
    return collected


def value(name, state):
    return evaluate(GAME.evaluator(name), state)


def test_the_random_positions_show_what_is_hard_to_count():
    kinds = Counter()
    for board, *_ in samples():
        moves = list(board.legal_moves)
        kinds["check"] += board.is_check()
        kinds["en passant"] += any(map(board.is_en_passant, moves))
        kinds["castling"] += any(map(board.is_castling, moves))
        kinds["promotion"] += any(move.promotion for move in moves)
        kinds["endgame"] += material(board, True) + material(board, False) <= 30
    assert min(kinds.values()) >= (10 if POSITIONS == 2000 else 5), kinds


# Material and SEF


def test_material_is_counted_in_pawns_of_the_mover_less_the_opponent():
    for sample in samples():
        assert value("material", sample.state) == sample.components[0]


def test_every_component_is_its_definition_in_tenths_of_a_pawn():
    for sample in samples():
        expected = [10 * component for component in sample.components]
        assert list(components(sample.state)) == expected, sample.board.fen()


def test_sef_is_the_weighted_sum_in_hundredths_of_a_pawn():
    for sample in samples():
        assert value("sef", sample.state) == 100 * expected_sef(sample), sample.board.fen()


def test_the_thresholds_of_the_phases_can_be_replaced():
    study = Sef(opening_above=20, middlegame_above=10)
    differing = 0
    for sample in samples()[::5]:
        of_study = evaluate(study, sample.state)
        assert of_study == 100 * expected_sef(sample, 20, 10)
        differing += of_study != value("sef", sample.state)
    assert differing > 50


def test_a_king_behind_its_own_pawns_is_safe():
    # White: f1, h1, f2, g2 and h2.  Black: d8, f8, d7, e7 and f7, of which the queen
    # on d1 attacks d8 and d7.
    state = GAME.parse_position("4k3/8/8/8/8/8/5PPP/3Q2K1 w - - 0 1")
    assert components(state).king_safety == 2 * (5 - 3)


# All


def test_a_position_with_the_colours_swapped_has_the_same_values_for_its_mover():
    for sample in samples()[::2]:
        swapped = GAME.parse_position(sample.board.mirror().fen())
        for name in NAMES:
            assert value(name, sample.state) == value(name, swapped), sample.board.fen()


def test_strong_is_the_default():
    assert GAME.evaluator() is GAME.evaluator("strong")


# Strong

# Term, index, how often it counts for the mover, position; all counted by hand.
TERMS = [
    ("tempo", 0, 1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
    ("bishop_pair", 0, 1, "4k3/8/8/8/8/8/8/2B1KB2 w"),
    ("bishop_pair", 0, -1, "2b1kb2/8/8/8/8/8/8/4K3 w"),
    ("bishop_pair", 0, 0, "4k3/8/8/8/8/8/8/B1B1K3 w"),
    ("bishop_pawns", 0, 2, "4k3/8/8/8/8/8/PPP5/4KB2 w"),  # a2 and c2 are light, as is f1
    ("knight_pawns", 0, -2, "4k3/8/8/8/8/8/PPP5/4KN2 w"),  # three pawns less five
    ("rook_pawns", 0, -2, "4k3/8/8/8/8/8/PPP5/4KR2 w"),
    ("knight_outpost", 0, 1, "4k3/8/8/3N4/4P3/8/8/4K3 w"),
    ("knight_outpost", 0, 0, "4k3/2p5/8/3N4/4P3/8/8/4K3 w"),  # c6 would attack it
    ("bishop_outpost", 0, 1, "4k3/8/8/3B4/4P3/8/8/4K3 w"),
    ("minor_behind_pawn", 0, 1, "4k3/8/8/8/3P4/3N4/8/4K3 w"),
    ("rook_open", 0, 1, "4k3/8/8/8/8/8/8/R3K3 w"),
    ("rook_half_open", 0, 1, "4k3/p7/8/8/8/8/8/R3K3 w"),
    ("rook_half_open", 0, 0, "4k3/p7/8/8/8/8/P7/R3K3 w"),
    ("space", 0, 60, "4k3/8/8/8/8/8/8/RNBQKBNR w"),  # twelve squares, eight pieces less three
    ("knight_mobility", 2, 1, "4k3/8/8/8/8/8/8/N3K3 w"),
    ("knight_mobility", 1, 1, "4k3/8/8/8/p7/8/8/N3K3 w"),  # a pawn attacks b3
    ("bishop_mobility", 7, 1, "4k3/8/8/8/8/8/8/B3K3 w"),
    ("rook_mobility", 10, 1, "4k3/8/8/8/8/8/8/R3K3 w"),
    ("queen_mobility", 17, 1, "4k3/8/8/8/8/8/8/Q3K3 w"),
    ("doubled", 0, 1, "4k3/8/8/8/8/P7/P7/4K3 w"),
    ("isolated", 0, 2, "4k3/8/8/8/8/P7/P7/4K3 w"),
    ("isolated", 0, 0, "4k3/8/8/8/8/1P6/P7/4K3 w"),
    ("backward", 0, 1, "4k3/8/8/2p5/4P3/3P4/8/4K3 w"),  # d3: c5 attacks d4, no pawn can help
    ("phalanx", 3, 2, "4k3/8/8/8/3PP3/8/8/4K3 w"),
    ("supported", 4, 1, "4k3/8/8/4P3/3P4/8/8/4K3 w"),
    ("passed", 4, 1, "4k3/8/8/P7/8/8/8/4K3 w"),
    ("passed", 4, 0, "4k3/1p6/8/P7/8/8/8/4K3 w"),
    ("passed_blocked", 4, 1, "4k3/8/n7/P7/8/8/8/4K3 w"),
    ("passed_attacked", 4, 1, "4k3/8/n7/P7/8/8/8/4K3 w"),
    ("passed_free", 4, 1, "4k3/8/8/P7/8/8/8/4K3 w"),
    ("passed_free", 4, 0, "4k3/8/7r/P7/8/8/8/4K3 w"),
    ("passed_supported", 4, 1, "4k3/8/8/PK6/8/8/8/8 w"),
    (
        "passed_own_king_distance",
        5,
        2,
        "4k3/8/8/P7/8/8/8/4K3 w",
    ),  # e1 to a6, twice
    ("passed_enemy_king_distance", 4, 2, "4k3/8/8/P7/8/8/8/4K3 w"),  # e8 to a6
    ("pawn_threat", 1, 1, "4k3/8/8/3n4/4P3/8/8/4K3 w"),
    ("pawn_threat", 0, -1, "4k3/8/8/3n4/4P3/8/8/4K3 b"),
    ("push_threat", 1, 1, "4k3/8/8/3n4/8/4P3/8/4K3 w"),
    ("hanging", 1, 1, "4k3/8/8/n7/8/8/8/R3K3 w"),
    ("hanging", 1, 0, "4k3/8/1p6/n7/8/8/8/R3K3 w"),
    ("king_threat", 1, 1, "4k3/8/8/8/8/8/4n3/4K3 w"),
    ("minor_threat", 5, 1, "4k3/8/n7/8/8/8/8/4KB2 w"),
    ("minor_threat", 6, 1, "4k3/8/r7/8/8/8/8/4KB2 w"),
    ("rook_threat", 4, 1, "4k3/8/8/n7/8/8/8/R3K3 w"),
    ("rook_threat", 5, 1, "4k3/8/8/q7/8/8/8/R3K3 w"),
    ("king_danger", 4, -1, "4k3/8/8/8/8/8/8/R3K3 w"),  # a check on a8, 9 units; halved: 4
    ("pawn_shield", 1, 1, "4k3/8/8/8/8/8/5PPP/6K1 w"),  # g2
    ("pawn_shield", 9, 2, "4k3/8/8/8/8/8/5PPP/6K1 w"),  # f2 and h2
    ("pawn_shield", 0, -1, "4k3/8/8/8/8/8/5PPP/6K1 w"),  # Black's e-file
    ("pawn_storm", 3, 1, "4k3/8/8/8/6p1/8/8/6K1 w"),
    ("blocked_pawn_storm", 2, 1, "4k3/8/8/8/8/6p1/6P1/6K1 w"),
]


@pytest.mark.parametrize(("name", "index", "count", "position"), TERMS)
def test_a_term_counts_what_it_says(name, index, count, position):
    unit = np.zeros(len(TABLE), np.int64)
    unit[getattr(OFFSETS, name) + index] = 1
    assert terms(unit, GAME.parse_position(f"{position} - - 0 1")) == count


def test_every_term_has_been_counted_by_hand():
    assert {name for name, *_ in TERMS} == set(MIDDLEGAME) == set(ENDGAME)


def test_at_the_start_only_the_move_counts():
    assert value("strong", GAME.initial()) == MIDDLEGAME["tempo"][0]


def test_pawns_alone_are_weighed_by_the_endgame_numbers():
    # Either side has the king at home and a pawn two steps before it, White's on e3.
    state = GAME.parse_position("4k3/8/4p3/8/8/4P3/8/4K3 w - - 0 1")
    assert value("strong", state) == ENDGAME["tempo"][0]


def test_compiled_or_not_strong_gives_these_values():
    # A signature of all weights and terms; it changes only when these do.
    values = [abs(value("strong", sample.state)) for sample in samples()]
    for count in filter(range(POSITIONS + 1).__contains__, SIGNATURES):
        assert sum(values[:count]) == SIGNATURES[count]


@given(st.integers(-(2**30), 2**30), st.integers(-(2**30), 2**30))
def test_middlegame_and_endgame_values_are_unpacked_as_they_were_packed(middlegame, endgame):
    both = pack(middlegame, endgame)
    assert (middlegame_of(both), endgame_of(both)) == (middlegame, endgame)


def test_play_updates_the_piece_square_sum_as_if_it_were_added_up_anew():
    chance = random.Random(2)
    for _ in range(5):
        state = GAME.initial()
        for _ in range(80):
            moves = list(legal_moves(state))
            if not moves:
                break
            state = play(state, chance.choice(moves))
            assert state.placement == piece_sums(state)[1]


@pytest.mark.parametrize(
    "position",
    ["8/8/3k4/8/8/4K3/8/8 w", "8/8/3k4/8/8/4KN2/8/8 b", "8/8/3kb3/8/8/4K3/8/8 w"],
    ids=["bare kings", "knight", "bishop"],
)
def test_dead_draws_are_worth_nothing(position):
    assert value("strong", GAME.parse_position(f"{position} - - 0 1")) == 0


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ("4k3/4b3/8/8/8/8/P7/4KB2 w", HALF),
        ("4k3/5b2/8/8/8/8/P7/4KB2 w", FULL),
        ("4k3/4bn2/8/8/8/8/P7/4KBN1 w", FULL),
        ("4k3/8/8/8/8/8/8/1N2K1N1 w", QUARTER),
        ("3bk3/8/8/8/8/8/8/4K2R w", QUARTER),
        ("4k3/8/8/8/8/8/8/4K2R w", FULL),
    ],
)
def test_a_lead_that_is_hard_to_win_with_counts_less(position, part):
    assert scale_factor(GAME.parse_position(f"{position} - - 0 1"), True) == part


def test_a_bare_king_is_better_off_in_the_centre():
    centre, edge = (
        value("strong", GAME.parse_position(f"{text} w - - 0 1"))
        for text in ("7Q/8/8/8/2K1k3/8/8/8", "7Q/8/8/8/k1K5/8/8/8")
    )
    assert centre < edge
