"""Opinions about chess."""

from plies.core import Evaluator
from plies.evaluators.chess.material import material
from plies.evaluators.chess.sef import Components, Sef, components, sef
from plies.evaluators.chess.strong import strong

__all__ = ["EVALUATORS", "Components", "Sef", "components"]

EVALUATORS = {
    "strong": Evaluator(strong),
    "sef": Evaluator(sef, Sef()),
    "material": Evaluator(material),
}
