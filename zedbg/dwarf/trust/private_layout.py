"""How a kernel lays out its private arrays, read from its code.

The newest graphics compiler interleaves the private arrays of all lanes: the first few bytes of
each lane's array, then the next few of each. The debug information that it writes says nothing of
that, and gives each lane one contiguous array. Which of the two holds for a variable shows where
the kernel computes the variable's address: it multiplies the lane by the distance between lanes,
and adds the offset that the debug information gives too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from zedbg.dwarf.expressions.operations import INTEL_PUSH_SIMD_LANE, UnknownOperatorError, decode
from zedbg.dwarf.reading.bytestream import EndOfBytesError
from zedbg.xe.decoding import decode as decode_instruction
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Arf
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

_SIMD_AND_MORE = 8  # execution sizes from here on compute something for each lane
_WINDOW = 4  # instructions between a product and the sum that uses it, at most
_Key = tuple[RegisterFile, Arf, int, int]


@dataclass(frozen=True)
class LaneArray:
    """What a location expression says: lane N starts at ``offset + N * stride``. Bytes."""

    offset: int
    stride: int


@lru_cache(maxsize=4096)
def lane_array(expression: bytes) -> LaneArray | None:
    """The end of an expression that places a variable in private memory, None for other ones."""
    try:
        operations = list(decode(expression))[-5:]
    except (UnknownOperatorError, EndOfBytesError):
        return None
    names = [operation.name for operation in operations]
    if len(names) < 5 or names[0] != "plus_uconst" or names[1] != INTEL_PUSH_SIMD_LANE:
        return None
    if names[3:] != ["mul", "plus"] or len(operations[2].operands) != 1:
        return None
    return LaneArray(operations[0].operands[0], operations[2].operands[0])


def lane_strides(code: bytes, platform: Platform) -> dict[int, int]:
    """For offsets into private memory, the distance between lanes that ``code`` computes with.

    An offset with which different distances occur is left out. Bytes.
    """
    found: dict[int, set[int]] = {}
    scan = _Scan()
    position = 0
    while position < len(code):
        decoded = decode_instruction(platform, code[position : position + 16])
        for offset, stride in scan.step(decoded):
            found.setdefault(offset, set()).add(stride)
        position += decoded.length
    return {offset: min(strides) for offset, strides in found.items() if len(strides) == 1}


class _Scan:
    """Goes through instructions, and notices products with constants and sums that use them."""

    def __init__(self) -> None:
        self._index = 0  # of the instructions that compute something
        self._products: dict[_Key, tuple[int, int]] = {}  # where: index, factor
        self._constants: dict[_Key, tuple[int, int]] = {}  # where: index, value

    def step(self, decoded: Decoded) -> list[tuple[int, int]]:
        """Takes the next instruction; gives pairs of offset and stride that it completes."""
        pairs: list[tuple[int, int]] = []
        destination = decoded.destination
        if decoded.opcode in (Opcode.ADD, Opcode.ADD3):
            pairs = self._sum(decoded.sources)
        if destination is None or destination.is_null:
            return pairs
        self._index += 1  # what waits for others, or for its turn, is not counted
        where = _key(destination)
        self._products.pop(where, None)
        self._constants.pop(where, None)
        sources = decoded.sources
        constant = sources[-1] if sources and sources[-1].file is RegisterFile.IMMEDIATE else None
        if constant is None:
            return pairs
        if decoded.opcode is Opcode.MUL and decoded.execution_size >= _SIMD_AND_MORE:
            self._products[where] = (self._index, constant.immediate)
        elif decoded.opcode is Opcode.MOV and decoded.execution_size == 1:
            self._constants[where] = (self._index, constant.immediate)
        return pairs

    def _sum(self, sources: tuple[Operand, ...]) -> list[tuple[int, int]]:
        factors = [self._recent(self._products, source) for source in sources]
        values = [
            source.immediate
            if source.file is RegisterFile.IMMEDIATE
            else self._recent(self._constants, source)
            for source in sources
        ]
        return [
            (value, factor)
            for factor in factors
            if factor is not None
            for value in values
            if value is not None
        ]

    def _recent(self, table: dict[_Key, tuple[int, int]], source: Operand) -> int | None:
        if source.file is RegisterFile.IMMEDIATE or source.indirect or source.negate:
            return None
        index, number = table.get(_key(source), (-_WINDOW, 0))
        return number if self._index - index <= _WINDOW and index > 0 else None


def _key(operand: Operand) -> _Key:
    return (operand.file, operand.arf, operand.register_number, operand.byte_offset)
