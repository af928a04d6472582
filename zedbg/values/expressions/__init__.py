"""Expressions: read, worked out over lanes, and as values for scripts."""
