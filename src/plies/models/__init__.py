"""Learned things on disk, and the compiled kernels that turn them into evaluators."""
