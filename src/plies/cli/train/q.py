"""`plies train q`: tabular Q-learning, and the search for its settings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain
from plies.cli.parameters import GameSpec, Json, Workers
from plies.cli.pictures import check_picture, write_picture

if TYPE_CHECKING:
    from plies.learn.against_chance import Fare
    from plies.learn.qlearning.grid import Row
    from plies.learn.qlearning.training import Figures, Plan, Training
    from plies.learn.qlearning.trial import Trial

SEAT_NAMES = ("first", "second")
POINTS = 20  # of a learning curve, where --every does not say it

Games = Annotated[int, typer.Option(metavar="N", help="To learn from, in all.", min=1)]
Against = Annotated[
    str, typer.Option(metavar="WHOM", help="self, random, or the spec of an agent.")
]
Options = Annotated[
    str,
    typer.Option(
        metavar="KEY=VALUE,...",
        help="rate, fade, discount, exploration, rewards=result or ramp (with win, loss,"
        " draw_first, draw_second), bonus=PATTERN (with make_bonus, block_bonus), symmetry,"
        " states, max_plies.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep the table here (.npz).", show_default=False),
]
LearnSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]
Trials = Annotated[
    int, typer.Option(metavar="N", help="Games against random afterwards, in each seat.", min=1)
]
Every = Annotated[
    int,
    typer.Option(
        metavar="N", help="Games between points of the learning curve.", min=0, show_default=False
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Draw the learning curve (.svg or .png).", show_default=False
    ),
]
Search = Annotated[
    str,
    typer.Option(
        metavar="KEY=A/B,...",
        help="Try all combinations of these options; keep the best.",
        show_default=False,
    ),
]
Repeats = Annotated[int, typer.Option(metavar="N", help="Seeds of each combination.", min=1)]


def command(
    game: GameSpec,
    games: Games = 300_000,
    against: Against = "self",
    options: Options = "",
    out: Out = None,
    seed: LearnSeed = 1,
    trials: Trials = 10_000,
    every: Every = 0,
    plot: Plot = None,
    search: Search = "",
    repeats: Repeats = 1,
    workers: Workers = 0,
    as_json: Json = False,
) -> None:
    """Learn a table of what positions are worth, for a small game of two players.

    How good it is against a player who moves at random is computed exactly where the game is
    small enough, and tried in games.  The table plays as q:FILE and serves any search as
    eval=FILE.  What was interrupted is kept in FILE: the same command goes on, also with more
    --games.

    \b
    Example:  plies train q tictactoe --out q.npz --plot curve.svg
              plies match tictactoe q:q.npz random --pairs 500
              plies train q tictactoe --search rate=0.1/0.5/0.9,discount=0.7/1
    """
    from plies.core.spec import split_spec
    from plies.learn.qlearning.grid import forget
    from plies.learn.qlearning.settings import read_settings
    from plies.learn.qlearning.training import Plan, Training

    if plot is not None:
        check_picture(plot)
        every = every or max(games // POINTS, 1)
    texts = split_spec(f"q:{options}")[1]
    settings = read_settings(texts)
    check_search(search, texts, repeats)
    plan = Plan(game, games, settings, against, seed, every)
    rows: list[Row] = []
    if search:
        rows = searched(plan, search, repeats, out, workers)
        plan = Plan(game, games, rows[0].settings, against, seed, every)
    training = Training(plan, out)
    before = training.learner.games
    run(training)
    if search and out is not None:
        forget(out)
    figures = training.figures(trials, has_blind=True)
    if training.learner.is_full:
        room = f"the table is full ({training.learner.states:,} positions)"
        complain(f"{room}: new ones are not learned; --options states=N gives more room")
    if as_json:
        print_data(training, figures, rows)
    else:
        if games <= before:
            tell_finished(out, before, games)
        print_found(training, figures, rows)
    if plot is not None:
        from plies.learn.qlearning.charts import learning_curve

        write_picture(plot, learning_curve(training.curve, figures))


def tell_finished(out: Path | None, before: int, games: int) -> None:
    if games == before:
        print(f"{out} was finished before", file=sys.stderr)
    else:
        complain(f"{out} has learned from {before:,} games already; --games asks for {games:,}")


def check_search(text: str, options: dict[str, str], repeats: int) -> None:
    """Refuse what would have no effect: what is searched for, or repeated, by no search."""
    from plies.learn.qlearning.grid import read_grid

    if not text and repeats > 1:
        raise UsageError("--repeats is for the combinations of --search")
    if text and (both := [name for name in read_grid(text) if name in options]):
        raise UsageError(f"{both[0]} is in --options and in --search; it can be in one of them")


def run(training: "Training") -> None:
    """Learn, with a sign of life; Ctrl-C keeps what there is."""
    from plies.cli.train.progress import progress

    with keeping(training), progress("games") as tell:
        training.run(tell)


@contextmanager
def keeping(training: "Training") -> Iterator[None]:
    """Ctrl-C, or a request to end, ends the command; the message says what is kept."""
    from plies.cli.running import ending_heard

    try:
        with ending_heard():
            yield
    except KeyboardInterrupt as error:
        where = "nothing is kept (--out FILE would keep the table)"
        if training.out is not None:
            where = f"the table is kept in {training.out}, the same command goes on"
        complain(f"interrupted after {training.learner.games:,} games; {where}")
        raise typer.Exit(INTERRUPTED) from error


def searched(plan: "Plan", text: str, repeats: int, out: Path | None, workers: int) -> "list[Row]":
    """All combinations, the best first."""
    from plies.cli.train.progress import kept_when_stopped, progress
    from plies.learn.qlearning.grid import jobs_of, read_grid
    from plies.learn.qlearning.grid import search as train_all

    jobs = jobs_of(plan, read_grid(text), repeats)
    if out is None:
        with progress("trainings") as tell:
            return train_all(jobs, None, workers, tell)
    with kept_when_stopped(out), progress("trainings") as tell:
        return train_all(jobs, out, workers, tell)


# What came out


def print_found(training: "Training", figures: "Figures", rows: "list[Row]") -> None:
    from plies.cli.output import print_facts, print_table

    if rows:
        print_rows(rows)
    learner, plan = training.learner, training.plan
    print_facts(
        {
            "game": training.game.spec,
            "learned": f"{learner.learned:,} positions from {learner.games:,} games"
            f" against {plan.against}",
            "settings": plan.settings.text or "as they are by default",
        }
    )
    print()
    print_table(("against random", "games", "won", "drawn", "lost", "known"), list(lines(figures)))
    if training.out is not None:
        player = f"q:{training.out}"
        print(f"\nkept in {training.out}; to play: plies play {plan.game} --second {player}")


def lines(figures: "Figures") -> Iterator[list[str]]:
    """One row for every way to measure it and every seat."""
    for seat, name in enumerate(SEAT_NAMES):
        if figures.exact:
            yield [f"as {name}", "all", *shares(figures.exact[seat]), ""]
            yield [f"as {name}, best possible", "all", *shares(figures.best[seat]), ""]
        yield [f"as {name}, tried", *counted(figures.trials[seat])]
        yield [f"as {name}, table alone", *counted(figures.blind[seat])]


def shares(fare: "Fare") -> list[str]:
    return [f"{share:.2%}" for share in (fare.wins, fare.draws, fare.losses)]


def counted(found: "Trial") -> list[str]:
    results = (found.wins, found.draws, found.losses)
    rates = [f"{number / found.games:.2%}" for number in results]
    return [f"{found.games:,}", *rates, f"{found.known_share:.1%}"]


def print_rows(rows: "list[Row]") -> None:
    """The combinations of a search."""
    from plies.cli.output import print_table

    columns = (*rows[0].texts, "won as first", "won as second", "mean")
    print_table(
        columns,
        [
            [*row.texts.values(), span(row.first), span(row.second), f"{row.score:.2%}"]
            for row in rows
        ],
    )
    print()


def span(rates: tuple[float, ...]) -> str:
    low, high = min(rates), max(rates)
    return f"{low:.2%}" if low == high else f"{low:.2%} to {high:.2%}"


def print_data(training: "Training", figures: "Figures", rows: "list[Row]") -> None:
    from plies.cli.output import print_json

    learner = training.learner
    document: dict[str, Any] = {
        "file": None if training.out is None else str(training.out),
        **{key: value for key, value in training.model().card.items() if key != "random"},
        "game": training.game.spec,
        "states": learner.states,
        **figures.as_data(),
    }
    if rows:
        document["search"] = [row.as_data() for row in rows]
    print_json(document)
