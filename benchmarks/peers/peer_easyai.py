"""easyAI, asked by `peer_run`: its Negamax on its tic-tac-toe, which prefers faster wins, too."""

from importlib.metadata import version

from easyAI import Negamax  # pyright: ignore[reportMissingImports]
from easyAI.games.TicTacToe import TicTacToe  # pyright: ignore[reportMissingImports]

from peer_worker import Run, serve, timed

PLAYERS = (None, None)  # nobody plays: the position is only thought about


class Counted(TicTacToe):
    """Every node but the root is entered by a move."""

    nodes = 1

    def make_move(self, move: int) -> None:
        self.nodes += 1
        super().make_move(move)


def solve(prefers_faster: bool) -> Run:
    """The nodes are counted once, beside the measurement."""
    assert prefers_faster
    negamax, counted = Negamax(depth=9), Counted(PLAYERS)
    negamax(counted)

    def think() -> tuple[int, int]:
        negamax(TicTacToe(PLAYERS))
        return counted.nodes, int(negamax.alpha)

    return timed(think)


if __name__ == "__main__":
    serve(version("easyAI"), {"solve": solve})
