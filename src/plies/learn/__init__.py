"""Learning: datasets, predictors, Q-learning, evolution, networks."""
