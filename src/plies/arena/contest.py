"""Is an agent fit for a contest?  It plays a few games, and is told what is wrong in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from plies.agents import Agent, agent
from plies.agents.process import RUNNING, errors_of
from plies.arena.preflight import warnings
from plies.core.contract import Game
from plies.core.result_text import player_name
from plies.errors import AgentFault
from plies.match import Clocks, play_game
from plies.records import GameRecord
from plies.search.runner import Stopwatch

RANDOM = "random"
ADVICE = {
    "time": "answer sooner: a question says in `seconds` how long there is;"
    " a program written with plies compiles before it says ready",
    "illegal": "play one of the texts in `legal`, exactly as it is written there",
    "crash": "start it by hand in a terminal and type what docs/protocol.md says that it is sent",
    "memory": "keep less: the limit is for all its processes together",
    "bad output": "print one JSON object a line and nothing else, and flush it",
}


@dataclass(frozen=True)
class Check:
    """One thing that was tried: whether it went well, and what there is to say.

    `errors` is what the agent, a program, wrote to its standard error meanwhile.
    """

    name: str
    is_good: bool
    text: str
    advice: str = ""
    errors: str = ""


def baseline(game: Game) -> str:
    """An opponent that is better than chance."""
    return "alphabeta:depth=2" if game.is_zero_sum(game.initial()) else "maxn:depth=2"


def validate(spec: str, game: Game, clocks: Clocks, games: int = 2) -> Iterator[Check]:
    """Start the agent, then let it play itself, chance and a baseline from every seat."""
    players = game.players(game.initial())
    candidate = agent(spec, game)
    started = _start(candidate, clocks)
    yield started
    if not started.is_good:
        return
    for opponent in (candidate.spec, RANDOM, baseline(game)):
        check = _meet(candidate.spec, opponent, game, clocks, games * players)
        yield check
        if not check.is_good:
            return


def _meet(spec: str, opponent: str, game: Game, clocks: Clocks, games: int) -> Check:
    """Games against one opponent from every seat, up to the first that goes wrong."""
    is_alone = opponent == spec
    name = f"plays {'itself' if is_alone else opponent}"
    players = game.players(game.initial())
    records, errors = [], ""
    for number in range(games):
        seat = number % players
        seats = [opponent] * players
        seats[seat] = spec
        record, texts = _play(game, seats, clocks, number)
        records.append((seat, record))
        for each, text in enumerate(texts):
            if text:
                errors += f"=== game {number + 1}, seat {each + 1}\n{text.rstrip()}\n"
        fault = _fault_of(game, seat, record, is_alone=is_alone)
        if fault is not None:
            return Check(name, False, *fault, errors)
    return Check(name, True, _told(records), errors=errors)


def _play(game: Game, specs: list[str], clocks: Clocks, seed: int) -> tuple[GameRecord, list[str]]:
    """A game, and what was written by seat to the standard error."""
    seats = [agent(spec, game) for spec in specs]
    try:
        for seat in seats:
            seat.prepare(game.initial())
        record = play_game(game, *seats, seed=seed, clocks=clocks)
        return record, [errors_of(seat.memory) for seat in seats]
    finally:
        for seat in seats:
            seat.close()


def _start(candidate: Agent, clocks: Clocks) -> Check:
    """Whether it gets ready in time."""
    state, watch = candidate.game.initial(), Stopwatch()
    try:
        candidate.begin(state, 0, seconds=clocks.startup)
        seconds = watch.seconds
        running = candidate.memory.get(RUNNING)
        missing = running.missing if running is not None else {}
    except AgentFault as fault:
        advice, errors = ADVICE[fault.termination], errors_of(candidate.memory)
        return Check("starts", False, str(fault), advice, errors)
    finally:
        candidate.close()
    told = f"ready after {seconds:.2g} s"
    return Check("starts", True, told, "; ".join(warnings(missing)))


def _fault_of(
    game: Game, seat: int, record: GameRecord, *, is_alone: bool
) -> tuple[str, str] | None:
    """What the agent did wrong in a game, and what to do about it."""
    culprits = [each for each, kind in enumerate(record.faults) if kind]
    own = culprits if is_alone else [each for each in culprits if each == seat]
    if not own:
        return None
    culprit = own[0]
    ply = len(record.moves) + 1
    where = f"as {player_name(game, culprit)}, at move {ply}, in the position {record.final}"
    return f"{record.termination}: {record.reason} ({where})", ADVICE[record.termination]


def _told(records: list[tuple[int, GameRecord]]) -> str:
    """The results, and the slowest move."""
    winners = [(seat, record.winner) for seat, record in records]
    won = sum(winner == seat for seat, winner in winners)
    drawn = sum(winner is None for _, winner in winners)
    own = [move.seconds for seat, record in records for move in record.moves if move.player == seat]
    slowest = f", slowest move {max(own):.2g} s" if own else ""
    return f"{won} won, {drawn} drawn, {len(records) - won - drawn} lost{slowest}"
