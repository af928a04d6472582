"""Bounded reading of a container's bytes: places are checked against its size before use."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from zedbg.sycl.read_budget import ReadBudget
from zedbg.sycl.sycl_errors import SyclError

_PIECE = 128  # bytes that are looked at at a time for the end of a text


@dataclass(frozen=True)
class ByteReader:
    """Part of a file: ``data``, which begins at byte ``base`` of the file ``source``."""

    data: memoryview
    source: str
    base: int
    budget: ReadBudget  # of the file

    @classmethod
    def whole(cls, data: bytes | memoryview, source: str, base: int = 0) -> ByteReader:
        """A reader of all of ``data``."""
        return cls(memoryview(data), source, base, ReadBudget(source, len(data)))

    def part(self, offset: int, size: int, what: str) -> memoryview:
        """``size`` bytes at ``offset``; raises SyclError, which calls them ``what``."""
        if offset < 0 or size < 0 or offset + size > len(self.data):
            raise self.error(
                f"{what}: cut off, as its part of the file has {len(self.data):#x} bytes",
                offset,
                f"{size} bytes",
            )
        return self.data[offset : offset + size]

    def reader(self, offset: int, size: int, what: str) -> ByteReader:
        """A reader of ``size`` bytes at ``offset``."""
        data = self.part(offset, size, what)
        return ByteReader(data, self.source, self.base + offset, self.budget)

    def unpack(self, layout: struct.Struct, offset: int, what: str) -> tuple[int, ...]:
        """The fields of the structure at ``offset``."""
        self.budget.spend(layout.size, self.base + offset)
        return layout.unpack(self.part(offset, layout.size, what))

    def text(self, offset: int, limit: int, what: str) -> str:
        """The zero-terminated text at ``offset``, of at most ``limit`` bytes.

        Raises SyclError, which calls it ``what``, when it is longer or not there.
        """
        text = bytearray()
        for start in range(max(offset, 0), min(offset + limit, len(self.data)), _PIECE):
            piece = bytes(self.data[start : start + _PIECE])
            text += piece.partition(b"\0")[0]
            if b"\0" in piece:
                self.budget.spend(len(text), self.base + offset)
                return text.decode("utf-8", "replace")
        raise self.error(f"{what}: it has no end", offset, f"a string of at most {limit} bytes")

    def error(self, problem: str, offset: int, expected: str) -> SyclError:
        """An error at ``offset`` of this part, where there should be what is ``expected``."""
        return SyclError(self.source, problem, self.base + offset, expected=expected)
