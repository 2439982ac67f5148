"""Texts of the form `name:key=value,...`."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies.core.spec import (
    join_spec,
    options_of,
    options_text,
    read_options,
    split_spec,
)
from plies.errors import BadSpec


def take(
    size: int = 3,
    seconds: float = 1.5,
    misere: bool = False,
    rows: tuple[int, ...] = (1, 3, 5),
    parts: tuple[float, ...] = (0.5,),
    rule: Literal["draw", "loss"] = "draw",
    file: str = "",
) -> None:
    """Something with an option of every kind."""


options = st.fixed_dictionaries(
    {},
    optional={
        "size": st.integers(),
        "seconds": st.floats(allow_nan=False),
        "misere": st.booleans(),
        "rows": st.lists(st.integers(0), min_size=1).map(tuple),
        "parts": st.lists(st.floats(0, 1e9), min_size=1).map(tuple),
        "rule": st.sampled_from(["draw", "loss"]),
        "file": st.from_regex(r"[\w./=:]*\w", fullmatch=True),
    },
)


@given(options)
def test_options_of_every_kind_read_back_from_their_text(chosen: dict):
    name, texts = split_spec(join_spec("game", chosen))
    assert name == "game"
    assert read_options(name, texts, take) == chosen


@pytest.mark.parametrize(
    ("spec", "name", "texts"),
    [
        ("quixo", "quixo", {}),
        ("quixo:", "quixo", {}),
        (" nim : rows = 3-4-5 , k=2, ", "nim", {"rows": "3-4-5", "k": "2"}),
        ("tree:file=a=b", "tree", {"file": "a=b"}),
        ("uci:path=c:/x", "uci", {"path": "c:/x"}),
    ],
)
def test_a_spec_is_split_at_the_first_colon_and_at_commas(spec: str, name: str, texts: dict):
    assert split_spec(spec) == (name, texts)


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        ("size", "many", "whole number"),
        ("size", "3.5", "whole number"),
        ("seconds", "soon", "number"),
        ("misere", "maybe", "true or false"),
        ("rows", "1-x", "whole numbers joined by -"),
        ("parts", "-0.5", "numbers joined by -"),
        ("parts", "1e-2", "numbers joined by -"),
        ("rule", "win", "draw or loss"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_what_would_be_right(name: str, text: str, right: str):
    with pytest.raises(BadSpec, match=f"^game: {name} .*{right}, not '?{text}"):
        read_options("game", {name: text}, take)


def test_an_unknown_option_sees_those_there_are():
    with pytest.raises(BadSpec) as error:
        read_options("game", {"sise": "3"}, take)
    known = "size=3, seconds=1.5, misere=false, rows=1-3-5, parts=0.5, rule=draw, file="
    assert known in str(error.value)
    assert str(error.value).endswith("did you mean size?")
    assert options_text({}) == "it has none"


@pytest.mark.parametrize("yes", ["true", "True", "yes", "on", "1"])
def test_truth_is_written_in_several_ways(yes: str):
    assert read_options("game", {"misere": yes}, take) == {"misere": True}


def test_an_option_without_a_declared_type_has_that_of_its_default():
    def untyped(size=3): ...

    assert read_options("game", {"size": "4"}, untyped) == {"size": 4}


def test_options_joined_by_a_dash_may_be_of_any_kind():
    def several(names: tuple[str, ...] = ("a", "b"), flags: tuple[bool, ...] = (True,)): ...

    assert join_spec("game", options_of(several)) == "game:names=a-b,flags=true"
    assert read_options("game", {"names": "x-y"}, several) == {"names": ("x", "y")}
    with pytest.raises(BadSpec, match=r"flags .* joined by -, not 'a-b'"):
        read_options("game", {"flags": "a-b"}, several)


def test_other_keywords_of_a_function_are_not_options():
    def watched(width: int = 5, **watch: int): ...

    assert read_options("game", {"width": "3"}, watched) == {"width": 3}
    with pytest.raises(BadSpec, match="has no option budget"):
        read_options("game", {"budget": "3"}, watched)
