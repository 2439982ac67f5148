"""Quixo: why a table of positions stays weak, and a learned player that does not."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from plies.arena.config import Openings, Tournament
from plies.arena.plan import Entry
from plies.pages.page import Table
from plies.registry import game as find_game
from plies.studies.study import Compared, Findings, Scale, Shown, Step, Study, Work
from plies.studies.telling import (
    RESULTS,
    counts,
    games_of,
    percent,
    results,
    share,
    standing,
    step_of,
)

GAME = "quixo"
# Of games won against chance by a table of positions, without and with bonuses.
PUBLISHED = "about 55 %"
PUBLISHED_BONUS = "still modest, no figure"
TABLE_GAMES = {"quick": 10_000, "full": 100_000}
PATTERN_GAMES = {"quick": 3_000, "full": 20_000}
TRIALS = {"quick": 500, "full": 5_000}  # a seat
PAIRS = {"quick": 10, "full": 200}
TURNS = {3: "third", 6: "sixth", 9: "ninth", 16: "16th and later"}  # see `trial.SHOWN`
SETTINGS = {
    "rewards": "ramp",
    "discount": "0.7",
    "exploration": "0.1",
    "fade": "0",
    "states": "8000000",  # more than are met
}
# What moves get a bonus for -> the settings that give it.
PATTERN = "lines_4"  # at least four of the five cubes of a line
BONUSES = {
    "four in a row": {"block_bonus": "0"},
    "blocking": {"make_bonus": "0"},
    "four in a row and blocking": {},
}
# Name -> the spec of the player with the learned patterns, and that of its opponent.
MATCHES = {
    "1 ply v random": ("greedy:eval={}", "random"),
    "1 ply v lines, 1 ply": ("greedy:eval={}", "alphabeta:depth=1,eval=lines"),
    "1 ply v lines, 2 plies": ("greedy:eval={}", "alphabeta:depth=2,eval=lines"),
    "1 ply v lines, 3 plies": ("greedy:eval={}", "alphabeta:depth=3,eval=lines"),
    "3 plies v lines, 3 plies": ("alphabeta:depth=3,eval={}", "alphabeta:depth=3,eval=lines"),
}


def table(work: Work, scale: Scale) -> dict[str, Any]:
    """A table of positions, by the study's settings, from games against chance."""
    return _learned(work, scale, SETTINGS, work.folder / "table.npz")


