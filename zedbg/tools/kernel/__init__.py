"""``zedbg kernel``: a host program for people who have none; it runs one kernel of a module."""
