"""Which worker of pytest-xdist takes which tests.

It takes files as a whole, since their tests share fixtures. But a file of long cases that share
nothing would take one worker minutes, at the end while all others have nothing to do: of that,
whichever is free takes the next case.
"""

from __future__ import annotations

from xdist.scheduler import LoadFileScheduling

#: Each case runs a program of its own.
OF_LONG_CASES = frozenset(
    {
        "tests/values/test_both_ways.py",
        "tests/values/test_carried_loops.py",
        "tests/values/test_copies_of_loops.py",
        "tests/values/test_everyday_kernels.py",
        "tests/values/test_truth_at_stores.py",
        "tests/values/test_variable_truth.py",
        "tests/values/test_variables_against_pocl_in_gdb.py",
    }
)


class FilesAndLongCases(LoadFileScheduling):
    """As ``--dist loadfile``, but for these files."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return nodeid if file in OF_LONG_CASES else file
