"""Quixo: why a table of positions stays weak, and a learned player that does not."""

from collections.abc import Mapping
from functools import partial
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
SEATS = 2
DECIDED = ("wins", "draws", "losses")
# Of games won against chance by a table of positions, without and with bonuses.
PUBLISHED = "about 55 %"
PUBLISHED_BONUS = "still modest, no figure"
SEEDS = {"quick": 1, "full": 3}  # of tables
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
# What moves get a bonus for -> the settings that give it; lines_4: four of the five cubes.
BOTH = "four in a row and blocking"
BONUSES = {
    "four in a row": {"bonus": "lines_4", "block_bonus": "0"},
    "blocking": {"bonus": "lines_4", "make_bonus": "0"},
    BOTH: {"bonus": "lines_4"},
}
# Name -> the spec of the player with the learned patterns, and that of its opponent.
MATCHES = {
    "1 ply v random": ("greedy:eval={}", "random"),
    "1 ply v lines, 1 ply": ("greedy:eval={}", "alphabeta:depth=1,eval=lines"),
    "1 ply v lines, 2 plies": ("greedy:eval={}", "alphabeta:depth=2,eval=lines"),
    "1 ply v lines, 3 plies": ("greedy:eval={}", "alphabeta:depth=3,eval=lines"),
    "3 plies v lines, 3 plies": ("alphabeta:depth=3,eval={}", "alphabeta:depth=3,eval=lines"),
}


def table(work: Work, scale: Scale, bonus: Mapping[str, str]) -> dict[str, Any]:
    """Tables of positions, by the settings of the tic-tac-toe report, from games against chance.

    Several seeds, one after the other, each as first and as second player.
    """
    from plies.learn.qlearning.learner import CHANCE
    from plies.learn.qlearning.settings import read_settings
    from plies.learn.qlearning.training import Plan, Training

    settings = read_settings({**SETTINGS, **bonus})
    found: dict[str, list[Any]] = {"learned": [], "trials": [], "blind": []}
    for seed in range(work.seed, work.seed + SEEDS[scale]):
        training = Training(Plan(GAME, TABLE_GAMES[scale], settings, CHANCE, seed))
        training.run(partial(work.tell, f"learning a table, seed {seed}"))
        work.tell("trying the table", 0, 0)
        figures = training.figures(TRIALS[scale], has_blind=True).as_data()
        found["learned"].append(training.learner.learned)
        found["trials"] += figures["trials"]
        found["blind"] += figures["blind"]
    return found


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
        Step("table", partial(table, scale=scale, bonus={})),
        *(
            Step(bonus_step(name), partial(table, scale=scale, bonus=bonus))
            for name, bonus in BONUSES.items()
        ),
        Step("patterns", partial(patterns, scale=scale)),
        *(Step(step_of(name), partial(play, name=name, scale=scale)) for name in MATCHES),
    ]


def bonus_step(name: str) -> str:
    return f"bonus-{step_of(name)}"


def rate(trials: list[Mapping[str, Any]]) -> float:
    """The share of games won, in both seats and by all seeds together."""
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
    lead = (
        f"A table of {mean(plain['learned']):,.0f} positions alone wins {won(plain['blind'])}"
        f" against chance, with bonuses for {BOTH} {won(bonuses[BOTH]['blind'])}."
        f" {learned['entries']:,} entries for patterns, learned from {learned['games']:,} games,"
        f" take {share(met['1 ply v random'])} of the points one ply ahead, and"
        f" {share(met['1 ply v lines, 2 plies'])} from two plies with the evaluation by lines."
    )
    compared = [
        Compared(
            "Q table against random, won",
            PUBLISHED,
            _wins(plain),
            f"{TABLE_GAMES[scale]:,} games by {_seeds(plain)}; of its own decisions the table knows"
            f" something of {known(plain['blind'])}",
        ),
        *(_bonus_row(name, answer, plain) for name, answer in bonuses.items()),
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


def _wins(answer: Mapping[str, Any]) -> str:
    return (
        f"{won(answer['blind'])} by the table alone; {won(answer['trials'])} by a player who also"
        " sees a move that ends the game"
    )


def _seeds(answer: Mapping[str, Any]) -> str:
    count = len(answer["learned"])
    return "one seed" if count == 1 else f"each of {count} seeds"


def _bonus_row(name: str, answer: Mapping[str, Any], plain: Mapping[str, Any]) -> Compared:
    """What a bonus brings to the table alone, and whether seeds differ by as much."""
    gain = rate(answer["blind"]) - rate(plain["blind"])
    own, other = _span(answer), _span(plain)
    is_clear = own[0] > other[1] or own[1] < other[0]
    if len(answer["learned"]) == 1:
        doubt = "one seed, which may be chance"
    elif is_clear:
        doubt = f"{_seeds(answer)} is {'above' if gain > 0 else 'below'} all without a bonus"
    else:
        doubt = "no more than seeds differ among themselves"
    return Compared(
        f"Q table with bonuses for {name}, won",
        PUBLISHED_BONUS if name == BOTH else "",
        _wins(answer),
        f"{100 * gain:+.1f} points by the table alone; {doubt}",
    )


def _span(answer: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the greatest share won by the table alone, of all seeds."""
    trials = answer["blind"]
    rates = [rate(trials[at : at + SEATS]) for at in range(0, len(trials), SEATS)]
    return min(rates), max(rates)


def shown(tables: Mapping[str, Any], met: Mapping[str, Any]) -> list[Shown]:
    from plies.studies.report import charts

    matches = [{**meeting, "match": name} for name, meeting in met.items()]
    alone = [
        {
            "who": name,
            **{result: sum(each[result] for each in answer["blind"]) for result in DECIDED},
        }
        for name, answer in tables.items()
    ]
    return [
        Shown(
            "The tables of positions against random",
            "By the table alone, by what moves got a bonus for; both seats.",
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
