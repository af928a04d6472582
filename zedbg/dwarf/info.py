"""The debug information of one module, read as far as questions are asked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from elftools.dwarf.die import DIE

from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS
from zedbg.dwarf.lines.line_table import LineSequence, LineTable, SourceFile
from zedbg.dwarf.reading.debug_info_error import DebugInfoError, reading
from zedbg.dwarf.reading.frame_section import FrameTable
from zedbg.dwarf.scopes.scopes import Function, InlinedCall, Scope, Variable
from zedbg.dwarf.types import cpp_names
from zedbg.dwarf.types.program_types import EnumType, Type
from zedbg.dwarf.types.type_reader import TypeReader
from zedbg.dwarf.units.mended_functions import add_line
from zedbg.dwarf.units.sections import DebugSections
from zedbg.dwarf.units.source_places import source_place
from zedbg.dwarf.units.units import Unit
from zedbg.missing import Missing
from zedbg.zebin import Module
from zedbg.zebin.file_errors import ZebinError

if TYPE_CHECKING:
    from zedbg.dwarf.trust import ModuleCode, VariablePlaces
    from zedbg.spirv.analysis.local_layout import LocalPlace
    from zedbg.spirv.analysis.model import Model
    from zedbg.xe.isa.platform import Platform

_SPIRV = ".spv"
_SPIRV_LIMIT = 16 << 20  # bytes; larger ones take too long to read
_CONST8U = 0x0E  # DW_OP_const8u
_VISIBLE_LIMIT = 4096  # places whose variables are kept in mind


@dataclass(frozen=True)
class CodeLocation:
    """An address in the code, with its function and its source line."""

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
        self._known_units: dict[int, Unit] = {}
        self._units_by_section: dict[int, list[Unit]] = {}
        self._lines_by_file: dict[str, LineTable] = {}
        self._with_calls: dict[Unit, list[LineSequence]] = {}
        self._visible: dict[tuple[int, Scope | None], tuple[tuple[Scope, Variable], ...]] = {}
        self._functions_at: dict[int, Function | None] = {}
        #: What others worked out of it alone, by keys of their own.
        self.findings: dict[object, object] = {}

    @classmethod
    def of(cls, module: Module) -> DebugInfo | None:
        """The debug information of ``module``, None when it was compiled without ``-g``."""
        return cls(module) if module.has_debug_info else None

    def close(self) -> None:
        """Lets go of everything that was read, which takes several times its size and refers to
        itself in circles. No question may be asked after it."""
        for unit in self._known_units.values():
            unit.close()
        self._sections.close()
        vars(self).clear()

    def _die_at(self, offset: int) -> DIE:
        return self._sections.die_at(offset)

    @cached_property
    def units(self) -> list[Unit]:
        """The compile units, one a kernel."""
        with reading(self.module.name, "the list of units in .debug_info"):
            return [self._unit(start) for start in self._sections.unit_starts]

    def units_one_by_one(self) -> Iterator[Unit]:
        """The same, each read when it is asked for."""
        for start in self._sections.unit_starts:
            with reading(self.module.name, "a unit in .debug_info"):
                unit = self._unit(start)
            yield unit

    def _unit(self, start: int) -> Unit:
        """The unit at offset ``start`` of ``.debug_info``."""
        unit = self._known_units.get(start)
        if unit is None:
            unit = self._known_units[start] = Unit(
                self._sections.unit(start),
                self._sections,
                self._types,
                self._die_at,
                self._kernel_name_at,
                self._code_between,
            )
        return unit

    def _code_between(self, low: int, high: int) -> tuple[bytes, Platform]:
        from zedbg.dwarf.scopes.function_bytes import code_between  # which decodes instructions

        return code_between(self.module, low, high)

    def _kernel_name_at(self, address: int) -> str:
        section = self.module.code_section_at(address)
        return (section.code_name or "") if section is not None else ""

    @cached_property
    def lines(self) -> LineTable:
        """The line table of the whole module."""
        return LineTable(self._all_sequences, self._sequences_near)

    def _all_sequences(self) -> list[LineSequence]:
        with reading(self.module.name, "the line table in .debug_line"):
            return [sequence for unit in self.units for sequence in self._sequences(unit)]

    def _sequences_near(self, address: int) -> list[LineSequence]:
        with reading(self.module.name, "the line table in .debug_line"):
            unit = self._unit_at(address)
            return [] if unit is None else self._sequences(unit)

    def _sequences(self, unit: Unit) -> list[LineSequence]:
        """The line table of ``unit``, with the lines of calls that the compiler left out."""
        if unit.mended is None or self.spirv is None:
            return unit.sequences
        if unit not in self._with_calls:
            from zedbg.dwarf.scopes.call_lines import lines_of_calls  # which reads SPIR-V

            model, found = self.spirv, unit.sequences
            calls = unit.mended.calls_of(unit.functions)
            for function, made in calls.items():
                places = lines_of_calls(model, function.name, [callee for _, _, callee in made])
                for (at, after, _), place in zip(made, places, strict=True):
                    if place is not None and function.file is not None:
                        found = [add_line(each, at, after, function.file, place) for each in found]
            self._with_calls[unit] = found
        return self._with_calls[unit]

    @cached_property
    def _unit_ranges(self) -> list[tuple[int, int, Unit]]:
        with reading(self.module.name, "the ranges of a unit in .debug_info"):
            found = [(low, high, unit) for unit in self.units for low, high in unit.ranges]
        return sorted(found, key=lambda entry: entry[:2])

    @cached_property
    def _unit_starts(self) -> list[int]:
        return [low for low, _high, _unit in self._unit_ranges]

    def _unit_at(self, address: int) -> Unit | None:
        """The unit whose code ``address`` lies in."""
        section = self.module.code_section_at(address)
        if section is None:
            return None
        if section.index not in self._units_by_section:
            starts = self._sections.search.about(section)
            self._units_by_section[section.index] = [self._unit(start) for start in starts]
        for unit in self._units_by_section[section.index]:
            if any(low <= address < high for low, high in unit.ranges):
                return unit
        # Nothing says which unit it is: read all of them.
        index = bisect_right(self._unit_starts, address) - 1
        if index < 0 or address >= self._unit_ranges[index][1]:
            return None
        return self._unit_ranges[index][2]

    @cached_property
    def functions(self) -> list[Function]:
        """All functions that have code, by address."""
        with reading(self.module.name, "a function in .debug_info"):
            found = [function for unit in self.units for function in unit.functions]
        return sorted(found, key=lambda function: function.low)

    def function_at(self, address: int) -> Function | None:
        """The function whose code ``address`` lies in."""
        if address not in self._functions_at:
            functions = self.functions_around(address)
            # Where the compiler counts a called function into its kernel's code, the inner one is
            # it.
            around = [function for function in functions if function.contains(address)]
            self._functions_at[address] = max(around, key=lambda each: each.low, default=None)
        return self._functions_at[address]

    def functions_around(self, address: int) -> Sequence[Function]:
        """The functions of the compile unit whose code ``address`` lies in."""
        with reading(self.module.name, "a function in .debug_info"):
            unit = self._unit_at(address)
            return [] if unit is None else unit.functions

    def functions_named(self, name: str) -> list[Function]:
        """The functions called ``name``, by address: one copy for each kernel that calls it."""
        # Reading all functions takes long; symbols carry the names too, a mangled one inside.
        last = cpp_names.last_part(name)
        inside = f"{len(last)}{last}"
        candidates = [
            self.function_at(symbol.address)
            for symbol in self.module.functions
            if symbol.name == name or (symbol.name.startswith("_Z") and inside in symbol.name)
        ]
        found = [f for f in candidates if f is not None and f.is_called(name)]
        found = found or [f for f in self.functions if f.is_called(name)]
        return sorted(dict.fromkeys(found), key=lambda function: function.low)

    def inlined_calls_named(self, name: str) -> list[InlinedCall]:
        """The calls of the function ``name`` that were inlined, by address; of a template, those of
        each of its instances."""
        found: list[InlinedCall] = []
        with reading(self.module.name, "an inlined call in .debug_info"):
            for start in self._sections.search.naming(cpp_names.last_part(name)):
                for function in self._unit(start).functions:
                    found += [call for call in function.inlined_calls() if call.is_called(name)]
        return sorted(found, key=lambda call: call.low)

    def scopes_at(self, address: int) -> list[Scope]:
        """The blocks around ``address``, innermost first; the last one is the function."""
        function = self.function_at(address)
        return [] if function is None else list(function.innermost_at(address).outwards())

    def inlined_calls_at(self, address: int) -> list[InlinedCall]:
        """The calls that were inlined at ``address``, innermost first."""
        return [scope for scope in self.scopes_at(address) if isinstance(scope, InlinedCall)]

    def variables_at(
        self, address: int, frame: Scope | None = None
    ) -> Sequence[tuple[Scope, Variable]]:
        """Variables in scope at ``address`` with their block, innermost block first, of each block
        as the source has them: parameters, then what each line declares.

        Inner declarations hide outer ones of the same name: what is hidden comes too, later.
        ``frame`` picks one of several functions that were inlined into each other there: the
        scope of its call, or the function itself; None means the innermost.
        """
        key = address, frame
        if key not in self._visible:
            if len(self._visible) >= _VISIBLE_LIMIT:
                self._visible.clear()
            self._visible[key] = tuple(self._variables_at(address, frame))
        return self._visible[key]

    def _variables_at(self, address: int, frame: Scope | None) -> Iterator[tuple[Scope, Variable]]:
        scopes = self.scopes_at(address)
        if frame in scopes:
            calls = [i for i, scope in enumerate(scopes) if isinstance(scope, InlinedCall)]
            inner = [i for i in calls if i < scopes.index(frame)]
            scopes = scopes[inner[-1] + 1 if inner else 0 :]
        for scope in scopes:
            # The debug information of optimised code has them in the order in which they are used.
            for variable in sorted(scope.variables, key=_declared_at):
                yield scope, variable if variable.is_located else self._in_local_memory(variable)
            if isinstance(scope, InlinedCall):
                return

    def _in_local_memory(self, variable: Variable) -> Variable:
        """``variable`` with its place, if it is one of local memory, of which the compiler does not
        say it."""
        place = self._local_places.get((variable.name, variable.line or 0))
        if place is None or place.size != variable.type.size:
            return variable
        return replace(variable, expression=_address(place.offset), address_class=SLM_ADDRESS_CLASS)

    @cached_property
    def _local_places(self) -> Mapping[tuple[str, int], LocalPlace | None]:
        known = [(each.name, each.info) for each in self.module.kernels]
        sizes = {name: info.execution.slm_size for name, info in known if info is not None}
        if not any(sizes.values()) or self.spirv is None:
            return {}
        from zedbg.spirv.analysis.local_layout import local_places

        return local_places(self.spirv.code, sizes)

    def variable(self, name: str, address: int) -> Variable | None:
        """The variable that ``name`` means at ``address``; one outside of functions last."""
        for _scope, variable in self.variables_at(address):
            if variable.name == name:
                return variable
        return next((variable for variable in self.globals if variable.name == name), None)

    @cached_property
    def globals(self) -> list[Variable]:
        """Variables outside of functions."""
        with reading(self.module.name, "a variable in .debug_info"):
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
        with reading(self.module.name, "an enumeration in .debug_info"):
            for unit in self._sections.units():
                for die in cpp_names.declarations(unit.get_top_DIE()):
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
        with reading(self.module.name, "a type in .debug_info"):
            for unit in self._sections.units():
                top = unit.get_top_DIE()
                for die in cpp_names.declarations(top):
                    name = die.attributes.get("DW_AT_name")
                    tag = str(die.tag)
                    if name is None or not tag.endswith(("_type", "_typedef")):
                        continue
                    known_as = name.value.decode("utf-8", "replace")
                    if cpp_names.is_cpp(top):
                        known_as = cpp_names.qualified(die, known_as)
                    found.setdefault(known_as, self._types.at(die.offset))
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

    def lines_naming(self, name: str) -> LineTable:
        """The line table of the units that may have code of a file ``name``."""
        if name not in self._lines_by_file:
            with reading(self.module.name, "the line table in .debug_line"):
                units = [self._unit(start) for start in self._sections.search.of_file(name)]
                sequences = [each for unit in units for each in self._sequences(unit)]
            self._lines_by_file[name] = LineTable(lambda: sequences)
        return self._lines_by_file[name]

    def stated_place(self, address: int) -> tuple[SourceFile | None, int] | None:
        """File and line of the body of the function at ``address``, where these can be said without
        reading all of its unit; None where not."""
        section = self.module.code_section_at(address)
        return None if section is None else source_place(self._sections, section, address)

    @cached_property
    def spirv(self) -> Model | None:
        """The SPIR-V that the module was made of; None where it carries none, or a damaged one."""
        # Only values of variables need it.
        from zedbg.spirv.analysis.model import Model
        from zedbg.spirv.module.code import SpirvCode

        section = self.module.section(_SPIRV)
        if section is None or section.size > _SPIRV_LIMIT:
            return None
        try:
            code = SpirvCode(self.module.section_bytes(section), self.module.name)
        except ZebinError:
            return None
        return Model(code, self.code.maths) if code.variables else None

    @cached_property
    def code(self) -> ModuleCode:
        """What the machine code says at an address, and of the source's lines."""
        from zedbg.dwarf.trust import ModuleCode  # which decodes instructions

        return ModuleCode(self.module, self)

    @cached_property
    def _places(self) -> VariablePlaces:
        from zedbg.dwarf.trust import VariablePlaces

        return VariablePlaces(self.module, self.function_at, self.code)

    def interleaved_partition(self, variable: Variable, address: int) -> int:
        """How many bytes of ``variable`` stay together where lanes are interleaved in memory; 0
        where each lane has it in one piece, as the location says."""
        return self._places.interleaved_partition(variable, address)

    def location_expression(self, variable: Variable, address: int) -> bytes | Missing:
        """The expression that locates ``variable`` while the pc is at ``address``; missing also
        where the code contradicts it, and where only the driver knows the place."""
        if not variable.is_located:
            home = self.module.unplaced_home(variable.name)
            # A local variable may have the same name.
            if home is not None and any(each is variable for each in self.globals):
                return Missing(
                    f"the driver does not give the address of {home.name}, where it lies"
                )
        return self._places.expression(variable, address)


def _address(offset: int) -> bytes:
    """The expression that gives it."""
    return bytes([_CONST8U]) + offset.to_bytes(8, "little")


def _declared_at(variable: Variable) -> tuple[bool, bool, int]:
    """Sorts variables of a block: those that the compiler made have no line, and come last."""
    return not variable.is_parameter, not variable.line, variable.line


__all__ = ["CodeLocation", "DebugInfo", "DebugInfoError"]
