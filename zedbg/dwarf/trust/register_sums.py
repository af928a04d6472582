"""What registers have, as sums of other numbers and a constant, by the instructions of a function.

Compilers that copy the body of a loop compute the addresses of the copies from what they share:
each is that plus a number. What is shared is compared, not computed: the same instruction gave it,
or the same operation with the same numbers.

All is told of the low 32 bits, which are the same whichever instructions make the upper half of an
address. Numbers are taken to keep their value where they are widened, and an "or" to add, as
compilers have it that know that the bits are free: so two sums say how the source's numbers are
related that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from zedbg.dwarf.trust.products import first_of_product
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

_BITS = 32
_BYTES = _BITS // 8
_GIVEN = "given"  # by an instruction, as a term
_PRODUCT = "product"  # likewise, of others
_MOST_TERMS = 16
_DEEPEST = 48  # instructions, one made of the other
_ADDED = frozenset({Opcode.ADD, Opcode.ADD3, Opcode.ADDC})
_SIGNED = frozenset({*_ADDED, Opcode.MOV, Opcode.MUL, Opcode.MAD, Opcode.MACL, Opcode.MACH})
# The same of the same numbers.
_PURE = frozenset(
    {
        *(Opcode.AND, Opcode.OR, Opcode.XOR, Opcode.SHL, Opcode.SHR, Opcode.ASR),
        *(Opcode.MUL, Opcode.MAD, Opcode.MOV),
    }
)


@dataclass(frozen=True)
class Sum:
    """``number``, and of each of ``terms`` so many times what it is."""

    number: int = 0
    terms: frozenset[tuple[Hashable, int]] = frozenset()

    def plus(self, other: Sum) -> Sum:
        factors = dict(self.terms)
        for term, factor in other.terms:
            factors[term] = factors.get(term, 0) + factor
        terms = ((term, _signed(factor)) for term, factor in factors.items())
        used = frozenset(each for each in terms if each[1])
        return Sum(_signed(self.number + other.number), used)

    def times(self, factor: int) -> Sum:
        terms = ((term, _signed(each * factor)) for term, each in self.terms)
        used = frozenset(each for each in terms if each[1])
        return Sum(_signed(self.number * factor), used)

    def product(self, other: Sum) -> Sum | None:
        """Of both; None where it has too many terms."""
        if len(self.terms) * len(other.terms) > _MOST_TERMS:
            return None
        found = self.times(other.number).plus(Sum(0, other.terms).times(self.number))
        for one, factor in self.terms:
            for another, times in other.terms:
                term = _PRODUCT, frozenset({one, another})
                found = found.plus(Sum(0, frozenset({(term, 1)})).times(factor * times))
        return found


@dataclass
class RegisterSums:
    """Those of the code ``flow``, of ``platform``."""

    flow: RegisterFlow
    platform: Platform
    _known: dict[tuple[int, int, int], Sum] = field(default_factory=dict)

    def at(self, first: int, at: int, size: int = _BYTES) -> Sum:
        """What the ``size`` bytes from ``first`` on, counted from r0, have in front of the
        instruction at offset ``at``."""
        return self._of(first, size, self.flow.index_at(at), 0)

    def place(self, term: Hashable, at: int, is_uniform: Callable[[Step], bool]) -> Span | None:
        """Where what ``term`` is, of a sum, is in front of the instruction at offset ``at``, if it
        is the same for all lanes; None where it is nowhere, or that is not known. ``is_uniform``
        says that of what a message loads."""
        if not isinstance(term, tuple) or term[0] != _GIVEN:
            return None
        _, first, size, index = term
        step, place = self.flow.steps[index], Span(first, first + size, 0)
        if step.writes is None or self.flow.may_be_written_unseen(place):
            return None
        is_one = not step.writes.stride if step.decoded.send is None else is_uniform(step)
        if not is_one:
            return None
        return place if self.flow.definitions(place, at) == {index} else None

    def _of(self, first: int, size: int, index: int, depth: int) -> Sum:
        key = first, size, index
        if key not in self._known:
            self._known[key] = self._found(first, size, index, depth)
        return self._known[key]

    def _found(self, first: int, size: int, index: int, depth: int) -> Sum:
        flow, place = self.flow, Span(first, first + size, 0)
        writers = flow.definitions(place, flow.steps[index].offset)
        if flow.may_be_written_unseen(place):
            return _alone(("unseen", first, size, index))
        if len(writers) == 1 and depth < _DEEPEST:
            (writer,) = writers
            if writer is not None and writer < index:
                return self._result(flow.steps[writer], writer, first, size, depth + 1)
        before = frozenset(each for each in writers if each is not None and each < index)
        return _alone(("one of", first, size, frozenset(writers), before))

    def _result(self, step: Step, index: int, first: int, size: int, depth: int) -> Sum:
        """What ``step``, of number ``index``, gives to a place that it writes."""
        decoded, written = step.decoded, step.writes
        own = _alone((_GIVEN, first, size, index))
        target = decoded.destination
        if written is None or target is None or decoded.send is not None:
            return own
        if decoded.predicate is not Predicate.NONE or decoded.saturate or decoded.is_call:
            return own
        if target.type.is_floating or target.type.is_packed or written.element < size:
            return own
        element, rest = divmod(first - written.first, written.stride or written.element)
        if rest or element < 0:
            return own  # the upper half of a number
        taken = [self._source(step, index, each, element, depth) for each in decoded.sources]
        known = [each for each in taken if each is not None]
        if len(known) < len(taken):
            return own
        is_cut = target.type.size < min(_BYTES, *(each.type.size for each in decoded.sources))
        opcode = decoded.opcode
        if first_of_product(self.flow, step, self.platform) is not None:
            opcode = Opcode.MUL
        found = None if is_cut else _computed(opcode, known)
        if found is not None:
            return found
        if decoded.opcode in _PURE and not decoded.accumulator_write:
            kinds = tuple(each.type for each in (target, *decoded.sources))
            return _alone((decoded.opcode, kinds, tuple(known)))
        return own

    def _source(
        self, step: Step, index: int, source: Operand, element: int, depth: int
    ) -> Sum | None:
        """What element ``element`` of ``source`` is; None where that is not followed."""
        kind = source.type
        if kind.is_floating or kind.is_packed or source.absolute or source.indirect:
            return None
        if source.file is RegisterFile.IMMEDIATE:
            bits = source.immediate & (1 << 8 * kind.size) - 1
            is_negative = bits >> 8 * kind.size - 1 and not kind.name.startswith("U")
            return Sum(_signed(bits - (1 << 8 * kind.size) if is_negative else bits))
        if source.file is not RegisterFile.GRF:
            return None
        if source.negate and step.decoded.opcode not in _SIGNED:
            return None
        begin = source.register_number * self.flow.grf_bytes + source.byte_offset
        first = begin + element_offset(source, element)
        found = self._of(first, min(kind.size, _BYTES), index, depth)
        return found.times(-1) if source.negate else found


def _computed(opcode: Opcode, sources: list[Sum]) -> Sum | None:
    """What an operation gives; None where that is no sum of these."""
    if opcode is Opcode.MOV and len(sources) == 1:
        return sources[0]
    if opcode in _ADDED:
        total = Sum()
        for each in sources:
            total = total.plus(each)
        return total
    numbers = [None if each.terms else each.number for each in sources]
    if opcode is Opcode.SHL and numbers[1] is not None:
        return sources[0].times(1 << (numbers[1] & _BITS - 1))
    if opcode is Opcode.OR:
        return sources[0].plus(sources[1])
    if opcode in (Opcode.MUL, Opcode.MAD):
        product = sources[-2].product(sources[-1])
        added = sources[0] if opcode is Opcode.MAD else Sum()
        return None if product is None else product.plus(added)
    return None


def _alone(term: Hashable) -> Sum:
    return Sum(0, frozenset({(term, 1)}))


def _signed(number: int) -> int:
    """``number`` of so many bits, with its sign."""
    half = 1 << _BITS - 1
    return (number + half) % (2 * half) - half
