"""Reading numbers out of DWARF bytes, one after the other."""

from __future__ import annotations


class EndOfBytesError(ValueError):
    """A number or block reaches past the end of its bytes."""


class ByteStream:
    """A position in some bytes; every read moves it on."""

    def __init__(self, data: bytes, position: int = 0, end: int | None = None) -> None:
        self.data = data
        self.position = position
        self.end = len(data) if end is None else end

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position >= self.end

    def block(self, size: int) -> bytes:
        """The next ``size`` bytes. Raises EndOfBytesError."""
        if size < 0 or self.position + size > self.end:
            raise EndOfBytesError(f"{size} bytes at {self.position:#x} reach past the end")
        found = self.data[self.position : self.position + size]
        self.position += size
        return found

    def unsigned(self, size: int) -> int:
        """A little-endian unsigned number of ``size`` bytes."""
        return int.from_bytes(self.block(size), "little")

    def signed(self, size: int) -> int:
        """A little-endian signed number of ``size`` bytes."""
        return int.from_bytes(self.block(size), "little", signed=True)

    def uleb(self) -> int:
        """An unsigned LEB128 number."""
        value, _bits = self._leb()
        return value

    def sleb(self) -> int:
        """A signed LEB128 number."""
        value, bits = self._leb()
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def _leb(self) -> tuple[int, int]:
        value = bits = 0
        while True:
            if self.position >= self.end:
                raise EndOfBytesError(f"1 bytes at {self.position:#x} reach past the end")
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 0x7F) << bits
            bits += 7
            if not byte & 0x80:
                return value, bits
            if bits > 70:
                raise EndOfBytesError(f"a LEB128 number at {self.position:#x} has no end")
