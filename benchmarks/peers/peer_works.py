"""What `peer_run` measures: the same work by several programs, with its exact count."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from peer_search import KIWIPETE

PLIES = "plies"
STOCKFISH = "Stockfish"
BULLETCHESS = "bulletchess"
PYTHON_CHESS = "python-chess"
EASYAI = "easyAI"
OPEN_SPIEL = "OpenSpiel, Python"
OPEN_SPIEL_NATIVE = "OpenSpiel, C++"

BULK_LIBRARIES = (BULLETCHESS, OPEN_SPIEL_NATIVE, PYTHON_CHESS)
LIBRARIES = (BULLETCHESS, OPEN_SPIEL_NATIVE, OPEN_SPIEL, PYTHON_CHESS)
SPIELS = (OPEN_SPIEL_NATIVE, OPEN_SPIEL)

MCTS_RATIO = 3.0  # of plies' simulations to those of OpenSpiel's bot, at least


@dataclass(frozen=True)
class Work:
    """A task for plies and for other programs.

    `count` is what every program must count, None where programs may visit different
    nodes because they list moves in different orders; `value` is what a search must find.
    """

    game: str
    work: str
    unit: str
    task: str
    arguments: Mapping[str, Any]
    others: tuple[str, ...]
    count: int | None
    value: int | None = None
    least_ratio: float = 0.0  # of plies' rate to that of any other

    @property
    def programs(self) -> tuple[str, ...]:
        return (PLIES, *self.others)


def perft(
    game: str, depth: int, count: int, others: tuple[str, ...], fen: str = "", is_bulk: bool = False
) -> Work:
    how = "last ply counted" if is_bulk else "every move played"
    where = ", Kiwipete" if fen == KIWIPETE else ""
    arguments = {"game": game, "fen": fen, "depth": depth, "is_bulk": is_bulk}
    return Work(game, f"perft {depth}{where}, {how}", "lines", "perft", arguments, others, count)


def solve(prefers_faster: bool, count: int, others: tuple[str, ...]) -> Work:
    worth = "faster wins preferred" if prefers_faster else "all wins alike"
    arguments = {"prefers_faster": prefers_faster}
    name = f"solved by alpha-beta, {worth}"
    return Work("tictactoe", name, "nodes", "solve", arguments, others, count, value=0)


def alphabeta(is_sorted: bool, count: int | None) -> Work:
    order = "moves by UCI text" if is_sorted else "own move order"
    arguments = {"fen": KIWIPETE, "depth": 4, "is_sorted": is_sorted}
    name = f"alpha-beta 4, Kiwipete, material, {order}"
    return Work("chess", name, "nodes", "alphabeta", arguments, LIBRARIES, count, value=0)


def mcts(game: str, simulations: int, longest: int) -> Work:
    """Rollouts of plies, whose rules know no history, end after `longest` plies at the latest."""
    name = "MCTS, one random rollout each"
    arguments = {"game": game, "simulations": simulations, "longest": longest}
    return Work(
        game,
        name,
        "simulations",
        "mcts",
        arguments,
        others=(OPEN_SPIEL_NATIVE,),
        count=simulations,
        least_ratio=MCTS_RATIO,
    )


# Counts of chess: chessprogramming.org, "Perft Results".  Lines of nine plies of tic-tac-toe:
# 81 792 games won by the last move and 46 080 drawn ones.  The others agree between programs.
PERFT = (
    perft("chess", 4, 197_281, LIBRARIES),
    perft("chess", 3, 97_862, LIBRARIES, KIWIPETE),
    perft("chess", 4, 197_281, BULK_LIBRARIES, is_bulk=True),
    perft("chess", 3, 97_862, BULK_LIBRARIES, KIWIPETE, is_bulk=True),
    perft("chess", 6, 119_060_324, (STOCKFISH,), is_bulk=True),
    perft("chess", 5, 193_690_690, (STOCKFISH,), KIWIPETE, is_bulk=True),
    perft("morris", 5, 5_140_800, (OPEN_SPIEL_NATIVE,)),
    perft("tictactoe", 9, 127_872, SPIELS),
    perft("connect_four", 7, 823_536, SPIELS),
)

SEARCHES = (
    solve(prefers_faster=True, count=20_866, others=(EASYAI,)),
    solve(prefers_faster=False, count=18_297, others=SPIELS),
    alphabeta(is_sorted=True, count=87_882),
    alphabeta(is_sorted=False, count=None),
)

# OpenSpiel ends games of morris after 200 turns, and of chess by repetition or after fifty
# moves without progress: its random games last about 340 plies, those here 435.
MCTS = (
    mcts("tictactoe", 100_000, longest=9),
    mcts("connect_four", 10_000, longest=42),
    mcts("morris", 3_000, longest=200),
    mcts("chess", 150, longest=500),
)

WORKS = (*PERFT, *SEARCHES, *MCTS)
