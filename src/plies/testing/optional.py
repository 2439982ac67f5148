"""Checks of the optional rules, which make searches stronger or describe a position.

A check is only run for a game that defines one of its rules, as `plies.core.rules` says.
"""

from collections import Counter
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from plies.core import verbs
from plies.core.contract import Game
from plies.core.scores import DRAW, ONGOING, SCORED, WIN
from plies.core.states import inputs_problem
from plies.testing.sample import (
    FEW,
    Check,
    ContractError,
    Sample,
    content,
    expect_state,
    fresh,
    visible,
)


def tactical_moves_are_legal_moves_in_order(sample: Sample) -> str:
    """`tactical_moves` lists exactly those legal moves that `is_tactical` names."""
    if not verbs.has_tactical_moves(sample.game.initial()):
        raise ContractError("tactical_moves is defined without is_tactical(state, move)")
    count = 0
    for state, moves in sample.ongoing():
        expected = [move for move in moves if verbs.is_tactical(fresh(state), move)]
        listed = list(map(int, verbs.tactical_moves(fresh(state))))
        if listed != expected:
            raise ContractError(f"tactical_moves answers {listed}, expected {expected}")
        count += len(listed)
    return f"{count} tactical moves"


def exchanges_never_exceed_gains(sample: Sample) -> None:
    """But for a tenth of a unit, by which a game may sort captures of equal worth."""
    game = sample.game
    units = [verbs.evaluators_of[type(each)].unit for each in game.evaluators.values()]
    slack = max(units, default=0) // 10
    for state, moves in sample.ongoing():
        for move in moves:
            if not verbs.is_tactical(fresh(state), move):
                continue
            gain = verbs.capture_gain(fresh(state), move)
            left = verbs.static_exchange(fresh(state), move)
            if left > gain + slack:
                raise ContractError(
                    f"static_exchange of move {move} is {left}, expected at most its"
                    f" capture_gain, {gain}"
                )


def threats_must_be_answered(sample: Sample) -> str:
    """A move that threatens leaves an opponent who must respond, but not everybody must."""
    game, answered = sample.game, "must_respond" in verbs.rules_of[sample.game.State]
    threats, is_ever_free = 0, False
    for state, moves in sample.ongoing():
        is_ever_free |= not verbs.must_respond(fresh(state))
        for move in moves:
            child = verbs.play(fresh(state), move)
            if game.is_over(child) or not verbs.threatens(fresh(state), move):
                continue
            threats += 1
            if answered and not verbs.must_respond(child):
                raise ContractError(f"threatens is true of move {move}, must_respond after it not")
    if not is_ever_free:
        raise ContractError("must_respond is true in every position, which says nothing")
    return f"{threats} threats"


def a_null_move_changes_only_the_turn(sample: Sample) -> str:
    """Unless it answers the state itself: then the mover had better not pass."""
    game, count = sample.game, 0
    for state, _ in sample.ongoing():
        passed = verbs.null_move(fresh(state))
        expect_state(game, passed, "null_move")
        if content(passed) == content(state):
            continue
        count += 1
        if game.mover(passed) == game.mover(state):
            raise ContractError("null_move changes the state, but not whose turn it is")
        if game.pieces(passed) != game.pieces(state):
            raise ContractError("null_move changes the pieces, expected only the turn")
        if verbs.must_respond(fresh(state)):
            raise ContractError("null_move passes where must_respond is true")
    return f"passed in {count} positions"


def payoffs_stay_inside_their_bounds(sample: Sample) -> None:
    """What a search for several players prunes by: the bounds of the first position."""
    game = sample.game
    most, pair = map(int, verbs.payoff_bounds(game.initial()))
    for state in sample.positions():
        result = game.outcome(state)
        if result == ONGOING:
            continue
        payoffs = game.payoffs(fresh(state))
        if result not in (DRAW, SCORED):
            payoffs = tuple(WIN if player == result else -WIN for player in range(len(payoffs)))
        if max(payoffs) > most:
            raise ContractError(f"a player gets {max(payoffs)}, payoff_bounds says at most {most}")
        both = max((sum(two) for two in combinations(payoffs, 2)), default=pair)
        if both > pair:
            raise ContractError(f"two players get {both}, payoff_bounds says at most {pair}")


