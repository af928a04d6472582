"""Detects the format of device code, so that the error for a wrong file says what it is."""

from __future__ import annotations

from enum import Enum

IDENTIFYING_BYTES = 28  # at the beginning: identify looks at no more
EM_INTELGT = 205
EM_X86_64 = 62
EM_INTEL_GEN = 182  # the kernels inside patch-token debug data
ELF_MAGIC = b"\x7fELF"
PATCH_TOKEN_MAGIC = b"CTNI"
ARCHIVE_MAGIC = b"!<arch>\n"
SPIRV_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")  # little-endian, big-endian
_PATCH_TOKEN_PROGRAM = 0xFF04  # e_type
_ELF_HEADER_SIZES = {1: 52, 2: 64}  # bytes, by ELF class


class FileFormat(Enum):
    """What a file with device code is, in words for the user."""

    ZEBIN = "native module (zebin)"
    PATCH_TOKENS = "patch-token binary"
    PATCH_TOKEN_PROGRAM = "patch-token program (ELF)"
    PATCH_TOKEN_DEBUG = "patch-token debug data (.dbg)"
    GEN_ELF = "kernel of patch-token debug data"
    FAT_BINARY = "fat binary"
    SPIRV = "SPIR-V"
    BITCODE = "LLVM bitcode"
    ZSTD = "Zstandard frame"
    OFFLOAD_BINARY = "offload binary"
    SYCLBIN = "SYCLBIN"
    X86_64 = "x86-64 code"
    OTHER_ELF = "ELF file of another machine"
    UNKNOWN = "unknown"


_MAGICS: tuple[tuple[bytes, FileFormat], ...] = (
    (ARCHIVE_MAGIC, FileFormat.FAT_BINARY),
    *((magic, FileFormat.SPIRV) for magic in SPIRV_MAGICS),
    (b"\x28\xb5\x2f\xfd", FileFormat.ZSTD),
    (b"\x10\xff\x10\xad", FileFormat.OFFLOAD_BINARY),
    (b"IBYS", FileFormat.SYCLBIN),
    (b"BC\xc0\xde", FileFormat.BITCODE),
    (b"\xde\xc0\x17\x0b", FileFormat.BITCODE),
)

_MACHINES = {
    EM_INTELGT: FileFormat.ZEBIN,
    EM_INTEL_GEN: FileFormat.GEN_ELF,
    EM_X86_64: FileFormat.X86_64,
}

_RECOMPILE = "recompile with -cl-intel-allow-zebin, or with a newer ocloc"
_COMPILE = "the driver compiles it when a program loads it; ocloc makes a native module of it"

#: What each format is, and what to do when a native module was wanted.
ADVICE: dict[FileFormat, str] = {
    FileFormat.PATCH_TOKENS: f"a patch-token binary, older than zebin: {_RECOMPILE}",
    FileFormat.PATCH_TOKEN_PROGRAM: f"a patch-token binary, older than zebin: {_RECOMPILE}",
    FileFormat.PATCH_TOKEN_DEBUG: "the debug data (.dbg) of a patch-token binary, which has one "
    f"ELF file for each kernel: {_RECOMPILE}",
    FileFormat.GEN_ELF: f"the debug data of a patch-token binary (machine {EM_INTEL_GEN})",
    FileFormat.FAT_BINARY: "a fat binary: choose the member for one device",
    FileFormat.SPIRV: f"SPIR-V: {_COMPILE}",
    FileFormat.BITCODE: f"LLVM bitcode: {_COMPILE}",
    FileFormat.ZSTD: "a Zstandard archive, probably of SPIR-V: decompress it first (zstd -d)",
    FileFormat.OFFLOAD_BINARY: "an offload binary: extract the device image first",
    FileFormat.SYCLBIN: "a SYCLBIN file: extract the device image first",
}


def identify(data: bytes) -> FileFormat:
    """What ``data`` is, from how it begins; damage further on shows when it is read."""
    for magic, format_ in _MAGICS:
        if data.startswith(magic):
            return format_
    if data.startswith(PATCH_TOKEN_MAGIC):
        return _patch_token_kind(data)
    if not data.startswith(ELF_MAGIC) or len(data) < 20:
        return FileFormat.UNKNOWN
    if int.from_bytes(data[16:18], "little") == _PATCH_TOKEN_PROGRAM:
        return FileFormat.PATCH_TOKEN_PROGRAM
    return _MACHINES.get(int.from_bytes(data[18:20], "little"), FileFormat.OTHER_ELF)


def _patch_token_kind(data: bytes) -> FileFormat:
    """Debug data and kernels share a magic; only debug data has 0 where the core family stands."""
    if len(data) >= IDENTIFYING_BYTES and not any(data[8:12]):
        return FileFormat.PATCH_TOKEN_DEBUG
    return FileFormat.PATCH_TOKENS


def not_zebin_reason(data: bytes) -> str | None:
    """Why ``data`` cannot be a zebin, in words for the user; None when it may be one."""
    format_ = identify(data)
    if format_ in ADVICE:
        return f"not a native module but {ADVICE[format_]}"
    if not data.startswith(ELF_MAGIC):
        return "not a native module: it does not start with the ELF magic"
    needed = _ELF_HEADER_SIZES.get(data[4] if len(data) > 4 else 2)
    if needed is None or (len(data) > 5 and data[5] != 1):
        return "not a native module: it is not a little-endian ELF file of 32 or 64 bit"
    if len(data) < needed:
        return f"truncated: {len(data)} bytes do not hold an ELF header"
    if format_ is FileFormat.X86_64:
        return "not a native module but x86-64 code: zedbg inspect shows the device images in it"
    if format_ is not FileFormat.ZEBIN:
        machine = int.from_bytes(data[18:20], "little")
        return f"not a native module: ELF machine {machine} where {EM_INTELGT} is Intel's GPU"
    return None
