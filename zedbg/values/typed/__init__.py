"""Typed values and where they lie: what a lane has at a place, whole or in part."""
