"""`plies train evolve`: a table of moves for Nim, by selection, mutation and crossover."""

import shlex
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain
from plies.cli.parameters import Json
from plies.cli.running import LOG_SECONDS
from plies.version import __version__

if TYPE_CHECKING:
    from plies.learn.evolution import Evolution, Fitness
    from plies.learn.nim_evolution import Positions

SAVE_SECONDS = 10  # between two times that the populations are kept

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Nim of two players, such as nim:rows=1-3-5,k=2.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep the moves here (.npz).", show_default=False),
]
FitnessName = Annotated[
    Literal["oracle", "wins"],
    typer.Option(help="oracle: optimal answers and objects taken; wins: games won."),
]
Opponents = Annotated[
    str,
    typer.Option(
        metavar="A,B...",
        help="Of --fitness wins, from random, gabriele and optimal.",
        show_default="all of them",
    ),
]
Starts = Annotated[
    Literal["all", "start"] | None,
    typer.Option(
        help="Where the games of --fitness wins begin: anywhere, or at the start.",
        show_default="all",
    ),
]
Generations = Annotated[int, typer.Option(metavar="N", help="How many pass.", min=0)]
Population = Annotated[int, typer.Option(metavar="N", help="How many live, on all islands.")]
Offspring = Annotated[int, typer.Option(metavar="N", help="Children of a generation.")]
Mutation = Annotated[
    float, typer.Option(metavar="P", help="Probability of one new gene instead of a crossover.")
]
Tournament = Annotated[int, typer.Option(metavar="N", help="Drawn, of whom the best is a parent.")]
Islands = Annotated[int, typer.Option(metavar="N", help="Populations that live apart.")]
Migration = Annotated[
    int, typer.Option(metavar="N", help="Generations until the best visit the next island.")
]
EvolutionSeed = Annotated[int, typer.Option(metavar="N", help="Decides all chances.", min=0)]


def command(
    game: Game = "nim:k=3",
    out: Out = None,
    fitness: FitnessName = "oracle",
    opponents: Opponents = "",
    starts: Starts = None,
    generations: Generations = 200,
    population: Population = 1000,
    offspring: Offspring = 100,
    mutation: Mutation = 0.3,
    tournament: Tournament = 10,
    islands: Islands = 1,
    migration: Migration = 20,
    seed: EvolutionSeed = 1,
    as_json: Json = False,
) -> None:
    """Evolve a Nim player: a genome is one move for every position.

    The moves are played by the agent moves:FILE.  With --out the populations are kept beside
    FILE, too: the same command goes on after an interruption, and with a greater --generations
    it goes on from where it ended.  A FILE that another command has made is never replaced.

    \b
    Example:  plies train evolve nim:k=3 --out evolved.npz
              plies match nim:k=3 moves:evolved.npz theory --pairs 100
    """
    from plies.learn.evolution import Evolution, Plan, plan_card
    from plies.learn.nim_evolution import positions_of
    from plies.registry import game as find_game

    positions = positions_of(find_game(game))
    plan = Plan(population, offspring, mutation, tournament, islands, migration)
    aim = aim_of(fitness, opponents, starts)
    judge = fitness_of(positions, aim)
    spec, show = positions.game.spec, print_data if as_json else print_found
    if out is not None and (card := finished_card(out, spec, plan_card(plan, seed, aim))):
        if card["generations"] > generations:
            raise UsageError(
                f"{out} has lived {card['generations']} generations, more than"
                f" --generations {generations}; choose another --out"
            )
        if card["generations"] == generations:
            print(f"{out} was finished before", file=sys.stderr)
            show(spec, card, out)
            return
    run = Run(Evolution(positions.counts, judge, plan, seed), positions, aim, out)
    is_stopped = run.live(generations)
    data = run.as_data()
    run.keep_moves(data)
    show(spec, data, out)
    if is_stopped:
        again = "; --out FILE would keep them" if out is None else "; the same command goes on"
        complain(f"stopped after {run.evolution.generation} generations{again}")
        raise typer.Exit(INTERRUPTED)


def aim_of(fitness: str, opponents: str, starts: str | None) -> dict[str, Any]:
    """What fitness is to be; only games won have opponents and begin somewhere."""
    if fitness == "wins":
        names = [name.strip() for name in (opponents or "random,gabriele,optimal").split(",")]
        return {"fitness": fitness, "opponents": names, "starts": starts or "all"}
    if opponents or starts:
        raise UsageError(f"--{'opponents' if opponents else 'starts'} is for --fitness wins")
    return {"fitness": fitness}


