"""Bounded reading of a container's bytes: places are held against its size before they are used."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from zedbg.sycl.errors import SyclError


@dataclass(frozen=True)
class ByteReader:
    """Part of a file: ``data``, which begins at byte ``base`` of the file ``source``."""

    data: memoryview
    source: str
    base: int = 0

    def part(self, offset: int, size: int, what: str) -> memoryview:
        """``size`` bytes at ``offset``; raises SyclError, which calls them ``what``."""
        if offset < 0 or size < 0 or offset + size > len(self.data):
            raise self.error(
                f"{what}: expected {size} bytes at {offset:#x}, there are {len(self.data)}", offset
            )
        return self.data[offset : offset + size]

    def reader(self, offset: int, size: int, what: str) -> ByteReader:
        """A reader of ``size`` bytes at ``offset``."""
        return ByteReader(self.part(offset, size, what), self.source, self.base + offset)

    def unpack(self, layout: struct.Struct, offset: int, what: str) -> tuple[int, ...]:
        """The fields of the structure at ``offset``."""
        return layout.unpack(self.part(offset, layout.size, what))

    def text(self, offset: int, limit: int, what: str) -> str:
        """The zero-terminated text at ``offset``, of at most ``limit`` bytes."""
        piece = bytes(self.data[offset : offset + limit]) if offset >= 0 else b""
        end = piece.find(b"\0")
        if end < 0:
            raise self.error(f"{what}: expected a string of at most {limit} bytes", offset)
        return piece[:end].decode("utf-8", "replace")

    def error(self, problem: str, offset: int) -> SyclError:
        """An error at ``offset`` of this part."""
        return SyclError(self.source, problem, self.base + offset)
