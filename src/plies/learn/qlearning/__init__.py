"""Tabular Q-learning for any game of two players, by self-play or against an agent."""
