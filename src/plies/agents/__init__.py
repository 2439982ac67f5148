"""Agents: whoever can choose a move, named by a text such as `alphabeta:depth=4`."""

from plies.agents.agent import Agent, agent
from plies.agents.methods import LEADING, METHODS, methods_of

__all__ = ["LEADING", "METHODS", "Agent", "agent", "methods_of"]
