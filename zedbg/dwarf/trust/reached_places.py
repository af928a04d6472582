"""Which instructions take what was made of another one's result, by the ways of lanes.

Registers, accumulators and flags are followed from instruction to instruction. Where lanes part by
a flag that was made of the result, what the ways give is made of it where they meet again. What
goes through memory is not followed, nor what an instruction keeps of a register that it writes only
in part: there may be more instructions than these, but none of these is another one's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.steps import SYSTOLIC, Span, Step, source_span, step_of
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Arf, Condition, Predicate
from zedbg.xe.isa.opcodes import Opcode

_FIRST_ACCUMULATOR = 512  # counted as a general register
_REGISTERS = 1024
_HIDDEN = frozenset({Opcode.MACH, Opcode.MAC, Opcode.MACL})
_HIDDEN_REGISTERS = 4  # accumulators that an instruction may use without naming them


@dataclass(frozen=True)
class _Effect:
    """What an instruction takes and gives: a set bit for each byte of a register, and each flag;
    and of which it may leave something else than was there."""

    takes: int
    gives: int
    changes: int


@dataclass
class ReachedPlaces:
    """Those of the code ``flow``."""

    flow: CodeFlow
    _effects: dict[int, _Effect] = field(default_factory=dict)
    _reached: dict[int, frozenset[int]] = field(default_factory=dict)

    def of(self, first: int) -> frozenset[int]:
        """The offsets of the instructions that are reached from the one at offset ``first`` without
        a jump back of a loop around that."""
        if first not in self._reached:
            numbers = self._numbers(self.flow.index_at(first), *self.flow.innermost(first))
            self._reached[first] = frozenset(self.flow.steps[each].offset for each in numbers)
        return self._reached[first]

    def decided_by(self, offset: int) -> frozenset[int]:
        """The offsets of the instructions that lanes come to, or not, by which way they go from the
        one at ``offset``, before all of them meet again."""
        index = self.flow.index_at(offset)
        if len(self.flow.after(index)) < 2:
            return frozenset()
        end = self.flow.index_at(self.flow.innermost(offset)[1])
        _, between = self._branches(index, end)
        return frozenset(self.flow.steps[each].offset for each in between)

    def _numbers(self, start: int, low: int, high: int) -> set[int]:
        flow = self.flow
        begin, end = flow.index_at(low), flow.index_at(high)
        made = {start: 0}
        waiting, taking = {start}, set[int]()
        while waiting:
            index = min(waiting)
            waiting.remove(index)
            effect, here = self._effect(index), made[index]
            is_made = index == start or bool(effect.takes & here)
            if is_made and index != start:
                taking.add(index)
            after = here | effect.gives if is_made else here & ~effect.changes
            following = [(each, after) for each in flow.after(index)]
            if is_made and len(following) > 1:
                meeting, between = self._branches(index, end)
                for each in between:
                    after |= self._effect(each).gives
                following.append((meeting, after))
            for each, known in following:
                is_back = each == begin and index == end
                if begin <= each <= end and not is_back and known & ~made.get(each, 0):
                    made[each] = made.get(each, 0) | known
                    waiting.add(each)
        return taking

    def _branches(self, index: int, end: int) -> tuple[int, set[int]]:
        """The number of the instruction at which all lanes meet again that part at ``index``, and
        those in between."""
        waiting, between = {*self.flow.after(index)}, set[int]()
        while len(waiting) > 1 and min(waiting) <= end:
            number = min(waiting)
            waiting.remove(number)
            between.add(number)
            waiting |= {each for each in self.flow.after(number) if each > number}
        return min(waiting, default=end + 1), between

    def _effect(self, index: int) -> _Effect:
        if index not in self._effects:
            self._effects[index] = self._effect_of(self._named(self.flow.steps[index]))
        return self._effects[index]

    def _named(self, step: Step) -> Step:
        """``step`` with accumulators as general registers."""

        def renamed(operand: Operand) -> Operand:
            if operand.arf is not Arf.ACCUMULATOR or operand.file is not RegisterFile.ARF:
                return operand
            number = _FIRST_ACCUMULATOR + operand.register_number
            return replace(operand, file=RegisterFile.GRF, register_number=number)

        decoded, target = step.decoded, step.decoded.destination
        changed = replace(
            decoded,
            destination=None if target is None else renamed(target),
            sources=tuple(map(renamed, decoded.sources)),
        )
        return step_of(step.offset, changed, self.flow.grf_bytes)

    def _effect_of(self, step: Step) -> _Effect:
        decoded = step.decoded
        takes = gives = 0
        for each in step.reads if decoded.send is not None else ():
            takes |= _bits(each)
        for operand in decoded.sources if decoded.send is None else ():
            takes |= self._elements_of(operand, decoded)
        if step.writes is not None:
            gives |= _elements(step.writes)
        for operand in decoded.sources:
            takes |= self._flag(operand)
        gives |= 0 if decoded.destination is None else self._flag(decoded.destination)
        if decoded.predicate is not Predicate.NONE:
            takes |= self._flags(decoded)
        if decoded.condition is not Condition.NONE and decoded.opcode is not Opcode.SEL:
            gives |= self._flags(decoded)
        if decoded.opcode in _HIDDEN or decoded.accumulator_write:
            size = self.flow.grf_bytes
            first = _FIRST_ACCUMULATOR * size
            hidden = _bits(Span(first, first + _HIDDEN_REGISTERS * size, 0))
            takes |= hidden if decoded.opcode in _HIDDEN else 0
            gives |= hidden
        return _Effect(takes, gives, -1 if self._may_write_more(step) else gives)

    def _elements_of(self, operand: Operand, decoded: Decoded) -> int:
        """The bytes that an instruction takes from ``operand``, without those between elements."""
        span = source_span(decoded, operand, self.flow.grf_bytes)
        if span is None or decoded.opcode in SYSTOLIC:
            return 0 if span is None else _bits(span)
        first = operand.register_number * self.flow.grf_bytes + operand.byte_offset
        offsets = {element_offset(operand, each) for each in range(decoded.execution_size)}
        found = 0
        for each in offsets:
            found |= (1 << operand.type.size) - 1 << first + each
        return found

    @staticmethod
    def _may_write_more(step: Step) -> bool:
        """Whether it writes to what is not known."""
        decoded, target = step.decoded, step.decoded.destination
        if decoded.is_call or (target is not None and target.indirect):
            return True
        return decoded.send is not None and decoded.send.descriptor is None

    def _flags(self, decoded: Decoded) -> int:
        first = 2 * decoded.flag_register + decoded.flag_subregister
        return self._flag_bits(first, 2 if decoded.execution_size > 16 else 1)

    def _flag(self, operand: Operand) -> int:
        """The flags that ``operand`` names."""
        if operand.file is not RegisterFile.ARF or operand.arf is not Arf.FLAG:
            return 0
        first = 2 * operand.register_number + operand.byte_offset // 2
        return self._flag_bits(first, max(operand.type.size // 2, 1))

    def _flag_bits(self, first: int, count: int) -> int:
        return (1 << count) - 1 << _REGISTERS * self.flow.grf_bytes + first


def _bits(span: Span) -> int:
    return (1 << span.end - span.first) - 1 << span.first


def _elements(span: Span) -> int:
    """The bytes that are written, without those between elements."""
    if not 0 < span.element < span.stride:
        return _bits(span)
    found = 0
    for at in range(span.first, span.end, span.stride):
        found |= (1 << span.element) - 1 << at
    return found
