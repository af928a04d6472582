"""What one function's code says at an address: of registers, loops, and ways through it."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

from zedbg.dwarf.expressions.lane_addresses import RegisterBits
from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.scopes.scopes import Function
from zedbg.dwarf.trust.carried_registers import (
    CarriedRegister,
    carried_registers,
    first_number,
)
from zedbg.dwarf.trust.copies_between_exits import copy_between_exits
from zedbg.dwarf.trust.copies_in_order import Place, copy_in_order
from zedbg.dwarf.trust.ending_shifts import EndingShift, ending_shifts
from zedbg.dwarf.trust.entry_values import CallerPlaces, EntryValues
from zedbg.dwarf.trust.float_results import (
    Execution,
    FloatWriters,
    float_results,
    float_writer,
    float_writers,
)
from zedbg.dwarf.trust.indexed_counters import counts_within, indexed_counters
from zedbg.dwarf.trust.judged_places import JudgedPlaces
from zedbg.dwarf.trust.lane_places import LanePlaces, LaneWriter
from zedbg.dwarf.trust.load_results import load_results, message_writers
from zedbg.dwarf.trust.loop_counters import LoopCounter, left_by_loops, loop_counters
from zedbg.dwarf.trust.math_results import math_results, quotient_writers
from zedbg.dwarf.trust.message_places import MessagePlace, MessagePlaces
from zedbg.dwarf.trust.pass_markers import PassMarker, pass_marker
from zedbg.dwarf.trust.products import first_of_product
from zedbg.dwarf.trust.reached_places import ReachedPlaces
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.shift_counters import ShiftCounter, shift_counters
from zedbg.dwarf.trust.steps import Span, Step, operation
from zedbg.dwarf.trust.stride_counters import StrideCounter, stride_counters
from zedbg.xe.isa.names import Condition
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind, dwarf_register

_Found = TypeVar("_Found")
_MOST_COPIED = 4  # moves from register to register that a value is followed through
_IDLE = frozenset({Opcode.MOV, Opcode.SYNC, Opcode.NOP})


class FunctionCode:
    """The code of ``function``. Addresses are the device's; offsets are in the function."""

    def __init__(
        self,
        function: Function,
        code: tuple[bytes, Platform],
        local_id_bytes: int,
        line_at: Callable[[int], tuple[object, int]],
        called: Callable[[int], FunctionCode | None],
    ) -> None:
        """``code``: its instructions, empty where they are not decoded, and their set;
        ``local_id_bytes``: how many bytes of local ids its threads get in registers; ``line_at``
        gives the inlined call (or the function) and the line of the code at an address, ``called``
        the code of the function that begins at one."""
        self._flow = RegisterFlow(*code)
        self._platform = code[1]
        #: Where the compiler says that its variables are.
        self.places = JudgedPlaces(function, self._flow, local_id_bytes, line_at)
        # What was found of a loop, by what finds it.
        self._of_loop: dict[tuple[object, tuple[int, int]], list[Any]] = {}
        self._counts_within: dict[tuple[tuple[int, int], LoopCounter, int, int], bool] = {}
        self._left_counters: dict[int, list[LoopCounter]] = {}
        self._pass_markers: dict[tuple[tuple[int, int], int, int], PassMarker | None] = {}
        # The numbers of the instructions that do not find the frame any more in a place.
        self._outside_frame: dict[Span, set[int]] = {}
        self._reached_places = ReachedPlaces(self._flow)
        self._message_places = MessagePlaces(self._flow, code[1])
        self.low, self.high = function.low, function.high  # addresses, without the second
        self._called = called
        self._entry = EntryValues(self._flow, code[1], self._changed_by_call)

    def floating_operations(self, start: int, end: int) -> set[Opcode]:
        """What the instructions from address ``start`` up to ``end`` do that give floating-point
        numbers."""
        return {
            each.decoded.opcode
            for each in self._flow.steps
            if start <= self.low + each.offset < end
            and each.decoded.destination is not None
            and each.decoded.destination.type.is_floating
        }

    @cached_property
    def has_extremes(self) -> bool:
        """Whether an instruction chooses the smaller or the greater of two floating-point numbers,
        by comparing these."""
        return any(
            each.decoded.opcode in (Opcode.SEL, Opcode.CSEL)
            and each.decoded.condition is not Condition.NONE
            and each.decoded.destination is not None
            and each.decoded.destination.type.is_floating
            for each in self._flow.steps
        )

    def may_lead(self, start: int, end: int) -> bool:
        """Whether a thread may come from address ``start`` to ``end``, by one instruction at least;
        true where the code is not decoded."""
        return not self._flow.steps or self._flow.may_lead(start - self.low, end - self.low)

    def caller_places(self, address: int, in_call: bool) -> CallerPlaces | None:
        """See :meth:`zedbg.dwarf.trust.entry_values.EntryValues.places`."""
        return self._entry.places(address - self.low, in_call)

    def _changed_by_call(self, offset: int) -> frozenset[int] | None:
        """The dwords of registers that what is called at ``offset`` may change."""
        decoded = self._flow.steps[self._flow.index_at(offset)].decoded
        code = self._called(self.low + offset + decoded.jip) if decoded.jip else None
        # A function that does not use the stack cannot call itself.
        return None if code is None or code is self else code._entry.changed

    def span_of(self, bits: RegisterBits) -> Span | None:
        """The bytes of the general registers that ``bits`` are in; None for other registers."""
        register = dwarf_register(bits.number)
        if register is None or register.kind is not RegisterKind.GRF:
            return None
        whole = self._flow.grf_bytes * 8
        start = register.index * whole + bits.bit_offset
        end = start + (bits.bit_size or whole - bits.bit_offset)
        return Span(start // 8, -(-end // 8), 0)

    def has_frame(self, place: Span, body: int, address: int) -> bool:
        """Whether ``place`` has at ``address`` what the prologue put there: from ``body`` on, the
        address where the function's body begins, until something writes there again, as its
        epilogue does. Called functions give it back."""
        if place not in self._outside_frame:
            steps, start = self._flow.steps, self._flow.index_at(body - self.low)
            writing = (
                index
                for index, step in enumerate(steps[start:], start)
                if not step.decoded.is_call and self._flow.may_write(step, place)
            )
            self._outside_frame[place] = self._flow.after_any(writing)
        index = self._flow.index_at(address - self.low)
        return address >= body and index not in self._outside_frame[place]

    def is_read(self, first: int, end: int, address: int) -> bool:
        """Whether the code from ``address`` on reads what it finds in bytes ``first`` to ``end``
        (without that) of the general registers, counted from r0."""
        return self._flow.is_read(Span(first, end, 0), address - self.low)

    def results(self, address: int) -> list[Span]:
        """What instructions wrote to the general registers, each in one piece, and in front of
        ``address`` is still there on every way."""
        at = address - self.low
        spans = {step.writes for step in self._flow.steps if step.writes is not None}
        return [each for each in spans if None not in self._flow.definitions(each, at)]

    def keeps_of_others(self, place: Span, width: int) -> bool:
        """Whether what lanes have in ``place`` stays while others execute the function: one element
        each of ``width``, as large as its stride, one row of them after the other."""
        size = place.stride
        for step in self._flow.steps:
            if not self._flow.may_write(step, place):
                continue
            decoded, written = step.decoded, step.writes
            if written is None or decoded.no_mask or decoded.send or written.stride != size:
                return False
            lane = written.first - place.first - decoded.channel_offset * size
            if written.element > size or lane % (width * size):
                return False
        return True

    def keeps(self, first: int, end: int, since: int, address: int) -> bool:
        """Whether bytes ``first`` to ``end`` (without that) of the general registers have at
        ``address`` what they had at address ``since``, for all lanes."""
        low = self.low
        return self._flow.keeps(Span(first, end, 0), since - low, address - low)

    def carries(
        self, places: Iterable[Span], loop: tuple[int, int], address: int, *, is_next: bool
    ) -> bool:
        """Whether ``loop`` carries what ``places`` have at ``address``; see
        :meth:`RegisterFlow.carries`."""
        low, (head, tail) = self.low, loop
        return self._flow.carries(places, (head - low, tail - low), address - low, is_next=is_next)

    def carried_registers(
        self, loop: tuple[int, int], address: int, *, is_next: bool
    ) -> list[CarriedRegister]:
        """See :func:`zedbg.dwarf.trust.carried_registers.carried_registers`; with addresses."""
        low, (head, tail) = self.low, loop
        there = (head - low, tail - low), address - low
        return list(carried_registers(self._flow, *there, is_next=is_next))

    def first_number(
        self, carried: CarriedRegister, lane: int, address: int, registers: bytes
    ) -> int | None:
        """See :func:`zedbg.dwarf.trust.carried_registers.first_number`; with an address."""
        return first_number(self._flow, carried, lane, address - self.low, registers)

    def counters(self, address: int) -> list[LoopCounter]:
        """The counters of the loops around ``address``; see
        :func:`zedbg.dwarf.trust.loop_counters.loop_counters`. Their offsets are in the function."""
        return self._counters_of(self._flow.loops_around(address - self.low))

    def indexed_counters(self, address: int) -> list[tuple[LoopCounter, tuple[int, int]]]:
        """Those of the loops around ``address``, with the offsets of these; see
        :func:`zedbg.dwarf.trust.indexed_counters.indexed_counters`."""
        return [
            (each, loop)
            for loop in self._flow.loops_around(address - self.low)
            for each in self._found(indexed_counters, [loop])
        ]

    def counts_within(
        self, loop: tuple[int, int], counter: LoopCounter, begin: int, passes: int
    ) -> bool:
        """See :func:`zedbg.dwarf.trust.indexed_counters.counts_within`."""
        key = loop, counter, begin, passes
        if key not in self._counts_within:
            self._counts_within[key] = counts_within(self._flow, *key)
        return self._counts_within[key]

    def other_counters(self, address: int) -> list[LoopCounter]:
        """The counters of the loops that ``address`` is not in."""
        around = self._flow.loops_around(address - self.low)
        return self._counters_of(each for each in self._flow.loops if each not in around)

    def _counters_of(self, loops: Iterable[tuple[int, int]]) -> list[LoopCounter]:
        return self._found(loop_counters, loops)

    def _found(
        self,
        find: Callable[[RegisterFlow, tuple[int, int]], Iterable[_Found]],
        loops: Iterable[tuple[int, int]],
    ) -> list[_Found]:
        """What ``find`` finds in each of ``loops``, looked for once."""
        found: list[_Found] = []
        for loop in loops:
            key = find, loop
            if key not in self._of_loop:
                self._of_loop[key] = list(find(self._flow, loop))
            found += self._of_loop[key]
        return found

    def shift_counters(self, address: int) -> list[ShiftCounter]:
        """The counters of the loops around ``address`` that are shifted; see
        :func:`zedbg.dwarf.trust.shift_counters.shift_counters`."""
        return self._found(shift_counters, self._flow.loops_around(address - self.low))

    def stride_counters(self, address: int) -> list[StrideCounter]:
        """The counters of the loops around ``address`` that others are added to; see
        :func:`zedbg.dwarf.trust.stride_counters.stride_counters`."""
        return self._found(stride_counters, self._flow.loops_around(address - self.low))

    def ending_shifts(self, address: int) -> list[EndingShift]:
        """What the innermost loop around ``address`` shifts until it ends; see
        :func:`zedbg.dwarf.trust.ending_shifts.ending_shifts`."""
        around = self._flow.loops_around(address - self.low)
        innermost = min(around, key=lambda each: each[1] - each[0], default=None)
        return [] if innermost is None else self._found(ending_shifts, [innermost])

    def left_counters(self, address: int) -> list[LoopCounter]:
        """As :meth:`counters`, of loops that ``address`` is not in; see
        :func:`zedbg.dwarf.trust.loop_counters.left_by_loops`."""
        at = address - self.low
        if at not in self._left_counters:
            self._left_counters[at] = left_by_loops(self._flow, self.other_counters(address), at)
        return self._left_counters[at]

    @property
    def loops(self) -> list[tuple[int, int]]:
        """Its loops: addresses of the first instruction and of the jump back."""
        low = self.low
        return [(low + head, low + tail) for head, tail in self._flow.loops]

    def exits(self, loop: tuple[int, int]) -> list[int]:
        """The addresses of the instructions with which lanes leave ``loop``."""
        low = self.low
        return [low + each for each in self._flow.exits((loop[0] - low, loop[1] - low))]

    def is_passed(self, loop: tuple[int, int], address: int, *, by_leaving: bool) -> bool:
        """See :meth:`CodeFlow.is_passed`; with addresses."""
        low, (head, tail) = self.low, loop
        return self._flow.is_passed((head - low, tail - low), address - low, by_leaving=by_leaving)

    def counters_of(self, loop: tuple[int, int]) -> list[LoopCounter]:
        """The counters of ``loop``, which addresses say, only."""
        return self._counters_of([(loop[0] - self.low, loop[1] - self.low)])

    def leads_to(self, since: int, to: int, passed: int | None) -> bool:
        """Whether lanes may come from address ``since`` to ``to`` without a jump back; ``passed``:
        and without the instruction there."""
        low = self.low
        return self._flow.leads_to(since - low, to - low, None if passed is None else passed - low)

    @property
    def end(self) -> int:
        """The address of the last instruction that is executed after all others."""
        ends = [step.offset for step in self._flow.steps if step.decoded.is_end_of_thread]
        return self.low + (ends[-1] if ends else 0)

    def ahead(self, address: int, counts: Callable[[int], bool]) -> list[Step]:
        """The instructions from ``address`` on, up to one at an address for which ``counts`` is
        false, and up to one that does the same as another."""
        found: list[Step] = []
        kinds = set()
        for step in self._flow.steps[self._flow.index_at(address - self.low) :]:
            kind = operation(step)
            if not counts(self.low + step.offset) or kind in kinds or step.decoded.jip:
                break
            kinds.add(kind)
            found.append(step)
        return found

    def step_at(self, address: int) -> Step:
        """The instruction at ``address``."""
        return self._flow.steps[self._flow.index_at(address - self.low)]

    def acting(self, address: int, counts: Callable[[int], bool]) -> int:
        """The address of the first instruction from ``address`` on that does anything: compilers
        put others in front of it, which wait for a message. They are passed as long as ``counts``
        is true of what follows them."""
        for step in self._flow.steps[self._flow.index_at(address - self.low) :]:
            at, decoded = self.low + step.offset, step.decoded
            if not counts(at):
                break
            target = decoded.destination
            is_idle = target is None or target.is_null
            is_idle = is_idle and decoded.condition is Condition.NONE and decoded.send is None
            if not is_idle or decoded.opcode not in _IDLE:
                return at
        return address

    def straight(self, address: int) -> list[tuple[int, Step]]:
        """The instructions from ``address`` on, with their addresses, up to a jump or the end."""
        low = self.low
        found: list[tuple[int, Step]] = []
        for step in self._flow.steps[self._flow.index_at(address - low) :]:
            decoded = step.decoded
            if decoded.jip or decoded.uip or decoded.opcode is Opcode.RET:
                break
            found.append((low + step.offset, step))
        return found

    def straight_before(self, address: int) -> list[tuple[int, Step]]:
        """The instructions in front of ``address``, with their addresses, the last first, as far as
        lanes come to it on one way only."""
        low = self.low
        return [(low + step.offset, step) for step in self._flow.block_before(address - low)]

    def first_of_product(self, step: Step) -> Step | None:
        """The instruction that begins the product of which ``step`` gives the lower half; None
        where it does not."""
        return first_of_product(self._flow, step, self._platform)

    def straight_around(self, address: int) -> range:
        """The addresses of the instructions around that at ``address`` that lanes execute one after
        the other, all of them if one."""
        found = self._flow.straight_around(address - self.low)
        return range(self.low + found.start, self.low + found.stop)

    def has_alike(self, low: int, high: int, place: Callable[[int], object]) -> bool:
        """Whether two instructions from ``low`` up to ``high``, with that, do the same in the same
        lanes, and ``place`` is the same of their addresses."""
        begin = self.low
        kinds = [
            (operation(step), place(begin + step.offset))
            for step in self._flow.steps
            if low <= begin + step.offset <= high and step.decoded.opcode is not Opcode.SYNC
        ]
        return len(set(kinds)) < len(kinds)

    def alike(self, address: int, counts: Callable[[int], bool]) -> LineRun | None:
        """Which one the instruction that ``address`` is in is of those with the same operation and
        lanes, at addresses for which ``counts`` is true; None where it is none of them."""
        low = self.low
        steps = self._flow.steps
        index = self._flow.index_at(address - low + 1) - 1
        if not counts(address):
            return None
        kind = operation(steps[index])
        same = [each.offset for each in steps if operation(each) == kind]
        same = [offset for offset in same if counts(low + offset)]
        return LineRun(same.index(steps[index].offset), len(same))

    def copy_in_order(
        self,
        address: int,
        place: Callable[[int], Place | None],
        turns: Container[int] | None,
        single: Container[Opcode],
    ) -> LineRun | None:
        """See :func:`zedbg.dwarf.trust.copies_in_order.copy_in_order`; with addresses."""
        low = self.low
        return copy_in_order(self._flow, address - low, lambda at: place(low + at), turns, single)

    def copy_between_exits(
        self, address: int, place: Callable[[int], Place | None], count: int
    ) -> LineRun | None:
        """See :func:`zedbg.dwarf.trust.copies_between_exits.copy_between_exits`; with addresses."""
        low = self.low
        return copy_between_exits(self._flow, address - low, lambda at: place(low + at), count)

    def loaded(self, address: int, loads: Callable[[int], bool]) -> list[LanePlaces]:
        """See :func:`zedbg.dwarf.trust.load_results.load_results`; with addresses."""
        low = self.low
        return load_results(self._flow, address - low, lambda offset: loads(low + offset))

    def message_writers(self) -> dict[int, LaneWriter | None]:
        """See :func:`zedbg.dwarf.trust.load_results.message_writers`; with addresses."""
        low = self.low
        return {
            low + offset: None if each is None else each.moved(low)
            for offset, each in message_writers(self._flow).items()
        }

    def math_results(
        self, address: int, is_of: Callable[[int], bool], is_product: bool
    ) -> list[LanePlaces]:
        """See :func:`zedbg.dwarf.trust.math_results.math_results`; with addresses."""
        at, low = address - self.low, self.low
        return math_results(self._flow, at, lambda offset: is_of(low + offset), is_product)

    def steps_of(self, is_of: Callable[[int], bool]) -> list[Step]:
        """The instructions at addresses for which ``is_of`` is true."""
        return [step for step in self._flow.steps if is_of(self.low + step.offset)]

    def makers(self, step: Step) -> Iterator[set[int]]:
        """Of what ``step`` takes from each place of the registers, the addresses of the
        instructions that may have made it; copies are looked through. Nothing of what may be
        anything else."""
        for place in step.reads:
            found = self._made_by(place, step.offset, _MOST_COPIED)
            if found:
                yield {self.low + each for each in found}

    def _made_by(self, place: Span, at: int, copies: int) -> set[int]:
        """Offsets of the instructions that made what ``place`` holds at an offset; none where they
        are not known."""
        found = set[int]()
        for index in self._flow.definitions(place, at):
            if index is None:
                return set()
            step = self._flow.steps[index]
            made = {step.offset}
            if _is_copy(step):
                made = self._made_by(step.reads[0], step.offset, copies - 1) if copies else set()
            if not made:
                return set()
            found |= made
        return found

    def reached(self, address: int) -> frozenset[int]:
        """The addresses of the instructions that are reached from the one at ``address``: see
        :class:`zedbg.dwarf.trust.reached_places.ReachedPlaces`."""
        low = self.low
        return frozenset(low + each for each in self._reached_places.of(address - low))

    def decided_by(self, address: int) -> frozenset[int]:
        """See :meth:`zedbg.dwarf.trust.reached_places.ReachedPlaces.decided_by`; with addresses."""
        low = self.low
        return frozenset(low + each for each in self._reached_places.decided_by(address - low))

    def message_places(self, steps: Sequence[Step]) -> list[MessagePlace]:
        """See :class:`zedbg.dwarf.trust.message_places.MessagePlaces`; with addresses. None of them
        where that of one of ``steps`` is not known."""
        found, low = self._message_places.of(steps), self.low
        known = [each.moved(low) for each in found if each is not None]
        return known if len(known) == len(found) else []

    def uniform_place(self, term: Hashable, address: int) -> Span | None:
        """See :meth:`MessagePlaces.uniform_place`; with an address."""
        return self._message_places.uniform_place(term, address - self.low)

    def pass_marker(self, loop: tuple[int, int], address: int, lane: int) -> PassMarker | None:
        """See :func:`zedbg.dwarf.trust.pass_markers.pass_marker`; with addresses."""
        key, low = (loop, address, lane), self.low
        if key not in self._pass_markers:
            found = pass_marker(self._flow, (loop[0] - low, loop[1] - low), address - low, lane)
            self._pass_markers[key] = found and replace(found, offset=low + found.offset)
        return self._pass_markers[key]

    def float_writers(self, is_of: Callable[[int], bool]) -> FloatWriters:
        """See :func:`zedbg.dwarf.trust.float_results.float_writers`; with addresses."""
        low = self.low
        found = float_writers(self._flow, lambda offset: is_of(low + offset))
        return FloatWriters(self._there(found.last), self._there(found.alike))

    def quotient_writers(self) -> Sequence[LaneWriter]:
        """See :func:`zedbg.dwarf.trust.math_results.quotient_writers`; with addresses."""
        return self._there(quotient_writers(self._flow))

    def writers_of(self, is_of: Callable[[int], bool]) -> Sequence[LaneWriter]:
        """Which instructions at addresses for which ``is_of`` is true give numbers of 32 bits."""
        steps = [
            step for step in self._flow.steps_with_accumulators if is_of(self.low + step.offset)
        ]
        found = (float_writer(step, self._flow.grf_bytes) for step in steps)
        return self._there(each for each in found if each is not None)

    def _there(self, writers: Iterable[LaneWriter]) -> tuple[LaneWriter, ...]:
        return tuple(each.moved(self.low) for each in writers)

    def float_results(
        self, address: int, is_of: Callable[[int], bool], when: Execution
    ) -> list[LanePlaces]:
        """See :func:`zedbg.dwarf.trust.float_results.float_results`; with addresses."""
        at, low = address - self.low, self.low
        return float_results(self._flow, at, lambda offset: is_of(low + offset), when)


def _is_copy(step: Step) -> bool:
    """Whether an instruction only moves what one place of the registers has."""
    decoded = step.decoded
    if decoded.opcode is not Opcode.MOV or len(step.reads) != 1 or decoded.saturate:
        return False
    (source,), target = decoded.sources, decoded.destination
    is_plain = not source.negate and not source.absolute and not step.is_conditional
    return is_plain and target is not None and target.type is source.type
