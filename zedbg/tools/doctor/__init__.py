"""``zedbg doctor``: what is needed to debug on this machine, what is wrong, and how to fix it."""
