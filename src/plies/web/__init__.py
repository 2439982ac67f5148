"""The games in the browser."""
