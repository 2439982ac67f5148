"""`plies train weights`: better weights for an evaluator, by matches; then a match decides."""

import random
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain
from plies.cli.parameters import GameSpec, Json
from plies.cli.running import LOG_SECONDS
from plies.version import __version__

if TYPE_CHECKING:
    from plies.arena.statistics.sprt import Sprt
    from plies.cli.train.last_match import Verdict
    from plies.core.contract import Game
    from plies.learn.trials import Players
    from plies.learn.weights import Tuner
    from plies.models.files import Model

NOT_BETTER = 1
TUNED, OWN = "tuned", "own"  # names in the match that decides

Out = Annotated[Path, typer.Option(metavar="FILE", help="Keep the weights here (.npz).")]
Eval = Annotated[
    str,
    typer.Option(
        "--eval", metavar="NAME", help="The evaluator.", show_default="the game's first one"
    ),
]
AgentSpec = Annotated[
    str, typer.Option("--agent", metavar="SPEC", help="Who plays; plain alphabeta is quickest.")
]
Fields = Annotated[
    str,
    typer.Option(metavar="A,B...", help="The weights that are tuned.", show_default="all"),
]
Scale = Annotated[
    int, typer.Option(metavar="N", help="Multiply these first, so that steps are finer.")
]
Spread = Annotated[
    float, typer.Option(metavar="X", help="How far apart first candidates are, in weights.")
]
Generations = Annotated[int, typer.Option(metavar="N", help="How many pass.", min=1)]
Candidates = Annotated[
    int, typer.Option(metavar="N", help="Of a generation.", show_default="by the weights")
]
Pairs = Annotated[
    int, typer.Option(metavar="N", help="Openings that a candidate plays, in both seats.")
]
Openings = Annotated[
    int, typer.Option(metavar="N", help="Begin after so many random plies.", min=0)
]
MaxPlies = Annotated[int, typer.Option(metavar="N", help="Longer games are drawn.")]
TuningSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.")]
AtATime = Annotated[
    int,
    typer.Option("--workers", metavar="N", help="Games at a time; 0: one on every core.", min=0),
]
SprtBounds = Annotated[
    str, typer.Option("--sprt", metavar="ELO0,ELO1", help="What the last match decides between.")
]
MatchPairs = Annotated[
    int, typer.Option(metavar="N", help="Most pairs of the last match; 0: none.", min=0)
]


def command(
    game: GameSpec,
    out: Out,
    evaluator: Eval = "",
    agent: AgentSpec = "alphabeta:depth=2",
    fields: Fields = "",
    scale: Scale = 1,
    spread: Spread = 0.3,
    generations: Generations = 30,
    candidates: Candidates = 0,
    pairs: Pairs = 100,
    openings: Openings = 4,
    max_plies: MaxPlies = 300,
    seed: TuningSeed = 1,
    workers: AtATime = 0,
    sprt: SprtBounds = "0,20",
    match_pairs: MatchPairs = 1000,
    as_json: Json = False,
) -> None:
    """Tune the weights of an evaluator, and say whether that made it stronger.

    Candidates play matches against the evaluator's own weights (CMA-ES).  At last the tuned
    weights play a fresh match, and a test (SPRT) decides; the exit status is 1 unless they
    are found to be stronger (0 without a match).  Any agent takes them as eval=FILE.  The
    losses and the games of the last match are kept beside FILE: the same command goes on
    after an interruption.

    \b
    Example:  plies train weights seega --eval improved --scale 10 --out tuned.npz
              plies play seega --second alphabeta:depth=4,eval=tuned.npz
    """
    from plies.arena.statistics.sprt import Sprt
    from plies.cli.arena_options import test_bounds
    from plies.cli.output import print_json
    from plies.learn.runs import finished
    from plies.learn.trials import trial_agent
    from plies.learn.weights import Tuner, Tuning, tuned_fields
    from plies.models.files import model_path
    from plies.registry import game as find_game

    found = find_game(game)
    name = evaluator or next(iter(found.evaluators), "zero")
    wanted = [field.strip() for field in fields.split(",") if field.strip()]
    tuning = Tuning(
        game=found.spec,
        agent=agent,
        evaluator=name,
        fields=tuned_fields(found, name, wanted),
        scale=scale,
        spread=spread,
        candidates=candidates,
        pairs=pairs,
        plies=openings,
        max_plies=max_plies,
        seed=seed,
    )
    if "," in str(out):
        raise UsageError(f"--out {out}: the name of the file has no comma, which ends an option")
    tuner = Tuner(tuning, found)
    about = {"tuning": asdict(tuning), "files": tuner.files}
    before = finished(model_path(out), "weights", found.spec, about)
    bounds = test_bounds(sprt)
    test = Sprt(bounds["elo0"], bounds["elo1"])
    trial_agent(tuning)
    run = Run(tuner, found, out, workers)
    run.tune(generations)
    if run.tuner.is_blind:
        complain("no candidate ever did better than another: these weights do not change the play")
    is_kept = before is not None and run.is_of(before)
    if not is_kept:
        run.keep()
    verdict = None
    if match_pairs:
        verdict = run.decide(test, match_pairs)
        run.keep(verdict)
    if as_json:
        told = before.card if before and is_kept and not verdict else run.as_data(verdict)
        print_json({"file": str(out), "game": found.spec, "version": __version__, **told})
    else:
        run.show(verdict)
    if verdict and not verdict.is_better:
        raise typer.Exit(NOT_BETTER)


