"""Tune the strong chess evaluation on positions that Stockfish has judged.

    python tuning/chess_strong.py positions FOLDER --count 150000
    python tuning/chess_strong.py fit FOLDER
    python tuning/chess_strong.py match --depth 3 --pairs 400

`positions` lets Stockfish play games against itself in which some moves are random, and
keeps the quiet positions with its value of them.  `fit` finds the weights whose sigmoid is
nearest to that of these values: the evaluation is a sum of weights, each times a number
that the position shows, so this is a logistic regression, solved by Newton's method.  It
is drawn towards the weights of `chess_start.py`.  Every tenth game is held out, and the
loss on those games is reported.  `match` plays the tuned weights against those of the
start, with the options of `benchmarks/matches.py`.

The same arguments and the same version of Stockfish give the same weights.  They are
written to FOLDER/weights.txt and FOLDER/placement.txt, from where they are copied to
`plies/evaluators/chess/weights.py` and `plies/games/chess/piece_squares.py`.
"""

import argparse
import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np

import chess_start as start
import plies
from chess_positions import write_positions
from plies.core import Evaluator, compiled
from plies.evaluators.chess.strong import (
    ALL_PIECES,
    FULL,
    mop_up,
    phase_of,
    scale_factor,
    terms,
)
from plies.games.chess.state import sets_by_kind

KINDS = tuple(start.PIECE_VALUES)
TERMS = sum(len(weights) for weights in start.MIDDLEGAME.values())
SCALE = 400 / np.log(10)  # of the sigmoid: 400 hundredths are ten to one
HELD_OUT = 10  # every tenth game
PLACED_SPREAD, TERM_SPREAD = 50.0, 30.0  # how far weights may well be from the start
NEIGHBOUR_SPREAD = 20.0  # and how far neighbours may well drift apart
ORDERED = ("mobility", "passed", "phalanx", "supported", "king_danger")  # neighbours are alike
STEPS = 3  # of Newton's method
BLOCK = 4000  # positions at a time


# Fit


class Data(NamedTuple):
    """One row a position."""

    numbers: np.ndarray  # int8: how often each weight counts, the mover's less the opponent's
    phases: np.ndarray  # 1 with all pieces, 0 with pawns only
    targets: np.ndarray  # the sigmoid of Stockfish's value
    is_held_out: np.ndarray


def placed_numbers(state: Any) -> np.ndarray:
    """Kind and square, seen by its owner -> 1 for the mover's pieces, -1 for the others."""
    numbers = np.zeros((len(KINDS), 64), np.int8)
    for side, sign, turn in ((state.mine, 1, state.turn), (state.theirs, -1, state.turn ^ 1)):
        for kind, board in enumerate(sets_by_kind(state)):
            for square in chess.scan_forward(int(board & side)):
                numbers[kind, square ^ 56 * turn] += sign
    return numbers.reshape(-1)


@compiled
def term_numbers(state, count):
    """How often each of the other weights counts: the value if that weight alone is 1."""
    numbers = np.zeros(count, np.int8)
    table = np.zeros(count, np.int64)
    for index in range(count):
        table[index] = 1
        numbers[index] = terms(table, state)
        table[index] = 0
    return numbers


def read_data(folder: Path) -> Data:
    """Positions whose whole value counts: the evaluation is linear there."""
    game = plies.game("chess")
    rows, phases, targets, held_out = [], [], [], []
    for line in (folder / "positions.txt").read_text().splitlines():
        number, value, fen = line.split(" ", 2)
        state = game.parse_position(fen)
        parts = [scale_factor(state, is_ahead) for is_ahead in (True, False)]
        if parts != [FULL, FULL] or mop_up(state):
            continue
        rows.append(np.concatenate((placed_numbers(state), term_numbers(state, TERMS))))
        phases.append(phase_of(state) / ALL_PIECES)
        targets.append(1 / (1 + np.exp(-int(value) / SCALE)))
        held_out.append(int(number) % HELD_OUT == 0)
    return Data(np.array(rows), np.array(phases), np.array(targets), np.array(held_out))


def start_weights() -> np.ndarray:
    """Early weights, then endgame ones."""
    placed = [start.placed(kind, square) for kind in KINDS for square in range(64)]
    halves = []
    for stage, named in enumerate((start.MIDDLEGAME, start.ENDGAME)):
        halves += [worth[stage] for worth in placed]
        halves += [weight for weights in named.values() for weight in weights]
    return np.array(halves, float)


def neighbours() -> Iterator[tuple[int, int]]:
    """Early weights that should not be far from each other: of near squares and near counts."""
    for index in range(len(KINDS) * 64):
        if index % 8 < 7:
            yield index, index + 1
        if index // 8 % 8 < 7:
            yield index, index + 8
    following = len(KINDS) * 64
    for name, weights in start.MIDDLEGAME.items():
        if any(word in name for word in ORDERED):
            steps = range(following, following + len(weights) - 1)
            yield from ((index, index + 1) for index in steps)
        following += len(weights)


def stiffness() -> np.ndarray:
    """How strongly weights are drawn to the start, as the curvature of that part of the loss."""
    spread = [PLACED_SPREAD] * (len(KINDS) * 64) + [TERM_SPREAD] * TERMS
    half = np.diag(np.power(spread, -2))
    for one, other in neighbours():
        half[one, one] += NEIGHBOUR_SPREAD**-2
        half[other, other] += NEIGHBOUR_SPREAD**-2
        half[one, other] -= NEIGHBOUR_SPREAD**-2
        half[other, one] -= NEIGHBOUR_SPREAD**-2
    return np.kron(np.eye(2), half)


