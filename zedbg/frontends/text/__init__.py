"""Rows and events as text, in GDB's shapes."""
