"""GDB's Python interface for scripts that were written for it: the module ``gdb``."""
