"""A bound on what a file may make its reader read.

Structures name others by address, so that a small file can name the same megabyte a million times.
In files that compilers write, nearly everything is named once: what is read of all structures
together is less than the file.
"""

from __future__ import annotations

from zedbg.sycl.sycl_errors import SyclError

_ALWAYS_ALLOWED = 1 << 16  # bytes, beyond the file's size


class ReadBudget:
    """The bytes that structures of one file may still name."""

    def __init__(self, source: str, file_size: int) -> None:
        """For the file ``source`` of ``file_size`` bytes."""
        self._source = source
        self._limit = file_size + _ALWAYS_ALLOWED
        self._spent = 0

    def spend(self, size: int, offset: int) -> None:
        """Counts ``size`` bytes; raises SyclError, naming ``offset``, when the file says too much.

        A refused amount is not counted: what else the file holds can still be read.
        """
        if self._spent + size > self._limit:
            raise SyclError(
                self._source,
                f"its structures name more than {self._limit} bytes",
                offset,
                expected="each once",
            )
        self._spent += size
