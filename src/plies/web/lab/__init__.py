"""The search laboratory."""
