"""Level Zero for Python: the only place in zedbg that touches cffi.

``core_*`` wraps what a host program needs, ``debug`` the program-debug API, ``selection`` decides
which driver the loader opens. Every failure is a typed exception of
:mod:`zedbg.levelzero.level_zero_errors`.
"""
