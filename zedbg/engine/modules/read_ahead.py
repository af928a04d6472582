"""Memory read in blocks while many threads are looked at: neighbours share a round trip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.host.usm_allocations import UsmAllocations
from zedbg.levelzero.level_zero_errors import LevelZeroError

BLOCK_BYTES = 16384
# Where a block cannot be read whole, as at the end of an allocation, its pages are tried.
_SIZES = (BLOCK_BYTES, 4096)
_LARGEST_BYTES = BLOCK_BYTES  # more than this at once gains nothing


class ReadAhead:
    """Blocks of one device's memory, and what was allocated of it, as they were when first asked
    for.

    It lives while a command or a batch of stops is worked on, during which the threads that it is
    for stand still. ``block_sizes``: in bytes, those that are tried first come first.
    """

    def __init__(self, block_sizes: Sequence[int] = _SIZES) -> None:
        self._block_sizes = block_sizes
        self._blocks: dict[tuple[int, int, int], bytes | None] = {}
        self._allocations: UsmAllocations | None = None
        #: What was worked out of that memory alone, by whoever needs it again.
        self.findings: dict[object, object] = {}

    def allocations(self, read: Callable[[], UsmAllocations]) -> UsmAllocations:
        """What ``read`` gives."""
        if self._allocations is None:
            self._allocations = read()
        return self._allocations

    def read(self, space: int, address: int, size: int, read: Callable[[int, int], bytes]) -> bytes:
        """``size`` bytes at ``address`` of the address space ``space`` (any number that
        identifies it). ``read`` gets bytes from the device. What no block has is read by itself."""
        if 0 < size <= _LARGEST_BYTES:
            for block_size in self._block_sizes:
                found = self._from_blocks(space, address, size, block_size, read)
                if found is not None:
                    return found
        return read(address, size)

    def _from_blocks(
        self,
        space: int,
        address: int,
        size: int,
        block_size: int,
        read: Callable[[int, int], bytes],
    ) -> bytes | None:
        first, start = divmod(address, block_size)
        parts = []
        for number in range(first, (address + size - 1) // block_size + 1):
            block = self._block((space, block_size, number), read)
            if block is None:
                return None
            parts.append(block)
        data = parts[0] if len(parts) == 1 else b"".join(parts)
        return data[start : start + size]

    def _block(self, key: tuple[int, int, int], read: Callable[[int, int], bytes]) -> bytes | None:
        """The block of space, size and number ``key``; None when it cannot be read whole."""
        if key not in self._blocks:
            _, size, number = key
            try:
                self._blocks[key] = read(number * size, size)
            except LevelZeroError:
                self._blocks[key] = None
        return self._blocks[key]
