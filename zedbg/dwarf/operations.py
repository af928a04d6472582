"""DWARF operators as data: opcode, name and operands (DWARF 4, 7.7.1; Intel's extensions)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from zedbg.dwarf.bytestream import ByteStream


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
    BLOCK = "block"  # a ULEB length and as many bytes


# Intel's operators, which the graphics compiler emits for values that differ between lanes.
INTEL_REGS = "INTEL_regs"
INTEL_PUSH_BIT_PIECE_STACK = "INTEL_push_bit_piece_stack"
INTEL_PUSH_SIMD_LANE = "INTEL_push_simd_lane"
INTEL_PIECE_STACK = "INTEL_piece_stack"
INTEL_BIT_PIECE_STACK = "INTEL_bit_piece_stack"
INTEL_REGVAL_BITS = "INTEL_regval_bits"

_OPERATORS: dict[int, tuple[str, tuple[Operand, ...]]] = {
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
    0x96: ("nop", ()),
    0x9C: ("call_frame_cfa", ()),
    0x9D: ("bit_piece", (Operand.ULEB, Operand.ULEB)),
    0x9E: ("implicit_value", (Operand.BLOCK,)),
    0x9F: ("stack_value", ()),
    0xEB: (INTEL_REGS, ()),
    0xEC: (INTEL_PUSH_BIT_PIECE_STACK, ()),
    0xED: (INTEL_PUSH_SIMD_LANE, ()),
    0xEE: (INTEL_PIECE_STACK, ()),
    0xEF: (INTEL_BIT_PIECE_STACK, ()),
    0xFE: (INTEL_REGVAL_BITS, (Operand.U1,)),
}
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


def decode(expression: bytes) -> Iterator[Operation]:
    """The operations of ``expression``.

    Raises UnknownOperatorError or EndOfBytesError where it cannot go on.
    """
    stream = ByteStream(expression)
    while not stream.at_end:
        offset = stream.position
        opcode = stream.unsigned(1)
        name, operands, block = _decode_one(opcode, stream)
        yield Operation(offset, stream.position, name, operands, block)


def _decode_one(opcode: int, stream: ByteStream) -> tuple[str, tuple[int, ...], bytes]:
    if opcode in _LITERALS:
        return "constu", (opcode - _LITERALS.start,), b""
    if opcode in _REGISTERS:
        return "regx", (opcode - _REGISTERS.start,), b""
    if opcode in _BASED:
        return "bregx", (opcode - _BASED.start, stream.sleb()), b""
    if opcode not in _OPERATORS:
        raise UnknownOperatorError(f"operator {opcode:#04x}")
    name, kinds = _OPERATORS[opcode]
    if kinds == (Operand.BLOCK,):
        return name, (), stream.block(stream.uleb())
    return name, tuple(_operand(kind, stream) for kind in kinds), b""


def _operand(kind: Operand, stream: ByteStream) -> int:
    if kind is Operand.ULEB:
        return stream.uleb()
    if kind is Operand.SLEB:
        return stream.sleb()
    size = int(kind.value[1])
    return stream.signed(size) if kind.value[0] == "s" else stream.unsigned(size)
