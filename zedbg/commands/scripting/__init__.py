"""Command scripts: blocks up to their ``end``, if and while, the user's own commands."""
