"""What is read of patch-token binaries, the format before zebin: the kernels that they hold.

Their debug data (a ``.dbg`` file beside the binary) has one ELF file with DWARF for each kernel.
Layouts are those that ocloc of Debian 12 (22.43) writes; sizes and offsets are bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zedbg.zebin.file_errors import OtherFormatError, ZebinError
from zedbg.zebin.formats import PATCH_TOKEN_MAGIC, FileFormat, identify

_PROGRAM = struct.Struct("<4s6I")  # magic, version, core, pointer size, kernels, stepping, patches
_KERNEL = struct.Struct("<IQ7I")  # checksum, hash, name, patches, four heaps, unpadded size
_DEBUG_PROGRAM = struct.Struct("<4s6I")  # magic, version, -, core, stepping, -, kernels
_DEBUG_KERNEL = struct.Struct("<III")  # bytes of the padded name, and of two kinds of debug data
_ELF_SECTION = struct.Struct("<IIQQQQ")  # of an ELF64 section header: up to sh_size
_ELF_TABLE = struct.Struct("<Q")  # e_shoff
_ELF_COUNTS = struct.Struct("<HH")  # e_shentsize, e_shnum
_DEVICE_BINARY = 0xFF000005  # section type


@dataclass(frozen=True)
class PatchTokenKernel:
    """A kernel; ``size`` is its code, or in debug data its ELF file at ``offset`` of the file."""

    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class PatchTokenProgram:
    """A patch-token binary, or its debug data."""

    version: int
    core_family: int
    pointer_size: int | None  # None in debug data, which does not say
    kernels: tuple[PatchTokenKernel, ...]


@dataclass(frozen=True)
class _File:
    """The file, whose structures may lie beyond its end."""

    data: bytes
    name: str

    def fields(self, layout: struct.Struct, offset: int, what: str) -> tuple[Any, ...]:
        """The fields of the structure at ``offset``, which errors call ``what``."""
        return layout.unpack(self.bytes_at(offset, layout.size, what))

    def bytes_at(self, offset: int, size: int, what: str) -> bytes:
        """``size`` bytes at ``offset``; raises ZebinError when the file ends before."""
        found = self.data[offset : offset + size]
        if len(found) < size:
            raise ZebinError(
                self.name,
                f"{what} is cut off",
                offset,
                expected=f"{size} bytes, there are {len(found)}",
                part=FileFormat.PATCH_TOKENS.value,
            )
        return found


def read_patch_tokens(data: bytes, name: str) -> PatchTokenProgram:
    """The kernels of a patch-token binary: its ELF program, bare tokens, or its debug data.

    Raises ZebinError, which calls the file ``name``, when it is damaged or none of these.
    Raises OtherFormatError.
    """
    format_ = identify(data)
    file = _File(data, name)
    if format_ is FileFormat.PATCH_TOKEN_DEBUG:
        return _debug_data(file)
    if format_ is FileFormat.PATCH_TOKEN_PROGRAM:
        return _program(file, _device_binary(file))
    if format_ is FileFormat.PATCH_TOKENS:
        return _program(file, 0)
    raise OtherFormatError(name, f"not a patch-token binary but: {format_.value}")


def _device_binary(file: _File) -> int:
    """Where the tokens of an ELF program start."""
    (table,) = file.fields(_ELF_TABLE, 0x28, "the ELF header")
    entry_size, count = file.fields(_ELF_COUNTS, 0x3A, "the ELF header")
    for index in range(count):
        header = file.fields(_ELF_SECTION, table + index * entry_size, "a section header")
        if header[1] == _DEVICE_BINARY:
            return int(header[4])
    raise ZebinError(
        file.name,
        "a patch-token program without a device binary",
        table,
        expected=f"a section of type {_DEVICE_BINARY:#x}",
    )


def _program(file: _File, start: int) -> PatchTokenProgram:
    header = file.fields(_PROGRAM, start, "the program")
    magic, version, core, pointer, count, _stepping, patches = header
    if magic != PATCH_TOKEN_MAGIC:
        raise ZebinError(
            file.name,
            f"found {magic.hex()}",
            start,
            expected=f"the magic {PATCH_TOKEN_MAGIC.hex()}",
            part=FileFormat.PATCH_TOKENS.value,
        )
    kernels = tuple(_kernels(file, start + _PROGRAM.size + patches, count))
    return PatchTokenProgram(version, core, pointer, kernels)


def _kernels(file: _File, position: int, count: int) -> Iterator[PatchTokenKernel]:
    for index in range(count):
        what = f"kernel {index} of {count}"
        name_size, patches, *heaps, code = file.fields(_KERNEL, position, what)[2:]
        name_at = position + _KERNEL.size
        size = name_size + sum(heaps) + patches
        name = file.bytes_at(name_at, size, what)[:name_size].split(b"\0")[0]
        yield PatchTokenKernel(name.decode("utf-8", "replace"), name_at + name_size, code)
        position = name_at + size


def _debug_data(file: _File) -> PatchTokenProgram:
    header = file.fields(_DEBUG_PROGRAM, 0, "the program")
    _magic, version, _, core, _, _, count = header
    kernels = []
    position = _DEBUG_PROGRAM.size
    for index in range(count):
        what = f"kernel {index} of {count}"
        name_size, *sizes = file.fields(_DEBUG_KERNEL, position, what)
        name_at = position + _DEBUG_KERNEL.size
        size = name_size + sum(sizes)
        name = file.bytes_at(name_at, size, what)[:name_size].split(b"\0")[0]
        found = PatchTokenKernel(name.decode("utf-8", "replace"), name_at + name_size, sum(sizes))
        kernels.append(found)
        position = name_at + size
    return PatchTokenProgram(version, core, None, tuple(kernels))
