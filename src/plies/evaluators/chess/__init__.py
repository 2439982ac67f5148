"""Evaluators of chess, from counting material to a tuned evaluation; `strong` is the default."""

from plies.core import Evaluator, Features
from plies.core.verbs import Measure
from plies.evaluators.chess.material import material
from plies.evaluators.chess.sef import FEATURES, Components, Sef, components, sef, sef_features
from plies.evaluators.chess.strong import placement, strong

__all__ = ["EVALUATORS", "Components", "Sef", "components"]

PAWN = 100  # centipawns: the unit of all evaluators but `material`
IN_PAWNS = Measure(PAWN, "pawn")

EVALUATORS = {
    "strong": Evaluator(strong, unit=PAWN, rough=placement, margin=3 * PAWN, measure=IN_PAWNS),
    "sef": Evaluator(sef, Sef(), features=Features(FEATURES, sef_features), measure=IN_PAWNS),
    "material": Evaluator(material, unit=1, measure=Measure(1, "pawn")),
    "placement": Evaluator(placement, unit=PAWN, measure=IN_PAWNS),
}
