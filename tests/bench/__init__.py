"""Benchmarks: what debugging through zedbg costs, and how fast the simulated GPU is.

``python -m tests.bench`` or ``./run bench`` measures and prints; nothing here asserts a time.
"""
