"""Telling apart the formats that device code comes in, so that a wrong file gets a useful word."""

from __future__ import annotations

EM_INTELGT = 205
_EM_INTEL_GEN = 182
_ELF_MAGIC = b"\x7fELF"
_PATCH_TOKEN_PROGRAM = 0xFF04

# What a file starts with, and what to say of it.
_OTHER_FORMATS: tuple[tuple[bytes, str], ...] = (
    (b"!<arch>\n", "a fat binary: extract the member for one device first (ocloc, or ar x)"),
    (b"CTNI", "a patch-token binary, older than zebin: recompile with -cl-intel-allow-zebin"),
    (b"\x03\x02\x23\x07", "SPIR-V, which the driver compiles: use a native module (ocloc)"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive, probably SPIR-V: use a native module (ocloc)"),
    (b"\x10\xff\x10\xad", "an offload binary: extract the device image first"),
    (b"BC\xc0\xde", "LLVM bitcode: use a native module (ocloc)"),
    (b"\xde\xc0\x17\x0b", "LLVM bitcode: use a native module (ocloc)"),
)


def not_zebin_reason(data: bytes) -> str | None:
    """Why ``data`` cannot be a zebin, in words for the user; None when it may be one."""
    for magic, what in _OTHER_FORMATS:
        if data.startswith(magic):
            return f"not a native module but {what}"
    if not data.startswith(_ELF_MAGIC):
        return "not a native module: it does not start with the ELF magic"
    if len(data) < 64:
        return f"truncated: {len(data)} bytes do not hold an ELF header"
    if data[4] != 2 or data[5] != 1:
        return "not a native module: it is not a little-endian 64-bit ELF file"
    elf_type = int.from_bytes(data[16:18], "little")
    machine = int.from_bytes(data[18:20], "little")
    if elf_type == _PATCH_TOKEN_PROGRAM:
        return f"not a native module but {_OTHER_FORMATS[1][1]}"
    if machine == _EM_INTEL_GEN:
        return "not a native module but the debug data of a patch-token binary (machine 182)"
    if machine != EM_INTELGT:
        return f"not a native module: ELF machine {machine} where {EM_INTELGT} is Intel's GPU"
    return None
