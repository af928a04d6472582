"""Expressions and typed values over the lanes of a stopped thread.

Import from the modules: ``api`` (evaluate, conditions, variables in scope), ``formatting`` and
``examine`` (GDB's output), ``frame_context`` (a calling frame), ``context`` (what a thread must
offer).
"""