@dataclass(frozen=True)
class Run:
    """A tuning, the file for the weights, and how many play at a time (0: on every core)."""

    tuner: "Tuner"
    game: "Game"
    out: Path
    workers: int

    def tune(self, generations: int) -> None:
        """Live the generations that are left."""
        from plies.cli.running import ending_heard
        from plies.learn.trials import Players
        from plies.processes import checked_workers

        kept = self.out.with_suffix(".tuning.npz")
        if kept.exists():
            self.tuner.resume(kept)
            print(f"{kept} has {len(self.tuner.losses)} generations", file=sys.stderr)
        if len(self.tuner.losses) > generations:
            there = f"{kept} has {len(self.tuner.losses)} generations, more than {generations}"
            raise UsageError(f"{there}; remove it to begin anew")
        if len(self.tuner.losses) == generations:
            return
        players = Players(self.tuner.tuning, checked_workers(self.workers))
        try:
            with ending_heard():
                while len(self.tuner.losses) < generations:
                    self._generation(players, generations)
                    self.tuner.save(kept)
        except KeyboardInterrupt:
            there = f"stopped after {len(self.tuner.losses)} generations"
            complain(f"{there}; the same command goes on")
            raise typer.Exit(INTERRUPTED) from None
        finally:
            players.close()

    def _generation(self, players: "Players", generations: int) -> None:
        from plies.arena.openings import random_openings

        tuning, number = self.tuner.tuning, len(self.tuner.losses) + 1
        chance = random.Random(f"tuning/{tuning.seed}/{number}")
        starts = random_openings(self.game, tuning.pairs, tuning.plies, chance)
        candidates = self.tuner.ask()
        progress = Progress(f"generation {number}/{generations}", len(candidates) * len(starts))
        found = players.losses(candidates, self.tuner.incumbent, starts, progress.hear)
        self.tuner.tell(found)
        shares = f"candidates get {1 - sum(found) / len(found):.1%}, the best {1 - min(found):.1%}"
        print(f"{progress.name}: {shares}; {told(self.tuner)}", file=sys.stderr, flush=True)

    def decide(self, test: "Sprt", pairs: int) -> "Verdict":
        """Play the last match: the weights in the file against the evaluator's own."""
        from plies.arena.config import Openings, Tournament
        from plies.arena.plan import Entry
        from plies.cli.train.last_match import played
        from plies.learn.trials import with_evaluator
        from plies.match import Rules

        tuning = self.tuner.tuning
        tuned = with_evaluator(tuning.agent, str(self.out))
        own = with_evaluator(tuning.agent, tuning.evaluator)
        tournament = Tournament(
            games=(tuning.game,),
            agents=(Entry(TUNED, tuned), Entry(OWN, own)),
            name=f"{tuning.evaluator} {told(self.tuner)}",
            kind="sprt",
            pairs=pairs,
            seed=tuning.seed,
            openings=Openings(plies=tuning.plies),
            rules=Rules(max_plies=tuning.max_plies),
            sprt=test,
        )
        kept = self.out.with_suffix(f".{len(self.tuner.losses)}.match.db")
        return played(tournament, kept, self.workers)

    def is_of(self, model: "Model") -> bool:
        """Whether a model is what came out of this tuning."""
        weights = tuple(int(weight) for weight in model.arrays["weights"])
        generations = len(self.tuner.losses)
        return weights == self.tuner.best and model.card.get("generations") == generations

    def keep(self, verdict: "Verdict | None" = None) -> None:
        """Write the weights, with what is known about them on their card."""
        from plies.models.files import save_model
        from plies.models.weights import weights_model

        tuner, tuning = self.tuner, self.tuner.tuning
        about = {"version": __version__, "scale": tuning.scale, "files": tuner.files}
        card = {**about, **self.as_data(verdict)}
        save_model(self.out, weights_model(self.game, tuning.evaluator, tuner.best, card))

    def as_data(self, verdict: "Verdict | None") -> dict[str, Any]:
        """What came out, as a program reads it."""
        return {
            "tuning": asdict(self.tuner.tuning),
            "generations": len(self.tuner.losses),
            "own": dict(zip(self.tuner.names, self.tuner.incumbent, strict=True)),
            "tuned": dict(zip(self.tuner.names, self.tuner.best, strict=True)),
            "match": verdict and verdict.data,
            "is_better": verdict is not None and verdict.is_better,
        }

    def show(self, verdict: "Verdict | None") -> None:
        """The weights, and the match in words."""
        from plies.arena.report.words import match_facts
        from plies.cli.output import print_facts, print_table

        scale = self.tuner.tuning.scale
        rows = zip(self.tuner.names, self.tuner.incumbent, self.tuner.best, strict=True)
        texts = [(name, str(own), str(tuned)) for name, own, tuned in rows]
        print_table(("weight", OWN, TUNED if scale == 1 else f"{TUNED}, x {scale}"), texts)
        print()
        if verdict is not None:
            print_facts({"games": str(verdict.match.score.games), **match_facts(verdict.match)})
            print(f"\n{verdict.sentence}")
        print(f"kept in {self.out}, which any agent takes as eval={self.out}")


class Progress:
    """A line now and then inside a long generation."""

    def __init__(self, name: str, most: int):
        self.name, self.most, self.done = name, most, 0
        self.told = time.monotonic()

    def hear(self) -> None:
        self.done += 1
        if time.monotonic() - self.told >= LOG_SECONDS:
            self.told = time.monotonic()
            print(f"{self.name}: {self.done}/{self.most} pairs", file=sys.stderr, flush=True)


def told(tuner: "Tuner") -> str:
    """`own=12 other=9`: the weights that are tuned, as they are guessed now."""
    best = dict(zip(tuner.names, tuner.best, strict=True))
    return " ".join(f"{name}={best[name]}" for name in tuner.tuning.fields)
