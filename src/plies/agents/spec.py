"""Specs of agents: `name:key=value,...`, read in one place."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from plies.agents.builtin import AGENTS
from plies.core.spec import join_spec, split_spec


class AgentSpec(NamedTuple):
    """The name of an agent and its options as they were written."""

    name: str
    options: dict[str, str]

    @property
    def text(self) -> str:
        return spec_text(self.name, self.options)


def read_spec(text: str) -> AgentSpec:
    """`uci:stockfish,elo=1500` -> ("uci", {"path": "stockfish", "elo": "1500"})."""
    name = text.partition(":")[0].strip()
    return AgentSpec(*split_spec(text, {name: leading_option(name)}))


def spec_text(name: str, options: Mapping[str, Any]) -> str:
    """The text that `read_spec` reads back."""
    return join_spec(name, options, leading_option(name))


def leading_option(name: str) -> str:
    """The option that may stand first without its key; empty where there is none."""
    return AGENTS[name].leading if name in AGENTS else ""