def fitness_of(positions: "Positions", aim: dict[str, Any]) -> "Fitness":
    from plies.learn.nim_evolution import oracle_fitness, win_fitness

    if aim["fitness"] == "oracle":
        return oracle_fitness(positions)
    return win_fitness(positions, aim["opponents"], is_everywhere=aim["starts"] == "all")


def finished_card(out: Path, game: str, plan: dict[str, Any]) -> dict[str, Any] | None:
    """What is on the card of moves that evolved by this plan before; None where there are none."""
    from plies.learn.runs import finished
    from plies.models.files import BadModel, model_path
    from plies.models.moves import KIND

    model = finished(model_path(out), KIND, game, {"plan": plan})
    if model is None:
        return None
    if type(model.card.get("generations")) is not int:
        raise BadModel(f"the card of {out} does not say its generations; choose another --out")
    return model.card


@dataclass(frozen=True)
class Run:
    """An evolution, what its fitness depends on (`aim`), and where it is kept."""

    evolution: "Evolution"
    positions: "Positions"
    aim: dict[str, Any]
    out: Path | None

    @property
    def populations(self) -> Path | None:
        """The file of the populations, beside that of the moves."""
        return None if self.out is None else self.out.with_suffix(".population.npz")

    def live(self, generations: int) -> bool:
        """Let the generations pass that are left; whether it was stopped before that."""
        from plies.cli.running import ending_heard
        from plies.learn.evolution import resume_evolution

        spec, path = self.positions.game.spec, self.populations
        if path is not None and path.exists():
            resume_evolution(path, self.evolution, spec, self.aim)
            print(f"{path} has lived {self.evolution.generation} generations", file=sys.stderr)
        if self.evolution.generation > generations:
            raise UsageError(
                f"{path} has lived {self.evolution.generation} generations, more than"
                f" --generations {generations}; remove it to begin anew"
            )
        try:
            with ending_heard():
                self._advance(generations)
        except KeyboardInterrupt:
            self._save()
            return True
        self._save()
        return False

    def _advance(self, generations: int) -> None:
        told = saved = time.monotonic()
        while self.evolution.generation < generations:
            self.evolution.advance()
            now = time.monotonic()
            if now - told >= LOG_SECONDS:
                told = now
                self._tell(generations)
            if now - saved >= SAVE_SECONDS:
                saved = now
                self._save()

    def _tell(self, generations: int) -> None:
        best, mean = self.evolution.history[-1]
        number = self.evolution.generation
        told = f"generation {number}/{generations}: best {best:g}, mean {mean:.5g}"
        print(told, file=sys.stderr, flush=True)

    def _save(self) -> None:
        from plies.learn.evolution import save_evolution

        if self.populations is not None:
            save_evolution(self.populations, self.evolution, self.positions.game.spec, self.aim)

    def keep_moves(self, data: dict[str, Any]) -> None:
        """Write the best genome as a table of moves, with what it is worth on its card."""
        from plies.learn.nim_evolution import model_of
        from plies.models.files import save_model

        if self.out is not None:
            card = {"version": __version__, **data}
            save_model(self.out, model_of(self.positions, self.evolution.best[0], card))

    def as_data(self) -> dict[str, Any]:
        """What came out, as a program reads it."""
        from plies.learn.evolution import plan_card
        from plies.learn.nim_evolution import report

        evolution = self.evolution
        found = report(self.positions, evolution.best[0])
        return {
            "plan": plan_card(evolution.plan, evolution.seed, self.aim),
            "generations": evolution.generation,
            "score": evolution.best[1],
            "mean": evolution.mean,
            **asdict(found),
            "share": found.share,
        }


def print_data(game: str, data: dict[str, Any], out: Path | None) -> None:
    from plies.cli.output import print_json

    print_json({"file": None if out is None else str(out), "game": game, **data})


def print_found(game: str, data: dict[str, Any], out: Path | None) -> None:
    """The figures as a person reads them, and how to play the moves."""
    from plies.cli.output import print_facts

    facts = {
        "generations": str(data["generations"]),
        "fitness": f"{data['score']:.5g}, mean of all that live {data['mean']:.5g}",
        "optimal": f"{data['answered']} of {data['answerable']} answerable positions"
        f" ({data['share']:.1%}); all positions: {data['positions']}",
        "held": f"{data['held']:.1%} of them are won against the optimal player",
    }
    for name, seats in data["wins"].items():
        won = f"{seats['first']:.1%} won as first, {seats['second']:.1%} as second, from the start"
        facts[f"against {name}"] = won
    print_facts(facts)
    if out is not None:
        file = shlex.quote(str(out))
        print(f"\nkept in {out}; to see it play: plies match {game} moves:{file} theory")
