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
from plies.core.states import fresh, inputs_problem
from plies.testing.sample import FEW, Problems, Sample, content, state_problems, visible


def tactical_moves_are_legal_moves_in_order(game: Game, sample: Sample) -> Problems:
    """`tactical_moves` lists exactly those legal moves that `is_tactical` names."""
    if not game.defines("is_tactical"):
        yield "tactical_moves is defined without is_tactical(state, move)"
    count = 0
    for state, moves in sample.ongoing():
        expected = [move for move in moves if verbs.is_tactical(fresh(state), move)]
        listed = list(map(int, verbs.tactical_moves(fresh(state))))
        if listed != expected:
            yield f"tactical_moves answers {listed}, expected {expected}"
        count += len(listed)
    return f"{count} tactical moves"


def exchanges_never_exceed_gains(game: Game, sample: Sample) -> Problems:
    """But for a tenth of a unit, with which a game may order equal captures."""
    units = [verbs.evaluators_of[type(each)].unit for each in game.evaluators.values()]
    slack = max(units, default=0) // 10
    for state, move in sample.moves():
        if verbs.is_tactical(fresh(state), move):
            gain = verbs.capture_gain(fresh(state), move)
            left = verbs.static_exchange(fresh(state), move)
            if left > gain + slack:
                bound = f"expected at most its capture_gain, {gain}"
                yield f"static_exchange of move {move} is {left}, {bound}"


def threats_must_be_answered(game: Game, sample: Sample) -> Problems:
    """After a threat the opponent must respond; not every position is a threat."""
    threats, is_ever_free = 0, False
    for state, move in sample.moves():
        is_ever_free |= not verbs.must_respond(fresh(state))
        child = verbs.play(fresh(state), move)
        if not game.is_over(child) and verbs.threatens(fresh(state), move):
            threats += 1
            if game.defines("must_respond") and not verbs.must_respond(child):
                yield f"threatens is true of move {move}, must_respond after it not"
    if not is_ever_free:
        yield "must_respond is true in every position, which says nothing"
    return f"{threats} threats"


def a_null_move_changes_only_the_turn(game: Game, sample: Sample) -> Problems:
    """A null move may also be the state itself: then the mover should not pass."""
    count = 0
    for state, _ in sample.ongoing():
        passed = verbs.null_move(fresh(state))
        yield from state_problems(game, passed, "null_move")
        if content(passed) == content(state):
            continue
        count += 1
        if game.mover(passed) == game.mover(state):
            yield "null_move changes the state, but not whose turn it is"
        if game.pieces(passed) != game.pieces(state):
            yield "null_move changes the pieces, expected only the turn"
        if verbs.must_respond(fresh(state)):
            yield "null_move passes where must_respond is true"
    return f"passed in {count} positions"


def payoffs_stay_inside_their_bounds(game: Game, sample: Sample) -> Problems:
    """Searches for several players prune by the bounds of the first position."""
    most, pair = map(int, verbs.payoff_bounds(game.initial()))
    for state in sample.positions():
        result = game.outcome(state)
        if result == ONGOING:
            continue
        payoffs = game.payoffs(fresh(state))
        if result not in (DRAW, SCORED):
            payoffs = tuple(WIN if player == result else -WIN for player in range(len(payoffs)))
        if max(payoffs) > most:
            yield f"a player gets {max(payoffs)}, payoff_bounds says at most {most}"
        both = max(map(sum, combinations(payoffs, 2)), default=pair)
        if both > pair:
            yield f"two players get {both}, payoff_bounds says at most {pair}"


def symmetric_states_have_symmetric_futures(game: Game, sample: Sample) -> Problems:
    for state in sample.positions(FEW):
        images = game.symmetries(state)
        orbit = {content(image) for image in images}
        if content(state) not in orbit:
            yield "symmetries does not list the state itself"
        future = _future(game, state)
        for image in images:
            yield from state_problems(game, image, "symmetries")
            name = game.position_text(image)
            if {content(other) for other in game.symmetries(image)} != orbit:
                yield f"the image {name} has other images than the state itself"
            for rule in (game.mover, game.outcome):
                if rule(image) != rule(state):
                    answers = f"{rule(image)}, expected {rule(state)} as here"
                    yield f"{rule.__name__} of the image {name} is {answers}"
            if len(game.moves(image)) != len(game.moves(state)):
                yield f"the image {name} has another number of moves"
            if _future(game, image) != future:
                yield f"the moves of the image {name} lead to other positions"


