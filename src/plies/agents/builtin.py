"""Every way to choose a move, under the name that a spec gives it."""

from plies.agents.learned import MiPred, Pred, Q
from plies.agents.mixed import Mixed
from plies.agents.moves import Moves
from plies.agents.process import Process
from plies.agents.simple import Greedy, Human, Random
from plies.agents.theory import Perfect, Theory, strategy_agents
from plies.agents.uci import Uci
from plies.core.contract import Game
from plies.errors import BadGame
from plies.search.alphabeta import AlphaBeta
from plies.search.beam import Beam
from plies.search.branch import Branch
from plies.search.contest import Contest
from plies.search.deepening import Deepening
from plies.search.dfpn import Dfpn
from plies.search.engine import Engine
from plies.search.maxn import Maxn
from plies.search.mcts import Mcts
from plies.search.minimax import Minimax
from plies.search.paranoid import Paranoid
from plies.search.search import Search
from plies.search.solve import Solve

AGENTS: dict[str, type[Search]] = {
    "human": Human,
    "random": Random,
    "greedy": Greedy,
    "mixed": Mixed,
    "theory": Theory,
    "perfect": Perfect,
    "minimax": Minimax,
    "alphabeta": AlphaBeta,
    "deepening": Deepening,
    "engine": Engine,
    "branch": Branch,
    "beam": Beam,
    "contest": Contest,
    "maxn": Maxn,
    "paranoid": Paranoid,
    "solve": Solve,
    "dfpn": Dfpn,
    "mcts": Mcts,
    "pred": Pred,
    "mi_pred": MiPred,
    "q": Q,
    "moves": Moves,
    "uci": Uci,
    "process": Process,
}


def agents_of(game: Game) -> dict[str, type[Search]]:
    """`AGENTS`, and those for the strategies that the game's file declares."""
    own = strategy_agents(game)
    for name in own.keys() & AGENTS.keys():
        raise BadGame(f"{game.name}: there is an agent {name}; choose another name for a strategy")
    return {**AGENTS, **own}
