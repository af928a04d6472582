"""What a thread's next instructions will compute, from the registers that it has now.

An instruction alone says little of which source code it is: its result may be a part of what the
source computes. So what it gives is followed, through instructions of the same line, to where it is
a value of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.trust.steps import Span, Step, operation
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
        return self._bytes(self._first(operand) + element_offset(operand, index), size)

    def written(self, operand: Operand, index: int) -> bytes | None:
        """Element ``index`` of a destination; None where it is not known."""
        if operand.file is not RegisterFile.GRF or operand.indirect:
            return None
        size = operand.type.size
        return self._bytes(self._first(operand) + index * _stride(operand), size)

    def write(self, operand: Operand, index: int, data: bytes) -> None:
        first = self._first(operand) + index * _stride(operand)
        self._data[first : first + len(data)] = data
        self._known[first : first + len(data)] = b"\1" * len(data)

    def _bytes(self, first: int, size: int) -> bytes | None:
        if not all(self._known[first : first + size]) or first + size > len(self._data):
            return None
        return bytes(self._data[first : first + size])

    def _first(self, operand: Operand) -> int:
        return operand.register_number * self._grf_bytes + operand.byte_offset


def computed_ahead(frame: SourceFrame, lanes: Sequence[int]) -> Iterator[Computed]:
    """What the next instruction takes and gives in ``lanes``; then the same of those after it that
    use what it gives, as far as they are of its line, or of none, lanes come to them on one way,
    and no two do the same. Where the next instruction is for other lanes, what another one gave
    that did the same for ``lanes``."""
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
    kinds: set[tuple[object, ...]] = set()
    for number, (at, step) in enumerate(info.code.straight(address)[:_MOST]):
        target = step.decoded.destination
        if target is not None and target.indirect:
            return
        if not number and not _acts(step.decoded, lanes):
            other = _for_other_lanes(frame, step, lanes)
            if other is None or other.writes is None or other.decoded.destination is None:
                return
            yield Computed([], _written(registers, other.decoded, lanes))
            given.append(other.writes)
            continue
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
            kind = operation(step), there and (there.line, there.column)
            if kind in kinds:
                return  # it is that of another copy
            kinds.add(kind)
            yield computed
            if step.writes is not None:
                given.append(step.writes)
        elif step.writes is not None:
            given = [each for each in given if not each.meets(step.writes)]
        if not given:
            return


def _acts(decoded: Decoded, lanes: Sequence[int]) -> bool:
    """Whether an instruction is for some of ``lanes``."""
    return any(0 <= _index(decoded, each) < decoded.execution_size for each in lanes)


def _for_other_lanes(frame: SourceFrame, step: Step, lanes: Sequence[int]) -> Step | None:
    """The last instruction before ``step``, the next one, that did the same for ``lanes``, if its
    result is still there."""
    info, address = frame.info, frame.address
    row = info.lines.row_at(address)
    written: list[Span] = []
    for at, each in info.code.straight_before(address):
        there = info.lines.row_at(at)
        is_same = (
            each.decoded.opcode is step.decoded.opcode
            and each.decoded.execution_size == step.decoded.execution_size
            and (there and (there.line, there.column)) == (row and (row.line, row.column))
        )
        if is_same and each.decoded.channel_offset == step.decoded.channel_offset:
            return None
        if is_same and _acts(each.decoded, lanes):
            is_there = each.writes is not None and not any(each.writes.meets(w) for w in written)
            return each if is_there else None
        if each.writes is not None:
            written.append(each.writes)
    return None


def _written(registers: _Registers, decoded: Decoded, lanes: Sequence[int]) -> Held:
    """What the destination of ``decoded`` has."""
    target = decoded.destination
    assert target is not None
    found: Held = {}
    for lane in lanes:
        index = _index(decoded, lane)
        if 0 <= index < decoded.execution_size:
            data = registers.written(target, index)
            if data is not None:
                found[lane] = data
    return found


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


def _stride(destination: Operand) -> int:
    """Bytes from an element to the next one."""
    return max(destination.region.horizontal, 1) * destination.type.size


def _index(decoded: Decoded, lane: int) -> int:
    """The element of an instruction's operands that is that of ``lane``."""
    return 0 if decoded.execution_size == 1 else lane - decoded.channel_offset
