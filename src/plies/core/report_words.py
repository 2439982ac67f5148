"""The words of the published reports, and what to write here instead.

Who writes one of them in a spec reads ours in the error; `docs/studies/README.md` explains them.
"""

from collections.abc import Mapping

# Word of a report -> the spec of an agent, an option (with the value after `=`), an evaluator.
AGENTS = {
    "minmax": "minimax",
    "fsab": "alphabeta:cut=equal",
    "soft": "alphabeta:cut=equal",
    "fhab": "alphabeta:cut=beyond",
    "hard": "alphabeta:cut=beyond",
    "blMinMax": "branch:rule=report",
    "predMinMax": "pred",
}
OPTIONS = {"L": "depth=", "l": "look=", "BF": "width=", "sortBoard": "order=shallow"}
EVALUATORS = {"MA": "material", "SEF": "sef"}


def option(key: str, text: str) -> str:
    """An option of a report as we write it, `depth=4` for L=4; "" for any other option."""
    ours = OPTIONS.get(key, "")
    return f"{ours}{text}" if ours.endswith("=") else ours


def bare(word: str) -> str:
    """A word that stands alone, `eval=material` for MA; "" where it needs a value."""
    if word in EVALUATORS:
        return f"eval={EVALUATORS[word]}"
    ours = OPTIONS.get(word, "")
    return "" if ours.endswith("=") else ours


def agent(name: str, texts: Mapping[str, str]) -> dict[str, str]:
    """A report's name for an agent -> our spec of it with the same options."""
    if name not in AGENTS:
        return {}
    options = [
        f"{key}={EVALUATORS.get(text, text)}"
        if key == "eval"
        else option(key, text) or f"{key}={text}"
        for key, text in texts.items()
    ]
    spec = AGENTS[name]
    return {name: spec + ("," if ":" in spec else ":") * bool(options) + ",".join(options)}
