"""Core files: what was stopped on the devices of a program, to be looked at later and elsewhere."""
