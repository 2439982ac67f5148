"""Chess games as PGN, there and back."""

from io import StringIO

import chess.pgn
import pytest

import plies
from plies.errors import (
    AmbiguousMove,
    BadSpec,
    GameOver,
    IllegalMove,
    UnreadableMove,
    UnreadablePosition,
)
from plies.games import chess as rules
from plies.match import Rules
from plies.records import GameRecord, MoveRecord

GAME = plies.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
TO_AND_FRO = ("Nf3", "Nf6", "Ng1", "Ng8")


def record(moves, payoffs, reason="rules", start=rules.START):
    """A game as a match keeps it."""
    played = tuple(MoveRecord(ply % 2, text, None, 0, 0, 0.0) for ply, text in enumerate(moves))
    return GameRecord("chess", ("random", "alphabeta"), 0, played, payoffs, reason, start, "")


def result(text):
    return rules.from_pgn(text).headers["Result"]


# Writing


def test_a_game_survives_as_pgn():
    text = rules.to_pgn(MATE, headers={"White": "Fool", "Black": "Mate"})
    assert text.endswith("\n\n1. f3 e5 2. g4 Qh4# 0-1\n")
    game = rules.from_pgn(text)
    assert (game.start, game.moves) == (rules.START, MATE)
    assert [game.headers[name] for name in ("White", "Black", "Result")] == ["Fool", "Mate", "0-1"]
    assert rules.to_pgn(game) == text


def test_python_chess_reads_what_is_written():
    played = plies.play_game(
        "chess", "random", "random", seed=5, rules=Rules(max_plies=120), start=KIWIPETE
    )
    text = rules.to_pgn(played, headers={"Event": "Kiwi's"})
    game = chess.pgn.read_game(StringIO(text))
    assert game is not None
    assert not game.errors
    assert game.board().fen() == KIWIPETE
    assert [move.uci() for move in game.mainline_moves()] == [move.text for move in played.moves]
    assert dict(game.headers) == rules.from_pgn(text).headers
    assert max(map(len, text.splitlines())) < 80


def test_a_record_brings_its_players_start_and_result():
    text = rules.to_pgn(record(("e1g1", "a6e2"), (-1, 1), start=KIWIPETE))
    game = rules.from_pgn(text)
    assert (game.start, game.moves) == (KIWIPETE, ("e1g1", "a6e2"))
    tags = {"White": "random", "Black": "alphabeta", "Result": "0-1", "SetUp": "1", "FEN": KIWIPETE}
    assert tags.items() <= game.headers.items()
    assert "Termination" not in game.headers


def test_a_record_that_a_match_calls_a_draw_is_one_with_the_reason():
    tags = rules.from_pgn(rules.to_pgn(record(("e2e4",), (0, 0), "repetition"))).headers
    assert (tags["Result"], tags["Termination"]) == ("1/2-1/2", "repetition")
    assert "FEN" not in tags


def test_what_is_said_of_a_record_comes_before_what_it_says():
    played = record(("e2e4",), (1, -1))
    assert result(rules.to_pgn(played)) == "1-0"
    assert result(rules.to_pgn(played, headers={"Result": "*"})) == "*"
    assert result(rules.to_pgn(played, headers={"Result": "*"}, result="0-1")) == "0-1"
    assert rules.from_pgn(rules.to_pgn(played, headers={"White": "Ann"})).headers["White"] == "Ann"


@pytest.mark.parametrize(
    ("moves", "start", "expected"),
    [
        (["e4"], "", "*"),
        (MATE, "", "0-1"),
        (["Ra8"], "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "1-0"),
        (["Qf7"], "7k/8/8/5Q2/8/8/8/4K3 w - - 0 1", "1/2-1/2"),
        (["Kxd2"], "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "1/2-1/2"),
        (["Ke2"], "4k3/8/8/8/8/8/7P/4K3 w - - 99 80", "1/2-1/2"),
        (TO_AND_FRO, "", "*"),
        (TO_AND_FRO * 2, "", "1/2-1/2"),
    ],
)
def test_a_result_left_out_is_what_the_last_position_says(moves, start, expected):
    assert result(rules.to_pgn(moves, start)) == expected


def test_moves_may_be_numbers():
    move = GAME.parse_move(GAME.initial(), "Nf3")
    assert rules.to_pgn([move]) == rules.to_pgn(["Nf3"])


def test_a_game_may_begin_with_black_and_any_number():
    text = rules.to_pgn(["Kd7", "Kd2"], start="4k3/8/8/8/8/8/7P/4K3 b - - 0 40")
    assert text.endswith("\n40... Kd7 41. Kd2 *\n")


def test_quotes_and_line_breaks_in_tags_survive():
    message = 'Ann "A\\B"\nC'
    text = rules.to_pgn([], headers={"White": message})
    assert '[White "Ann \\"A\\\\B\\" C"]\n' in text
    assert rules.from_pgn(text).headers["White"] == 'Ann "A\\B" C'


@pytest.mark.parametrize(
    ("moves", "kind", "message"),
    [
        (["e4", "e5", "Ke3"], IllegalMove, "ply 3: Ke3 "),
        (["e4", "zz"], UnreadableMove, "ply 2: 'zz' "),
        (["e2"], AmbiguousMove, "ply 1: e2 "),
        ([1], IllegalMove, "ply 1: move 1 "),
        ([*MATE, "a3"], GameOver, "ply 5: the game is over"),
        ("e4 e5", BadSpec, "moves are a list"),
    ],
)
def test_a_pgn_is_made_of_legal_moves_only(moves, kind, message):
    with pytest.raises(kind) as caught:
        rules.to_pgn(moves)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("more", [{"result": "2-0"}, {"headers": {"Result": "2-0"}}])
def test_a_result_is_one_of_four(more):
    with pytest.raises(BadSpec, match=r"2-0.* 1-0, 0-1, 1/2-1/2, \*"):
        rules.to_pgn(["e4"], **more)


def test_other_faults_of_a_game_to_write_are_told():
    with pytest.raises(BadSpec, match="'Two words'"):
        rules.to_pgn([], headers={"Two words": "x"})
    with pytest.raises(UnreadablePosition, match="White has no king"):
        rules.to_pgn([], start="8/8/8/8/8/8/8/8 w - - 0 1")


# Reading


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3",
        "e4 e5 Nf3",
        "1. e2e4 1... e7e5 2. g1f3 *",
        "1. e4 {best (or so) [not a tag]} e5 (1... c5 2. Nf3 (2. zz) d6) 2. Nf3 $1 *",
        "1. e4! e5 ?! ; to the end of the line 2. Ke3\n% all of it 2. Ke3\n2. Nf3+ *",
        '\ufeff[Event "x"]\r\n\r\n1. e4 e5\r\n2. Nf3\r\n',
        '[Variant "Standard"]\n[White "A "B" C"] [Black "D"]\n\n1. e4 e5 2. Nf3 1/2-1/2',
    ],
)
def test_only_the_main_line_of_a_pgn_is_read(text):
    assert rules.from_pgn(text).moves == ("e2e4", "e7e5", "g1f3")


