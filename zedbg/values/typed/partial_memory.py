"""Memory that may end before what is asked for does: how far it goes."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.levelzero.level_zero_errors import LevelZeroError

_LARGEST_BYTES = 1 << 20  # of one read


def readable_part(read: Callable[[int, int], bytes], address: int, size: int) -> bytes:
    """The ``size`` bytes at ``address``, or fewer: those in front of the first that cannot be read.

    ``read`` gives bytes at an address, all of them or LevelZeroError.
    """
    data = bytearray()
    largest = _LARGEST_BYTES
    while len(data) < size:
        wanted = min(largest, size - len(data))
        try:
            data += read(address + len(data), wanted)
        except LevelZeroError:
            if wanted == 1:
                break
            largest = wanted // 2
    return bytes(data)
