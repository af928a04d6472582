"""A rectangle of a matrix in memory, as the payload of a message says it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe.data_message import Access, DataMessage

_EXTENT_MASK = 0xFF_FFFF  # of a matrix: 24 bits
_MATRIX_ALIGNMENT, _LEAST_WIDTH = 64, 64  # bytes
_MOST_ROWS = {Access.READ: 32, Access.WRITE: 8}
_LEAST_ROW_BYTES, _MOST_ROW_BYTES, _MOST_TRANSPOSED_BYTES = 4, 64, 32
_DWORD = 4


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

    def problems(self, message: DataMessage) -> Iterator[str]:
        """What the device demands of a matrix and of a rectangle, and this one lacks."""
        row_bytes = self.columns * message.extent
        is_store = message.access is Access.WRITE
        if self.base % _MATRIX_ALIGNMENT:
            yield "2D block: the matrix does not start at a multiple of 64 bytes"
        if self.width < _LEAST_WIDTH or self.width % 4:
            yield "2D block: the matrix is not a multiple of 4 bytes wide, or below 64 bytes"
        if self.pitch < self.width or self.pitch % 8:
            yield "2D block: the pitch is below the width, or not a multiple of 8 bytes"
        if row_bytes < _LEAST_ROW_BYTES or row_bytes * self.blocks > _MOST_ROW_BYTES:
            yield "2D block: its rows are not of 4 to 64 bytes"
        if self.rows > _MOST_ROWS[message.access]:
            yield "2D block: it has too many rows"
        if is_store and self.blocks != 1:
            yield "2D block: several blocks are stored"
        if message.transposed and self.blocks != 1:
            yield "2D block: several blocks are transposed"
        if message.transposed and row_bytes > _MOST_TRANSPOSED_BYTES:
            yield "2D block: transposed rows above 32 bytes"

    def register_bytes(self, message: DataMessage, grf_bytes: int) -> int:
        """Bytes of the whole registers that the elements take."""
        rows, columns, unit = self.rows, self.columns, message.extent
        if message.transposed:
            rows, columns = columns, rows
        elif message.transformed:
            rows = -(-rows // (_DWORD // unit))
            unit = _DWORD
        block = rows * (1 << (columns - 1).bit_length()) * unit
        return -(-block // grf_bytes) * grf_bytes * self.blocks
