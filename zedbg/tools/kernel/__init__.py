"""``zedbg kernel``: a host program for a kernel without one; it runs one kernel of a module."""
