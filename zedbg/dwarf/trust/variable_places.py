"""Where variables are at an address: what the compiler says of it, judged by the code around."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.lines.line_table import LineRow
from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.dwarf.scopes.scopes import Function, InlinedCall, LocationEntry, Variable
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.load_results import LoadResult
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.dwarf.trust.private_layout import lane_array, lane_strides
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.missing import Missing
from zedbg.zebin import Module

_RANGES_NAMED = 2  # of the code in which a variable has a place, where it has none
_PLACES_LIMIT = 4096  # variables at an address that are kept in mind


class VariablePlaces:
    """The places of the variables of ``module``; ``function_at`` and ``row_at`` give the function
    and the row of the line table at an address."""

    def __init__(
        self,
        module: Module,
        function_at: Callable[[int], Function | None],
        row_at: Callable[[int], LineRow | None],
    ) -> None:
        self._module = module
        self._function_at = function_at
        self._row_at = row_at
        self._strides: dict[Function, dict[int, int]] = {}
        self._codes: dict[Function, FunctionCode] = {}
        self._partitions: dict[tuple[Variable, int], int] = {}
        self._expressions: dict[tuple[Variable, int], bytes | Missing] = {}

    def interleaved_partition(self, variable: Variable, address: int) -> int:
        """How many bytes of ``variable`` stay together where lanes are interleaved in memory.

        0 means that each lane has it in one piece, as the location says. See
        :mod:`zedbg.dwarf.trust.private_layout`.
        """
        key = variable, address
        if key not in self._partitions:
            if len(self._partitions) >= _PLACES_LIMIT:
                self._partitions.clear()
            self._partitions[key] = self._partition(variable, address)
        return self._partitions[key]

    def _partition(self, variable: Variable, address: int) -> int:
        function = self._function_at(address)
        expression = self.expression(variable, address)
        if function is None or not function.is_kernel or isinstance(expression, Missing):
            return 0
        array = lane_array(expression)
        if array is None:
            return 0
        if function not in self._strides:
            self._strides[function] = lane_strides(*code_of(self._module, function))
        partition = self._strides[function].get(array.offset, array.stride)
        return partition if 0 < partition < array.stride == variable.type.size else 0

    def expression(self, variable: Variable, address: int) -> bytes | Missing:
        """The expression that locates ``variable`` while the pc is at ``address``; missing also
        where the code contradicts it (see :mod:`zedbg.dwarf.trust.location_check`)."""
        key = variable, address
        if key not in self._expressions:
            if len(self._expressions) >= _PLACES_LIMIT:
                self._expressions.clear()
            self._expressions[key] = self._expression(variable, address)
        return self._expressions[key]

    def _expression(self, variable: Variable, address: int) -> bytes | Missing:
        if variable.expression is not None:
            return self._judged(variable, None, address)
        for entry in variable.entries:
            if entry.low <= address < entry.high:
                return self._judged(variable, entry, address)
        if variable.entries and address < min(entry.low for entry in variable.entries):
            first = min(entry.low for entry in variable.entries)
            return Missing(f"not set yet at this address: it lives from {first:#x} on")
        return _optimised_out(variable)

    def _judged(
        self, variable: Variable, entry: LocationEntry | None, address: int
    ) -> bytes | Missing:
        function = self._function_at(address)
        if function is not None:
            return self._function_code(function).place(variable, entry, address)
        expression = variable.expression if entry is None else entry.expression
        assert expression is not None
        return expression

    def changes_in_loop(self, expression: bytes, address: int) -> bool:
        """Whether ``expression`` names a register for all lanes that a loop around ``address``
        changes: it says nothing of lanes that are not active there."""
        function = self._function_at(address)
        code = None if function is None else self._function_code(function)
        return code is not None and code.changes_in_loop(expression, address)

    def is_read(self, first: int, end: int, address: int) -> bool:
        """Whether the code from ``address`` on reads what it finds in bytes ``first`` to ``end``
        (without that) of the general registers, counted from r0."""
        function = self._function_at(address)
        return function is not None and self._function_code(function).is_read(first, end, address)

    def results(self, address: int) -> list[Span]:
        """What instructions of the function around ``address`` wrote to the general registers, and
        in front of it is still there on every way."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).results(address)

    def keeps(self, first: int, end: int, since: int, address: int) -> bool:
        """Whether bytes ``first`` to ``end`` (without that) of the general registers have at
        ``address`` what they had at address ``since`` of the same function, for all lanes."""
        function = self._function_at(address)
        if function is None or function is not self._function_at(since):
            return False
        return self._function_code(function).keeps(first, end, since, address)

    def counters(self, address: int) -> list[LoopCounter]:
        """The registers that count the loops around ``address``."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).counters(address)

    def left_counters(self, address: int) -> list[LoopCounter]:
        """The registers that counted loops which ``address`` is not in."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).left_counters(address)

    def other_counters(self, address: int) -> list[LoopCounter]:
        """The registers that count loops which ``address`` is not in."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).other_counters(address)

    def ahead(self, address: int, counts: Callable[[int], bool]) -> list[Step]:
        """The instructions from ``address`` on, while ``counts`` is true of their addresses and no
        two do the same."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).ahead(address, counts)

    def loops(self, address: int) -> list[tuple[int, int]]:
        """The loops of the function at ``address``: addresses of the first instruction and of the
        jump back."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).loops

    def has_alike(self, low: int, high: int, place: Callable[[int], object]) -> bool:
        """Whether two instructions from ``low`` up to ``high``, with that, do the same in the same
        lanes, and ``place`` is the same of their addresses."""
        function = self._function_at(low)
        return function is None or self._function_code(function).has_alike(low, high, place)

    def alike(self, address: int, counts: Callable[[int], bool]) -> LineRun | None:
        """Which one the instruction at ``address`` is of those that do the same in the same lanes,
        at addresses for which ``counts`` is true."""
        function = self._function_at(address)
        return None if function is None else self._function_code(function).alike(address, counts)

    def loaded(self, address: int, loads: Callable[[int], bool]) -> list[LoadResult]:
        """The registers that have at ``address`` what messages gave, of those at addresses for
        which ``loads`` is true."""
        function = self._function_at(address)
        return [] if function is None else self._function_code(function).loaded(address, loads)

    def _function_code(self, function: Function) -> FunctionCode:
        if function not in self._codes:
            kernel = self._module.kernel_at(function.low)
            info = None if kernel is None or not function.is_kernel else kernel.info
            ids = [] if info is None else info.per_thread_payload_arguments
            size = max((each.offset + each.size for each in ids), default=0)
            code = code_of(self._module, function)
            self._codes[function] = FunctionCode(
                function,
                code,
                size,
                lambda at: self._line_in(function, at),
            )
        return self._codes[function]

    def _line_in(self, function: Function, address: int) -> tuple[object, int]:
        """The inlined call in ``function`` that ``address`` is in, or that itself, and the line."""
        row = self._row_at(address)
        calls = function.innermost_at(address).outwards()
        call = next((each for each in calls if isinstance(each, InlinedCall)), function)
        return call, 0 if row is None else row.line


def _optimised_out(variable: Variable) -> Missing:
    """Why ``variable`` has no place here, and where it has one."""
    if not variable.entries:
        return Missing("optimised out")
    ranges = [f"{entry.low:#x}-{entry.high:#x}" for entry in variable.entries[:_RANGES_NAMED]]
    more = " and elsewhere" if len(variable.entries) > _RANGES_NAMED else ""
    return Missing(f"optimised out at this address: it lives at {', '.join(ranges)}{more}")