def evaluators_value_images_alike(game: Game, sample: Sample) -> Problems:
    """Searches that treat images as one position rely on it."""
    for state, _ in sample.ongoing(FEW):
        for name, record in game.evaluators.items():
            values = {verbs.evaluate(record, image) for image in game.symmetries(fresh(state))}
            if len(values) > 1:
                yield f"{name} values images of the position {sorted(values)}"


def swapped_players_swap_what_comes(game: Game, sample: Sample) -> Problems:
    for state in sample.positions(FEW):
        other = verbs.swap_players(fresh(state))
        yield from state_problems(game, other, "swap_players")
        name = game.position_text(other)
        if content(verbs.swap_players(other)) != content(state):
            yield f"swapped twice, the position is not itself again but {name}"
        result = game.outcome(state)
        exchanged = 1 - result if result in (0, 1) else result
        if game.mover(other) != 1 - game.mover(state) or game.outcome(other) != exchanged:
            yield f"mover or outcome of {name} is not that of the other player"
        if _future(game, other) != _future(game, state, verbs.swap_players):
            yield f"the moves of {name} lead to other positions"


def shortcuts_agree_with_the_rules(game: Game, sample: Sample) -> Problems:
    """`count_moves` and `identity`, where a game has its own."""
    for state in sample.positions():
        count, moves = verbs.count_moves(state), game.moves(state)
        if count != len(moves):
            yield f"count_moves is {count}, expected {len(moves)}"
        if game.defines("identity") and visible(game, verbs.identity(state)) != visible(
            game, state
        ):
            yield "identity is another position"


def inputs_are_numbers_below_their_count(game: Game, sample: Sample) -> Problems:
    for state in sample.positions():
        if problem := inputs_problem(verbs.inputs(fresh(state)), verbs.input_count(state)):
            yield problem


def phases_are_counted_from_zero(game: Game, sample: Sample) -> Problems:
    phases = set()
    for state in sample.positions():
        phases.add(verbs.phase(fresh(state)))
        if min(phases) < 0:
            yield f"phase is {min(phases)}, expected 0 or more"
    return ", ".join(map(str, sorted(phases)))


def notations_read_back(game: Game, sample: Sample) -> Problems:
    """The notation of a move reads back as that move."""
    for state, move in sample.moves(FEW):
        text = game.move_notation(state, move)
        if (read := game.parse_move(state, text)) != move:
            yield f"move {move} is written {text} and read as {read}"


def remarks_are_text(game: Game, sample: Sample) -> Problems:
    for each in sample.played:
        for number, state in enumerate(each.states[-FEW:], len(each.states[:-FEW])):
            sample.at = state
            remarks = {
                "situation": game.situation(state),
                "draw_claim": game.draw_claim(state, each.states[:number]),
                "ending": game.ending(state) if game.is_over(state) else "",
            }
            for name, text in remarks.items():
                if "\n" in text:
                    yield f"{name} answers {text!r}, expected one line"


def glyphs_are_svg(game: Game, sample: Sample) -> Problems:
    glyphs: dict[Any, Any] = game.glyphs()
    for symbol, drawing in glyphs.items():
        try:
            ElementTree.fromstring(f"<g>{drawing}</g>")
        except ElementTree.ParseError as error:
            yield f"the glyph {symbol} is no SVG: {error}"
    return ", ".join(glyphs)


def _future(game: Game, state: Any, seen: Any = lambda child: child) -> Counter[Any]:
    """The positions after every move, `seen` by a function; symmetric ones count as equal."""
    children = (seen(verbs.play(fresh(state), move)) for move in game.moves(fresh(state)))
    return Counter(min(content(image) for image in game.symmetries(child)) for child in children)
