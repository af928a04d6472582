"""Where variables are at an address: what the compiler says of it, judged by the code around."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.dwarf.expressions.operations import has_unclear_numbers
from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.dwarf.scopes.scopes import Function, LocationEntry, Variable
from zedbg.dwarf.trust.module_code import ModuleCode
from zedbg.dwarf.trust.private_layout import lane_array, lane_strides
from zedbg.missing import Missing
from zedbg.zebin import Module

_RANGES_NAMED = 2  # of the code in which a variable has a place, where it has none
_PLACES_LIMIT = 4096  # variables at an address that are kept in mind


class VariablePlaces:
    """The places of the variables of ``module``; ``function_at`` gives the function at an address,
    and ``code`` what is judged by."""

    def __init__(
        self,
        module: Module,
        function_at: Callable[[int], Function | None],
        code: ModuleCode,
    ) -> None:
        self._module = module
        self._function_at = function_at
        self._code = code
        self._strides: dict[Function, dict[int, int]] = {}
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
        expression = variable.expression if entry is None else entry.expression
        assert expression is not None
        if has_unclear_numbers(expression):
            return Missing("its location has numbers that can be read in two ways")
        code = self._code.function_at(address)
        if code is not None:
            return code.places.expression(variable, entry, address)
        return expression


def _optimised_out(variable: Variable) -> Missing:
    """Why ``variable`` has no place here, and where it has one."""
    if not variable.entries:
        return Missing("optimised out")
    ranges = [f"{entry.low:#x}-{entry.high:#x}" for entry in variable.entries[:_RANGES_NAMED]]
    more = " and elsewhere" if len(variable.entries) > _RANGES_NAMED else ""
    return Missing(f"optimised out at this address: it lives at {', '.join(ranges)}{more}")
