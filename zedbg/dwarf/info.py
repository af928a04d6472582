"""The debug information of one module, read as far as questions are asked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from elftools.dwarf.die import DIE

from zedbg.dwarf.errors import DebugInfoError, reading
from zedbg.dwarf.frame_section import FrameTable
from zedbg.dwarf.instruction_set import instruction_set_of
from zedbg.dwarf.lines import LineRow, LineSequence, LineTable, SourceFile
from zedbg.dwarf.machine import Missing
from zedbg.dwarf.private_layout import lane_array, lane_strides
from zedbg.dwarf.prologue import body_start
from zedbg.dwarf.scopes import Function, InlinedCall, Scope, Variable
from zedbg.dwarf.sections import DebugSections
from zedbg.dwarf.statements import backward_jumps, statement_starts
from zedbg.dwarf.type_reader import TypeReader
from zedbg.dwarf.types import EnumType, Type
from zedbg.dwarf.units import Unit
from zedbg.xe.isa.platform import Platform
from zedbg.zebin import Module


@dataclass(frozen=True)
class CodeLocation:
    """A place to put a breakpoint: an address, with its function and its source line."""

    address: int
    function: Function | None
    file: SourceFile | None
    line: int


class DebugInfo:
    """What a module's DWARF says: lines, functions, scopes, variables, types, frames.

    Every question may raise :class:`DebugInfoError` when the part that it needs is damaged.
    """

    def __init__(self, module: Module) -> None:
        """``module`` has debug information; see :meth:`of`."""
        self.module = module
        self._sections = DebugSections(module)
        self._types = TypeReader(self._die_at)
        self._strides: dict[Function, dict[int, int]] = {}
        self._statements: dict[Function, frozenset[int]] = {}

    @classmethod
    def of(cls, module: Module) -> DebugInfo | None:
        """The debug information of ``module``, None when it was compiled without ``-g``."""
        return cls(module) if module.has_debug_info else None

    def _die_at(self, offset: int) -> DIE:
        return self._sections.dwarf.get_DIE_from_refaddr(offset)

    @cached_property
    def units(self) -> list[Unit]:
        """The compile units, one a kernel."""
        with reading(self.module.name, "the list of units"):
            return [
                Unit(unit, self._sections, self._types, self._die_at, self._kernel_name_at)
                for unit in self._sections.dwarf.iter_CUs()
            ]

    def _kernel_name_at(self, address: int) -> str:
        section = self.module.code_section_at(address)
        return (section.kernel_name or "") if section is not None else ""

    @cached_property
    def lines(self) -> LineTable:
        """The line table of the whole module."""
        return LineTable(self._all_sequences, self._sequences_near)

    def _all_sequences(self) -> list[LineSequence]:
        with reading(self.module.name, "the line table"):
            return [sequence for unit in self.units for sequence in unit.sequences]

    def _sequences_near(self, address: int) -> list[LineSequence]:
        with reading(self.module.name, "the line table"):
            unit = self._unit_at(address)
            return [] if unit is None else unit.sequences

    @cached_property
    def _unit_ranges(self) -> list[tuple[int, int, Unit]]:
        with reading(self.module.name, "the ranges of a unit"):
            found = [(low, high, unit) for unit in self.units for low, high in unit.ranges]
        return sorted(found, key=lambda entry: entry[:2])

    @cached_property
    def _unit_starts(self) -> list[int]:
        return [low for low, _high, _unit in self._unit_ranges]

    def _unit_at(self, address: int) -> Unit | None:
        """The unit whose code ``address`` lies in."""
        index = bisect_right(self._unit_starts, address) - 1
        if index < 0 or address >= self._unit_ranges[index][1]:
            return None
        return self._unit_ranges[index][2]

    @cached_property
    def functions(self) -> list[Function]:
        """All functions that have code, by address."""
        with reading(self.module.name, "a function"):
            found = [function for unit in self.units for function in unit.functions]
        return sorted(found, key=lambda function: function.low)

    def function_at(self, address: int) -> Function | None:
        """The function whose code ``address`` lies in."""
        with reading(self.module.name, "a function"):
            unit = self._unit_at(address)
            functions = [] if unit is None else unit.functions
        # Where the compiler counts a called function into its kernel's code, the inner one is it.
        around = [function for function in functions if function.contains(address)]
        return max(around, key=lambda function: function.low, default=None)

    def functions_named(self, name: str) -> list[Function]:
        """The functions called ``name``: one copy for each kernel that calls it."""
        return [f for f in self.functions if name in (f.name, f.linkage_name)]

    def scopes_at(self, address: int) -> list[Scope]:
        """The blocks around ``address``, innermost first; the last one is the function."""
        function = self.function_at(address)
        return [] if function is None else list(function.innermost_at(address).outwards())

    def inlined_calls_at(self, address: int) -> list[InlinedCall]:
        """The calls that were inlined at ``address``, innermost first."""
        return [scope for scope in self.scopes_at(address) if isinstance(scope, InlinedCall)]

    def variables_at(
        self, address: int, frame: Scope | None = None
    ) -> Iterator[tuple[Scope, Variable]]:
        """Variables in scope at ``address`` with their block, innermost block first.

        Inner declarations hide outer ones of the same name: what is hidden comes too, later.
        ``frame`` picks one of several functions that were inlined into each other there: the
        scope of its call, or the function itself; None means the innermost.
        """
        scopes = self.scopes_at(address)
        if frame in scopes:
            calls = [i for i, scope in enumerate(scopes) if isinstance(scope, InlinedCall)]
            inner = [i for i in calls if i < scopes.index(frame)]
            scopes = scopes[inner[-1] + 1 if inner else 0 :]
        for scope in scopes:
            for variable in scope.variables:
                yield scope, variable
            if isinstance(scope, InlinedCall):
                return

    def variable(self, name: str, address: int) -> Variable | None:
        """The variable that ``name`` means at ``address``; one outside of functions last."""
        for _scope, variable in self.variables_at(address):
            if variable.name == name:
                return variable
        return next((variable for variable in self.globals if variable.name == name), None)

    @cached_property
    def globals(self) -> list[Variable]:
        """Variables outside of functions."""
        with reading(self.module.name, "a variable"):
            return [variable for unit in self.units for variable in unit.variables]

    def type_named(self, name: str) -> Type | None:
        """The type called ``name`` (``S``, ``float4``, ``struct N_``) that any unit declares."""
        return self.named_types.get(name.removeprefix("struct ").removeprefix("union "))

    def enumerator(self, name: str) -> tuple[EnumType, int] | None:
        """The enumeration that has a member ``name``, and the member's value."""
        return self._enumerators.get(name)

    @cached_property
    def _enumerators(self) -> dict[str, tuple[EnumType, int]]:
        found: dict[str, tuple[EnumType, int]] = {}
        with reading(self.module.name, "an enumeration"):
            for unit in self._sections.dwarf.iter_CUs():
                for die in unit.get_top_DIE().iter_children():
                    if die.tag != "DW_TAG_enumeration_type":
                        continue
                    enumeration = self._types.at(die.offset)
                    assert isinstance(enumeration, EnumType)
                    for name, value in enumeration.enumerators.items():
                        found.setdefault(name, (enumeration, value))
        return found

    @cached_property
    def named_types(self) -> dict[str, Type]:
        """The types that any unit declares, by name."""
        found: dict[str, Type] = {}
        with reading(self.module.name, "a type"):
            for unit in self._sections.dwarf.iter_CUs():
                for die in unit.get_top_DIE().iter_children():
                    name = die.attributes.get("DW_AT_name")
                    tag = str(die.tag)
                    if name is None or not tag.endswith(("_type", "_typedef")):
                        continue
                    found.setdefault(
                        name.value.decode("utf-8", "replace"), self._types.at(die.offset)
                    )
        return found

    def simd_width_at(self, address: int) -> int:
        """Lanes of the code at ``address``; 0 when the debug information does not say."""
        function = self.function_at(address)
        return 0 if function is None else function.simd_width

    @cached_property
    def frames(self) -> FrameTable:
        """Call frame information, for unwinding."""
        return FrameTable(self._sections.data(".debug_frame"), self.module.name)

    def location_of_address(self, address: int) -> CodeLocation:
        """The function and source line at ``address``, as far as they are known."""
        row = self.lines.row_at(address)
        function = self.function_at(address)
        if row is None:
            return CodeLocation(address, function, None, 0)
        return CodeLocation(address, function, row.file, row.line)

    def breakpoint_locations(self, file: str, line: int) -> list[CodeLocation]:
        """Where a breakpoint at ``file:line`` stops: one place in each function.

        A line without code means the next line that has some. Within a function the lowest
        address counts; a function's first line stops behind its prologue.
        """
        found: dict[tuple[Function | None, SourceFile | None], CodeLocation] = {}
        for source in self.lines.files_matching(file):
            for row in self.lines.statements(source, line):
                location = self._past_prologue(row)
                key = (location.function, location.file)
                if key not in found or location.address < found[key].address:
                    found[key] = location
        return sorted(found.values(), key=lambda location: location.address)

    def _past_prologue(self, row: LineRow) -> CodeLocation:
        function = self.function_at(row.address)
        if function is not None and row.address == function.low:
            return self.function_location(function)
        return CodeLocation(row.address, function, row.file, row.line)

    def function_location(self, function: Function) -> CodeLocation:
        """Where a breakpoint on ``function`` stops: behind its prologue, where locals exist."""
        rows = self.lines.rows_between(function.low, function.high)
        row = body_start(function, rows)
        if row is None:
            return CodeLocation(function.low, function, function.file, function.line)
        return CodeLocation(row.address, function, row.file, row.line)

    def starts_statement(self, address: int) -> bool:
        """Whether a statement of the source begins at ``address``."""
        function = self.function_at(address)
        if function is None:
            row = self.lines.row_at(address)
            return row is not None and row.address == address and row.is_stmt
        if function not in self._statements:
            rows = [
                row
                for row in self.lines.rows_between(function.low, function.high)
                if self.function_at(row.address) is function
            ]
            jumps = [function.low + offset for offset in backward_jumps(*self._code_of(function))]
            self._statements[function] = statement_starts(function, rows, jumps)
        return address in self._statements[function]

    def _code_of(self, function: Function) -> tuple[bytes, Platform]:
        """The instructions of ``function`` and their set; empty when they are not decoded here."""
        section = self.module.code_section_at(function.low)
        platform = instruction_set_of(self.module.notes)
        if section is None or platform is None:
            return b"", Platform.XE_HPG
        low, high = function.low - section.address, function.high - section.address
        return self.module.section_bytes(section)[low:high], platform

    def interleaved_partition(self, variable: Variable, address: int) -> int:
        """How many bytes of ``variable`` stay together where lanes are interleaved in memory.

        0 means that each lane has it in one piece, as the location says. See
        :mod:`zedbg.dwarf.private_layout`.
        """
        function = self.function_at(address)
        expression = self.location_expression(variable, address)
        if function is None or not function.is_kernel or isinstance(expression, Missing):
            return 0
        array = lane_array(expression)
        if array is None:
            return 0
        partition = self._lane_strides(function).get(array.offset, array.stride)
        return partition if 0 < partition < array.stride == variable.type.size else 0

    def _lane_strides(self, function: Function) -> dict[int, int]:
        if function not in self._strides:
            self._strides[function] = lane_strides(*self._code_of(function))
        return self._strides[function]

    def location_expression(self, variable: Variable, address: int) -> bytes | Missing:
        """The expression that locates ``variable`` while the pc is at ``address``."""
        if variable.expression is not None:
            return variable.expression
        for entry in variable.entries:
            if entry.low <= address < entry.high:
                return entry.expression
        if variable.entries and address < min(entry.low for entry in variable.entries):
            return Missing("not set yet at this address")
        return Missing("optimised out at this address" if variable.entries else "optimised out")


__all__ = ["CodeLocation", "DebugInfo", "DebugInfoError"]
