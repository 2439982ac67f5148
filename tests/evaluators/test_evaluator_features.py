"""The features that evaluators declare are what their values are made of."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import plies
from plies.core.verbs import feature_names, features
from plies.evaluators.morris import PIECE, Improved
from plies.evaluators.quixo import line_value

pytestmark = pytest.mark.plain

GAMES = 5
LONGEST = 120


def played(name: str, evaluator: str = "") -> Iterator[tuple[Any, dict[str, int], int]]:
    """Positions of random games, with the features and the value that an evaluator finds."""
    game = plies.game(name)
    record = game.evaluator(evaluator)
    names = feature_names(record)
    for seed in range(GAMES):
        chance = random.Random(seed)
        state = game.initial()
        for _ in range(LONGEST):
            if game.is_over(state):
                break
            terms = features(record, state)
            assert len(terms) == len(names) == len(set(names))
            yield (
                state,
                dict(zip(names, map(int, terms), strict=True)),
                game.evaluate(state, evaluator),
            )
            state = game.play(state, chance.choice(game.moves(state)))


@pytest.mark.parametrize("name", ["quixo", "quixo:n=4"])
def test_lines_of_every_length_make_the_value_of_quixo(name: str):
    for state, terms, value in played(name):
        own, other = (
            sum(line_value(length) * terms[f"{side}_lines_{length}"] for length in (1, 2, 3, 4))
            for side in ("own", "other")
        )
        assert value == own - other  # a longer line is the end of the game
        assert terms["own_cubes"] == bin(state.mine).count("1")
        assert terms["other_cubes"] == bin(state.theirs).count("1")


def test_weighed_features_are_the_value_of_seega():
    weights = plies.game("seega").evaluator("improved")
    for state, terms, value in played("seega", "improved"):
        lead = terms["own_pieces"] - terms["other_pieces"]
        if state.to_place:
            names = ("beside", "partner", "border", "backed")
            assert value == sum(getattr(weights, name) * terms[name] for name in names)
            continue
        boring = weights.boring * terms["quiet"] // state.limit
        expected = weights.piece * lead - weights.danger * terms["danger"]
        expected += sum(
            getattr(weights, name) * terms[name] for name in ("centre", "contact", "threat")
        )
        assert value == expected + (lead > 0) * boring - (lead < 0) * boring


def midgame_value(weights: Improved, terms: dict[str, int], side: str) -> int:
    """One side's value with empty hands, from its features."""
    own = {name.removeprefix(side): number for name, number in terms.items()}
    worth = PIECE * own["_pieces"] + weights.mill * own["_mills"] + weights.pair * own["_pairs"]
    worth += weights.threat * own["_threats"] + weights.double * own["_double"]
    if own["_pieces"] == 3:
        return worth + weights.hopping
    return worth + weights.mobility * own["_mobility"] + weights.blocked * own["_blocked"]


def test_weighed_features_are_the_value_of_morris():
    weights = plies.game("morris").evaluator("improved")
    checked = 0
    for state, terms, value in played("morris", "improved"):
        is_blocked = terms["own_mobility"] == 0 and terms["own_pieces"] > 3
        if terms["own_hand"] + terms["other_hand"] or is_blocked:
            continue
        expected = midgame_value(weights, terms, "own") - midgame_value(weights, terms, "other")
        assert value == expected + weights.turn * (terms["own_threats"] > 0), state
        checked += 1
    assert checked > 50


def test_what_is_mine_is_the_opponents_after_the_turn():
    """The features of either side change places with the mover, where nothing else changes."""
    for state, terms, _ in played("quixo"):
        turned = state._replace(mine=state.theirs, theirs=state.mine)
        record = plies.game("quixo").evaluator("lines")
        names = feature_names(record)
        other = dict(zip(names, features(record, turned), strict=True))
        for name in names[: len(names) // 2]:
            assert terms[name] == other[name.replace("own", "other")]
