"""What the bytes of a device image are, by how they begin."""

from __future__ import annotations

from enum import Enum, IntEnum

_EM_INTELGT = 205
_EM_X86_64 = 62
_PATCH_TOKEN_PROGRAM = 0xFF04  # e_type


class ImageFormat(Enum):
    """A format of device code, or a container of it."""

    SPIRV = "SPIR-V"
    ZEBIN = "zebin"
    LLVM_BITCODE = "LLVM bitcode"
    OFFLOAD_BINARY = "offload binary"
    SYCLBIN = "SYCLBIN"
    FAT_BINARY = "fat binary"
    PATCH_TOKENS = "patch-token binary"
    X86_64 = "x86-64 code"
    ELF = "other ELF file"
    ZSTD = "Zstandard frame"
    UNKNOWN = "unknown"


class DeclaredFormat(IntEnum):
    """What the host program's structure calls the image; most compilers leave it at NONE."""

    NONE = 0
    NATIVE = 1
    SPIRV = 2
    LLVM_BITCODE = 3
    COMPRESSED = 4


_MAGICS: tuple[tuple[bytes, ImageFormat], ...] = (
    (b"\x03\x02\x23\x07", ImageFormat.SPIRV),
    (b"\x07\x23\x02\x03", ImageFormat.SPIRV),  # big-endian
    (b"BC\xc0\xde", ImageFormat.LLVM_BITCODE),
    (b"\xde\xc0\x17\x0b", ImageFormat.LLVM_BITCODE),  # with a wrapper
    (b"\x10\xff\x10\xad", ImageFormat.OFFLOAD_BINARY),
    (b"IBYS", ImageFormat.SYCLBIN),  # 0x53594249, little-endian
    (b"!<arch>\n", ImageFormat.FAT_BINARY),
    (b"CTNI", ImageFormat.PATCH_TOKENS),
    (b"\x28\xb5\x2f\xfd", ImageFormat.ZSTD),
)
MAGIC_SIZE = 20  # bytes that image_format looks at


def image_format(start: bytes) -> ImageFormat:
    """The format of device code that begins with ``start``, of MAGIC_SIZE bytes if there are."""
    for magic, kind in _MAGICS:
        if start.startswith(magic):
            return kind
    if start.startswith(b"\x7fELF") and len(start) >= MAGIC_SIZE:
        elf_type = int.from_bytes(start[16:18], "little")
        machine = int.from_bytes(start[18:20], "little")
        if elf_type == _PATCH_TOKEN_PROGRAM:
            return ImageFormat.PATCH_TOKENS
        return {_EM_INTELGT: ImageFormat.ZEBIN, _EM_X86_64: ImageFormat.X86_64}.get(
            machine, ImageFormat.ELF
        )
    return ImageFormat.UNKNOWN
