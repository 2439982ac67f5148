"""What a game file must say is looked at when it is loaded."""

from pathlib import Path

import pytest

from game_samples import LAST, changed
from plies.errors import BadGame


def defining(name: str) -> str:
    return f"def {name}:\n    return ()\n\n\n{LAST}"


@pytest.mark.parametrize(
    ("signature", "right"),
    [
        ("symetries(state)", "symmetries"),
        ("tactical_move(state)", "tactical_moves"),
        ("is_zerosum(state)", "is_zero_sum"),
        ("positon_text(state)", "position_text"),
        ("treatens(state, move)", "threatens"),
        ("peices(state)", "pieces"),
        ("setps(state, move)", "steps"),
    ],
)
def test_a_misspelt_optional_rule_is_named(tmp_path: Path, signature: str, right: str) -> None:
    wrong = signature.partition("(")[0]
    with pytest.raises(BadGame, match=f"defines {wrong}; did you mean {right}"):
        changed(tmp_path, (LAST, defining(signature)))


@pytest.mark.parametrize(
    ("old", "new"),
    [("def legal_moves(", "def legal_move("), ("def outcome(", "def outcom(")],
)
def test_a_misspelt_required_rule_is_named(tmp_path: Path, old: str, new: str) -> None:
    right = old.removeprefix("def ").removesuffix("(")
    with pytest.raises(BadGame, match=f"; did you mean {right}"):
        changed(tmp_path, (old, new))


@pytest.mark.parametrize(
    "signature",
    [
        "moves(state)",
        "steps_of(state, move)",
        "piece(state)",
        "drawn(state)",
        "_symetries(state)",
        "symetries(state, more)",
        "player(state)",
        "moved(state, move)",
    ],
)
def test_a_helper_may_be_called_like_a_rule(tmp_path: Path, signature: str) -> None:
    assert changed(tmp_path, (LAST, defining(signature))).title == "Take"


def test_a_name_is_no_mistake_where_the_rule_is_defined_as_well(tmp_path: Path) -> None:
    both = "def situation(state):\n    return ''\n\n\n" + defining("situations(state)")
    assert changed(tmp_path, (LAST, both)).title == "Take"
