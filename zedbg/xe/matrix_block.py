"""A rectangle of a matrix in memory, as the payload of a message says it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe.data_message import DataMessage

_EXTENT_MASK = 0xFF_FFFF  # of a matrix: 24 bits


@dataclass(frozen=True)
class MatrixBlock:
    """``blocks`` beside each other of ``columns`` x ``rows`` elements, the first one's corner at
    ``left``, ``top``. ``width`` and ``pitch`` of the matrix are in bytes."""

    base: int
    width: int
    height: int
    pitch: int
    left: int
    top: int
    columns: int
    rows: int
    blocks: int

    @classmethod
    def read(cls, message: DataMessage, payload: bytes) -> MatrixBlock:
        """From the first register of a message."""
        base, width, height, pitch, left, top, shape = struct.unpack_from("<Q3I2iI", payload)
        return cls(
            base,
            (width & _EXTENT_MASK) + 1,
            (height & _EXTENT_MASK) + 1,
            (pitch & _EXTENT_MASK) + 1,
            left + message.block_x,
            top + message.block_y,
            (shape & 0xFF) + 1,
            (shape >> 8 & 0xFF) + 1,
            (shape >> 16 & 0xF) + 1,
        )

    def row_ranges(self, element_bytes: int) -> Iterator[tuple[int, int]]:
        """Address and bytes of each row, as far as it is inside the matrix."""
        columns = self.columns * self.blocks
        first = max(self.left * element_bytes, 0)
        last = min((self.left + columns) * element_bytes, self.width)
        for row in range(self.rows):
            y = self.top + row
            if 0 <= y < self.height and first < last:
                yield self.base + y * self.pitch + first, last - first
