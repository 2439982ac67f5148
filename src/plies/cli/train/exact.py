"""`plies train exact`: exactly how an agent fares against a player who moves at random."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plies.cli.parameters import GameSpec, Json

if TYPE_CHECKING:
    from plies.core.contract import Game
    from plies.learn.against_chance import Fare, Policy
    from plies.search.retrograde import Graph

SEAT_NAMES = ("first", "second")
OPTIMAL, RANDOM = "optimal", "random"

AgentSpec = Annotated[
    str,
    typer.Option(
        metavar="SPEC", help="An agent without chance, a model (.npz), random, or optimal."
    ),
]
Positions = Annotated[
    int, typer.Option(metavar="N", help="The most that a game may have.", min=1, max=50_000_000)
]


def command(
    game: GameSpec,
    agent: AgentSpec = OPTIMAL,
    positions: Positions = 1_000_000,
    as_json: Json = False,
) -> None:
    """Compute exactly how often an agent wins against uniformly random moves.

    Every position that can arise is looked at, so this is for small games.  `optimal` wins as
    often as anybody can.  Of moves that a model likes equally well it takes any.  Games that
    could go on for ever count as drawn.

    \b
    Example:  plies train exact tictactoe --agent alphabeta:depth=9
              plies train exact tictactoe --agent q.npz
    """
    from dataclasses import asdict

    from plies.cli.output import print_json, print_table
    from plies.learn.against_chance import exactly, graph_of, optimum
    from plies.registry import game as find_game

    found = find_game(game)
    policy_in = policy_maker(found, agent)
    graph = graph_of(found, positions)
    fares: list[Fare] = []
    for seat in range(2):
        is_best = agent == OPTIMAL
        fares.append(
            optimum(graph, seat) if is_best else exactly(graph, policy_in(graph, seat), seat)
        )
    if as_json:
        seats = dict(zip(SEAT_NAMES, map(asdict, fares), strict=True))
        about = {"game": found.spec, "agent": agent, "positions": len(graph.movers)}
        print_json({**about, **seats})
        return
    print_table(
        (f"{agent} against random", "won", "drawn", "lost"),
        [
            [f"as {name}", *(f"{share:.2%}" for share in (fare.wins, fare.draws, fare.losses))]
            for name, fare in zip(SEAT_NAMES, fares, strict=True)
        ],
    )


def policy_maker(game: "Game", spec: str) -> Any:
    """From the graph and a seat to the policy; what is wrong with the spec is said at once."""
    from plies.agents import agent as make_agent
    from plies.learn.against_chance import agent_policy, chance, greedy
    from plies.models.files import SUFFIX
    from plies.models.kinds import find_evaluator

    if spec == OPTIMAL:
        return None
    if spec == RANDOM:
        return lambda graph, seat: chance(graph)
    if spec.endswith(SUFFIX) and ":" not in spec:
        evaluator = find_evaluator(game, spec)
        return lambda graph, seat: greedy(game, graph, evaluator)
    player = make_agent(spec, game)

    def policy_in(graph: "Graph", seat: int) -> "Policy":
        return agent_policy(game, graph, player, seat)

    return policy_in