def with_bonus(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    """The same, with a bonus for moves that make a pattern or take one from the other."""
    return _learned(work, scale, {**SETTINGS, "bonus": PATTERN, **BONUSES[name]}, None)


def _learned(
    work: Work, scale: Scale, settings: Mapping[str, str], out: Path | None
) -> dict[str, Any]:
    from plies.learn.qlearning.learner import CHANCE
    from plies.learn.qlearning.settings import read_settings
    from plies.learn.qlearning.training import Plan, Training

    plan = Plan(GAME, TABLE_GAMES[scale], read_settings(settings), CHANCE, work.seed)
    training = Training(plan, out)
    training.run(partial(work.tell, "learning a table"))
    work.tell("trying the table", 0, 0)
    figures = training.figures(TRIALS[scale], has_blind=True)
    return {"learned": training.learner.learned, **figures.as_data()}


def patterns(work: Work, scale: Scale) -> dict[str, Any]:
    """What lines of five points are worth, by temporal differences in self-play."""
    from plies.learn.td import TdSettings, train_td

    games = PATTERN_GAMES[scale]
    model = train_td(
        find_game(GAME),
        TdSettings(games=games, seed=work.seed),
        work.folder / "patterns.npz",
        lambda done: work.tell("learning patterns", done, games),
    )
    return {"entries": len(model.arrays["values"]), "games": games}


def play(work: Work, name: str, scale: Scale) -> dict[str, Any]:
    own, other = MATCHES[name]
    return work.match(
        step_of(name),
        Tournament(
            games=(GAME,),
            agents=(
                Entry("patterns", own.format(work.folder / "patterns.npz")),
                Entry("opponent", other),
            ),
            name=name,
            kind="match",
            pairs=PAIRS[scale],
            seed=work.seed,
            openings=Openings(plies=4),
        ),
    )


def plan(scale: Scale) -> list[Step]:
    return [
        Step("table", partial(table, scale=scale)),
        *(Step(bonus_step(name), partial(with_bonus, name=name, scale=scale)) for name in BONUSES),
        Step("patterns", partial(patterns, scale=scale)),
        *(Step(step_of(name), partial(play, name=name, scale=scale)) for name in MATCHES),
    ]


def bonus_step(name: str) -> str:
    return f"bonus-{step_of(name)}"


def rate(trials: list[Mapping[str, Any]]) -> float:
    """The share of games won, as first and as second player together."""
    return sum(each["wins"] for each in trials) / sum(map(games_of, trials))


def won(trials: list[Mapping[str, Any]]) -> str:
    return percent(rate(trials))


def known(trials: list[Mapping[str, Any]]) -> str:
    """How often the table knew one of the positions to choose from, by own turns."""
    shares = [mean(turn) for turn in zip(*(each["known"] for each in trials), strict=False)]
    met = {turn: name for turn, name in TURNS.items() if turn <= len(shares)}
    return ", ".join(f"{percent(shares[turn - 1], 0)} of the {name}" for turn, name in met.items())


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    plain, learned = found["table"], found["patterns"]
    bonuses = {name: found[bonus_step(name)] for name in BONUSES}
    met = {name: found[step_of(name)]["meetings"][0] for name in MATCHES}
    with_both = list(bonuses.values())[-1]
    lead = (
        f"A table of {plain['learned']:,} positions alone wins {won(plain['blind'])} against"
        f" chance, with bonuses for four in a row and for blocking {won(with_both['blind'])}."
        f" {learned['entries']:,} entries for patterns, learned from {learned['games']:,} games,"
        f" take {share(met['1 ply v random'])} of the points one ply ahead, and"
        f" {share(met['1 ply v lines, 2 plies'])} from two plies with the evaluation by lines."
    )
    compared = [
        Compared(
            "Q table against random, won",
            PUBLISHED,
            _wins(plain),
            f"{TABLE_GAMES[scale]:,} games; of its own decisions the table knows something of"
            f" {known(plain['blind'])}",
        ),
        *(_bonus_row(name, told, plain) for name, told in bonuses.items()),
        *(
            Compared(
                f"patterns, {name}",
                "",
                f"{counts(meeting)} (won / drawn / lost), {share(meeting)} of the points",
                standing(meeting),
            )
            for name, meeting in met.items()
        ),
    ]
    return Findings(lead, compared, shown({"no bonus": plain, **bonuses}, met))


def _wins(told: Mapping[str, Any]) -> str:
    return (
        f"{won(told['blind'])} by the table alone; {won(told['trials'])} by a player who also sees"
        " a move that ends the game"
    )


def _bonus_row(name: str, told: Mapping[str, Any], plain: Mapping[str, Any]) -> Compared:
    """What a bonus brings to the table alone, as far as the games can tell."""
    gain = rate(told["blind"]) - rate(plain["blind"])
    games = sum(map(games_of, told["blind"]))
    # The standard error of the difference of two shares near one half is at most this.
    is_clear = abs(gain) > 2 * (0.5 / games) ** 0.5
    verdict = f"{100 * gain:+.1f} points by the table alone"
    doubt = "" if is_clear else f", which {games:,} games do not tell from none"
    is_both = name == list(BONUSES)[-1]
    return Compared(
        f"Q table with bonuses for {name}, won",
        PUBLISHED_BONUS if is_both else "",
        _wins(told),
        f"{verdict}{doubt}; {told['learned']:,} positions learned",
    )


def shown(tables: Mapping[str, Any], met: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    matches = [{**meeting, "match": name} for name, meeting in met.items()]
    alone = [
        {**each, "who": f"{name}, {seat}"}
        for name, told in tables.items()
        for seat, each in zip(("first", "second"), told["blind"], strict=True)
    ]
    return [
        Shown(
            "The tables of positions against random",
            "By the table alone, with bonuses and without, as first and as second player.",
            charts.results(alone, "who"),
        ),
        Shown(
            "The learned patterns",
            "Against random, and against alpha-beta with the evaluation by lines.",
            charts.results(matches, "match"),
        ),
        Shown(
            "Every match of the patterns",
            "From positions after four random plies, each with both seats. A position that"
            " arises three times is a draw.",
            Table(("match", *RESULTS), [(name, *results(row)) for name, row in met.items()]),
        ),
    ]


STUDY = Study(
    name="quixo-learned",
    title="Quixo: learned players",
    about="A table of positions, which stays weak, and learned patterns, against random and"
    " alpha-beta.",
    plan=plan,
    findings=findings,
)
