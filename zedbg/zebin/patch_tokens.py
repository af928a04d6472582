"""What can be told of patch-token binaries, the format before zebin: the kernels that they hold.

Their debug data (a ``.dbg`` file beside the binary) has one ELF file with DWARF for each kernel.
Layouts are those that ocloc of Debian 12 (22.43) writes; sizes and offsets are bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.zebin.errors import ZebinError
from zedbg.zebin.formats import PATCH_TOKEN_MAGIC, FileFormat, identify

_PROGRAM = struct.Struct("<4s6I")  # magic, version, core, pointer size, kernels, stepping, patches
_KERNEL = struct.Struct("<IQ7I")  # checksum, hash, name, patches, four heaps, unpadded size
_DEBUG_PROGRAM = struct.Struct("<4s6I")  # magic, version, -, core, stepping, -, kernels
_DEBUG_KERNEL = struct.Struct("<III")  # bytes of the padded name, and of two kinds of debug data
_ELF_SECTION = struct.Struct("<IIQQQQ")  # of an ELF64 section header: up to sh_size
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


def read_patch_tokens(data: bytes, name: str) -> PatchTokenProgram:
    """The kernels of a patch-token binary: its ELF program, bare tokens, or its debug data.

    Raises ZebinError, which calls the file ``name``, when it is damaged or none of these.
    """
    format_ = identify(data)
    try:
        if format_ is FileFormat.PATCH_TOKEN_DEBUG:
            return _debug_data(data)
        if format_ is FileFormat.PATCH_TOKEN_PROGRAM:
            return _program(data, _device_binary(data, name))
        if format_ is FileFormat.PATCH_TOKENS:
            return _program(data, 0)
    except (struct.error, ValueError) as error:
        raise ZebinError(name, f"damaged patch-token binary ({error})") from error
    raise ZebinError(name, f"not a patch-token binary but: {format_.value}")


def _device_binary(data: bytes, name: str) -> int:
    """Where the tokens of an ELF program start."""
    table = struct.unpack_from("<Q", data, 0x28)[0]
    entry_size, count = struct.unpack_from("<HH", data, 0x3A)
    for index in range(count):
        header = _ELF_SECTION.unpack_from(data, table + index * entry_size)
        if header[1] == _DEVICE_BINARY:
            return int(header[4])
    raise ZebinError(name, "a patch-token program without a device binary")


def _program(data: bytes, start: int) -> PatchTokenProgram:
    magic, version, core, pointer, count, _stepping, patches = _PROGRAM.unpack_from(data, start)
    if magic != PATCH_TOKEN_MAGIC:
        raise ValueError(f"no tokens at byte {start:#x}")
    kernels = tuple(_kernels(data, start + _PROGRAM.size + patches, count))
    return PatchTokenProgram(version, core, pointer, kernels)


def _kernels(data: bytes, position: int, count: int) -> Iterator[PatchTokenKernel]:
    for _ in range(count):
        header = _KERNEL.unpack_from(data, position)
        name_size, patches, *heaps, code = header[2:]
        name_at = position + _KERNEL.size
        position = name_at + name_size + sum(heaps) + patches
        if position > len(data):
            raise ValueError(f"the kernel at byte {name_at - _KERNEL.size:#x} is cut off")
        name = data[name_at : name_at + name_size].split(b"\0")[0]
        yield PatchTokenKernel(name.decode("utf-8", "replace"), name_at + name_size, code)


def _debug_data(data: bytes) -> PatchTokenProgram:
    _magic, version, _, core, _, _, count = _DEBUG_PROGRAM.unpack_from(data)
    kernels = []
    position = _DEBUG_PROGRAM.size
    for _ in range(count):
        name_size, *sizes = _DEBUG_KERNEL.unpack_from(data, position)
        name_at = position + _DEBUG_KERNEL.size
        start = name_at + name_size
        if start + sum(sizes) > len(data):
            raise ValueError(f"the kernel at byte {position:#x} is cut off")
        kernel_name = data[name_at:start].split(b"\0")[0].decode("utf-8", "replace")
        kernels.append(PatchTokenKernel(kernel_name, start, sum(sizes)))
        position = start + sum(sizes)
    return PatchTokenProgram(version, core, None, tuple(kernels))
