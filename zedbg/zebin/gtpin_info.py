"""``.gtpin_info``: what the compiler records of a kernel for the instrumentation tool GTPin.

A block of the interface between the compiler and GTPin (versions 0 to 5): what was asked for, then
items, each with its number, its size in bytes, and its fields. All numbers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from zedbg.zebin.file_errors import ZebinError

_WORD = struct.Struct("<I")
_ITEM = struct.Struct("<II")  # number; size with these two words
_RANGE = struct.Struct("<HH")  # first byte, bytes
_INDIRECT_RANGE = struct.Struct("<IHH")  # instruction offset, first byte, bytes
_FREE_BEGIN, _FREE_END = 0xDEADD00D, 0xDEADBEEF
# Bytes of what was asked for, by version: then comes the number of items.
_REQUEST_SIZES = {0: 8, 1: 12, 2: 12}
_NEWEST_REQUEST_SIZE = 16
_SCRATCH_IN_WORDS_SINCE = 3  # before, the size of the scratch area is one byte


class ItemKind(IntEnum):
    """The items that are known."""

    FREE_REGISTERS = 0
    SCRATCH_AREA = 1  # since version 1
    KERNEL_START = 2  # since version 2
    GRF_COUNT = 3  # since version 4
    INDIRECT_ACCESSES = 4  # since version 5


@dataclass(frozen=True)
class RegisterBytes:
    """Consecutive bytes of the register file, counted from the first of r0."""

    start: int
    size: int


@dataclass(frozen=True)
class IndirectAccess:
    """Register bytes that the instruction at ``offset`` bytes of the kernel may address."""

    offset: int
    bytes: RegisterBytes


@dataclass(frozen=True)
class GtpinInfo:
    """What one block says; None where it has no such item. Sizes and offsets are bytes."""

    version: int
    free_data: bytes | None = None  # the array of what is unused
    scratch_offset: int | None = None
    scratch_size: int | None = None
    per_thread_prolog_size: int | None = None
    cross_thread_prolog_size: int | None = None
    grf_count: int | None = None
    indirect_data: bytes | None = None  # the array of indirect accesses
    unknown: tuple[tuple[int, bytes], ...] = ()  # number and content of other items

    # Made one by one: objects for all would take many times the file.

    @property
    def free_registers(self) -> Iterator[RegisterBytes]:
        """The bytes that the kernel does not use."""
        return (RegisterBytes(*entry) for entry in _RANGE.iter_unpack(self.free_data or b""))

    @property
    def indirect_accesses(self) -> Iterator[IndirectAccess]:
        """What instructions address indirectly, in the order of the file."""
        for offset, start, size in _INDIRECT_RANGE.iter_unpack(self.indirect_data or b""):
            yield IndirectAccess(offset, RegisterBytes(start, size))


def read_gtpin_info(data: bytes, name: str) -> GtpinInfo:
    """Reads a block, which errors call ``name``; raises ZebinError, with the byte, at damage."""
    version = _word(data, 0, name)
    info = GtpinInfo(version)
    unknown: list[tuple[int, bytes]] = []
    for number, content, at in _items(data, version, name):
        if number == ItemKind.FREE_REGISTERS:
            info = replace(info, free_data=_free_data(content, at, name))
        elif number == ItemKind.SCRATCH_AREA:
            size = _word(content, 4, name, at)
            info = replace(
                info,
                scratch_offset=_word(content, 0, name, at),
                scratch_size=size if version >= _SCRATCH_IN_WORDS_SINCE else size & 0xFF,
            )
        elif number == ItemKind.KERNEL_START:
            info = replace(
                info,
                per_thread_prolog_size=_word(content, 0, name, at),
                cross_thread_prolog_size=_word(content, 4, name, at),
            )
        elif number == ItemKind.GRF_COUNT:
            info = replace(info, grf_count=_word(content, 0, name, at))
        elif number == ItemKind.INDIRECT_ACCESSES:
            indirect = _entries(content, 0, _INDIRECT_RANGE, at, name)
            info = replace(info, indirect_data=indirect)
        else:
            unknown.append((number, content))
    return replace(info, unknown=tuple(unknown))


def _items(data: bytes, version: int, name: str) -> Iterator[tuple[int, bytes, int]]:
    """Number, content and the content's first byte of each item."""
    at = _REQUEST_SIZES.get(version, _NEWEST_REQUEST_SIZE)
    count = _word(data, at, name)
    at += _WORD.size
    for _ in range(count):
        if at + _ITEM.size > len(data):
            raise ZebinError(name, "cut off", at, expected=f"{count} items")
        number, size = _ITEM.unpack_from(data, at)
        if not _ITEM.size <= size <= len(data) - at:
            raise ZebinError(
                name,
                f"item {number} has no such size as {size}",
                at,
                expected=f"{_ITEM.size} to {len(data) - at} bytes",
            )
        yield number, data[at + _ITEM.size : at + size], at + _ITEM.size
        at += size


def _free_data(content: bytes, at: int, name: str) -> bytes:
    if _word(content, 0, name, at) != _FREE_BEGIN:
        raise ZebinError(name, "free registers do not begin", at, expected=f"{_FREE_BEGIN:#x}")
    entries = _entries(content, 4, _RANGE, at, name)
    end = 8 + len(entries)
    if _word(content, end, name, at) != _FREE_END:
        raise ZebinError(name, "free registers do not end", at + end, expected=f"{_FREE_END:#x}")
    return entries


def _entries(content: bytes, count_at: int, entry: struct.Struct, at: int, name: str) -> bytes:
    """The array after its number of entries at ``count_at`` of an item."""
    count = _word(content, count_at, name, at)
    start = count_at + _WORD.size
    if start + count * entry.size > len(content):
        raise ZebinError(
            name,
            f"an item of {len(content)} bytes is too short for its {count} entries",
            at + count_at,
            expected=f"{start + count * entry.size} bytes",
        )
    return content[start : start + count * entry.size]


def _word(data: bytes, at: int, name: str, base: int = 0) -> int:
    if at + _WORD.size > len(data):
        raise ZebinError(name, "cut off", base + at, expected="a 32-bit number")
    (value,) = _WORD.unpack_from(data, at)
    return int(value)
