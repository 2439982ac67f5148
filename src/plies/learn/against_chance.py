"""Exactly how a policy fares against a player who picks any legal move, all equally likely.

Every position that can arise is looked at, so this is for small games.  A policy is, for every
legal move of every position, how likely it is played (`Policy`).  What cannot be known from the
rules, such as the end of a game that goes round for ever, counts as a draw.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.agents import Agent
from plies.compiling.compiler import compiled
from plies.core import verbs
from plies.core.contract import Game
from plies.core.diagnosis import explaining
from plies.core.verbs import evaluate, legal_moves, play
from plies.errors import BadGame, BadSpec
from plies.search.retrograde import NO_END, Graph, reachable
from plies.search.workspace import new_workspace

MOST_POSITIONS = 1_000_000
CLOSE = 1e-12  # chances that differ by less are equal
MOST_SWEEPS = 100_000
FIRST = 0  # the number of the position in which games begin
CHANCES = 3  # times an agent is asked the same, to see whether it answers the same

Policy = np.ndarray  # float64, beside the children of a Graph: how likely each move is


@dataclass(frozen=True)
class Fare:
    """How likely a game is won, drawn and lost."""

    wins: float
    draws: float
    losses: float


def graph_of(game: Game, most: int = MOST_POSITIONS) -> Graph:
    """Every position of a game of two players that has at most so many."""
    state = game.initial()
    if not game.is_zero_sum(state):
        raise BadSpec(f"{game.spec} is not a game of two players, one against the other")
    work = new_workspace()
    with explaining(game):
        graph, position = reachable(state, most, work)
    if work.no_moves_ply >= 0:
        where = game.position_text(position)
        raise BadGame(f"{game.name}: {where} has no legal move although the game goes on")
    if work.is_stopped:
        raise BadSpec(
            f"{game.spec} has more than {most} positions, too many to look at each;"
            " play games against random instead"
        )
    return graph


# Policies


def chance(graph: Graph) -> Policy:
    """Any legal move, all equally likely."""
    counts = np.diff(graph.first)
    return np.repeat(1.0 / np.maximum(counts, 1), counts)


@compiled
def _opinions(state, graph, evaluator):
    """What an evaluator says of every position, for its mover."""
    states = [state]
    opinions = np.zeros(len(graph.movers), np.int64)
    for number in range(len(graph.movers)):
        position = states[number]
        if graph.ends[number] != NO_END:
            continue
        opinions[number] = evaluate(evaluator, position)
        moves = legal_moves(position)
        for index in range(len(moves)):
            # Positions are numbered as they were found, in this order.
            if graph.children[graph.first[number] + index] == len(states):
                states.append(play(position, moves[index]))
    return opinions


@compiled
def _greedy(graph, opinions):
    policy = np.zeros(len(graph.children))
    for number in range(len(graph.movers)):
        begin, end = graph.first[number], graph.first[number + 1]
        player = graph.movers[number]
        values = np.empty(end - begin, np.int64)
        for index in range(end - begin):
            child = graph.children[begin + index]
            if graph.ends[child] != NO_END:
                values[index] = graph.ends[child] if player == 0 else -graph.ends[child]
            else:
                is_same = graph.movers[child] == player
                values[index] = opinions[child] if is_same else -opinions[child]
        if len(values):
            best = values.max()
            equals = np.count_nonzero(values == best)
            for index in range(len(values)):
                policy[begin + index] = (values[index] == best) / equals
    return policy


def greedy(game: Game, graph: Graph, evaluator: Any) -> Policy:
    """The move after which an evaluator likes the position best; chance among equal ones."""
    with explaining(game):
        return _greedy(graph, _opinions(game.initial(), graph, evaluator))


def agent_policy(game: Game, graph: Graph, agent: Agent, seat: int) -> Policy:
    """What an agent in this seat plays, wherever its own play can lead."""
    policy = np.zeros(len(graph.children))
    waiting, known = [(FIRST, game.initial())], {FIRST}
    while waiting:
        number, state = waiting.pop()
        if graph.ends[number] != NO_END:
            continue
        moves = [int(move) for move in verbs.legal_moves(state)]
        begin = int(graph.first[number])
        if graph.movers[number] == seat:
            chosen = _answer(agent, state)
            moves_here = [moves.index(chosen)]
            policy[begin + moves_here[0]] = 1.0
        else:
            moves_here = list(range(len(moves)))
        for index in moves_here:
            child = int(graph.children[begin + index])
            if child not in known:
                known.add(child)
                waiting.append((child, verbs.play(state, moves[index])))
    return policy


def _answer(agent: Agent, state: Any) -> int:
    moves = set()
    for seed in range(CHANCES):
        agent.forget()
        moves.add(agent.choose(state, random.Random(seed)).move)
    if len(moves) > 1:
        raise BadSpec(
            f"{agent.spec} does not always answer the same, so that no exact figure can be told"
        )
    return moves.pop()


# What comes of them


@compiled
def _swept(graph, policy, wins, losses, seat):
    """Carry chances back by one sweep; answers the greatest change.

    Children mostly have higher numbers, so that a game without circles takes one sweep.
    """
    change = 0.0
    for number in range(len(graph.movers) - 1, -1, -1):
        if graph.ends[number] != NO_END:
            continue
        win = loss = 0.0
        begin, end = graph.first[number], graph.first[number + 1]
        is_own = graph.movers[number] == seat
        for index in range(begin, end):
            share = policy[index] if is_own else 1.0 / (end - begin)
            win += share * wins[graph.children[index]]
            loss += share * losses[graph.children[index]]
        change = max(change, abs(win - wins[number]), abs(loss - losses[number]))
        wins[number], losses[number] = win, loss
    return change


@compiled
def _best_swept(graph, wins, losses, seat):
    """The same where the seat plays for wins, and among equals against losses."""
    change = 0.0
    for number in range(len(graph.movers) - 1, -1, -1):
        if graph.ends[number] != NO_END:
            continue
        begin, end = graph.first[number], graph.first[number + 1]
        win = loss = 0.0
        if graph.movers[number] == seat:
            win, loss = -1.0, 1.0
            for child in graph.children[begin:end]:
                is_more = wins[child] > win + CLOSE
                is_safer = wins[child] >= win - CLOSE and losses[child] < loss
                if is_more or is_safer:
                    win, loss = wins[child], losses[child]
        else:
            for child in graph.children[begin:end]:
                win += wins[child] / (end - begin)
                loss += losses[child] / (end - begin)
        change = max(change, abs(win - wins[number]), abs(loss - losses[number]))
        wins[number], losses[number] = win, loss
    return change


def exactly(graph: Graph, policy: Policy, seat: int) -> Fare:
    """How a policy in this seat fares."""
    return _settled(graph, seat, lambda wins, losses: _swept(graph, policy, wins, losses, seat))


def optimum(graph: Graph, seat: int) -> Fare:
    """How whoever wins as often as can be fares, losing as seldom as that allows."""
    return _settled(graph, seat, lambda wins, losses: _best_swept(graph, wins, losses, seat))


def _settled(graph: Graph, seat: int, sweep: Any) -> Fare:
    is_over = graph.ends != NO_END
    ends = np.where(is_over, graph.ends if seat == 0 else -graph.ends, 0)
    wins, losses = (ends > 0).astype(np.float64), (ends < 0).astype(np.float64)
    for _ in range(MOST_SWEEPS):
        if sweep(wins, losses) < CLOSE:
            break
    win, loss = float(wins[FIRST]), float(losses[FIRST])
    return Fare(win, max(1.0 - win - loss, 0.0), loss)
