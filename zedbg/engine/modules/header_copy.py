"""Where a kernel keeps the header that its threads begin with, once it uses r0 for something else.

The compiler may do that near a kernel's end, when nothing but the message that ends the thread
needs the header any more: it copies it for that message first.
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.xe.decoding import decode
from zedbg.xe.disassembly import instruction_length
from zedbg.xe.instruction import COMPACT_LENGTH, NATIVE_LENGTH, Decoded, Operand, RegisterFile
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

# Where an instruction has the number of its destination's register: bits 63:56; a compacted one
# bits 39:32, for Xe-HPG 23:16.
_DESTINATION_BYTE = 7
_COMPACT_DESTINATION_BYTE = {Platform.XE_HPG: 2, Platform.XE_HPC: 4, Platform.XE2: 4}
_OPCODE_BITS, _SENDS = 0x7F, (0x31, 0x32)
_HEADER_LANES = 8  # dwords


@dataclass(frozen=True)
class HeaderCopy:
    """The instruction at ``offset`` (bytes) copies r0, which is overwritten later, to ``register``:
    after it the header is there."""

    offset: int
    register: int


def copy_of_header(code: bytes, platform: Platform) -> HeaderCopy | None:
    """Where the kernel that ``code`` begins with copies the header before it overwrites r0; None
    where r0 keeps it."""
    starts = _starts(code, platform)
    overwritten = next((at for at in starts if _writes_header(code, at, platform)), None)
    if overwritten is None:
        return None
    kept_in = {
        source.register_number
        for at in starts
        if code[at] & _OPCODE_BITS in _SENDS
        and (ending := decode(platform, code[at : at + NATIVE_LENGTH])).is_end_of_thread
        for source in ending.sources[:1]
    }
    for at in reversed(starts):
        if at < overwritten:
            copied = decode(platform, code[at : at + NATIVE_LENGTH])
            if _copies_header(copied) and copied.destination is not None:
                register = copied.destination.register_number
                if register in kept_in:
                    return HeaderCopy(at, register)
    return None


def _starts(code: bytes, platform: Platform) -> list[int]:
    """Offsets of the instructions."""
    found, offset = [], 0
    while offset + COMPACT_LENGTH <= len(code):
        found.append(offset)
        offset += instruction_length(code[offset : offset + NATIVE_LENGTH], platform)
    return found


def _writes_header(code: bytes, at: int, platform: Platform) -> bool:
    size = instruction_length(code[at : at + NATIVE_LENGTH], platform)
    # Most instructions write elsewhere: those need no decoding.
    is_compact = size == COMPACT_LENGTH
    if code[at + (_COMPACT_DESTINATION_BYTE[platform] if is_compact else _DESTINATION_BYTE)] != 0:
        return False
    destination = decode(platform, code[at : at + size]).destination
    return destination is not None and not destination.indirect and _is_header(destination)


def _copies_header(instruction: Decoded) -> bool:
    return (
        instruction.opcode is Opcode.MOV
        and instruction.no_mask
        and instruction.execution_size >= _HEADER_LANES
        and _is_header(instruction.sources[0])
    )


def _is_header(operand: Operand) -> bool:
    return operand.file is RegisterFile.GRF and operand.register_number == 0
