"""``zedbg fetch``: the newest Level Zero loader and compiler, in the user's cache."""
