"""Specs of agents: `name:key=value,...`, read in one place."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from plies.agents.builtin import AGENTS
from plies.core.spec import join_spec, split_spec
from plies.errors import BadSpec

SUFFIX = ".py"  # of a user's file
EVALUATOR = "eval"  # the option that may name one


class AgentSpec(NamedTuple):
    """The name of an agent, or the path of its file, and its options as they were written."""

    name: str
    options: dict[str, str]

    @property
    def text(self) -> str:
        return spec_text(self.name, self.options)


def read_spec(text: str) -> AgentSpec:
    """`uci:stockfish,elo=1500` -> ("uci", {"path": "stockfish", "elo": "1500"})."""
    path = text[: text.find(SUFFIX)] + SUFFIX
    if SUFFIX in text and ":" in path and Path(path).is_file():
        raise BadSpec(f"a spec cannot hold a path with a colon, {path}; rename it")
    name = text.partition(":")[0].strip()
    return AgentSpec(*split_spec(text, {name: leading_option(name)}))


def spec_text(name: str, options: Mapping[str, Any]) -> str:
    """The text that `read_spec` reads back."""
    return join_spec(name, options, leading_option(name))


def short_spec(text: str) -> str:
    """The spec as a name for readers: without the folders of the user's own files."""
    if SUFFIX not in text:
        return text
    name, options = read_spec(text)
    files = {key: value for key, value in options.items() if key == EVALUATOR and SUFFIX in value}
    options |= {key: Path(value).name for key, value in files.items()}
    return spec_text(Path(name).name if name.endswith(SUFFIX) else name, options)


def leading_option(name: str) -> str:
    """The option that may stand first without its key; empty where there is none."""
    return AGENTS[name].leading if name in AGENTS else ""
