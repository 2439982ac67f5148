"""`plies train evolve`: players of Nim, by selection, mutation and crossover."""

import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plies.cli.errors import INTERRUPTED, UsageError, complain
from plies.cli.parameters import Json
from plies.cli.running import LOG_SECONDS
from plies.version import __version__

if TYPE_CHECKING:
    from plies.learn.evolution import Evolution, Fitness
    from plies.learn.nim_evolution import Encoding, Positions

SAVE_SECONDS = 10  # between two times that the populations are kept

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Nim of two players, such as nim:rows=1-3-5,k=2.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep the best player here (.npz).", show_default=False),
]
GenomeName = Annotated[
    Literal["moves", "strategies"],
    typer.Option(
        help="moves: one for every position; strategies: how often each of random, gabriele and"
        " nim-sum is drawn."
    ),
]
FitnessName = Annotated[
    Literal["oracle", "wins"] | None,
    typer.Option(
        help="oracle: optimal answers and objects taken; wins: games won.",
        show_default="oracle for moves, wins for strategies",
    ),
]
Opponents = Annotated[
    str,
    typer.Option(
        metavar="A,B...",
        help="Of --fitness wins, from random, gabriele and nim-sum.",
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
Tournament = Annotated[int, typer.Option(metavar="N", help="Tournament size for parent selection.")]
Islands = Annotated[int, typer.Option(metavar="N", help="Populations that live apart.")]
Migration = Annotated[
    int, typer.Option(metavar="N", help="Generations until the best visit the next island.")
]
EvolutionSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]


def command(
    game: Game = "nim:k=3",
    out: Out = None,
    genome: GenomeName = "moves",
    fitness: FitnessName = None,
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
    """Evolve a Nim player: a table of moves, or a mixture of strategies.

    Moves are played by the agent moves:FILE, a mixture by the agent that is told in the end.
    With --out the populations are kept beside FILE, too: the same command goes on after an
    interruption, and with a greater --generations it goes on from where it ended.  A FILE that
    another command has made is never replaced.

    \b
    Example:  plies train evolve nim:k=3 --out evolved.npz
              plies match nim:k=3 moves:evolved.npz nim-sum --pairs 100
              plies train evolve nim:k=3 --genome strategies --generations 50
    """
    from plies.learn.evolution import Evolution, Plan, plan_card
    from plies.learn.nim_evolution import positions_of
    from plies.registry import game as find_game

    positions = positions_of(find_game(game))
    encoding = encoding_of(positions, genome)
    plan = Plan(population, offspring, mutation, tournament, islands, migration)
    aim = aim_of(genome, fitness, opponents, starts)
    judge = fitness_of(positions, encoding, aim)
    spec, show = positions.game.spec, print_data if as_json else print_found
    plan_and_aim = plan_card(plan, seed, aim)
    if out is not None and (card := finished_card(out, encoding.kind, spec, plan_and_aim)):
        if card["generations"] > generations:
            raise UsageError(
                f"{out} has lived {card['generations']} generations, more than"
                f" --generations {generations}; choose another --out"
            )
        if card["generations"] == generations:
            print(f"{out} was finished before", file=sys.stderr)
            show(spec, card, out)
            return
    run = Run(Evolution(encoding.choices, judge, plan, seed), encoding, spec, aim, out)
    is_stopped = run.live(generations)
    data = run.as_data()
    run.keep_best(data)
    show(spec, data, out)
    if is_stopped:
        again = "; --out FILE would keep them" if out is None else "; the same command goes on"
        complain(f"stopped after {run.evolution.generation} generations{again}")
        raise typer.Exit(INTERRUPTED)


def encoding_of(positions: "Positions", genome: str) -> "Encoding":
    from plies.learn.nim_evolution import moves_encoding
    from plies.learn.nim_strategies import strategies_encoding

    return moves_encoding(positions) if genome == "moves" else strategies_encoding(positions)


def aim_of(genome: str, fitness: str | None, opponents: str, starts: str | None) -> dict[str, Any]:
    """What genome and fitness are to be; only games won have opponents and begin somewhere."""
    if genome == "strategies" and fitness == "oracle":
        raise UsageError("--fitness oracle is for --genome moves")
    if fitness == "wins" or genome == "strategies":
        names = [name.strip() for name in (opponents or "random,gabriele,nim-sum").split(",")]
        aim = {"fitness": "wins", "opponents": names, "starts": starts or "all"}
        return {"genome": genome, **aim}
    if opponents or starts:
        raise UsageError(f"--{'opponents' if opponents else 'starts'} is for --fitness wins")
    return {"genome": genome, "fitness": "oracle"}


def fitness_of(positions: "Positions", encoding: "Encoding", aim: dict[str, Any]) -> "Fitness":
    from plies.learn.nim_evolution import oracle_fitness, win_fitness

    if aim["fitness"] == "oracle":
        return oracle_fitness(positions)
    is_everywhere = aim["starts"] == "all"
    return win_fitness(positions, encoding.player, aim["opponents"], is_everywhere)


def finished_card(out: Path, kind: str, game: str, plan: dict[str, Any]) -> dict[str, Any] | None:
    """What is on the card of a player that evolved by this plan before; None where none did."""
    from plies.learn.runs import finished
    from plies.models.files import BadModel, model_path

    model = finished(model_path(out), kind, game, {"plan": plan})
    if model is None:
        return None
    if type(model.card.get("generations")) is not int:
        raise BadModel(f"the card of {out} does not say its generations; choose another --out")
    return model.card


@dataclass(frozen=True)
class Run:
    """An evolution, what its genomes mean, what its fitness depends on, and where it is kept."""

    evolution: "Evolution"
    encoding: "Encoding"
    game: str
    aim: dict[str, Any]
    out: Path | None

    @property
    def populations(self) -> Path | None:
        """The file of the populations, beside that of the best player."""
        return None if self.out is None else self.out.with_suffix(".population.npz")

    def live(self, generations: int) -> bool:
        """Let the generations pass that are left; whether it was stopped before that."""
        from plies.cli.running import ending_heard
        from plies.learn.evolution import resume_evolution

        path = self.populations
        if path is not None and path.exists():
            resume_evolution(path, self.evolution, self.game, self.aim)
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
            save_evolution(self.populations, self.evolution, self.game, self.aim)

    def keep_best(self, data: dict[str, Any]) -> None:
        """Write the best player, with what it is worth on its card."""
        from plies.models.files import save_model

        if self.out is not None:
            card = {"version": __version__, **data}
            save_model(self.out, self.encoding.model(self.evolution.best[0], card))

    def as_data(self) -> dict[str, Any]:
        """What came out, as a program reads it."""
        from plies.learn.evolution import plan_card

        evolution = self.evolution
        return {
            "plan": plan_card(evolution.plan, evolution.seed, self.aim),
            "generations": evolution.generation,
            "score": evolution.best[1],
            "mean": evolution.mean,
            **self.encoding.report(evolution.best[0]),
        }


def print_data(game: str, data: dict[str, Any], out: Path | None) -> None:
    from plies.cli.output import print_json

    print_json({"file": None if out is None else str(out), "game": game, **data})


def print_found(game: str, data: dict[str, Any], out: Path | None) -> None:
    """The figures as a person reads them, and how to play what evolved."""
    from plies.cli.output import print_facts

    is_mixture = "probabilities" in data
    facts = {
        "generations": str(data["generations"]),
        "fitness": f"{data['score']:.5g}, mean of all that live {data['mean']:.5g}",
        **(mixture_facts(data) if is_mixture else moves_facts(data)),
    }
    for name, seats in data["wins"].items():
        won = f"{seats['first']:.1%} won as first, {seats['second']:.1%} as second, from the start"
        facts[f"against {name}"] = won
    print_facts(facts)
    kept = "" if out is None else f"kept in {out}; "
    if is_mixture or out is not None:
        player = data["agent"] if is_mixture else f"moves:{shlex.quote(str(out))}"
        print(f"\n{kept}to see it play: plies match {game} {player} nim-sum")


def moves_facts(data: dict[str, Any]) -> dict[str, str]:
    return {
        "optimal": f"{data['answered']} of {data['answerable']} answerable positions"
        f" ({data['share']:.1%}); all positions: {data['positions']}",
        "held": f"{data['held']:.1%} of them are won against nim-sum",
    }


def mixture_facts(data: dict[str, Any]) -> dict[str, str]:
    shares = (f"{name} {share:.1%}" for name, share in data["probabilities"].items())
    return {
        "draws": ", ".join(shares),
        "agent": data["agent"],
        "held": f"{data['held']:.1%} of the answerable positions are won against nim-sum",
    }
