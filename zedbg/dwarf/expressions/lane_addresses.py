"""Addresses that are a sum of registers and a multiple of the lane's number.

At -O0 compilers place every variable so: the base of private memory from one register, the thread's
part of it from another, an offset, and the lane times the variable's size. What such an expression
adds up is the same in every thread: it is taken apart once, and only the registers are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from zedbg.dwarf.expressions.operations import (
    INTEL_PUSH_BIT_PIECE_STACK,
    INTEL_PUSH_SIMD_LANE,
    INTEL_REGVAL_BITS,
    UnknownOperatorError,
    decode,
)
from zedbg.dwarf.expressions.surroundings import FrameReader
from zedbg.dwarf.reading.bytestream import EndOfBytesError

_MASK = (1 << 64) - 1
_CONSTANTS = frozenset({"constu", "const1u", "const2u", "const4u", "const8u"})


@dataclass(frozen=True)
class RegisterBits:
    """``bit_size`` bits of the register that DWARF calls ``number``, from ``bit_offset`` on."""

    number: int
    bit_offset: int
    bit_size: int


@dataclass(frozen=True)
class LaneAddress:
    """Lane N's address is the sum of ``registers``, ``offset`` and N times ``stride``."""

    registers: tuple[RegisterBits, ...]
    offset: int
    stride: int

    def base(self, frame: FrameReader) -> int:
        """The address of lane 0 in ``frame``; MissingError when it does not have the registers."""
        parts = (
            frame.register_bits(each.number, each.bit_offset, each.bit_size)
            for each in self.registers
        )
        return self.offset + sum(parts) & _MASK


@dataclass(frozen=True)
class _Sum:
    """A number on the stack while an expression is taken apart."""

    registers: tuple[RegisterBits, ...] = ()
    offset: int = 0
    stride: int = 0
    named: int | None = None  # a register that is named, and of which no bits are taken yet

    @property
    def constant(self) -> int | None:
        is_constant = not self.registers and not self.stride and self.named is None
        return self.offset if is_constant else None


@lru_cache(maxsize=4096)
def lane_address(expression: bytes) -> LaneAddress | None:
    """The sum that ``expression`` says a variable's address is; None when it is anything else."""
    stack: list[_Sum] = []
    try:
        for operation in decode(expression):
            following = _step(operation.name, operation.operands, stack)
            if following is None:
                return None
            stack.append(following)
    except (UnknownOperatorError, EndOfBytesError, IndexError):
        return None
    if len(stack) != 1 or not stack[0].registers or stack[0].named is not None:
        return None
    return LaneAddress(stack[0].registers, stack[0].offset, stack[0].stride)


def _step(name: str, operands: tuple[int, ...], stack: list[_Sum]) -> _Sum | None:
    """What an operator puts on the stack, its own operands taken from it; None for one that is not
    part of a sum."""
    if name.startswith("lit"):
        return _Sum(offset=int(name.removeprefix("lit")))
    if name in _CONSTANTS:
        return _Sum(offset=operands[0])
    if name == INTEL_PUSH_SIMD_LANE:
        return _Sum(stride=1)
    if name == INTEL_REGVAL_BITS:
        bit, number = stack.pop().constant, stack.pop().constant
        if bit is None or number is None:
            return None
        return _Sum((RegisterBits(number, bit, operands[0]),))
    if name == "regx":
        return _Sum(named=operands[0])
    if name == INTEL_PUSH_BIT_PIECE_STACK:  # what an older compiler writes for the same
        size, bit, register = stack.pop().constant, stack.pop().constant, stack.pop().named
        if size is None or bit is None or register is None:
            return None
        return _Sum((RegisterBits(register, bit, size),))
    if name == "plus_uconst":
        top = stack.pop()
        return _Sum(top.registers, top.offset + operands[0], top.stride, top.named)
    if name == "plus":
        right, left = stack.pop(), stack.pop()
        return _Sum(
            left.registers + right.registers,
            left.offset + right.offset,
            left.stride + right.stride,
            left.named if right.named is None else right.named,
        )
    if name == "mul":
        right, left = stack.pop(), stack.pop()
        if right.constant is None:
            left, right = right, left
        factor, other = right.constant, left
        if factor is None or other.registers or other.named is not None:
            return None
        return _Sum(offset=other.offset * factor, stride=other.stride * factor)
    return None
