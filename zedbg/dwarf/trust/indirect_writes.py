"""Which general registers an instruction that has its destination in an address register writes.

The compilers keep private arrays in registers and index them with a0. What a0 may hold follows from
the instructions that made it: ``and`` with a constant gives no more than that constant, say. These
are followed on all ways back to where a bound is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.steps import Span, Step, source_span
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Arf
from zedbg.xe.isa.opcodes import Opcode

_DEEP = 12  # instructions that an address is made of, one from another
_WORD = 2  # bytes of a sub-register of a0
_BITS = 32
_INTEGERS = frozenset({"B", "UB", "W", "UW", "D", "UD", "Q", "UQ"})
# What each gives of two bits, as the function of bfn is written: bit a + 2 b.
_TABLES = {Opcode.AND: 0b1000, Opcode.OR: 0b1110, Opcode.XOR: 0b0110}
_LOGIC = frozenset({*_TABLES, Opcode.BFN})
_SUMS = frozenset({Opcode.ADD, Opcode.ADD3})


class Bounds(NamedTuple):
    """The least and the greatest number that a value may be."""

    low: int
    high: int


class KnownIndex(NamedTuple):
    """A number in registers, at ``place``: instructions up to offset ``stepped_at`` find it within
    ``before``, later ones within ``after``."""

    place: Span
    stepped_at: int
    before: Bounds
    after: Bounds

    def of(self, place: Span, source: Operand, offset: int) -> Bounds | None:
        """What ``source``, which begins at the same byte, is in ``place`` for the instruction at
        ``offset``; None where it has not the whole number."""
        bounds = self.before if offset <= self.stepped_at else self.after
        is_one = place.end - place.first == source.type.size and place.end <= self.place.end
        return bounds if is_one and bounds.low >= 0 and _holds(source, bounds) else None


class IndirectWrites:
    """Those of the instructions of ``flow``, where ``index`` is known."""

    def __init__(self, flow: CodeFlow, index: KnownIndex | None = None) -> None:
        self._flow = flow
        self._index = index
        self._relied_on: list[Span] = []
        # What was found of instructions, so deep, with what was relied on for it.
        self._results: dict[tuple[int, int], tuple[Bounds | None, list[Span]]] = {}
        self._writing: dict[Span, dict[int, int]] = {}

    def ranges(self, indices: list[int]) -> dict[int, tuple[int, int]]:
        """By number, the bytes (first, end) of the general registers that instructions may write,
        of ``indices`` those for which bounds are found. Empty where these writes may change what
        an address is made of."""
        found = {}
        for index in indices:
            written = self._range(index)
            if written is None:
                return {}
            found[index] = written
        for first, end in found.values():
            if any(first < each.end and each.first < end for each in self._relied_on):
                return {}
        return found

    def _range(self, index: int) -> tuple[int, int] | None:
        decoded = self._flow.steps[index].decoded
        target = decoded.destination
        assert target is not None
        if decoded.send is not None or (decoded.no_mask and decoded.execution_size > 1):
            return None
        address = self._address(index, target.address_subregister)
        if address is None:
            return None
        lanes, stride = decoded.execution_size, max(target.region.horizontal, 1)
        size = ((lanes - 1) * stride + 1) * target.type.size
        return (
            address.low + target.address_immediate,
            address.high + target.address_immediate + size,
        )

    def _address(self, index: int, subregister: int) -> Bounds | None:
        """What sub-register ``subregister`` of a0 may hold in front of an instruction."""
        word = Span(subregister * _WORD, (subregister + 1) * _WORD, 0)

        def made(before: int) -> Bounds | None:
            written = _address_bytes(self._flow.steps[before].decoded)
            target = self._flow.steps[before].decoded.destination
            assert written is not None and target is not None
            is_whole = target.type.size == _WORD and not (word.first - written.first) % _WORD
            return self._result(before, _DEEP) if is_whole else None

        return self._made(
            index,
            word.every,
            self._written(lambda step: word.taken_by(_address_bytes(step.decoded))),
            made,
        )

    def _written(self, taken: Callable[[Step], int]) -> dict[int, int]:
        """By numbers of instructions, what they write, where that is anything."""
        every = ((number, taken(step)) for number, step in enumerate(self._flow.steps))
        return {number: bits for number, bits in every if bits}

    def _made(
        self,
        index: int,
        wanted: int,
        written: Mapping[int, int],
        bounds: Callable[[int], Bounds | None],
    ) -> Bounds | None:
        """What the bytes ``wanted`` of a place may hold in front of an instruction: ``bounds`` of
        each that wrote any, as ``written`` says."""
        found: list[Bounds | None] = []
        for writer in self._flow.writers(index, wanted, written):
            made = None if writer is None else bounds(writer)
            if made is None:
                return None
            found.append(made)
        return _union(found)

    # --- what instructions give ----------------------------------------------------------------

    def _result(self, index: int, depth: int) -> Bounds | None:
        key = index, depth
        if key not in self._results:
            kept = len(self._relied_on)
            found = self._find_result(index, depth)
            self._results[key] = found, list(dict.fromkeys(self._relied_on[kept:]))
            del self._relied_on[kept:]
        found, relied_on = self._results[key]
        self._relied_on += relied_on
        return found

    def _find_result(self, index: int, depth: int) -> Bounds | None:
        decoded = self._flow.steps[index].decoded
        target = decoded.destination
        if target is None or decoded.saturate or decoded.send is not None or not depth:
            return None
        if decoded.opcode in _LOGIC:
            found = self._logic(index, depth - 1)
        else:
            every = [self._source(index, each, depth - 1) for each in decoded.sources]
            found = _computed(decoded, every)
        if found is None:
            return None
        if target.type.name not in _INTEGERS:
            is_copy = decoded.opcode is Opcode.MOV and target.type is decoded.sources[0].type
            return found if is_copy else None
        return found if _holds(target, found) else None

    def _logic(self, index: int, depth: int) -> Bounds | None:
        """What a logic operation on bits gives: of constants alone, whatever the rest of it is,
        where that bounds it."""
        sources = self._flow.steps[index].decoded.sources
        relied_on, kept = self._relied_on, len(self._relied_on)
        every: list[Bounds | None] = []
        constants: list[Bounds | None] = []
        of_constants: list[Span] = []
        for source in sources:
            before = len(relied_on)
            found = self._source(index, source, depth)
            is_constant = found is not None and found.low == found.high
            every.append(found)
            constants.append(found if is_constant else None)
            of_constants += relied_on[before:] if is_constant else []
        decoded = self._flow.steps[index].decoded
        is_immediate = [each.file is RegisterFile.IMMEDIATE for each in sources]
        immediates = [e if i else None for e, i in zip(every, is_immediate, strict=True)]
        bounded = _of_bits(decoded, immediates)
        if bounded is not None:
            of_constants = []
        else:
            bounded = _of_bits(decoded, constants)
        if bounded is None:
            return _of_bits(decoded, every)
        relied_on[kept:] = of_constants
        return bounded

    def _source(self, index: int, source: Operand, depth: int) -> Bounds | None:
        if source.absolute:
            return None
        found = None
        if source.file is RegisterFile.IMMEDIATE:
            found = _constant(source)
        elif source.file is RegisterFile.GRF and not source.indirect:
            kept = len(self._relied_on)
            found = self._register(index, source, depth)
            if found is None:
                found = _of_type(source)
                del self._relied_on[kept:]  # whatever is there
        if found is None or not source.negate:
            return found
        return Bounds(-found.high, -found.low)

    def _register(self, index: int, source: Operand, depth: int) -> Bounds | None:
        place = source_span(self._flow.steps[index].decoded, source, self._flow.grf_bytes)
        if place is None:
            return None
        self._relied_on.append(place)
        if self._index is not None and place.first == self._index.place.first:
            return self._index.of(place, source, self._flow.steps[index].offset)
        # Of elements with others between them, those others may be anything.
        wanted = place.taken_by(place._replace(element=source.type.size))

        def written(step: Step) -> int:
            is_anything = _may_return_anything(step.decoded)
            return place.every if is_anything else place.taken_by(step.writes)

        if place not in self._writing:
            self._writing[place] = self._written(written)
        return self._made(
            index,
            wanted,
            self._writing[place],
            lambda before: self._read(before, place, source, depth),
        )

    def _read(self, index: int, place: Span, source: Operand, depth: int) -> Bounds | None:
        """What ``source``, in ``place``, is of elements that an instruction wrote."""
        step = self._flow.steps[index]
        target, written = step.decoded.destination, step.writes
        if target is None or written is None:
            return None
        size, stride = target.type.size, written.stride or target.type.size
        offset = place.first - written.first
        if source.type.size > size or offset % stride or place.stride % stride:
            return None
        found = self._result(index, depth)
        return found if found is not None and _holds(source, found) else None


def _may_return_anything(decoded: Decoded) -> bool:
    """Whether an instruction may write registers that it does not say."""
    if decoded.is_call:
        return True
    send, target = decoded.send, decoded.destination
    return send is not None and target is not None and send.response_length is None


def _address_bytes(decoded: Decoded) -> Span | None:
    """The bytes of a0 that an instruction writes, counted from its first one."""
    target = decoded.destination
    if target is None or target.file is not RegisterFile.ARF or target.arf is not Arf.ADDRESS:
        return None
    size, stride = target.type.size, max(target.region.horizontal, 1)
    extent = ((decoded.execution_size - 1) * stride + 1) * size
    return Span(target.byte_offset, target.byte_offset + extent, stride * size, size)


def _of_bits(decoded: Decoded, sources: list[Bounds | None]) -> Bounds | None:
    """What a function of each bit of the sources gives; None where it may be anything."""
    table = decoded.boolean_function if decoded.opcode is Opcode.BFN else _TABLES[decoded.opcode]
    highest = 0
    for bit in range(_BITS):
        choices = [_choices(each, bit) for each in sources]
        indices = (sum(b << n for n, b in enumerate(bits)) for bits in product(*choices))
        if any(table >> index & 1 for index in indices):
            highest |= 1 << bit
    return Bounds(0, highest) if highest < 1 << _BITS - 1 else None


def _choices(source: Bounds | None, bit: int) -> tuple[int, ...]:
    """What a bit of a source may be."""
    if source is None or source.low < 0:
        return 0, 1
    if source.low == source.high:
        return (source.low >> bit & 1,)
    return (0, 1) if source.high >> bit else (0,)


def _computed(decoded: Decoded, sources: list[Bounds | None]) -> Bounds | None:
    known = list(_only_known(sources))
    opcode = decoded.opcode
    if len(known) != len(sources) or not known:
        return None
    if opcode is Opcode.MOV:
        return known[0]
    if opcode is Opcode.SEL:
        return _union([*known])
    if opcode in _SUMS:
        return Bounds(sum(each.low for each in known), sum(each.high for each in known))
    if opcode is Opcode.MUL:
        return _times(known[0], known[1])
    if opcode is Opcode.MAD:
        scaled = _times(known[1], known[2])
        return Bounds(known[0].low + scaled.low, known[0].high + scaled.high)
    if opcode in (Opcode.SHL, Opcode.SHR, Opcode.ASR) and known[0].low >= 0:
        amount = known[1]
        if amount.low != amount.high or not 0 <= amount.low < 32:
            return None
        if opcode is Opcode.SHL:
            return Bounds(known[0].low << amount.low, known[0].high << amount.low)
        return Bounds(known[0].low >> amount.low, known[0].high >> amount.low)
    return None


def _only_known(sources: list[Bounds | None]) -> Iterator[Bounds]:
    for each in sources:
        if each is not None:
            yield each


def _times(a: Bounds, b: Bounds) -> Bounds:
    corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
    return Bounds(min(corners), max(corners))


def _union(found: list[Bounds | None]) -> Bounds | None:
    known = list(_only_known(found))
    if len(known) != len(found) or not known:
        return None
    return Bounds(min(each.low for each in known), max(each.high for each in known))


def _constant(source: Operand) -> Bounds | None:
    if source.type.name not in _INTEGERS:
        return None
    bits = 8 * source.type.size
    number = source.immediate & (1 << bits) - 1
    if not source.type.name.startswith("U") and number >> (bits - 1):
        number -= 1 << bits
    return Bounds(number, number)


def _of_type(operand: Operand) -> Bounds | None:
    """The numbers that the operand's type has, where these are few: as those of a byte."""
    if operand.type.name not in _INTEGERS or operand.type.size > _WORD:
        return None
    half = 1 << 8 * operand.type.size - 1
    is_unsigned = operand.type.name.startswith("U")
    return Bounds(0, 2 * half - 1) if is_unsigned else Bounds(-half, half - 1)


def _holds(operand: Operand, found: Bounds) -> bool:
    """Whether the operand's type has these numbers."""
    bits = 8 * operand.type.size
    if operand.type.name.startswith("U"):
        return found.low >= 0 and found.high < 1 << bits
    return -(1 << bits - 1) <= found.low and found.high < 1 << bits - 1
