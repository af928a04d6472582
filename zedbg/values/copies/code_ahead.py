"""What a thread's next instructions will compute, from the registers that it has now.

An instruction alone says little of which source code it is: its result may be a part of what the
source computes. So what it gives is followed to where it is a value of the source: through
instructions of the same line, and through all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.trust.products import accumulates
from zedbg.dwarf.trust.steps import Span, Step, operation, with_accumulators
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.flow.thread_view import predicate_holds
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Condition, Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.lane_results import lane_result
from zedbg.xe.registers import RegisterKind

_MOST = 96  # instructions

#: By lane, the bytes of an element.
Held = dict[int, bytes]


@dataclass(frozen=True)
class Computed:
    """What an instruction gives, in lanes in which that is known. ``line``: that of the
    instruction; None: what it gives was followed through code of the next instruction's line, or of
    none, only."""

    result: Held
    line: int | None = None


class _Registers:
    """The registers of a thread, as far as they are known. Accumulators that have floats follow the
    general ones; :meth:`step` names them so in instructions."""

    def __init__(self, frame: SourceFrame) -> None:
        """Raises LevelZeroError."""
        context = frame.context
        data = context.read_registers(RegisterKind.GRF)
        has_accumulators = context.register_layout.get(RegisterKind.ACC) is not None
        more = context.read_registers(RegisterKind.ACC) if has_accumulators else b""
        self._general = len(data)
        self._data = bytearray(data + more)
        self._known = bytearray(b"\1") * len(self._data)
        self._flags: bytes | None = context.read_registers(RegisterKind.FLAG)
        self._grf_bytes = context.register_layout.platform.grf_bytes

    def step(self, step: Step) -> Step:
        """``step`` with accumulators as general registers."""
        return with_accumulators(step, self._general // self._grf_bytes, self._grf_bytes)

    def forget(self, step: Step) -> None:
        """What ``step`` writes."""
        decoded = step.decoded
        if decoded.condition is not Condition.NONE or _writes_flags(decoded):
            self._flags = None
        if step.writes is not None:
            self._forget(step.writes.first, step.writes.end)
        if accumulates(step):
            self._forget(self._general, len(self._known))

    def _forget(self, first: int, end: int) -> None:
        self._known[first:end] = bytes(max(min(end, len(self._known)) - first, 0))

    def is_chosen(self, decoded: Decoded, lane: int) -> bool | None:
        """Whether the predicate of ``decoded`` has ``lane``; None where that is not known."""
        if decoded.predicate is Predicate.NONE:
            return True
        if self._flags is None or decoded.predicate is not Predicate.NORMAL:
            return None
        return predicate_holds(decoded, decoded.channel_offset + _index(decoded, lane), self._flags)

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


class _Flow:
    """The registers that have what was made of the next instruction's result, as far as no two
    instructions do the same: the second one may be that of another copy."""

    def __init__(self) -> None:
        self._given: list[Span] = []
        self._kinds: set[tuple[object, ...]] = set()
        self.is_over = False

    def is_used_by(self, step: Step) -> bool:
        """Whether ``step`` takes any of it."""
        return any(each.meets(span) for each in step.reads for span in self._given)

    def goes_on(self, step: Step, kind: tuple[object, ...]) -> bool:
        """Follows it through ``step``; false where that does the same as another one."""
        if kind in self._kinds:
            self._given = []
            self.is_over = True
            return False
        self._kinds.add(kind)
        self.begin(step)
        return True

    def begin(self, step: Step) -> None:
        """Follows what ``step`` gives."""
        if step.writes is not None:
            self._given.append(step.writes)

    def passes(self, step: Step) -> None:
        """Goes past an instruction that takes none of it."""
        written = step.writes
        if written is not None:
            self._given = [each for each in self._given if not each.meets(written)]
        self.is_over = not self._given


def computed_ahead(frame: SourceFrame, lanes: Sequence[int]) -> Iterator[Computed]:
    """What the next instruction gives in ``lanes``; then the same of those after it that use what
    it gives, as far as lanes come to them on one way, and no two do the same: those of its line, or
    of none, that use it directly, and others. Where the next instruction is for other lanes, what
    another one gave that did the same for ``lanes``; where it begins a product, what the one gives
    that ends it."""
    info, address = frame.info, frame.address
    row, calls = info.lines.row_at(address), info.inlined_calls_at(address)
    code = info.code.function_at(address)
    if row is None or code is None:
        return
    try:
        registers = _Registers(frame)
    except LevelZeroError:
        return
    of_line, everywhere = _Flow(), _Flow()
    steps = code.straight(address)[:_MOST]
    products = {at: first for at, step in steps if (first := code.first_of_product(step))}
    begin = _begin(steps, products, lanes) if steps else address
    for at, named in steps:
        is_next = at == begin
        step = registers.step(named)
        target = step.decoded.destination
        if target is not None and target.indirect:
            return
        if is_next and not _acts(step.decoded, lanes):
            other = _for_other_lanes(frame, step, lanes, registers)
            if other is None or other.writes is None or other.decoded.destination is None:
                return
            yield Computed(_written(registers, other.decoded, lanes))
            of_line.begin(other)
            everywhere.begin(other)
            continue
        computing = replace(step.decoded, opcode=Opcode.MUL) if at in products else step.decoded
        result = _computed(registers, computing, lanes)
        registers.forget(step)
        if target is not None:
            for lane, piece in result.items():
                registers.write(target, _index(step.decoded, lane), piece)
        if at < begin:
            continue
        there = info.lines.row_at(at)
        is_in_call = there is not None and info.inlined_calls_at(at) == calls
        is_of_line = there is not None and (
            not there.line or (there.line == row.line and is_in_call)
        )
        kind = operation(step), there and (there.line, there.column)
        if is_next or (is_of_line and of_line.is_used_by(step)):
            goes_on_in_line = of_line.goes_on(step, kind)
        else:
            goes_on_in_line = False
            of_line.passes(step)
        if is_next or everywhere.is_used_by(step):
            goes_on_elsewhere = everywhere.goes_on(step, kind)
        else:
            goes_on_elsewhere = False
            everywhere.passes(step)
        if goes_on_in_line:
            yield Computed(result)
        elif goes_on_elsewhere and is_in_call and there is not None:
            yield Computed(result, there.line)
        if of_line.is_over and everywhere.is_over:
            return


def _begin(
    steps: Sequence[tuple[int, Step]], products: Mapping[int, Step], lanes: Sequence[int]
) -> int:
    """The address of the one of ``steps`` that gives what the first one is made for: where that
    begins one of ``products``, or does for other lanes what it does for ``lanes``."""
    address, following = steps[0]
    for at, first in products.items():
        if first.offset == following.offset:
            return at
    if not _acts(following.decoded, lanes):
        for at, step in steps:
            if _acts(step.decoded, lanes) and _is_other_part(step, following):
                return at
    return address


def _is_other_part(step: Step, other: Step) -> bool:
    """Whether two instructions do the same for other lanes: with the same registers, which have
    those of all lanes in a row."""
    one, two = step.decoded, other.decoded
    if (one.opcode, one.execution_size) != (two.opcode, two.execution_size):
        return False
    if one.channel_offset == two.channel_offset or step.writes is None or other.writes is None:
        return False
    spans = [*step.reads, step.writes], [*other.reads, other.writes]
    return len(spans[0]) == len(spans[1]) and all(
        a.stride == b.stride
        and a.first - a.stride * one.channel_offset == b.first - b.stride * two.channel_offset
        for a, b in zip(*spans, strict=True)
    )


def _acts(decoded: Decoded, lanes: Sequence[int]) -> bool:
    """Whether an instruction is for some of ``lanes``."""
    return any(0 <= _index(decoded, each) < decoded.execution_size for each in lanes)


def _for_other_lanes(
    frame: SourceFrame, step: Step, lanes: Sequence[int], registers: _Registers
) -> Step | None:
    """The last instruction before ``step``, the next one, that did the same for ``lanes``, if its
    result is still there."""
    info, address = frame.info, frame.address
    row = info.lines.row_at(address)
    written: list[Span] = []
    for at, named in info.code.straight_before(address):
        each = registers.step(named)
        there = info.lines.row_at(at)
        is_same = _is_other_part(each, step) or (
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


def _computed(registers: _Registers, decoded: Decoded, lanes: Sequence[int]) -> Held:
    result: Held = {}
    if decoded.send is not None:
        return result
    for lane in lanes:
        index = _index(decoded, lane)
        if not 0 <= index < decoded.execution_size:
            continue
        pieces = [registers.source(each, index) for each in decoded.sources]
        data = _result(registers, decoded, lane, pieces)
        if data is not None:
            result[lane] = data
    return result


def _result(
    registers: _Registers, decoded: Decoded, lane: int, pieces: Sequence[bytes | None]
) -> bytes | None:
    """What the destination of ``decoded`` has after it; ``pieces``: what its sources have."""
    target, chosen = decoded.destination, registers.is_chosen(decoded, lane)
    if target is None or chosen is None:
        return None
    if decoded.predicate is not Predicate.NONE:
        if decoded.opcode is Opcode.SEL and len(pieces) == 2:
            decoded = replace(decoded, opcode=Opcode.MOV, sources=decoded.sources[not chosen :][:1])
            pieces = pieces[not chosen :][:1]
        elif not chosen:
            return registers.written(target, _index(decoded, lane))
        decoded = replace(decoded, predicate=Predicate.NONE)
    known = [int.from_bytes(each, "little") for each in pieces if each is not None]
    bits = lane_result(decoded, known) if len(known) == len(pieces) else None
    return None if bits is None else bits.to_bytes(target.type.size, "little")


def _writes_flags(decoded: Decoded) -> bool:
    target = decoded.destination
    return target is not None and target.file is RegisterFile.ARF


def _stride(destination: Operand) -> int:
    """Bytes from an element to the next one."""
    return max(destination.region.horizontal, 1) * destination.type.size


def _index(decoded: Decoded, lane: int) -> int:
    """The element of an instruction's operands that is that of ``lane``."""
    return 0 if decoded.execution_size == 1 else lane - decoded.channel_offset
