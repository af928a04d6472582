"""Memory as slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsIndex

from zedbg.user_error import UserError

Read = Callable[[int, int], bytes]
Write = Callable[[int, bytes], None]

_LARGEST_BYTES = 1 << 30


class Memory:
    """Bytes of one address space, by address. zedbg's breakpoints do not show in it.

    >>> a = thread["in"].value
    >>> session.memory[a : a + 8]
    b'\\x00\\x00\\x00\\x00\\x00\\x00\\x80?'
    >>> session.memory[a + 4 : a + 8] = b"\\x00\\x00\\x20\\x41"
    >>> thread["in[1]"].value
    10.0
    """

    def __init__(self, read: Read, write: Write) -> None:
        self._read = read
        self._write = write

    def __getitem__(self, place: slice | SupportsIndex) -> bytes:
        """The bytes of a slice, or the one at an address; a slice has both ends and no step.

        Raises :class:`~zedbg.LevelZeroError` where there is no memory.
        """
        begin, end = _bounds(place)
        return self._read(begin, end - begin) if end > begin else b""

    def __setitem__(self, place: slice | SupportsIndex, data: bytes) -> None:
        """Writes ``data``, as many bytes as the slice has."""
        begin, end = _bounds(place)
        if len(data) != end - begin:
            raise UserError(f"{len(data)} bytes do not fit into {end - begin} bytes of memory.")
        if data:
            self._write(begin, bytes(data))


class PrivateMemory:
    """The private memory of a thread's work-items, by lane.

    >>> p = thread["&value"].lanes[5]
    >>> thread.private_memory[5][p : p + 4]
    b'\\x00\\x00\\x00\\x00'
    """

    def __init__(self, of_lane: Callable[[int], Memory]) -> None:
        self._of_lane = of_lane

    def __repr__(self) -> str:
        return "<PrivateMemory, by lane>"

    def __getitem__(self, lane: int) -> Memory:
        """That of a lane, by the addresses of its variables: an array that the compiler has
        interleaved with those of other lanes is in one piece here. Bytes in a buffer or in SLM
        raise :class:`~zedbg.UserError`, a lane that the kernel does not have LaneError."""
        return self._of_lane(lane)


def _bounds(place: slice | SupportsIndex) -> tuple[int, int]:
    if not isinstance(place, slice):
        address = place.__index__()
        return address, address + 1
    if place.start is None or place.stop is None or place.step is not None:
        raise UserError("A slice of memory has a beginning and an end: memory[a : a + 64].")
    begin, end = place.start.__index__(), place.stop.__index__()
    if not 0 <= begin <= end <= 1 << 64:
        raise UserError(f"There is no memory from {begin:#x} to {end:#x}.")
    if end - begin > _LARGEST_BYTES:
        raise UserError(f"{end - begin} bytes are more than can be read at once: 1 GiB.")
    return begin, end
