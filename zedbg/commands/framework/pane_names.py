"""The panes that zedbg has, in the order in which help lists them; plugins add others."""

BUILTIN_PANES = ("src", "asm", "regs", "locals", "lanes", "threads", "slm", "stack", "watch")
