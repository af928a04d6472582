"""Where the compiler says that a function's variables are: judged by its code, and mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from zedbg.dwarf.scopes.scopes import Function, LocationEntry, Scope, Variable
from zedbg.dwarf.trust.location_check import (
    OTHER_ARGUMENT,
    OTHER_FORM,
    OVERWRITTEN,
    Claim,
    LocationCheck,
    RegisterForm,
    register_form,
)
from zedbg.dwarf.trust.misplaced import (
    SHARED_COUNTER,
    STACK_VALUE,
    CodeWrites,
    misplaced_local_ids,
    packed_values,
    shared_register,
)
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.dwarf.types.program_types import StructType
from zedbg.missing import Missing
from zedbg.xe.registers import DWARF_FIRST_GENERAL_REGISTER, FIRST_ARGUMENT_REGISTER

_FIRST_PAYLOAD_REGISTER = 1  # r0 is the header
_LOCAL_ID_BYTES = 2
_HALF_OF_LANES = 16  # of the 32 that are said apart
_MANY_LANES = 8  # execution sizes from here on are of values of each lane
_NEAR = 48  # bytes after an instruction: a place of what it made begins there
_EVERYWHERE = 1 << 62
_ADDRESS_BYTES = 8


class JudgedPlaces:
    """The places of the variables of ``function``, whose code ``flow`` is."""

    def __init__(
        self,
        function: Function,
        flow: RegisterFlow,
        local_id_bytes: int,
        line_at: Callable[[int], tuple[object, int]],
    ) -> None:
        """``local_id_bytes``: how many bytes of local ids its threads get in registers; ``line_at``
        gives the inlined call (or the function) and the line of the code at an address."""
        self._function = function
        self._low = function.low
        self._flow = flow
        self._writes = CodeWrites(flow)
        self._check = LocationCheck(
            flow,
            function.simd_width,
            lambda offset: line_at(function.low + offset),
            self._is_anothers,
        )
        count = -(-local_id_bytes // flow.grf_bytes)
        self._id_registers = range(_FIRST_PAYLOAD_REGISTER, _FIRST_PAYLOAD_REGISTER + count)
        self._entries: dict[Variable, list[LocationEntry]] = {}

    def expression(
        self, variable: Variable, entry: LocationEntry | None, address: int
    ) -> bytes | Missing:
        """The expression of where ``variable`` is at ``address``, where ``entry`` of its location
        list holds (None: it has one expression for everywhere), mended where the code shows how;
        missing where the code contradicts it."""
        expression = variable.expression if entry is None else entry.expression
        assert expression is not None
        # Without lanes it is no code of a graphics processor.
        if not self._flow.steps or not self._function.simd_width:
            return expression
        low, at = self._low, address - self._low
        shared = shared_register(expression, self._flow.grf_bytes)
        since = 0 if entry is None else entry.low - low
        if shared is not None and self._writes.is_left_by_loop(shared, since, at):
            return SHARED_COUNTER
        first = misplaced_local_ids(expression, self._id_registers)
        if first is not None:
            return packed_values(first, self._flow.grf_bytes, _LOCAL_ID_BYTES * 8, _LOCAL_ID_BYTES)
        if entry is None and self._loses_address(variable, at):
            return OVERWRITTEN
        if self._is_of_other_argument(variable, expression, at if entry is None else since):
            return OTHER_ARGUMENT
        mended = self._in_its_form(expression, variable.type.size, since, at)
        if isinstance(mended, Missing) or entry is None:
            return mended
        claim = self._claim(variable, entry, mended)
        wrong = self._check.contradicts(claim, at)
        return mended if wrong is None else wrong

    def changes_in_loop(self, expression: bytes, address: int) -> bool:
        """Whether a register that all lanes share, at ``address``, is that of the lanes in a loop
        only: what it was for those that have left is not known."""
        place = shared_register(expression, self._flow.grf_bytes)
        at = address - self._low
        return place is not None and self._writes.changes_in_loop_around(place, at)

    def _form(self, expression: bytes, size: int) -> RegisterForm | Missing | None:
        return register_form(expression, size, self._flow.grf_bytes, self._function.simd_width)

    def _claim(self, variable: Variable, entry: LocationEntry, mended: bytes) -> Claim:
        entries = self._entries_of(variable)
        mine = entries[variable.entries.index(entry)]
        if mended != entry.expression:
            entries = [
                replace(each, expression=mended) if each.expression == entry.expression else each
                for each in entries
            ]
            mine = replace(mine, expression=mended)
        return Claim(variable, entries, mine)

    def _entries_of(self, variable: Variable) -> list[LocationEntry]:
        """Its location list, by offsets in the function."""
        if variable not in self._entries:
            low = self._low
            self._entries[variable] = [
                LocationEntry(
                    max(each.low - low, 0), min(each.high - low, _EVERYWHERE), each.expression
                )
                for each in variable.entries
            ]
        return self._entries[variable]

    def _in_its_form(self, expression: bytes, size: int, since: int, at: int) -> bytes | Missing:
        """``expression``, or what it means: the compiler counts every value of fewer than 32 bits
        as 32, and every pointer as 64, also where its code has them side by side in fewer."""
        form = self._form(expression, size)
        if not isinstance(form, RegisterForm) or form.stride <= 0:
            return expression
        strides = set(self._strides_of(form.spans[0], since, at))
        if len(strides) != 1 or (stride := strides.pop()) >= form.stride:
            return expression
        if stride < form.size:
            return OTHER_FORM
        register, byte = divmod(form.spans[0].first, self._flow.grf_bytes)
        second_half = form.spans[0].first + _HALF_OF_LANES * stride
        if byte or form.second_half not in (None, second_half):
            return OTHER_FORM
        first = DWARF_FIRST_GENERAL_REGISTER + register
        return packed_values(first, self._flow.grf_bytes, form.size * 8, stride)

    def _loses_address(self, variable: Variable, at: int) -> bool:
        """Whether ``variable``, said to be in one place everywhere, has the address of its memory
        in a register that the code uses for other things when it comes to ``at``."""
        assert variable.expression is not None
        flow, since = self._flow, self._scope_begins.get(variable, 0)
        for span in self._address(variable.expression):
            own = self._first_writes(span, since)
            if own and not flow.definitions(span, at) <= {*own, None}:
                return True
        return False

    def _is_of_other_argument(self, variable: Variable, expression: bytes, at: int) -> bool:
        """Whether the address of ``variable``, passed by value to a function that is called, is
        said to be in the register of the first argument, which another one has at offset ``at``:
        that of what the function returns, or its first parameter. Some compilers say so of all
        such parameters."""
        function, first = self._function, FIRST_ARGUMENT_REGISTER * self._flow.grf_bytes
        if function.is_kernel or not variable.is_parameter:
            return False
        address = self._address(expression)
        if not address or address[0].first != first:
            return False
        if self._flow.definitions(address[0], at) != {None}:
            return False
        returned = function.type and function.type.stripped()
        return isinstance(returned, StructType) or variable is not function.parameters[0]

    def _address(self, expression: bytes) -> Sequence[Span]:
        """Where the address is of a variable that lies in memory, in general registers; empty where
        it is not in one of its own."""
        form = self._form(expression + bytes([STACK_VALUE]), _ADDRESS_BYTES)
        return form.spans if isinstance(form, RegisterForm) else ()

    def _first_writes(self, span: Span, since: int) -> set[int]:
        """Numbers of the instructions that put into ``span`` what code from offset ``since`` on
        finds there, or, where that needs nothing of it, of the first that write there. Variables
        of blocks that exclude each other may share a register."""
        flow = self._flow
        found = {each for each in flow.definitions(span, since) if each is not None}
        if found and flow.is_read(span, since):
            return found
        begin, steps = flow.index_at(since), flow.steps
        writing = [
            number
            for number, step in enumerate(steps[begin:], begin)
            if step.writes is not None and step.writes.meets(span)
        ]
        near = steps[writing[0]].offset + _NEAR if writing else 0
        return {each for each in writing if steps[each].offset <= near}

    def _strides_of(self, span: Span, since: int, at: int) -> Iterator[int]:
        """The distances between lanes with which the code writes what is in ``span``, or with which
        it reads that where it does not write it."""
        flow = self._flow
        written = [flow.steps[n] for n in flow.definitions(span, at) if n is not None]
        uses: Iterable[tuple[Step, Span]] = [
            (step, step.writes)
            for step in written
            if step.writes is not None and step.writes.first == span.first
        ]
        for step, each in uses if written else flow.reads_from(span.first, since):
            if step.decoded.execution_size >= _MANY_LANES and each.stride:
                yield each.stride

    @cached_property
    def _scope_begins(self) -> dict[Variable, int]:
        """The variables of the function, with the first offset of the block of each."""
        found: dict[Variable, int] = {}
        waiting: list[Scope] = [self._function]
        while waiting:
            scope = waiting.pop()
            waiting += scope.children
            found |= dict.fromkeys(scope.variables, scope.low - self._low)
        return found

    @cached_property
    def _beginnings(self) -> list[tuple[int, LocationEntry, Variable]]:
        """Every entry of a location list in the function with its variable, by its first offset."""
        found = [
            (entry.low - self._low, entry, variable)
            for variable in self._scope_begins
            for entry in variable.entries
        ]
        return sorted(found, key=lambda each: each[0])

    def _is_anothers(self, step: Step, span: Span, claim: Claim) -> bool:
        """Whether another variable is said to be in ``span`` while ``step`` writes to it, or from
        about its end on."""
        if claim.variable.is_parameter:
            return False  # of an inlined call: it may be in one place with what was passed
        own = {entry.low for entry in claim.entries}
        at = step.offset + self._low
        for low, entry, variable in self._beginnings:
            if variable.is_parameter:
                continue
            begins = step.end <= low <= step.end + _NEAR and low not in own
            # Two variables begin to be in one place where one is the other's value: then either
            # may be what is written there.
            shares = low == claim.entry.low and at < entry.high and variable is not claim.variable
            if begins or shares:
                form = self._form(entry.expression, variable.type.size)
                if isinstance(form, RegisterForm) and any(s.meets(span) for s in form.spans):
                    return True
        return False
