"""Rows about what the session knows: places, breakpoints, events, owners of addresses."""
