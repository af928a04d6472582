"""Registers that are proved to count the iterations of a loop, and which iteration they say."""
