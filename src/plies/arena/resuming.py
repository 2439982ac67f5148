"""Going on with a stored run: what may differ from how it was begun, and what follows from that.

Agents and pairs may be added, and agents may leave.  What would make games of one run mean
different things, such as another seed or a program that was edited, is refused in words.
"""

import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from plies.arena.config import Tournament
from plies.arena.digests import agent_digest, game_digest
from plies.arena.openings import books
from plies.arena.schedule import pending
from plies.arena.store import BadStore, Played, Store
from plies.arena.tally import results_of
from plies.core.spec import nearest
from plies.errors import BadSpec

# Kinds whose games are all known from the start: adding some changes no other.
OPEN_KINDS = ("round-robin", "gauntlet", "match", "sprt")
MAY_DIFFER = ("name", "agents", "pairs", "gauntlet", "earlier")
LEFT, REPLAYED = "left", "replayed"  # why games were set aside
DIGESTS, REPLAYS = "digests", "replays"  # what a run says about itself


def digests_of(tournament: Tournament) -> dict[str, dict[str, str]]:
    """What a run notes of the files of its agents and games, by name."""
    agents = {each.name: agent_digest(each.spec, tournament.games) for each in tournament.agents}
    games = {spec: digest for spec in tournament.games if (digest := game_digest(spec))}
    return {"agents": agents, "games": games}


def resume(
    store: Store, wanted: Tournament, replay: Collection[str], say: Callable[[str], None]
) -> None:
    """Make the store hold what is wanted of it, or refuse; what changes is said, a line each."""
    stored = Tournament.from_json(store.about["tournament"])
    for name in replay:
        _check_replay(wanted, name)
    tournament = continued(stored, wanted)
    played, left = store.played(), store.aside(LEFT)
    now = digests_of(tournament)
    before = store.about.get(DIGESTS, {"agents": {}, "games": {}})
    names = set(tournament.names)
    _refuse_changed_games(tournament, played, before["games"], now["games"])
    begun = _replays_begun(store, stored)
    replayed = [name for name in replay if begun.get(name) != now["agents"][name]]
    changed = _changed(stored, tournament, before["agents"], now["agents"])
    _refuse_changed(tournament.kind, changed, played, replay)

    set_aside = {each.number: LEFT for each in played if not names >= set(each.seats)}
    set_aside |= {each.number: REPLAYED for each in played if set(replayed) & set(each.seats)}
    outdated = [each for each in left if {*changed, *replayed} & set(each.seats)]
    back = [each for each in left if names >= set(each.seats) and each not in outdated]
    if stored.roster != tournament.roster:
        staying = [each for each in played if each.number not in set_aside]
        _check_part(tournament, [*staying, *back])
    facts: dict[str, Any] = {
        "tournament": tournament.to_json(),
        DIGESTS: {kind: before[kind] | now[kind] for kind in now},
        REPLAYS: begun | {name: now["agents"][name] for name in replayed},
    }
    if set_aside or back or any(store.about.get(key) != facts[key] for key in facts):
        store.revise(
            set_aside=set_aside,
            relabel={each.number: (LEFT, REPLAYED) for each in outdated},
            bring_back={each.number: LEFT for each in back},
            facts=facts,
        )
    for line in _news(stored, tournament, played, back, replayed):
        say(line)


def edited(store: Store) -> list[str]:
    """Agents whose files are no longer those that the run was opened with."""
    tournament = Tournament.from_json(store.about["tournament"])
    before = store.about[DIGESTS]["agents"]
    now = digests_of(tournament)["agents"]
    return [name for name in tournament.names if now[name] != before.get(name)]


def continued(stored: Tournament, wanted: Tournament) -> Tournament:
    """The tournament that goes on: what is wanted, with the games of `stored` as they were.

    `BadStore` where it would be another one.
    """
    for field in fields(Tournament):
        if field.name not in MAY_DIFFER:
            _refuse_difference(field.name, getattr(stored, field.name), getattr(wanted, field.name))
    if stored.roster == wanted.roster:
        return replace(wanted, earlier=stored.earlier)
    if stored.kind not in OPEN_KINDS:
        what = "pairs" if stored.names == wanted.names else "agents"
        raise BadStore(
            f"the {what} of a {stored.kind} tournament cannot change, because all games decide who"
            " meets whom"
        )
    if stored.kind == "sprt" and stored.names != wanted.names:
        raise _another("it tests the first agent against the second, which are not these")
    if len(set(stored.names) & set(wanted.names)) < 2:
        raise _another(f"its agents are {', '.join(stored.names)}")
    if wanted.pairs < stored.pairs:
        raise BadStore(f"its meetings have {stored.pairs} pairs, which cannot become fewer")
    return replace(wanted, earlier=(*stored.earlier, stored.roster))


def _another(why: str) -> BadStore:
    return BadStore(f"this is another run: {why}")


