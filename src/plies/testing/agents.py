"""Checks of an agent or a search in a file: legal moves, in time, the same for the same seed."""

import random
import time
from collections.abc import Iterator
from typing import Any

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.errors import AgentFault, BadSpec
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.runner import StopFlag
from plies.testing import CheckResult, promise, result_of
from plies.testing.sample import Problems

# Where the file does not say GAME = "...": a win, moves without end, no draws, turns in a row.
GAMES = ("tictactoe", "quixo:n=4", "nim", "seega")
POSITIONS = 12  # of each game
PLIES = 8  # from the start, at most
SLOW = 10.0  # seconds for a move without a limit
STOPPED = 2.0  # seconds until a stopped search answers
DEPTHS = (1, 2, 3)  # in which an exact search is compared with minimax


def agent_checks(spec: str, games: tuple[str, ...] = (), seed: int = 0) -> Iterator[CheckResult]:
    """The results one by one, for every game that the agent can play."""
    played, why = 0, ""
    for name in games or GAMES:
        game = find_game(name)
        try:
            player = agent(spec, game)
        except BadSpec as refusal:
            why = str(refusal)
            if games:
                yield CheckResult(f"plays {name}", False, why)
            continue
        played += 1
        try:
            player.prepare(game.initial())
            exact = (values_are_those_of_minimax,) if player.search.is_exact else ()
            for check in (moves_are_legal, equal_seeds_play_equally, stops_at_once, *exact):
                yield result_of(f"{name}: {promise(check)}", check(player, seed))
        finally:
            player.close()
    if not played and not games:
        yield CheckResult("plays a game", False, why)


def moves_are_legal(player: Agent, seed: int) -> Problems:
    """It answers a legal move in time."""
    slowest = 0.0
    for state in positions(player.game, seed):
        began = time.perf_counter()
        _choose(player, state, seed)
        slowest = max(slowest, time.perf_counter() - began)
    if slowest > SLOW:
        yield f"took {slowest:.1f} s for a move; give it an option that limits it"
    return f"{POSITIONS} positions, the slowest in {slowest:.3f} s"


def equal_seeds_play_equally(player: Agent, seed: int) -> Problems:
    """The same position and seed give the same move."""
    game = player.game
    for state in positions(game, seed):
        moves = set()
        for _ in range(2):
            player.forget()
            moves.add(_choose(player, state, seed).move)
        if len(moves) > 1:
            texts = " and ".join(game.move_text(state, move) for move in sorted(moves))
            yield f"plays {texts} in {game.position_text(state)}; draw random numbers from task.rng"
    return ""


def stops_at_once(player: Agent, seed: int) -> Problems:
    """A search that is stopped before it begins answers at once."""
    state, stop = next(positions(player.game, seed)), StopFlag()
    stop.stop()
    began = time.perf_counter()
    player.choose(state, random.Random(seed), stop)
    if (seconds := time.perf_counter() - began) > STOPPED:
        yield f"answers {seconds:.1f} s after it was stopped; kernels ask enter(work)"
    return ""


def values_are_those_of_minimax(player: Agent, seed: int) -> Problems:
    """An exact search values positions as minimax of the same depth does."""
    game, count = player.game, 0
    for depth in DEPTHS:
        searcher = agent(type(player.search)(**{**player.options, "depth": depth}), game)
        reference = agent(f"minimax:depth={depth}", game)
        for state in positions(game, seed):
            value = searcher.choose(state, random.Random(seed)).value
            right = reference.choose(state).value
            if value != right:
                where = game.position_text(state)
                yield f"depth={depth} answers {value} in {where}, minimax {right}"
            count += 1
    return f"{count} values"


def _choose(player: Agent, state: Any, seed: int) -> Decision:
    """The decision of an agent; its fault names the position."""
    try:
        return player.choose(state, random.Random(seed))
    except AgentFault as fault:
        where = player.game.position_text(state)
        raise AgentFault(fault.termination, f"{where}: {fault}") from fault


def positions(game: Game, seed: int) -> Iterator[Any]:
    """The first position, and others after a few random moves."""
    rng = random.Random(f"{seed}/{game.spec}")
    yield game.initial()
    for _ in range(POSITIONS - 1):
        state = game.initial()
        for _ in range(rng.randrange(1, PLIES)):
            child = game.play(state, rng.choice(game.moves(state)))
            if game.is_over(child):
                break
            state = child
        yield state
