"""A rectangle of a matrix in memory, as the payload of a message says it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe.data_message import DataMessage
from zedbg.xe.isa import load_store


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
        words = struct.unpack_from(f"<{load_store.MATRIX_DWORDS}I", payload)
        return cls(
            load_store.MATRIX_BASE_HIGH.of(words) << 32 | load_store.MATRIX_BASE_LOW.of(words),
            load_store.MATRIX_WIDTH.of(words) + 1,
            load_store.MATRIX_HEIGHT.of(words) + 1,
            load_store.MATRIX_PITCH.of(words) + 1,
            load_store.MATRIX_X.signed_of(words) + message.block_x,
            load_store.MATRIX_Y.signed_of(words) + message.block_y,
            load_store.MATRIX_COLUMNS.of(words) + 1,
            load_store.MATRIX_ROWS.of(words) + 1,
            load_store.MATRIX_BLOCKS.of(words) + 1,
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
