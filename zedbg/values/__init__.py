"""Expressions and typed values over the lanes of a stopped thread, and which of them hold.

Import from the modules: ``expressions.api`` (evaluate, conditions, variables in scope),
``formats.formatting`` and ``formats.examine`` (GDB's output), ``source.frame_context`` (a calling
frame), ``threads.context`` (what a thread must offer).
"""
