"""DWARF operators as data: opcode, name and operands (DWARF 5, 7.7.1), with GNU's and Intel's.

GNU's operators are those of DWARF 5 under numbers of their own, and have its names here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from zedbg.dwarf.reading.bytestream import ByteStream, EndOfBytesError


class Operand(Enum):
    """How an operand is encoded."""

    U1 = "u1"
    S1 = "s1"
    U2 = "u2"
    S2 = "s2"
    U4 = "u4"
    S4 = "s4"
    U8 = "u8"
    S8 = "s8"
    ULEB = "uleb"
    SLEB = "sleb"
    OFFSET = "offset"  # of a DIE in .debug_info: four bytes, eight in the 64-bit format
    BLOCK = "block"  # a ULEB length and as many bytes
    BLOCK1 = "block1"  # a length of one byte and as many bytes


# Intel's operators, which the graphics compiler emits for values that differ between lanes.
INTEL_REGS = "INTEL_regs"
INTEL_PUSH_BIT_PIECE_STACK = "INTEL_push_bit_piece_stack"
INTEL_PUSH_SIMD_LANE = "INTEL_push_simd_lane"
INTEL_PIECE_STACK = "INTEL_piece_stack"
INTEL_BIT_PIECE_STACK = "INTEL_bit_piece_stack"
INTEL_REGVAL_BITS = "INTEL_regval_bits"

_Operator = tuple[str, tuple[Operand, ...]]
# The operators that came with DWARF 5, of which GNU had some before.
_NEWEST: dict[int, _Operator] = {
    0xA0: ("implicit_pointer", (Operand.OFFSET, Operand.SLEB)),
    0xA1: ("addrx", (Operand.ULEB,)),
    0xA2: ("constx", (Operand.ULEB,)),
    0xA3: ("entry_value", (Operand.BLOCK,)),
    0xA4: ("const_type", (Operand.ULEB, Operand.BLOCK1)),
    0xA5: ("regval_type", (Operand.ULEB, Operand.ULEB)),
    0xA6: ("deref_type", (Operand.U1, Operand.ULEB)),
    0xA7: ("xderef_type", (Operand.U1, Operand.ULEB)),
    0xA8: ("convert", (Operand.ULEB,)),
    0xA9: ("reinterpret", (Operand.ULEB,)),
}
_OPERATORS: dict[int, _Operator] = {
    0x03: ("addr", (Operand.U8,)),
    0x06: ("deref", ()),
    0x08: ("const1u", (Operand.U1,)),
    0x09: ("const1s", (Operand.S1,)),
    0x0A: ("const2u", (Operand.U2,)),
    0x0B: ("const2s", (Operand.S2,)),
    0x0C: ("const4u", (Operand.U4,)),
    0x0D: ("const4s", (Operand.S4,)),
    0x0E: ("const8u", (Operand.U8,)),
    0x0F: ("const8s", (Operand.S8,)),
    0x10: ("constu", (Operand.ULEB,)),
    0x11: ("consts", (Operand.SLEB,)),
    0x12: ("dup", ()),
    0x13: ("drop", ()),
    0x14: ("over", ()),
    0x15: ("pick", (Operand.U1,)),
    0x16: ("swap", ()),
    0x17: ("rot", ()),
    0x18: ("xderef", ()),
    0x19: ("abs", ()),
    0x1A: ("and", ()),
    0x1B: ("div", ()),
    0x1C: ("minus", ()),
    0x1D: ("mod", ()),
    0x1E: ("mul", ()),
    0x1F: ("neg", ()),
    0x20: ("not", ()),
    0x21: ("or", ()),
    0x22: ("plus", ()),
    0x23: ("plus_uconst", (Operand.ULEB,)),
    0x24: ("shl", ()),
    0x25: ("shr", ()),
    0x26: ("shra", ()),
    0x27: ("xor", ()),
    0x28: ("bra", (Operand.S2,)),
    0x29: ("eq", ()),
    0x2A: ("ge", ()),
    0x2B: ("gt", ()),
    0x2C: ("le", ()),
    0x2D: ("lt", ()),
    0x2E: ("ne", ()),
    0x2F: ("skip", (Operand.S2,)),
    0x90: ("regx", (Operand.ULEB,)),
    0x91: ("fbreg", (Operand.SLEB,)),
    0x92: ("bregx", (Operand.ULEB, Operand.SLEB)),
    0x93: ("piece", (Operand.ULEB,)),
    0x94: ("deref_size", (Operand.U1,)),
    0x95: ("xderef_size", (Operand.U1,)),
    0x96: ("nop", ()),
    0x97: ("push_object_address", ()),
    0x98: ("call2", (Operand.U2,)),
    0x99: ("call4", (Operand.U4,)),
    0x9A: ("call_ref", (Operand.OFFSET,)),
    0x9B: ("form_tls_address", ()),
    0x9C: ("call_frame_cfa", ()),
    0x9D: ("bit_piece", (Operand.ULEB, Operand.ULEB)),
    0x9E: ("implicit_value", (Operand.BLOCK,)),
    0x9F: ("stack_value", ()),
    **_NEWEST,
    0xE0: ("form_tls_address", ()),  # GNU_push_tls_address
    0xEB: (INTEL_REGS, ()),
    0xEC: (INTEL_PUSH_BIT_PIECE_STACK, ()),
    0xED: (INTEL_PUSH_SIMD_LANE, ()),
    0xEE: (INTEL_PIECE_STACK, ()),
    0xEF: (INTEL_BIT_PIECE_STACK, ()),
    0xF0: ("GNU_uninit", ()),
    0xF2: _NEWEST[0xA0],
    0xF3: _NEWEST[0xA3],
    0xF4: _NEWEST[0xA4],
    0xF5: _NEWEST[0xA5],
    0xF6: _NEWEST[0xA6],
    0xF7: _NEWEST[0xA8],
    0xF9: _NEWEST[0xA9],
    0xFA: ("GNU_parameter_ref", (Operand.U4,)),
    0xFB: ("addrx", (Operand.ULEB,)),  # GNU_addr_index
    0xFC: ("constx", (Operand.ULEB,)),  # GNU_const_index
    0xFE: (INTEL_REGVAL_BITS, (Operand.U1,)),
}
_NUMBERS = frozenset({"constu", "consts", "plus_uconst"})
_SHORT = 2  # bytes of an operator with an operand
_LITERALS = range(0x30, 0x50)
_REGISTERS = range(0x50, 0x70)
_BASED = range(0x70, 0x90)


class UnknownOperatorError(ValueError):
    """An expression holds an operator that is not known."""


@dataclass(frozen=True)
class Operation:
    """One operator of an expression. Numbered forms (lit5, reg3, breg6) have one name each:
    ``constu``, ``regx``, ``bregx``."""

    offset: int  # bytes from the start of the expression
    end: int
    name: str
    operands: tuple[int, ...]
    block: bytes = b""

    def __str__(self) -> str:
        words = [f"DW_OP_{self.name}", *map(str, self.operands)]
        return " ".join(words + ([self.block.hex()] if self.block else []))


def decode(expression: bytes, offset_size: int = 4) -> Iterator[Operation]:
    """The operations of ``expression``; ``offset_size``: 8 in units of the 64-bit format.

    Raises UnknownOperatorError or EndOfBytesError where it cannot go on.
    """
    stream = ByteStream(expression)
    while not stream.at_end:
        offset = stream.position
        opcode = stream.unsigned(1)
        name, operands, block = _decode_one(opcode, stream, offset_size)
        yield Operation(offset, stream.position, name, operands, block)


@lru_cache(maxsize=4096)
def has_unclear_numbers(expression: bytes) -> bool:
    """Whether ``expression`` computes a value of bits of a register with numbers that may be meant
    as they are, in 1, 2 or 4 bytes, or as LEB128: Intel's newer compiler writes the former where
    DWARF says the latter (DWARF 5, 2.5.1), so what follows cannot be told."""
    is_of_bits = is_unclear = is_value = False
    try:
        for each in decode(expression):
            is_long = each.end - each.offset > _SHORT  # one byte is the same either way
            is_unclear |= is_of_bits and is_long and each.name in _NUMBERS
            is_of_bits |= each.name == INTEL_REGVAL_BITS
            is_value = each.name == "stack_value"
    except (UnknownOperatorError, EndOfBytesError):
        return False  # nothing is taken from it anyway
    return is_unclear and is_value


def _decode_one(
    opcode: int, stream: ByteStream, offset_size: int
) -> tuple[str, tuple[int, ...], bytes]:
    if opcode in _LITERALS:
        return "constu", (opcode - _LITERALS.start,), b""
    if opcode in _REGISTERS:
        return "regx", (opcode - _REGISTERS.start,), b""
    if opcode in _BASED:
        return "bregx", (opcode - _BASED.start, stream.sleb()), b""
    if opcode not in _OPERATORS:
        raise UnknownOperatorError(f"operator {opcode:#04x}")
    name, kinds = _OPERATORS[opcode]
    operands: list[int] = []
    block = b""
    for kind in kinds:
        if kind is Operand.BLOCK:
            block = stream.block(stream.uleb())
        elif kind is Operand.BLOCK1:
            block = stream.block(stream.unsigned(1))
        elif kind is Operand.OFFSET:
            operands.append(stream.unsigned(offset_size))
        else:
            operands.append(_operand(kind, stream))
    return name, tuple(operands), block


def _operand(kind: Operand, stream: ByteStream) -> int:
    if kind is Operand.ULEB:
        return stream.uleb()
    if kind is Operand.SLEB:
        return stream.sleb()
    size = int(kind.value[1])
    return stream.signed(size) if kind.value[0] == "s" else stream.unsigned(size)
