"""What a thread's next instructions will compute, from the registers that it has now.

An instruction alone says little of which source code it is: its result may be a part of what the
source computes. So what it gives is followed, through instructions of the same line, to where it is
a value of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.trust.steps import Span
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.source_frame import SourceFrame
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.lane_results import lane_result
from zedbg.xe.registers import RegisterKind

_MOST = 96  # instructions

#: By lane, the bytes of an element.
Held = dict[int, bytes]


@dataclass(frozen=True)
class Computed:
    """What an instruction takes from registers, and what it gives, in lanes in which that is
    known."""

    sources: list[Held]
    result: Held


class _Registers:
    """The general registers of a thread, as far as they are known."""

    def __init__(self, data: bytes, grf_bytes: int) -> None:
        self._data = bytearray(data)
        self._known = bytearray(b"\1") * len(data)
        self._grf_bytes = grf_bytes

    def forget(self, span: Span) -> None:
        self._known[span.first : span.end] = bytes(span.end - span.first)

    def source(self, operand: Operand, index: int) -> bytes | None:
        """Element ``index`` of a source; None where it is not known."""
        size = operand.type.size
        if operand.file is RegisterFile.IMMEDIATE:
            return (operand.immediate & (1 << 8 * size) - 1).to_bytes(size, "little")
        if operand.file is not RegisterFile.GRF or operand.indirect:
            return None
        first = self._first(operand) + element_offset(operand, index)
        if not all(self._known[first : first + size]) or first + size > len(self._data):
            return None
        return bytes(self._data[first : first + size])

    def write(self, operand: Operand, index: int, data: bytes) -> None:
        first = self._first(operand) + index * max(operand.region.horizontal, 1) * len(data)
        self._data[first : first + len(data)] = data
        self._known[first : first + len(data)] = b"\1" * len(data)

    def _first(self, operand: Operand) -> int:
        return operand.register_number * self._grf_bytes + operand.byte_offset


def computed_ahead(frame: SourceFrame, lanes: Sequence[int]) -> Iterator[Computed]:
    """What the next instruction takes and gives in ``lanes``; then the same of those after it that
    use what it gives, as far as they are of its line, or of none, and lanes come to them on one
    way."""
    info, address = frame.info, frame.address
    row, calls = info.lines.row_at(address), info.inlined_calls_at(address)
    if row is None:
        return
    try:
        data = frame.context.read_registers(RegisterKind.GRF)
    except LevelZeroError:
        return
    registers = _Registers(data, frame.context.register_layout.platform.grf_bytes)
    given: list[Span] = []
    for number, (at, step) in enumerate(info.code.straight(address)[:_MOST]):
        target = step.decoded.destination
        if target is not None and target.indirect:
            return
        computed = _computed(registers, step.decoded, lanes)
        if step.writes is not None:
            registers.forget(step.writes)
        if target is not None:
            for lane, piece in computed.result.items():
                registers.write(target, _index(step.decoded, lane), piece)
        there = info.lines.row_at(at)
        is_of_line = there is not None and (
            not there.line or (there.line == row.line and info.inlined_calls_at(at) == calls)
        )
        uses = any(each.meets(span) for each in step.reads for span in given)
        if not number or (uses and is_of_line):
            yield computed
            if step.writes is not None:
                given.append(step.writes)
        elif step.writes is not None:
            given = [each for each in given if not each.meets(step.writes)]
        if not given:
            return


def _computed(registers: _Registers, decoded: Decoded, lanes: Sequence[int]) -> Computed:
    if decoded.send is not None:
        return Computed([], {})
    sources: list[Held] = [{} for _ in decoded.sources]
    result: Held = {}
    for lane in lanes:
        index = _index(decoded, lane)
        if not 0 <= index < decoded.execution_size:
            continue
        pieces = [registers.source(each, index) for each in decoded.sources]
        for held, piece, operand in zip(sources, pieces, decoded.sources, strict=True):
            if piece is not None and operand.file is RegisterFile.GRF:
                held[lane] = piece
        known = [int.from_bytes(each, "little") for each in pieces if each is not None]
        bits = lane_result(decoded, known) if len(known) == len(pieces) else None
        if bits is not None and decoded.destination is not None:
            result[lane] = bits.to_bytes(decoded.destination.type.size, "little")
    return Computed([each for each in sources if each], result)


def _index(decoded: Decoded, lane: int) -> int:
    """The element of an instruction's operands that is that of ``lane``."""
    return 0 if decoded.execution_size == 1 else lane - decoded.channel_offset