def _refuse_difference(name: str, old: Any, new: Any) -> None:
    """Say what differs of a value or of a table, the first key of it."""
    if old == new:
        return
    if is_dataclass(old) and is_dataclass(new) and not isinstance(old, type):
        for key in asdict(old):
            if (name, key) != ("openings", "file"):  # where positions came from
                _refuse_difference(f"{name}.{key}", getattr(old, key), getattr(new, key))
        return
    if name == "openings.positions":
        raise _another("its openings are other positions")
    raise _another(f"{name} is {_plain(old)}, not {_plain(new)}")


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _check_replay(wanted: Tournament, name: str) -> None:
    if name not in wanted.names:
        near = nearest(name, wanted.names) or f"; there are {', '.join(wanted.names)}"
        raise BadSpec(f"no agent to replay is called {name}{near}")
    if wanted.kind not in OPEN_KINDS:
        raise BadSpec(
            f"in a {wanted.kind} tournament the games of {name} decide who meets whom, so that it"
            " cannot play them again alone"
        )


def _replays_begun(store: Store, stored: Tournament) -> dict[str, str]:
    """Replays that were interrupted: digests of the programs, by agent.

    What counts is the run as it was left.  Games that are asked for only now, such as those of
    more pairs, do not make a replay that was completed one to go on with.
    """
    replays: dict[str, str] = store.about.get(REPLAYS, {})
    if not replays:
        return {}
    missing = pending(stored, books(stored), results_of(store.games()))
    waiting = {name for planned in missing for name in planned.seats}
    return {name: digest for name, digest in replays.items() if name in waiting}


def _changed(
    stored: Tournament,
    tournament: Tournament,
    before: Mapping[str, str],
    now: Mapping[str, str],
) -> dict[str, str]:
    """Agents that are not what they were: name -> what has changed, in words."""
    specs = {entry.name: entry.spec for entry in stored.agents}
    found = {}
    for name, spec in ((entry.name, entry.spec) for entry in tournament.agents):
        is_other = specs.get(name, spec) != spec
        if before[name] != now[name] if name in before else is_other:
            how = f" is {spec} and was {specs[name]}" if is_other else "'s program has changed"
            found[name] = f"{name}{how}"
    return found


def _refuse_changed(
    kind: str, changed: Mapping[str, str], played: Sequence[Played], replay: Collection[str]
) -> None:
    """A program that was edited is not the one whose games are there; all of them are named."""
    own = {name: [each for each in played if name in each.seats] for name in changed}
    refused = [name for name in changed if own[name] and name not in replay]
    if not refused:
        return
    first, *others = refused
    since = f"{changed[first]} since {_count(own[first])} ({_day(own[first])})"
    also = f", and so {'has' if len(others) == 1 else 'have'} {', '.join(others)}" if others else ""
    again = " ".join(f"--replay {shlex.quote(name)}" for name in [*replay, *refused])
    its = "their" if others or replay else "its"
    way = f": `{again}` plays {its} games again" if kind in OPEN_KINDS else ""
    raise BadStore(f"{since}{also}{way}")


def _refuse_changed_games(
    tournament: Tournament, played: list[Played], before: Mapping[str, str], now: Mapping[str, str]
) -> None:
    for spec in tournament.games:
        if played and spec in before and before[spec] != now.get(spec):
            label = Path(spec.partition(".py")[0]).name
            raise BadStore(
                f"the file of the game {label} has changed since {_count(played)} ({_day(played)})"
            )


def _count(played: list[Played]) -> str:
    return "1 game was played" if len(played) == 1 else f"{len(played)} games were played"


def _day(played: list[Played]) -> str:
    return max(each.ended for each in played)[:10] or "at an unknown time"


def _all_games(tournament: Tournament) -> list[Any]:
    return pending(tournament, books(tournament), [])


def _check_part(tournament: Tournament, played: list[Played]) -> None:
    """Every game that counts must be one of the plan."""
    if tournament.kind not in OPEN_KINDS or tournament.kind == "sprt":
        return
    planned = {game.number: game.seats for game in _all_games(tournament)}
    for each in played:
        if planned.get(each.number) != each.seats:
            raise BadStore(
                f"it holds games that would be no part of it, such as game {each.number}"
                f" ({' against '.join(each.seats)})"
            )


def _news(
    stored: Tournament,
    tournament: Tournament,
    played: list[Played],
    back: list[Played],
    replayed: list[str],
) -> Iterable[str]:
    """What differs from before, for whoever goes on with the run."""
    for name in tournament.names:
        if name not in stored.names:
            own = sum(name in each.seats for each in back)
            yield f"{name} joins" + (f"; its {own} games of before count again" if own else "")
    for name in stored.names:
        if name not in tournament.names:
            own = sum(name in each.seats for each in played)
            yield f"{name} takes part no longer; its {own} games are kept and do not count"
    if tournament.pairs > stored.pairs:
        yield f"a meeting has {tournament.pairs} pairs now; it had {stored.pairs}"
    for name in replayed:
        own = sum(name in each.seats for each in played)
        yield f"{name} plays its {own} games again"
