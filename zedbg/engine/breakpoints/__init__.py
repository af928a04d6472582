"""Breakpoints, their conditions and texts, and what steps skip."""
