"""``zedbg stacks``: where every thread of a program is, without stopping it for long."""
