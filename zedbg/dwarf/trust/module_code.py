"""What the machine code of a module's functions says at an address, and of the source's lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from zedbg.dwarf.expressions.lane_addresses import lane_address
from zedbg.dwarf.lines.line_runs import LineRun, line_run
from zedbg.dwarf.lines.line_table import LineTable
from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.dwarf.scopes.prologue import FunctionStart, body_start
from zedbg.dwarf.scopes.scopes import Function, InlinedCall
from zedbg.dwarf.trust.carried_registers import CarriedRegister
from zedbg.dwarf.trust.compiled_maths import CompiledMaths
from zedbg.dwarf.trust.copies_in_order import Place
from zedbg.dwarf.trust.ending_shifts import EndingShift
from zedbg.dwarf.trust.entry_values import CallerPlaces
from zedbg.dwarf.trust.float_results import Execution, FloatWriters
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.lane_places import LanePlaces, LaneWriter
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.dwarf.trust.shift_counters import ShiftCounter
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.dwarf.trust.stride_counters import StrideCounter
from zedbg.xe.isa.opcodes import Opcode
from zedbg.zebin import Module

_MOST_NOTED = 20_000  # answers


class Scopes(Protocol):
    """What is asked of the debug information around an address."""

    @property
    def lines(self) -> LineTable:
        """The line table of the whole module."""

    def function_at(self, address: int) -> Function | None:
        """The function whose code ``address`` lies in."""

    def inlined_calls_at(self, address: int) -> list[InlinedCall]:
        """The calls that were inlined at ``address``, innermost first."""


class ModuleCode:
    """The code of ``module``'s functions; each is decoded when it is first asked for.

    Where the code of an address is of no known function, answers are those of no code. ``line``,
    ``column`` and ``calls`` name a place of the source: the row of the line table, and the inlined
    calls that it is in, the innermost first.
    """

    def __init__(self, module: Module, scopes: Scopes) -> None:
        self._module = module
        self._scopes = scopes
        self._functions: dict[Function, FunctionCode] = {}
        self._bodies: dict[Function, int] = {}  # addresses
        self._copies_in_order: dict[tuple[object, ...], LineRun | None] = {}
        self._are_kept: dict[tuple[int, int, int, int], bool] = {}
        self._have_frame: dict[tuple[bytes, int], bool] = {}
        #: How they compute with floating-point numbers.
        self.maths = CompiledMaths(module, self._functions, scopes)

    def function_at(self, address: int) -> FunctionCode | None:
        """The code of the function that ``address`` lies in."""
        function = self._scopes.function_at(address)
        if function is None:
            return None
        if function not in self._functions:
            kernel = self._module.kernel_at(function.low)
            info = None if kernel is None or not function.is_kernel else kernel.info
            ids = [] if info is None else info.per_thread_payload_arguments
            self._functions[function] = FunctionCode(
                function,
                code_of(self._module, function),
                max((each.offset + each.size for each in ids), default=0),
                cache(lambda at: self._line_in(function, at)),
                self._beginning_at,
            )
        return self._functions[function]

    def _beginning_at(self, address: int) -> FunctionCode | None:
        code = self.function_at(address)
        return code if code is not None and code.low == address else None

    def _line_in(self, function: Function, address: int) -> tuple[object, int]:
        """The inlined call in ``function`` that ``address`` is in, or that itself, and the line."""
        row = self._scopes.lines.row_at(address)
        calls = function.innermost_at(address).outwards()
        call = next((each for each in calls if isinstance(each, InlinedCall)), function)
        return call, 0 if row is None else row.line

    def is_of(self, address: int, line: int, column: int, calls: Sequence[InlinedCall]) -> bool:
        """Whether the code at ``address`` is of that place of the source."""
        row = self._scopes.lines.row_at(address)
        if row is None or (row.line, row.column) != (line, column):
            return False
        return self._scopes.inlined_calls_at(address) == list(calls)

    # Registers.

    def has_frame(self, expression: bytes, address: int) -> bool:
        """Whether memory at an address that ``expression`` adds up from registers has variables of
        the function at ``address``: its prologue has set up the frame, its epilogue has not left
        it. True where the code is of no known function."""
        key = expression, address
        if key not in self._have_frame:  # asked for in each thread that stops there
            self._have_frame[key] = self._has_frame(expression, address)
        return self._have_frame[key]

    def _has_frame(self, expression: bytes, address: int) -> bool:
        code, function = self.function_at(address), self._scopes.function_at(address)
        if code is None or function is None:
            return True
        if function not in self._bodies:
            rows = self._scopes.lines.rows_between(function.low, function.high)
            row = body_start(FunctionStart.of(function), rows)
            self._bodies[function] = function.low if row is None else row.address
        body, summed = self._bodies[function], lane_address(expression)
        spans = [] if summed is None else [code.span_of(each) for each in summed.registers]
        return address >= body and all(
            each is None or code.has_frame(each, body, address) for each in spans
        )

    def registers_are_read(self, first: int, end: int, address: int) -> bool:
        """Whether the code from ``address`` on reads what it finds in bytes ``first`` to ``end``
        (without that) of the general registers, counted from r0."""
        code = self.function_at(address)
        return code is not None and code.is_read(first, end, address)

    def registers_are_kept(self, first: int, end: int, since: int, address: int) -> bool:
        """Whether bytes ``first`` to ``end`` (without that) of the general registers have at
        ``address`` what they had at address ``since`` of the same function, for all lanes."""
        key = first, end, since, address
        if key not in self._are_kept:  # asked for in each thread that stops there
            code = self.function_at(address)
            if code is not self.function_at(since):
                code = None
            if len(self._are_kept) >= _MOST_NOTED:
                self._are_kept.clear()
            self._are_kept[key] = code is not None and code.keeps(first, end, since, address)
        return self._are_kept[key]

    def lanes_are_kept(self, place: Span, width: int, address: int) -> bool:
        """Whether what lanes have in ``place`` stays while others execute the function around
        ``address``; see :meth:`FunctionCode.keeps_of_others`."""
        code = self.function_at(address)
        return code is not None and code.keeps_of_others(place, width)

    def results(self, leaves_at: int, goes_on_at: int) -> list[Span]:
        """What the function that ends with the instruction at ``leaves_at`` wrote to the general
        registers for the code at ``goes_on_at``, which reads it."""
        left = self.function_at(leaves_at)
        return [
            each
            for each in ([] if left is None else left.results(leaves_at))
            if self.registers_are_read(each.first, each.end, goes_on_at)
        ]

    def load_results(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[LanePlaces]:
        """The registers that have at ``address`` what messages of a place of the source loaded."""
        code = self.function_at(address)
        if code is None:
            return []
        return code.loaded(address, lambda at: self.is_of(at, line, column, calls))

    def load_writers(
        self, address: int, calls: Sequence[InlinedCall]
    ) -> dict[tuple[int, int], list[LaneWriter]]:
        """By line and column of ``calls``, the messages of the function at ``address`` that load
        what a place of the source does; without places of which a message returns something else
        than a number of each lane."""
        code = self.function_at(address)
        messages = {} if code is None else code.message_writers()
        own = (at for at in messages if self._scopes.inlined_calls_at(at) == list(calls))
        return {
            place: known
            for place, there in self._by_place(own).items()
            if len(known := [each for at in there if (each := messages[at])]) == len(there)
        }

    def _by_place(self, addresses: Iterable[int]) -> dict[tuple[int, int], set[int]]:
        """``addresses`` by the line and column of their code."""
        found: dict[tuple[int, int], set[int]] = {}
        for at in addresses:
            row = self._scopes.lines.row_at(at)
            if row is not None:
                found.setdefault((row.line, row.column), set()).add(at)
        return found

    def math_results(
        self,
        address: int,
        line: int,
        column: int,
        calls: Sequence[InlinedCall],
        is_product: bool,
    ) -> list[LanePlaces]:
        """The registers that have at ``address`` what a quotient or root at a place of the source
        gave; ``is_product``: it is a product with a reciprocal."""
        code = self.function_at(address)
        if code is None:
            return []
        return code.math_results(
            address, lambda at: self.is_of(at, line, column, calls), is_product
        )

    def float_results(
        self,
        address: int,
        line: int,
        column: int,
        calls: Sequence[InlinedCall],
        when: Execution,
    ) -> list[LanePlaces]:
        """The registers that have at ``address`` what a place of the source gave that makes one
        number of 32 bits, in its latest execution, ``when`` that was."""
        code = self.function_at(address)
        if code is None:
            return []
        return code.float_results(address, lambda at: self.is_of(at, line, column, calls), when)

    def float_writers(
        self, address: int, calls: Sequence[InlinedCall]
    ) -> dict[tuple[int, int], FloatWriters]:
        """By line and column of ``calls``, which instructions of the function at ``address`` give
        the number that a place of the source makes; see
        :func:`zedbg.dwarf.trust.float_results.float_writers`. Compilers forget of some, as of
        reciprocals, which call they were inlined with: code of only some of the outer ones may be
        of any that has the place."""
        code = self.function_at(address)
        if code is None:
            return {}

        def may_be_of(at: int) -> bool:
            there = self._scopes.inlined_calls_at(at)
            return there == list(calls[max(0, len(calls) - len(there)) :])

        places = self._by_place(code.low + step.offset for step in code.steps_of(may_be_of))
        return {place: code.float_writers(own.__contains__) for place, own in places.items()}

    def quotient_writers(self, address: int) -> Sequence[LaneWriter]:
        """Which instructions of the function at ``address`` give quotients or roots, or what leads
        to one; see :func:`zedbg.dwarf.trust.math_results.quotient_writers`."""
        code = self.function_at(address)
        return () if code is None else code.quotient_writers()

    def writers_at(
        self, address: int, is_of: Callable[[tuple[int, int]], bool]
    ) -> Sequence[LaneWriter]:
        """Which instructions of the function at ``address``, of whatever calls, give numbers of 32
        bits at lines and columns of the source for which ``is_of`` is true."""
        code = self.function_at(address)
        if code is None:
            return ()

        def is_there(at: int) -> bool:
            row = self._scopes.lines.row_at(at)
            return row is not None and is_of((row.line, row.column))

        return code.writers_of(is_there)

    def may_lead(self, start: int, end: int) -> bool:
        """Whether a thread may come from address ``start`` to ``end`` of the same function, by one
        instruction at least; true where that is not known."""
        code = self.function_at(start)
        if code is None or code is not self.function_at(end):
            return True
        return code.may_lead(start, end)

    def caller_places(self, address: int, in_call: bool) -> CallerPlaces | None:
        """Where the values are, in front of the instruction at ``address``, that the caller of its
        function counts on; ``in_call``: while the call in front of it is executed. None where the
        function does not return, or not in one way."""
        code = self.function_at(address - 1 if in_call else address)
        return None if code is None else code.caller_places(address, in_call)

    # Loops.

    def loops(self, address: int) -> list[tuple[int, int]]:
        """The loops of the function at ``address``: addresses of the first instruction and of the
        jump back."""
        code = self.function_at(address)
        return [] if code is None else code.loops

    def loop_carries(
        self, places: Sequence[Span], loop: tuple[int, int], address: int, *, is_next: bool
    ) -> bool:
        """Whether ``places`` have at ``address`` what they had where this pass of ``loop`` began,
        and one of them something else in the next one; ``is_next``: what they will have where that
        begins, and one of them had something else in this one."""
        code = self.function_at(address)
        return code is not None and code.carries(places, loop, address, is_next=is_next)

    def carried_registers(
        self, loop: tuple[int, int], address: int, *, is_next: bool
    ) -> list[CarriedRegister]:
        """The registers which ``loop`` carries that have at ``address`` what they had where this
        pass of it began; ``is_next``: what they will have where the next one begins."""
        code = self.function_at(address)
        return [] if code is None else code.carried_registers(loop, address, is_next=is_next)

    def first_number(
        self, carried: CarriedRegister, lane: int, address: int, registers: bytes
    ) -> int | None:
        """What a register that a loop around ``address`` carries had for ``lane`` in the first
        pass, from what all ``registers`` have now; None where that does not tell it."""
        code = self.function_at(address)
        return None if code is None else code.first_number(carried, lane, address, registers)

    def exits(self, loop: tuple[int, int]) -> list[int]:
        """The addresses of the instructions with which lanes leave one of :meth:`loops`."""
        code = self.function_at(loop[0])
        return [] if code is None else code.exits(loop)

    def is_passed(self, loop: tuple[int, int], address: int, *, by_leaving: bool) -> bool:
        """Whether all lanes come to ``address`` once in each pass of ``loop``, which is one of
        :meth:`loops`, in which they go round it; ``by_leaving``: in those in which they leave it,
        too."""
        code = self.function_at(address)
        return code is not None and code.is_passed(loop, address, by_leaving=by_leaving)

    def changes_in_loop(self, expression: bytes, address: int) -> bool:
        """Whether ``expression`` names a register for all lanes that a loop around ``address``
        changes: it says nothing of lanes that are not active there."""
        code = self.function_at(address)
        return code is not None and code.places.changes_in_loop(expression, address)

    def loop_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[LoopCounter]:
        """The registers that count a loop around ``address``: what instructions of a place of the
        source add a constant to."""
        code = self.function_at(address)
        return (
            []
            if code is None
            else self._counting(code, code.counters(address), line, column, calls)
        )

    def indexed_counters(
        self,
        address: int,
        line: int,
        column: int,
        calls: Sequence[InlinedCall],
        numbers: Callable[[], tuple[int, int] | None],
    ) -> list[LoopCounter]:
        """As :meth:`loop_counters`, of loops that write to registers by indices. ``numbers``, asked
        only where there are such: what the counter has in the first pass, if it counts, and how
        many passes there are at most; None where that is not known."""
        code = self.function_at(address)
        if code is None:
            return []
        found = [
            (each, loop)
            for each, loop in code.indexed_counters(address)
            if self._counting(code, [each], line, column, calls)
        ]
        known = numbers() if found else None
        if known is None:
            return []
        return [each for each, loop in found if code.counts_within(loop, each, *known)]

    def shift_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[ShiftCounter]:
        """The registers that an instruction of a place of the source shifts in each iteration of a
        loop around ``address``."""
        code = self.function_at(address)
        if code is None:
            return []
        return [
            each
            for each in code.shift_counters(address)
            if self.is_of(code.low + each.shifted_at, line, column, calls)
        ]

    def stride_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[StrideCounter]:
        """The registers that an instruction of a place of the source adds others to in each
        iteration of a loop around ``address``."""
        code = self.function_at(address)
        if code is None:
            return []
        return [
            each
            for each in code.stride_counters(address)
            if self.is_of(code.low + each.added_at, line, column, calls)
        ]

    def ending_shifts(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[EndingShift]:
        """What the innermost loop around ``address`` shifts until a comparison, at a place of the
        source, ends it."""
        code = self.function_at(address)
        if code is None:
            return []
        return [
            each
            for each in code.ending_shifts(address)
            if self.is_of(code.low + each.compared_at, line, column, calls)
        ]

    def left_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[LoopCounter]:
        """As :meth:`loop_counters`, of loops that ``address`` is not in, where the registers still
        have what was counted."""
        code = self.function_at(address)
        if code is None:
            return []
        return self._counting(code, code.left_counters(address), line, column, calls)

    def other_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[LoopCounter]:
        """As :meth:`loop_counters`, of loops that ``address`` is not in: for which their registers
        may have anything at ``address``."""
        code = self.function_at(address)
        if code is None:
            return []
        return self._counting(code, code.other_counters(address), line, column, calls)

    def rest_counters(
        self, address: int, line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[tuple[LoopCounter, tuple[int, int]]]:
        """The registers that count loops, around ``address`` or others, whatever they begin with:
        to which in the loop only instructions of a place of the source add. With the loops."""
        code, found = self.function_at(address), []
        if code is None:
            return []
        for loop in code.loops:
            for each in code.counters_of(loop):
                places = loop[0] - code.low, loop[1] - code.low
                inside = [one for one in each.additions if places[0] <= one[0] <= places[1]]
                own = replace(each, origins=(), additions=tuple(inside))
                if self._counting(code, [own], line, column, calls):
                    found.append((own, loop))
        return found

    def _counting(
        self,
        code: FunctionCode,
        counters: Sequence[LoopCounter],
        line: int,
        column: int,
        calls: Sequence[InlinedCall],
    ) -> list[LoopCounter]:
        """Those of ``counters`` to which only instructions of a place of the source add."""
        return [
            each
            for each in counters
            if all(
                self.is_of(code.low + offset, line, column, calls)
                for offset in (each.added_at, *(added for added, _ in each.additions))
            )
        ]

    # Lines: stretches of code, and copies of them.

    def instructions_of_line(self, address: int) -> list[Step]:
        """The instructions from ``address`` on that are of the same line, in the same inlined call,
        as far as no two do the same."""
        code, lines = self.function_at(address), self._scopes.lines
        row, calls = lines.row_at(address), self._scopes.inlined_calls_at(address)

        def is_same(at: int) -> bool:
            there = lines.row_at(at)
            if row is None or there is None or there.line != row.line:
                return False
            return self._scopes.inlined_calls_at(at) == calls

        return [] if code is None else code.ahead(address, is_same)

    def straight(self, address: int) -> list[tuple[int, Step]]:
        """The instructions from ``address`` on, with their addresses, up to a jump or the end."""
        code = self.function_at(address)
        return [] if code is None else code.straight(address)

    def straight_before(self, address: int) -> list[tuple[int, Step]]:
        """The instructions in front of ``address``, with their addresses, the last first, as far as
        lanes come to it on one way only."""
        code = self.function_at(address)
        return [] if code is None else code.straight_before(address)

    def line_places_between(self, low: int, high: int) -> set[tuple[int, int]]:
        """The lines and columns of the code from ``low`` up to ``high``, with that."""
        lines = self._scopes.lines
        rows = [lines.row_at(low), *lines.rows_between(low, high + 1)]
        return {(row.line, row.column) for row in rows if row is not None}

    def has_alike(self, low: int, high: int) -> bool:
        """Whether two instructions from ``low`` up to ``high``, with that, do the same for one line
        and column in one inlined call."""
        code = self.function_at(low)

        def place(at: int) -> object:
            row = self._scopes.lines.row_at(at)
            return row and (row.line, row.column, tuple(self._scopes.inlined_calls_at(at)))

        return code is None or code.has_alike(low, high, place)

    def line_runs(self, address: int, within: tuple[int, int] | None = None) -> list[LineRun]:
        """Which stretch of its function's code of the same line and column, and of the same line,
        in the same inlined call, ``address`` is in; and which one its instruction is of those of
        the same line and column that do the same. ``within``: only code from there to there."""
        code, lines = self.function_at(address), self._scopes.lines
        row = lines.row_at(address)
        if code is None or row is None:
            return []
        first = lines.row_at(code.low)
        rows = list(lines.rows_between(code.low, code.high))
        if first is not None and (not rows or rows[0].address > first.address):
            rows.insert(0, first)
        low, high = within or (code.low, code.high)
        after = [each for each in rows if low < each.address <= high]
        rows = [*[each for each in rows if each.address <= low][-1:], *after]
        calls = {each: tuple(self._scopes.inlined_calls_at(each.address)) for each in rows}
        calls_here = self._scopes.inlined_calls_at(address)
        found = (
            line_run(rows, address, lambda each: (each.line, each.column, calls[each])),
            line_run(rows, address, lambda each: (each.line, calls[each])),
            code.alike(
                address,
                lambda at: low <= at <= high and self.is_of(at, row.line, row.column, calls_here),
            ),
        )
        return [each for each in found if each is not None]

    def copy_in_order(
        self,
        address: int,
        turns: frozenset[int] | None = None,
        single: frozenset[Opcode] = frozenset(),
    ) -> LineRun | None:
        """Which copy of a loop's body the instruction at ``address`` is of, where the data that
        flows from one to the next says their order. ``turns``: lines of which each copy has code,
        where it is not only that of a part of the body; ``single``: instructions that do all of
        what the source does there in an iteration."""
        key = address, turns, single
        code = self.function_at(address)
        if key not in self._copies_in_order and code is not None:
            self._copies_in_order[key] = code.copy_in_order(address, self._place, turns, single)
        return self._copies_in_order.get(key)

    def copy_between_exits(self, address: int, count: int) -> LineRun | None:
        """Which copy of a loop's body the instruction at ``address`` is of, where jumps out of the
        loop, which has ``count`` of them in a row, say their order."""
        key = address, count
        code = self.function_at(address)
        if key not in self._copies_in_order and code is not None:
            self._copies_in_order[key] = code.copy_between_exits(address, self._place, count)
        return self._copies_in_order.get(key)

    def _place(self, address: int) -> Place | None:
        row = self._scopes.lines.row_at(address)
        if row is None:
            return None
        return Place(row.line, row.column, tuple(self._scopes.inlined_calls_at(address)))

    def loop_run(self, loop: tuple[int, int], within: tuple[int, int] | None) -> LineRun:
        """Which one ``loop`` is of the loops that are directly in ``within`` (None: in the
        function) and have code of a line and column that it has."""
        own = self.line_places_between(*loop)
        alike = [
            each
            for each in self.loops_directly_in(within, loop[0])
            if not own.isdisjoint(self.line_places_between(*each))
        ]
        return LineRun(alike.index(loop) if loop in alike else -1, len(alike))

    def loops_directly_in(
        self, within: tuple[int, int] | None, address: int
    ) -> list[tuple[int, int]]:
        """The loops in ``within`` (None: in the function at ``address``) that are in no other one
        there, in the order of addresses."""
        loops = [each for each in self.loops(address) if each != within]
        inside = [
            each for each in loops if within is None or within[0] <= each[0] <= each[1] <= within[1]
        ]
        return sorted(
            each
            for each in inside
            if not any(a[0] <= each[0] <= each[1] <= a[1] for a in inside if a != each)
        )

    def counters_of_loop(
        self, loop: tuple[int, int], line: int, column: int, calls: Sequence[InlinedCall]
    ) -> list[LoopCounter]:
        """As :meth:`loop_counters`, of ``loop`` only."""
        code = self.function_at(loop[0])
        if code is None:
            return []
        return self._counting(code, code.counters_of(loop), line, column, calls)

    def last_instruction(self, address: int) -> int:
        """The address of the last instruction of the function at ``address`` after which lanes
        execute nothing."""
        code = self.function_at(address)
        return address if code is None else code.end

    def leads_to(self, since: int, to: int, passed: int | None = None) -> bool:
        """Whether lanes may come from address ``since`` to ``to`` of the same function without a
        jump back; ``passed``: and without the instruction there."""
        code = self.function_at(since)
        return code is not None and code.leads_to(since, to, passed)

    def count_alike(self, address: int, *ranges: tuple[int, int]) -> int:
        """How many instructions in ``ranges``, which are those from one address up to another one,
        with that, do for one line and column in one inlined call what that at ``address`` does,
        which is in one of them."""
        code, row = self.function_at(address), self._scopes.lines.row_at(address)
        if code is None or row is None:
            return 0
        calls = self._scopes.inlined_calls_at(address)
        run = code.alike(
            address,
            lambda at: (
                any(low <= at <= high for low, high in ranges)
                and self.is_of(at, row.line, row.column, calls)
            ),
        )
        return 0 if run is None else run.count
