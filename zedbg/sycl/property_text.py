"""The text form of property sets, which compilers keep in files and SYCLBIN files hold.

A set is a line `[name]` and a line `key=type|value` for each property; blanks count. Byte arrays
are base64 of the bit count and the bytes. There are two kinds of base64 in the field: DPC++'s own,
which takes six bits at a time from the low end of the bytes and has no padding, and the standard
one. A byte array's bit count shows which it is; a text is read in one of them throughout.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from enum import Enum

from zedbg.sycl.property_sets import RawSet
from zedbg.sycl.raw_property import PropertyError, PropertyType, RawProperty, payload_bits
from zedbg.sycl.sycl_errors import SyclError

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DIGITS = {letter: value for value, letter in enumerate(_ALPHABET)}
# The bits of a byte in reverse, and of a base64 digit: low end first is the standard order of the
# mirrored bytes, so that the fast standard coder does both.
_MIRROR_BYTE = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
_MIRROR_DIGIT = bytes.maketrans(
    _ALPHABET, bytes(_ALPHABET[int(f"{value:06b}"[::-1], 2)] for value in range(64))
)


_BYTE_ARRAY = b"2"  # the type of a line


class Base64(Enum):
    """How a text's byte arrays are encoded."""

    LOW_BITS_FIRST = "low bits first"
    STANDARD = "standard"


def decode_base64(encoded: bytes, kind: Base64) -> bytes:
    """The bytes of ``encoded``; raises ValueError when it is not base64 of that kind."""
    if kind is Base64.STANDARD:
        return base64.b64decode(encoded, validate=True)
    if len(encoded) % 4 == 1 or not _DIGITS.keys() >= set(encoded):
        raise ValueError("not base64")
    padding = b"A" * (-len(encoded) % 4)
    decoded = base64.b64decode(encoded.translate(_MIRROR_DIGIT) + padding)
    return decoded.translate(_MIRROR_BYTE)[: len(encoded) * 6 // 8]


def encode_base64(data: bytes, kind: Base64) -> bytes:
    """``data`` as base64 of that kind."""
    if kind is Base64.STANDARD:
        return base64.b64encode(data)
    encoded = base64.b64encode(data.translate(_MIRROR_BYTE)).translate(_MIRROR_DIGIT)
    # Padding is not part of the alphabet, and so is what it was.
    return encoded.rstrip(b"=")


def parse_property_text(data: bytes, source: str, base: int = 0) -> list[RawSet]:
    """The sets in the text ``data``, which lies at byte ``base`` of the file ``source``.

    Raises SyclError for a line that is neither a set's name nor a property.
    """
    kind = _kind_of(data)
    sets: list[tuple[str, list[RawProperty]]] = []
    for offset, line in _lines(data, base):
        name = _set_name(line)
        if name is not None:
            sets.append((name, []))
        elif not sets:
            raise SyclError(
                source,
                "a property of no set",
                offset,
                expected="[set name] before the first property",
            )
        else:
            sets[-1][1].append(_parse_line(line, kind, sets[-1][0], source, offset))
    return [RawSet(name, properties) for name, properties in sets]


def _lines(data: bytes, base: int) -> Iterator[tuple[int, bytes]]:
    """Each line that is not empty, with its offset, of which the first is ``base``; one at a time
    is kept."""
    position = 0
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[position:end]
        if line and line != b"\0":
            yield base + position, line
        position = end + 1


def _set_name(line: bytes) -> str | None:
    """The name of the set that begins with ``line``; None for a property."""
    if line.startswith(b"[") and line.endswith(b"]"):
        return line[1:-1].decode("utf-8", "replace")
    return None


def property_text(sets: Sequence[RawSet], kind: Base64 = Base64.LOW_BITS_FIRST) -> bytes:
    """``sets`` in text form."""
    lines: list[bytes] = []
    for raw_set in sets:
        lines.append(b"[%s]" % raw_set.name.encode())
        for raw in raw_set.properties:
            value = (
                b"%d" % raw.integer
                if raw.type == PropertyType.UINT32
                else encode_base64(raw.stored, kind)
            )
            lines.append(b"%s=%d|%s" % (raw.name.encode(), raw.type, value))
    return b"".join(line + b"\n" for line in lines)


def _parse_line(line: bytes, kind: Base64, set_name: str, source: str, offset: int) -> RawProperty:
    key, equals, rest = line.partition(b"=")
    type_, bar, value = rest.partition(b"|")
    if not (equals and bar):
        raise SyclError(source, f"found {_shown(line)}", offset, expected="key=type|value")
    name = key.decode("utf-8", "replace")
    if type_ == _BYTE_ARRAY:
        try:
            stored = decode_base64(value, kind)
        except (ValueError, binascii.Error):
            problem = f"[{set_name}] {name}: found {_shown(value)}"
            raise SyclError(source, problem, offset, expected="base64") from None
        return RawProperty(name, PropertyType.BYTE_ARRAY, len(stored), stored, offset)
    if type_ != b"1":
        raise SyclError(source, f"found {_shown(type_)}", offset, expected="type 1 or 2")
    if not (value.isdigit() and len(value) <= 10 and int(value) < 1 << 32):
        raise SyclError(source, f"found {_shown(value)}", offset, expected="a 32-bit integer")
    return RawProperty(name, PropertyType.UINT32, int(value), b"", offset)


def _kind_of(data: bytes) -> Base64:
    """The kind of base64 in which more byte arrays of a text have the length that they say."""
    fitting = dict.fromkeys(Base64, 0)
    for _, line in _lines(data, 0):
        type_, _, value = line.partition(b"=")[2].partition(b"|")
        if type_ == _BYTE_ARRAY and _set_name(line) is None:
            for kind in fitting:
                fitting[kind] += _fits(value, kind)
    return max(fitting, key=fitting.__getitem__)  # on a tie the first, which is DPC++'s


def _fits(encoded: bytes, kind: Base64) -> bool:
    try:
        payload_bits(RawProperty("", PropertyType.BYTE_ARRAY, 0, decode_base64(encoded, kind), 0))
    except (ValueError, binascii.Error, PropertyError):
        return False
    return True


def _shown(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return repr(text if len(text) <= 40 else text[:40] + "...")
