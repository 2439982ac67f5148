"""OpenSpiel through its Python interface, asked by `peer_run`.

Tic-tac-toe is solved by its own alpha-beta.  Its morris takes a removal for a move of its
own; depth is counted in turns here, so that the lines are those of other programs.
"""

from importlib.metadata import version
from itertools import count

import pyspiel  # pyright: ignore[reportMissingImports]
from open_spiel.python.algorithms import minimax  # pyright: ignore[reportMissingImports]

from peer_search import Position, alphabeta
from peer_worker import Run, serve, timed

NAMES = {
    "chess": "chess",
    "connect_four": "connect_four",
    "morris": "nine_mens_morris",
    "tictactoe": "tic_tac_toe",
}
WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}


def lines(state: pyspiel.State, depth: int) -> int:
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    player = state.current_player()
    found = 0
    for action in state.legal_actions():
        child = state.child(action)
        found += lines(child, depth - (child.current_player() != player))
    return found


def count_lines(game: str, fen: str, depth: int, is_bulk: bool) -> Run:
    assert not is_bulk
    rules = pyspiel.load_game(NAMES[game])
    state = rules.new_initial_state(fen) if fen else rules.new_initial_state()
    return timed(lambda: (lines(state, depth), None))


def solve(prefers_faster: bool) -> Run:
    assert not prefers_faster
    game, nodes = pyspiel.load_game(NAMES["tictactoe"]), nodes_of_solving()
    return timed(lambda: (nodes, int(minimax.alpha_beta_search(game)[0])))


def nodes_of_solving() -> int:
    """How often alpha-beta enters a node of tic-tac-toe, counted beside the measurement."""
    plain, calls = minimax._alpha_beta, count()

    def counting(*arguments, **options):
        next(calls)
        return plain(*arguments, **options)

    minimax._alpha_beta = counting
    try:
        minimax.alpha_beta_search(pyspiel.load_game(NAMES["tictactoe"]))
    finally:
        minimax._alpha_beta = plain
    return next(calls)


def position(fen: str) -> Position:
    state = pyspiel.load_game(NAMES["chess"]).new_initial_state(fen)
    played = []

    def apply(action: int) -> None:
        played.append((state.current_player(), action))
        state.apply_action(action)

    def material() -> int:
        board, turn, *_ = str(state).split(" ", 2)
        found = sum(
            worth * (board.count(white) - board.count(white.lower()))
            for white, worth in WORTH.items()
        )
        return found if turn == "w" else -found

    return Position(
        moves=state.legal_actions,
        apply=apply,
        undo=lambda: state.undo_action(*played.pop()),
        is_mated=lambda: state.is_terminal() and any(state.returns()),
        material=material,
        uci=lambda action: pyspiel.chess.action_to_move(action, state.board()).to_lan(),
    )


def search(fen: str, depth: int, is_sorted: bool) -> Run:
    board = position(fen)
    return timed(lambda: alphabeta(board, depth, is_sorted))


if __name__ == "__main__":
    serve(version("open_spiel"), {"perft": count_lines, "solve": solve, "alphabeta": search})
