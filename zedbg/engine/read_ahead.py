"""Memory read in blocks while many threads are looked at: neighbours share a round trip."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.levelzero.errors import LevelZeroError

BLOCK_BYTES = 16384
_LARGEST_BYTES = BLOCK_BYTES  # more than this at once gains nothing


class ReadAhead:
    """Blocks of one device's memory, as they were when first asked for.

    It lives while a command or a batch of stops is worked on, during which the threads that it is
    for stand still.
    """

    def __init__(self) -> None:
        self._blocks: dict[tuple[int, int], bytes | None] = {}

    def read(self, space: int, address: int, size: int, read: Callable[[int, int], bytes]) -> bytes:
        """``size`` bytes at ``address`` of the address space ``space`` (any number that tells them
        apart); ``read`` gets bytes from the device. What a block cannot give is read by itself."""
        if not 0 < size <= _LARGEST_BYTES:
            return read(address, size)
        number, start = divmod(address, BLOCK_BYTES)
        block = self._block(space, number, read)
        if block is not None and start + size > BLOCK_BYTES:
            following = self._block(space, number + 1, read)
            block = None if following is None else block + following
        return read(address, size) if block is None else block[start : start + size]

    def _block(self, space: int, number: int, read: Callable[[int, int], bytes]) -> bytes | None:
        """A whole block, None when part of it cannot be read."""
        key = space, number
        if key not in self._blocks:
            try:
                self._blocks[key] = read(number * BLOCK_BYTES, BLOCK_BYTES)
            except LevelZeroError:
                self._blocks[key] = None
        return self._blocks[key]
