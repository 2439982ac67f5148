"""Checks of an agent or a search in a file: legal moves, in time, the same for the same seed."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from plies.agents import Agent, agent
from plies.core.contract import Game
from plies.core.spec import options_of
from plies.errors import AgentFault, BadSpec
from plies.registry import game as find_game
from plies.search.decision import Decision
from plies.search.runner import StopFlag, Stopwatch
from plies.testing import CheckResult, promise, result_of
from plies.testing.sample import Problems
from plies.testing.sentences import at_position

# Where the file does not say GAME = "...": a win, moves without end, no draws, turns in a row.
GAMES = ("tictactoe", "quixo:n=4", "nim", "seega")
POSITIONS = 12  # of each game
PLIES = 8  # from the start, at most
SLOW = 10.0  # seconds for a move without a limit
STOPPED = 0.5  # seconds until a stopped search answers
TRIES = 3  # of which the quickest counts
DEPTHS = (1, 2, 3)  # in which an exact search is compared with minimax


class Line(NamedTuple):
    """The positions of a game that has begun, and the moves between them."""

    states: list[Any]
    moves: list[int]


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
    for line in lines(player.game, seed):
        watch = Stopwatch()
        _choose(player, line, seed)
        slowest = max(slowest, watch.seconds)
    if slowest > SLOW:
        yield f"took {slowest:.1f} s for a move; give it an option that limits it"
    return f"{POSITIONS} positions, the slowest in {slowest:.3f} s"


def equal_seeds_play_equally(player: Agent, seed: int) -> Problems:
    """The same position and seed give the same move."""
    game = player.game
    for line in lines(game, seed):
        moves, state = set(), line.states[-1]
        for _ in range(2):
            player.forget()
            moves.add(_choose(player, line, seed).move)
        if len(moves) > 1:
            texts = " and ".join(game.move_text(state, move) for move in sorted(moves))
            problem = f"plays {texts}; draw random numbers from task.rng"
            yield at_position(game.position_text(state), problem)
    return ""


def stops_at_once(player: Agent, seed: int) -> Problems:
    """A search that is stopped before it begins answers at once.

    The quickest of a few tries counts, for the machine may be busy.  A search that always
    answers within the limit passes whether it looks at its stop or not.
    """
    unstopped = _seconds(player, seed, StopFlag())
    stop = StopFlag()
    stop.stop()
    stopped = min(_seconds(player, seed, stop) for _ in range(TRIES))
    both = f"{stopped:.3f} s after it was stopped, {unstopped:.3f} s without a stop"
    if stopped > STOPPED:
        hint = "look at task.stop.is_set (plain Python) or enter(work, ply) (kernels)"
        yield f"answers {both}; {hint}"
    return both


def _seconds(player: Agent, seed: int, stop: StopFlag) -> float:
    """How long the first move of a game takes, by the clock."""
    state = player.game.initial()
    player.forget()  # it may know the answer
    watch = Stopwatch()
    player.choose(state, random.Random(seed), stop)
    return watch.seconds


def values_are_those_of_minimax(player: Agent, seed: int) -> Problems:
    """An exact search values positions as minimax of the same depth does."""
    game, count = player.game, 0
    if "depth" not in options_of(type(player.search)):
        yield "is_exact is tested by the option depth, which it has not; write depth: int = 4"
    for depth in DEPTHS:
        searcher = agent(type(player.search)(**{**player.options, "depth": depth}), game)
        reference = agent(f"minimax:depth={depth}", game)
        for state in positions(game, seed):
            value = searcher.choose(state, random.Random(seed)).value
            right = reference.choose(state).value
            if value != right:
                problem = f"depth={depth} answers {value}, minimax {right}"
                yield at_position(game.position_text(state), problem)
            count += 1
    return f"{count} values"


def _choose(player: Agent, line: Line, seed: int) -> Decision:
    """The decision of an agent after these moves; its fault names the position."""
    start, state = line.states[0], line.states[-1]
    past = [player.game.key(each) for each in line.states[:-1]]
    try:
        rng = random.Random(seed)
        return player.choose(state, rng, past=past, start=start, played=line.moves)
    except AgentFault as fault:
        where = player.game.position_text(state)
        raise AgentFault(fault.termination, at_position(where, str(fault))) from fault


def lines(game: Game, seed: int) -> Iterator[Line]:
    """The start of a game, and a few random moves from there."""
    rng = random.Random(f"{seed}/{game.spec}")
    yield Line([game.initial()], [])
    for _ in range(POSITIONS - 1):
        line = Line([game.initial()], [])
        for _ in range(rng.randrange(1, PLIES)):
            move = rng.choice(game.moves(line.states[-1]))
            child = game.play(line.states[-1], move)
            if game.is_over(child):
                break
            line.states.append(child)
            line.moves.append(move)
        yield line


def positions(game: Game, seed: int) -> Iterator[Any]:
    """The first position, and others after a few random moves."""
    return (line.states[-1] for line in lines(game, seed))
