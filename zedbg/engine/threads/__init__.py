"""Devices under debug and their stopped hardware threads."""
