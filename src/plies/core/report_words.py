"""The words of the published reports, and what they are called here.

Whoever writes one of them in a spec is told ours; the table in `docs/studies/README.md` is
checked against this one.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple


class Word(NamedTuple):
    """A word of a report.

    `ours` is what to write instead: the spec of an agent, the name of an evaluator, or an
    option, to which the value that was given is added where it ends with `=`.  Of another
    kind it is explained, but never suggested.
    """

    report: str
    kind: Literal["agent", "option", "evaluator", "other"]
    ours: str
    meaning: str


WORDS = (
    Word("minmax", "agent", "minimax", "minimax to a fixed depth"),
    Word("fsab", "agent", "alphabeta:cut=equal", "alpha-beta that cuts when alpha equals beta"),
    Word("soft", "agent", "alphabeta:cut=equal", "the same"),
    Word("fhab", "agent", "alphabeta:cut=beyond", "alpha-beta that cuts only beyond equality"),
    Word("hard", "agent", "alphabeta:cut=beyond", "the same"),
    Word("blMinMax", "agent", "branch:rule=report", "soft alpha-beta with a branch limit"),
    Word("predMinMax", "agent", "pred", "one ply, valued by a model that knows H_0 alone"),
    Word("mi_pred", "other", "mi_pred", "one ply, valued by a model of many inputs"),
    Word("L", "option", "depth=", "plies to look ahead"),
    Word("l", "option", "look=", "plies of the search that ranks the moves"),
    Word("BF", "option", "width=", "branch limit: how many of the ranked moves are searched"),
    Word("sortBoard", "option", "order=shallow", "moves sorted by a shallow search"),
    Word("MA", "evaluator", "material", "material advantage in chess"),
    Word("SEF", "evaluator", "sef", "the static evaluation of chess with five terms"),
    Word("H_0", "other", "value", "column of a dataset: the static value of the position"),
    Word("H_L", "other", "target", "column of a dataset: the value of a search L plies deep"),
    Word("states", "other", "nodes", "positions that a search enters"),
    Word("match", "other", "game", "in the second part of the chess study: one game"),
    Word("gabriele", "other", "gabriele", "Nim agent: all of the lowest row that is not empty"),
    Word("nim-sum", "other", "nim-sum", "Nim agent: plays by the nim-sum"),
)

AGENTS, OPTIONS, EVALUATORS = (
    {word.report: word.ours for word in WORDS if word.kind == kind}
    for kind in ("agent", "option", "evaluator")
)


def option(key: str, text: str) -> str:
    """An option of a report as we write it, `depth=4` for L=4; "" where it is no report's."""
    ours = OPTIONS.get(key, "")
    return f"{ours}{text}" if ours.endswith("=") else ours


def bare(word: str) -> str:
    """A word that stands alone, `eval=material` for MA; "" where it needs a value."""
    if word in EVALUATORS:
        return f"eval={EVALUATORS[word]}"
    ours = OPTIONS.get(word, "")
    return "" if ours.endswith("=") else ours


def agent(name: str, texts: Mapping[str, str]) -> dict[str, str]:
    """A report's name for an agent -> our spec of it with the options that were given."""
    if name not in AGENTS:
        return {}
    options = [
        f"{key}={EVALUATORS.get(text, text)}"
        if key == "eval"
        else option(key, text) or f"{key}={text}"
        for key, text in texts.items()
    ]
    before = AGENTS[name]
    return {name: before + ("," if ":" in before else ":") * bool(options) + ",".join(options)}
