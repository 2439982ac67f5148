"""Opinions about chess."""

from plies.core import Evaluator, Features
from plies.evaluators.chess.material import material
from plies.evaluators.chess.sef import FEATURES, Components, Sef, components, sef, sef_features
from plies.evaluators.chess.strong import placement, strong

__all__ = ["EVALUATORS", "Components", "Sef", "components"]

PAWN = 100  # what most of them count in

EVALUATORS = {
    "strong": Evaluator(strong, unit=PAWN, rough=placement, margin=3 * PAWN),
    "sef": Evaluator(sef, Sef(), features=Features(FEATURES, sef_features)),
    "material": Evaluator(material, unit=1),
    "placement": Evaluator(placement, unit=PAWN),
}