def blocks(data: Data, is_held_out: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Numbers, for middlegame and for endgame weights, and targets of some positions at a time."""
    (chosen,) = np.nonzero(data.is_held_out == is_held_out)
    for first in range(0, len(chosen), BLOCK):
        rows = chosen[first : first + BLOCK]
        numbers = data.numbers[rows].astype(np.float32)
        phases = data.phases[rows, None].astype(np.float32)
        yield np.hstack((numbers * phases, numbers * (1 - phases))), data.targets[rows]


def loss(data: Data, weights: np.ndarray, is_held_out: bool) -> tuple[float, float]:
    """Mean cross-entropy above that of a perfect fit, and mean squared error."""
    excess, squares, count = 0.0, 0.0, 0
    for numbers, targets in blocks(data, is_held_out):
        predicted = np.clip(1 / (1 + np.exp(-(numbers @ weights) / SCALE)), 1e-9, 1 - 1e-9)
        excess += np.sum(targets * np.log(targets / predicted))
        excess += np.sum((1 - targets) * np.log((1 - targets) / (1 - predicted)))
        squares += np.sum((targets - predicted) ** 2)
        count += len(targets)
    return excess / count, squares / count


def newton_step(data: Data, weights: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The weights after one step, from the gradient and the curvature of the whole loss."""
    curvature = stiffness()
    gradient = curvature @ (weights - first)
    for numbers, targets in blocks(data, is_held_out=False):
        predicted = 1 / (1 + np.exp(-(numbers @ weights) / SCALE))
        gradient += numbers.T @ (predicted - targets) / SCALE
        steepness = (np.sqrt(predicted * (1 - predicted)) / SCALE).astype(np.float32)
        weighed = numbers * steepness[:, None]
        curvature += weighed.T @ weighed
    return weights - np.linalg.solve(curvature, gradient)


def fit(folder: Path) -> None:
    """Fit, report the losses, write the weights."""
    data = read_data(folder)
    if data.is_held_out.all() or not data.is_held_out.any():
        sys.exit(f"{folder} holds too few games: let `positions` write at least 2000 positions")
    first = weights = start_weights()
    print(f"{len(data.targets)} positions, {data.is_held_out.sum()} of them held out")
    for step in range(STEPS + 1):
        if step:
            weights = newton_step(data, weights, first)
        (seen, _), (unseen, error) = (loss(data, weights, is_held) for is_held in (False, True))
        print(f"step {step}: loss {seen:.5f}, held out {unseen:.5f}, squared error {error:.5f}")
    is_seen = np.tile(data.numbers.any(axis=0), 2)
    middlegame, endgame = np.split(np.rint(np.where(is_seen, weights, first)).astype(int), 2)
    (folder / "placement.txt").write_text(placement_text(middlegame, endgame))
    (folder / "weights.txt").write_text(weights_text(middlegame, endgame))


# Literals


def placement_text(middlegame: np.ndarray, endgame: np.ndarray) -> str:
    """Tables by kind, drawn with White at the bottom."""
    lines = []
    for name, worths in (("MIDDLEGAME", middlegame), ("ENDGAME", endgame)):
        lines.append(f"{name} = {{")
        for index, kind in enumerate(KINDS):
            lines.append(f"    {kind.upper()}: [")
            for rank in reversed(range(8)):
                row = worths[index * 64 + rank * 8 :][:8]
                lines.append("        " + ", ".join(f"{worth:4d}" for worth in row) + ",")
            lines.append("    ],")
        lines.append("}")
    return "\n".join(lines) + "\n"


def weights_text(middlegame: np.ndarray, endgame: np.ndarray) -> str:
    """The weights by name."""
    lines = []
    for name, weights in (("MIDDLEGAME", middlegame), ("ENDGAME", endgame)):
        lines.append(f"{name} = {{")
        following = len(KINDS) * 64
        for term, first in start.MIDDLEGAME.items():
            numbers = ", ".join(map(str, weights[following : following + len(first)]))
            line = f'"{term}": [{numbers}],'
            lines += textwrap.wrap(line, 96, initial_indent=" " * 4, subsequent_indent=" " * 8)
            following += len(first)
        lines.append("}")
    return "\n".join(lines) + "\n"


# Match


def match(options: list[str]) -> int:
    """The tuned weights against those of the start; both search in this process."""
    plies.game("chess").add_evaluators({"start": Evaluator(start.start_value)})
    sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
    return importlib.import_module("matches").main(["chess", "strong", "start", *options])


def main() -> int:
    parser = argparse.ArgumentParser(description="Tune the strong chess evaluation.")
    steps = parser.add_subparsers(dest="step", required=True)
    positions = steps.add_parser("positions", help="have Stockfish play games and judge them")
    positions.add_argument("folder", type=Path)
    positions.add_argument("--count", type=int, default=150_000)
    positions.add_argument("--nodes", type=int, default=2000, help="nodes of each search")
    positions.add_argument("--seed", type=int, default=1)
    positions.add_argument("--stockfish", default="stockfish", help="the program")
    steps.add_parser("fit", help="find the weights").add_argument("folder", type=Path)
    steps.add_parser("match", help="tuned against start", add_help=False)
    arguments, others = parser.parse_known_args()
    if arguments.step == "match":
        return match(others)
    if others:
        parser.error(f"unknown: {' '.join(others)}")
    if arguments.step == "fit":
        fit(arguments.folder)
    else:
        write_positions(
            arguments.folder, arguments.count, arguments.nodes, arguments.seed, arguments.stockfish
        )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:  # no Stockfish, no positions
        sys.exit(str(error))
