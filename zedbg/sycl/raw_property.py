"""A property as it is stored: a name, a type and either an integer or a byte array.

A byte array carries its own length: the first eight bytes are the number of *bits* that follow,
little endian. Most are whole bytes; the mask of a kernel's arguments is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

LENGTH_SIZE = 8  # bytes of the bit count in front of a byte array


class PropertyType(IntEnum):
    """How a property's value is stored; the text form's digit."""

    UINT32 = 1
    BYTE_ARRAY = 2
    STRING = 3

    @property
    def words(self) -> str:
        """For messages."""
        return {1: "32-bit integer", 2: "byte array", 3: "string"}[self.value]


@dataclass(frozen=True, slots=True)
class RawProperty:
    """One property as stored. ``type`` may be a number that PropertyType does not have."""

    name: str
    type: int
    integer: int  # of a 32-bit integer; otherwise the stored size in bytes
    stored: bytes  # of a byte array, with its bit count; of a string, its characters
    offset: int  # where it lies in its file, bytes


class PropertyError(ValueError):
    """A value that is not what its property is defined to be."""


def payload_bits(raw: RawProperty) -> tuple[int, bytes]:
    """The bit count of the byte array ``raw``, and the bytes that hold those bits.

    Raises PropertyError when the bit count does not fit the bytes.
    """
    if len(raw.stored) < LENGTH_SIZE:
        raise PropertyError(
            f"expected {LENGTH_SIZE} bytes of length and a value, found {len(raw.stored)} bytes"
        )
    bits = int.from_bytes(raw.stored[:LENGTH_SIZE], "little")
    payload = raw.stored[LENGTH_SIZE:]
    if (bits + 7) // 8 != len(payload):
        raise PropertyError(f"length says {bits} bits, found {len(payload)} bytes")
    return bits, payload


def payload(raw: RawProperty) -> bytes:
    """The bytes of the byte array ``raw`` without its bit count; raises PropertyError when they are
    not whole bytes."""
    bits, data = payload_bits(raw)
    if bits % 8:
        raise PropertyError(f"expected whole bytes, found {bits} bits")
    return data


def byte_array(name: str, data: bytes, offset: int = 0, bits: int | None = None) -> RawProperty:
    """The stored form of the byte array ``data``, of all its bits or the first ``bits``."""
    length = len(data) * 8 if bits is None else bits
    stored = length.to_bytes(LENGTH_SIZE, "little") + data
    return RawProperty(name, PropertyType.BYTE_ARRAY, len(stored), stored, offset)


def uint32(name: str, value: int, offset: int = 0) -> RawProperty:
    """The stored form of the integer ``value``."""
    return RawProperty(name, PropertyType.UINT32, value, b"", offset)
