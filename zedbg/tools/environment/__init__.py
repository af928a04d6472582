"""``zedbg env`` and ``zedbg run``: any program on the simulated GPU, without a debugger."""