def symmetric_states_have_symmetric_futures(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions(FEW):
        images = game.symmetries(state)
        orbit = {content(image) for image in images}
        if content(state) not in orbit:
            raise ContractError("symmetries does not list the state itself")
        future = _future(game, state)
        for image in images:
            expect_state(game, image, "symmetries")
            name = game.position_text(image)
            if {content(other) for other in game.symmetries(image)} != orbit:
                raise ContractError(f"the image {name} has other images than the state itself")
            for rule in (game.mover, game.outcome):
                if rule(image) != rule(state):
                    answers = f"{rule(image)}, expected {rule(state)} as here"
                    raise ContractError(f"{rule.__name__} of the image {name} is {answers}")
            if len(game.moves(image)) != len(game.moves(state)):
                raise ContractError(f"the image {name} has another number of moves")
            if _future(game, image) != future:
                raise ContractError(f"the moves of the image {name} lead to other positions")


def swapped_players_swap_what_comes(sample: Sample) -> None:
    game = sample.game
    for state in sample.positions(FEW):
        other = verbs.swap_players(fresh(state))
        expect_state(game, other, "swap_players")
        name = game.position_text(other)
        if content(verbs.swap_players(other)) != content(state):
            raise ContractError(f"swapped twice, the position is not itself again but {name}")
        result = game.outcome(state)
        exchanged = 1 - result if result in (0, 1) else result
        if game.mover(other) != 1 - game.mover(state) or game.outcome(other) != exchanged:
            raise ContractError(f"mover or outcome of {name} is not that of the other player")
        if not game.is_over(state):
            children = [verbs.play(fresh(state), move) for move in game.moves(state)]
            expected = Counter(
                min(content(image) for image in game.symmetries(verbs.swap_players(child)))
                for child in children
            )
            if _future(game, other) != expected:
                raise ContractError(f"the moves of {name} lead to other positions")


def shortcuts_agree_with_the_rules(sample: Sample) -> None:
    """`count_moves` and `identity`, where a game has its own."""
    game = sample.game
    for state in sample.positions():
        count = verbs.count_moves(state)
        if count != len(game.moves(state)):
            raise ContractError(f"count_moves is {count}, expected {len(game.moves(state))}")
        if game.says("identity") and visible(game, verbs.identity(state)) != visible(game, state):
            raise ContractError("identity is another position")


def inputs_are_numbers_below_their_count(sample: Sample) -> None:
    for state in sample.positions():
        if problem := inputs_problem(verbs.inputs(fresh(state)), verbs.input_count(state)):
            raise ContractError(problem)


def phases_are_counted_from_zero(sample: Sample) -> str:
    phases = set()
    for state in sample.positions():
        phases.add(verbs.phase(fresh(state)))
        if min(phases) < 0:
            raise ContractError(f"phase is {min(phases)}, expected 0 or more")
    return ", ".join(map(str, sorted(phases)))


def notations_read_back(sample: Sample) -> None:
    """What players write names the move; other texts that can be read name a legal one."""
    game = sample.game
    for state, moves in sample.ongoing(FEW):
        for move in moves:
            text = game.move_notation(state, move)
            read = game.parse_move(state, text)
            if read != move:
                raise ContractError(f"move {move} is written {text} and read as {read}")


def remarks_are_text(sample: Sample) -> None:
    game = sample.game
    for walk in sample.walks:
        for number, state in enumerate(walk.states[-FEW:], len(walk.states[:-FEW])):
            sample.at = state
            remarks = {
                "situation": game.situation(state),
                "draw_claim": game.draw_claim(state, walk.states[:number]),
                "ending": game.ending(state) if game.is_over(state) else "",
            }
            for name, text in remarks.items():
                if "\n" in text:
                    raise ContractError(f"{name} answers {text!r}, expected one line")


def glyphs_are_svg(sample: Sample) -> str:
    glyphs: dict[Any, Any] = sample.game.glyphs()
    for symbol, drawing in glyphs.items():
        try:
            ElementTree.fromstring(f"<g>{drawing}</g>")
        except ElementTree.ParseError as error:
            raise ContractError(f"the glyph {symbol} is no SVG: {error}") from error
    return ", ".join(glyphs)


def evaluators_value_images_alike(sample: Sample) -> None:
    """A search that takes images for one position needs that."""
    game = sample.game
    for state, _ in sample.ongoing(FEW):
        for name, record in game.evaluators.items():
            values = {verbs.evaluate(record, image) for image in game.symmetries(fresh(state))}
            if len(values) > 1:
                raise ContractError(f"{name} values images of the position {sorted(values)}")


CHECKS: tuple[Check, ...] = (
    tactical_moves_are_legal_moves_in_order,
    exchanges_never_exceed_gains,
    threats_must_be_answered,
    a_null_move_changes_only_the_turn,
    payoffs_stay_inside_their_bounds,
    symmetric_states_have_symmetric_futures,
    evaluators_value_images_alike,
    swapped_players_swap_what_comes,
    shortcuts_agree_with_the_rules,
    inputs_are_numbers_below_their_count,
    phases_are_counted_from_zero,
    notations_read_back,
    remarks_are_text,
    glyphs_are_svg,
)


def _future(game: Game, state: Any) -> Counter[Any]:
    """The positions after every move, symmetric ones counted as the same."""
    children = (verbs.play(fresh(state), move) for move in game.moves(fresh(state)))
    return Counter(min(content(image) for image in game.symmetries(child)) for child in children)
