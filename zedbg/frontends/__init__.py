"""Ways to use zedbg: the shell, batch runs, JSON. They turn rows into text."""
