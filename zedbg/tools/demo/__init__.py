"""``zedbg demo``: a prompt that is stopped inside a kernel."""
