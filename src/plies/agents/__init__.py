"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`."""

from plies.agents.agent import Agent, agent
from plies.agents.builtin import AGENTS, agents_of
from plies.agents.spec import AgentSpec, read_spec, spec_text

__all__ = ["AGENTS", "Agent", "AgentSpec", "agent", "agents_of", "read_spec", "spec_text"]
