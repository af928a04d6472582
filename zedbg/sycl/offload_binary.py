"""LLVM's offload binaries: device images with a map of strings each, several in one file.

Compilers put them into the section `.llvm.offloading` of object files. Versions: 1 holds one image;
2 holds several, and strings of any bytes; 3 may be compressed after its header. Source: the
format as LLVM's documentation of `llvm-offload-binary` and its headers describe it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag

from zedbg.sycl import compression
from zedbg.sycl.byte_reader import ByteReader

_MAGIC = b"\x10\xff\x10\xad"
# Magic, version, size of this binary, offset of its entries; their size (version 1) or number.
_HEADER = struct.Struct("<4sIQQQ")
_INFLATED_SIZE = struct.Struct("<Q")  # after the header, from version 3
_ENTRY = struct.Struct("<HHIQQQQ")
_STRING_1 = struct.Struct("<QQ")  # offsets of key and value
_STRING_2 = struct.Struct("<QQQ")  # and the value's size
_LATEST = 3
_ALIGNMENT = 8
_MAXIMUM_STRING = 1 << 16  # bytes


class OffloadKind(IntFlag):
    """What model of offloading an image belongs to."""

    NONE = 0
    OPENMP = 1
    CUDA = 2
    HIP = 4
    SYCL = 8


@dataclass(frozen=True)
class OffloadEntry:
    """One image with what its producer says of it."""

    version: int  # of the binary that it is in
    image_kind: int  # the producer's enumeration: 1 object, 2 bitcode, 5 PTX, 6 SPIR-V, ...
    offload_kind: OffloadKind
    strings: Mapping[str, str]  # such as triple and arch
    image: ByteReader


def offload_entries(reader: ByteReader) -> list[OffloadEntry]:
    """The images of all the binaries that ``reader`` holds one after the other.

    Raises SyclError when one of them is damaged or newer than this reader.
    """
    entries: list[OffloadEntry] = []
    position = 0
    while position < len(reader.data):
        size = reader.unpack(_HEADER, position, "header of an offload binary")[2]
        entries += _entries(reader.reader(position, size, "offload binary"))
        position += size + -size % _ALIGNMENT
    return entries


def _entries(binary: ByteReader) -> Iterator[OffloadEntry]:
    fields = _HEADER.unpack(binary.part(0, _HEADER.size, "header of an offload binary"))
    magic, version, _size, table, count = fields
    if magic != _MAGIC:
        raise binary.error(f"found {magic.hex()}", 0, f"the magic {_MAGIC.hex()}")
    if not 1 <= version <= _LATEST:
        raise binary.error(f"offload binary of version {version}", 4, f"1 to {_LATEST}")
    if version >= _LATEST:
        inflated = binary.unpack(_INFLATED_SIZE, _HEADER.size, "size of an offload binary")[0]
        if inflated:
            binary = _inflated(binary, table, inflated)
    if version == 1:
        count = 1
    if table + count * _ENTRY.size > len(binary.data):
        raise binary.error(
            f"truncated: {count} entries at {table:#x} do not fit",
            24,
            f"an end within {len(binary.data):#x} bytes",
        )
    for index in range(count):
        yield _entry(binary, table + index * _ENTRY.size, version)


def _entry(binary: ByteReader, offset: int, version: int) -> OffloadEntry:
    image_kind, offload_kind, _flags, strings, string_count, image, size = binary.unpack(
        _ENTRY, offset, "entry of an offload binary"
    )
    layout = _STRING_1 if version == 1 else _STRING_2
    binary.part(strings, string_count * layout.size, "strings of an offload binary")
    return OffloadEntry(
        version,
        image_kind,
        OffloadKind(offload_kind),
        dict(_string(binary, layout, strings + i * layout.size) for i in range(string_count)),
        binary.reader(image, size, "image of an offload binary"),
    )


def _string(binary: ByteReader, layout: struct.Struct, offset: int) -> tuple[str, str]:
    fields = binary.unpack(layout, offset, "string of an offload binary")
    key = binary.text(fields[0], _MAXIMUM_STRING, "key of a string")
    if layout is _STRING_1:
        return key, binary.text(fields[1], _MAXIMUM_STRING, f"value of {key}")
    if fields[2] > _MAXIMUM_STRING:
        raise binary.error(
            f"value of {key}: {fields[2]} bytes", offset, f"at most {_MAXIMUM_STRING}"
        )
    binary.budget.spend(fields[2], binary.base + offset)
    value = binary.part(fields[1], fields[2], f"value of {key}")
    return key, bytes(value).decode("utf-8", "replace")


def _inflated(binary: ByteReader, header_size: int, size: int) -> ByteReader:
    """The binary as it was before everything after its header was compressed."""
    compressed = binary.part(header_size, len(binary.data) - header_size, "compressed images")
    bound = compression.size_bound(len(binary.data))
    if not header_size <= size <= bound + header_size:
        raise binary.error(
            f"declares {size} decompressed bytes",
            _HEADER.size,
            f"{header_size} to {bound + header_size}",
        )
    if compression.is_compressed(compressed):
        body = compression.decompress(compressed, bound, binary.source, binary.base + header_size)
    else:
        body = _zlib_inflated(binary, compressed, header_size, size - header_size)
    if header_size + len(body) != size:
        raise binary.error(
            f"decompresses to {header_size + len(body)} bytes",
            _HEADER.size,
            f"the {size} that it declares",
        )
    whole = bytes(binary.data[:header_size]) + body
    return ByteReader.whole(whole, f"{binary.source} (decompressed)")


def _zlib_inflated(binary: ByteReader, compressed: memoryview, offset: int, size: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(compressed, size + 1)
    except zlib.error as error:
        raise binary.error(f"zlib stream: {error}", offset, "a sound one") from error
