"""Learned models as files, and the compiled kernels that make evaluators of them."""
