"""Transcripts: what a game answers along one random game, kept as text to compare with.

    python tests/playthrough.py seega            show one
    python tests/playthrough.py --write          write all of them anew
    python tests/playthrough.py --write seega    write one anew

A transcript changes when the rules, a notation, a drawing, a key or an opinion change,
and then says where.  It has to be written anew only when that was meant.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent, wrap
from typing import Any

import plies
from plies.core import DRAW, ONGOING, SCORED, verbs
from plies.errors import PliesError

FOLDER = Path(__file__).parent / "data" / "playthroughs"
OUTCOMES = {ONGOING: "goes on", DRAW: "draw", SCORED: "scored"}

CLOSE = 12  # plies whose answers are all told
EVERY = 4  # of the later ones one in so many, and of all of them one drawing
SHOWN = 60  # plies that are told at all
LONGEST = 1000  # plies after which a game is left unfinished


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def transcript(name: str) -> str:
    """The transcript of the game with that name, played with its default options."""
    game = plies.game(name)
    return "".join(f"{line.rstrip()}\n" for line in (*heading(game), *playthrough(game)))


def heading(game: plies.Game) -> Iterator[str]:
    state = game.initial()
    yield f"spec: {game.spec}"
    yield f"title: {game.title}"
    yield f"options: {', '.join(f'{name}={value}' for name, value in game.defaults.items())}"
    yield f"players: {game.players(state)}"
    yield f"zero-sum: {game.is_zero_sum(state)}"
    yield f"marks: {' '.join(game.marks)}"
    yield f"symmetries: {len(game.symmetries(state))}"
    yield f"evaluators: {' '.join(game.evaluators)}"


def playthrough(game: plies.Game) -> Iterator[str]:
    """A random game to its end; the seed is the game's name."""
    rng = random.Random(game.name)
    state = game.initial()
    earlier: list[Any] = []
    while (moves := game.moves(state)) and not game.draw_claim(state, earlier):
        ply = len(earlier)
        if ply == LONGEST:
            yield f"\nunfinished after {ply} plies"
            return
        move = rng.choice(moves)
        if ply < SHOWN:
            yield from told(game, state, ply)
            steps = " ".join(game.steps(state, move))
            yield f"plays: {game.move_text(state, move)} (steps {steps})"
        earlier.append(state)
        state = game.play(state, move)
    if len(earlier) > SHOWN:
        yield f"\n{len(earlier) - SHOWN} plies are left out"
    yield from ending(game, state, earlier)


def told(game: plies.Game, state: Any, ply: int) -> Iterator[str]:
    yield f"\nply {ply}, player {game.mover(state)}"
    if ply % EVERY == 0:
        yield from drawing(game, state)
    if ply < CLOSE or ply % EVERY == 0:
        yield from answers(game, state)
        moves = game.moves(state)
        yield from listed("moves", [game.move_text(state, move) for move in moves])
        noisy = [move for move in moves if verbs.is_tactical(state, move)]
        yield from listed("noisy", [game.move_text(state, move) for move in noisy])


def ending(game: plies.Game, state: Any, earlier: list[Any]) -> Iterator[str]:
    yield f"\nend after {len(earlier)} plies"
    yield from drawing(game, state)
    yield from answers(game, state)
    if game.is_over(state):
        yield f"payoffs: {' '.join(str(payoff) for payoff in game.payoffs(state))}"
    else:
        yield f"claim: {game.draw_claim(state, earlier)}"


def drawing(game: plies.Game, state: Any) -> Iterator[str]:
    yield indent(game.draw(state), "    ")


def answers(game: plies.Game, state: Any) -> Iterator[str]:
    """What can be asked whether the game is over or not."""
    result = game.outcome(state)
    yield f"position: {game.position_text(state)}"
    yield f"key: {game.key(state)}"
    yield f"outcome: {OUTCOMES.get(result, f'player {result} has won')}"
    yield f"count: {verbs.count_moves(state)}"
    values = (f"{name} {verbs.evaluate(game.evaluator(name), state)}" for name in game.evaluators)
    yield f"values: {', '.join(values)}"


def listed(word: str, texts: list[str]) -> Iterator[str]:
    """Every text, in lines that can be read."""
    line = f"{word} ({len(texts)}): {' '.join(texts)}"
    yield from wrap(line, 100, subsequent_indent="    ", break_on_hyphens=False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Show or write the transcripts of games.")
    parser.add_argument("names", nargs="*", help="games; all of them if none is named")
    parser.add_argument("--write", action="store_true", help="keep them for the tests")
    arguments = parser.parse_args()
    try:
        for name in arguments.names or plies.game_names():
            text = transcript(name)
            if arguments.write:
                FOLDER.mkdir(exist_ok=True)
                path_of(name).write_text(text, encoding="utf-8")
            else:
                print(text)
    except PliesError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