def test_tags_are_read_and_the_result_is_among_them():
    assert rules.from_pgn("1. e4 *").headers == {"Result": "*"}
    assert result("1. e4 1-0") == "1-0"
    assert result("1. e4") == "*"
    assert result('[Result "0-1"]\n\n1. e4 *') == "0-1"
    assert rules.from_pgn('[White "A "B" C"]\n\n*').headers["White"] == 'A "B" C'


def test_an_en_passant_capture_may_be_marked():
    text = "1. e4 a6 2. e5 d5 3. exd6 e.p. exd6 *"
    assert rules.from_pgn(text).moves[4:] == ("e5d6", "e7d6")


def test_a_pgn_may_hold_several_games():
    texts = [rules.to_pgn(MATE), rules.to_pgn(["O-O"], KIWIPETE), rules.to_pgn([]), "1. d4 * e4"]
    games = list(rules.games_of_pgn("\n".join(texts)))
    assert [game.moves for game in games] == [MATE, ("e1g1",), (), ("d2d4",), ("e2e4",)]
    assert [game.start for game in games] == [rules.START, KIWIPETE, *[rules.START] * 3]
    assert [game.headers["Result"] for game in games] == ["0-1", "*", "*", "*", "*"]
    assert list(rules.games_of_pgn(" \n")) == []


def test_a_tag_after_moves_begins_the_next_game():
    games = rules.games_of_pgn('1. e4\n\n[Event "next"]\n\n1. d4')
    assert [game.moves for game in games] == [("e2e4",), ("d2d4",)]


def test_a_fault_in_a_later_game_says_which():
    games = rules.games_of_pgn("1. e4 * 1. e5 *")
    assert next(games).moves == ("e2e4",)
    with pytest.raises(IllegalMove, match=r"^game 2 .* move 1 of White: "):
        next(games)
    assert rules.from_pgn("1. e4 * 1. e5 *").moves == ("e2e4",)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", UnreadableMove, ": there is no game in it"),
        ("good morning", UnreadableMove, " at move 1 of White: 'good' is not a move of chess; "),
        ("1. e4 xyzzy e5", UnreadableMove, " at move 1 of Black: 'xyzzy' is not a move"),
        ("1. e4 e5 2. Nf33", UnreadableMove, " at move 2 of White: 'Nf33' is not a move"),
        ("1. e4 e5 2. Ke3 *", IllegalMove, " at move 2 of White: Ke3 is not legal here; "),
        ("1. Nf3 a6 2. d3 a5 3. Nd2", AmbiguousMove, " at move 3 of White: Nd2 could be Nbd2, "),
        ("1. f3 e5 2. g4 Qh4# 3. a3", GameOver, " at move 3 of White: the game is over"),
        ("1. e4 --", UnreadableMove, " at move 1 of Black: '--' is not a move"),
        ("1. e4 (1. d4", UnreadableMove, " at move 1 of Black: '(' is not a move"),
        ('1. e4 (1. d4\n\n[A "b"]\n\n*', UnreadableMove, " at move 1 of Black: '(' is not"),
        ("1. e4) e5", UnreadableMove, " at move 1 of Black: ')' is not a move"),
        ("1. e4 {e5", UnreadableMove, " at move 1 of Black: '{' is not a move"),
        ("[White Ann]\n\n1. e4", UnreadableMove, " at move 1 of White: '[White Ann]' is not"),
        ('[Variant "Atomic"]\n\n*', UnreadableMove, ": Variant is Atomic, not chess"),
        (
            '[FEN "4k3/8/8/8/8/8/8/8 w - -"]\n\n*',
            UnreadablePosition,
            ": '4k3/8/8/8/8/8/8/8 w - -' ",
        ),
    ],
)
def test_a_pgn_that_cannot_be_read_is_refused_with_the_place(text, kind, message):
    with pytest.raises(kind) as caught:
        rules.from_pgn(text)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"the PGN cannot be read{message}")
    assert "\n" not in str(caught.value)
