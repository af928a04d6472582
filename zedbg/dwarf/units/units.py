"""Reading a compile unit's DIEs into functions, scopes and variables; and its line program."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf.expressions.expression_unit import ExpressionUnit
from zedbg.dwarf.lines.line_table import LineSequence, SourceFile
from zedbg.dwarf.lines.unit_lines import read_sequences, source_files
from zedbg.dwarf.reading import dies
from zedbg.dwarf.scopes.call_sites import call_sites
from zedbg.dwarf.scopes.routines import Routines, are_misplaced, mended
from zedbg.dwarf.scopes.scopes import (
    Function,
    InlinedCall,
    LocationEntry,
    Ranges,
    Scope,
    Variable,
)
from zedbg.dwarf.types import cpp_names
from zedbg.dwarf.types.type_reader import TypeReader
from zedbg.dwarf.units.address_lists import ListReader
from zedbg.dwarf.units.mended_functions import MendedFunctions
from zedbg.dwarf.units.sections import DebugSections
from zedbg.xe.isa.platform import Platform

_NO_FILE = -1
_VARIABLES = frozenset({"DW_TAG_variable", "DW_TAG_formal_parameter"})


class Unit:
    """One compile unit: the code of one kernel and of the functions that it calls."""

    def __init__(
        self,
        unit: CompileUnit,
        sections: DebugSections,
        types: TypeReader,
        die_at: Callable[[int], DIE],
        kernel_at: Callable[[int], str],
        code: Callable[[int, int], tuple[bytes, Platform]],
    ) -> None:
        """``kernel_at`` names the kernel whose code section an address lies in, ``code`` gives the
        instructions between two addresses."""
        self._unit = unit
        self._sections = sections
        self._types = types
        self._die_at = die_at
        self._kernel_at = kernel_at
        self._code = code
        self._top = unit.get_top_DIE()
        self._expressions = ExpressionUnit(unit, die_at, self._address_at)

    def close(self) -> None:
        """Lets go of everything that was read."""
        for function in vars(self).get("functions", ()):
            function.close()
        vars(self).clear()

    @property
    def producer(self) -> str:
        """The compiler, as it names itself."""
        return dies.text(self._top, "DW_AT_producer") or ""

    @cached_property
    def ranges(self) -> Ranges:
        """The code that the unit describes."""
        with self._reading("a range"):
            return self._ranges(self._top)

    def _reading(self, what: str) -> AbstractContextManager[None]:
        """Says of damage in ``what`` which unit it is in."""
        return self._sections.reading_unit(self._unit.cu_offset, what)

    @cached_property
    def _lists(self) -> ListReader:
        return ListReader(
            dies.text(self._top, "DW_AT_name") or "unit",
            self._unit["version"],
            self._unit["address_size"],
            dies.number(self._top, "DW_AT_low_pc"),
            self._sections.data,
            self._address_at,
        )

    def _address_at(self, index: int) -> int:
        return self._sections.address_at(self._unit, index)

    @cached_property
    def _line_program(self) -> LineProgram | None:
        return self._sections.line_program(self._unit)

    @cached_property
    def files(self) -> dict[int, SourceFile]:
        """The unit's source files by the number that rows and DIEs use."""
        program = self._line_program
        home = dies.text(self._top, "DW_AT_comp_dir") or ""
        return {} if program is None else source_files(program, home)

    @cached_property
    def sequences(self) -> list[LineSequence]:
        """The rows of the unit's line program, without those that are of no code of their line."""
        if self.mended is None:
            return self.described_sequences
        return [self.mended.rows(each) for each in self.described_sequences]

    @cached_property
    def described_sequences(self) -> list[LineSequence]:
        """The rows of the unit's line program."""
        with self._reading("the line table"):
            program = self._line_program
            return [] if program is None else read_sequences(program, self.files)

    @cached_property
    def mended(self) -> MendedFunctions | None:
        """Where the functions are, if the compiler says it wrongly; None: it does not."""
        with self._reading("a function"):
            described = [
                (die, single)
                for die in cpp_names.declarations(self._top)
                if die.tag == "DW_TAG_subprogram" and (single := dies.low_high(die)) is not None
            ]
        # The kernel may be described last, as a copy of a function.
        described.sort(key=lambda each: each[1][0])  # stable: else in the order of the description
        ranges = [single for _, single in described]
        if not are_misplaced(ranges):
            return None
        low = ranges[0][0]
        routines = Routines(*self._code(low, ranges[-1][1]))
        found = mended(ranges, routines)
        if found is None:
            return None
        return MendedFunctions(
            {die.offset: each for (die, _), each in zip(described, found, strict=True)},
            ranges[-1][0],
            [(low + at, low + after, low + target) for at, after, target in routines.calls],
        )

    @cached_property
    def functions(self) -> list[Function]:
        """The functions that have code of their own."""
        found = []
        with self._reading("a function"):
            for die in cpp_names.declarations(self._top):
                if die.tag == "DW_TAG_subprogram":
                    own = None if self.mended is None else self.mended.ranges.get(die.offset)
                    ranges = self._ranges(die) if own is None else (own,)
                    if ranges:
                        found.append(self._function(die, ranges))
        return found

    @cached_property
    def variables(self) -> list[Variable]:
        """Variables outside of functions."""
        with self._reading("a variable"):
            return [
                self._variable(die, self._qualified_name(die))
                for die in cpp_names.declarations(self._top)
                if die.tag == "DW_TAG_variable" and self._is_defined(die)
            ]

    @staticmethod
    def _is_defined(die: DIE) -> bool:
        return "DW_AT_declaration" not in die.attributes

    def _qualified_name(self, die: DIE) -> str:
        """The name of a function or variable, with the namespaces and classes that it is in."""
        origin = self._origin(die)
        while origin is not None and "DW_AT_name" not in die.attributes:
            die, origin = origin, self._origin(origin)
        name = dies.text(die, "DW_AT_name") or ""
        return cpp_names.qualified(die, name) if name and cpp_names.is_cpp(self._top) else name

    def _function(self, die: DIE, ranges: Ranges) -> Function:
        origin = self._origin(die)
        function = Function(
            ranges,
            name=self._qualified_name(die),
            linkage_name=self._text(die, origin, "DW_AT_linkage_name") or None,
            file=self.files.get(self._number(die, origin, "DW_AT_decl_file", _NO_FILE)),
            line=self._number(die, origin, "DW_AT_decl_line"),
            kernel=self._kernel_at(ranges[0][0]),
            simd_width=dies.simd_width(die) or dies.simd_width(self._top),
            frame_base=dies.block(die, "DW_AT_frame_base"),
            call_sites=call_sites(die),
            unit=self._expressions,
        )
        for source in (die, origin):
            if source is not None and "DW_AT_type" in source.attributes:
                function.type = self._types.type_of(source)
                break
        self._fill(function, die)
        self._add_inherited(function, die, origin)
        return function

    def _fill(self, scope: Scope, die: DIE) -> None:
        """Adds to ``scope`` what the children of ``die`` declare."""
        for child in die.iter_children():
            if child.tag in _VARIABLES:
                scope.variables.append(self._variable(child))
            elif child.tag == "DW_TAG_lexical_block":
                ranges = self._ranges(child)
                if ranges:
                    block = Scope(ranges, scope)
                    scope.children.append(block)
                    self._fill(block, child)
                else:
                    # A block without code of its own still declares names.
                    self._fill(scope, child)
            elif child.tag == "DW_TAG_inlined_subroutine":
                self._add_inlined(scope, child)

    def _add_inlined(self, scope: Scope, die: DIE) -> None:
        ranges = self._ranges(die)
        if not ranges:
            return
        call = InlinedCall(
            ranges,
            scope,
            name=self._qualified_name(die),
            call_file=self.files.get(dies.number(die, "DW_AT_call_file", _NO_FILE)),
            call_line=dies.number(die, "DW_AT_call_line"),
            call_column=dies.number(die, "DW_AT_call_column"),
        )
        scope.children.append(call)
        self._fill(call, die)
        self._add_inherited(call, die, self._origin(die))

    def _add_inherited(self, scope: Scope, die: DIE, origin: DIE | None) -> None:
        """Adds the variables that a function declares, ``origin``, and its copy ``die`` leaves out:
        nothing is left of them there."""
        if origin is None:
            return
        kept = {dies.reference(child, "DW_AT_abstract_origin") for child in die.iter_children()}
        for child in origin.iter_children():
            if child.tag in _VARIABLES and child.offset not in kept:
                scope.variables.append(replace(self._variable(child), entries=(), expression=None))

    def _variable(self, die: DIE, name: str | None = None) -> Variable:
        """The variable of ``die``; ``name`` is what it is called, where its DIE does not say."""
        origin = self._origin(die)
        source = die if "DW_AT_type" in die.attributes or origin is None else origin
        entries: tuple[LocationEntry, ...] = ()
        expression = None
        location = dies.attribute(die, "DW_AT_location")
        block = dies.block(die, "DW_AT_location")
        if block is not None:
            # An empty expression says that the variable is nowhere.
            expression = block or None
        elif location is not None:
            entries = self._lists.locations(location.value)
        constant = dies.attribute(die, "DW_AT_const_value")
        value = None
        if constant is not None:
            value = constant.value if isinstance(constant.value, int) else bytes(constant.value)
        return Variable(
            name=self._text(die, origin, "DW_AT_name") if name is None else name,
            type=self._types.type_of(source),
            is_parameter=die.tag == "DW_TAG_formal_parameter",
            file=self.files.get(self._number(die, origin, "DW_AT_decl_file", _NO_FILE)),
            line=self._number(die, origin, "DW_AT_decl_line"),
            entries=entries,
            expression=expression,
            constant=value,
            address_class=self._number(die, origin, "DW_AT_address_class", -1) % (1 << 32)
            if self._has(die, origin, "DW_AT_address_class")
            else None,
            unit=self._expressions,
        )

    def _origin(self, die: DIE) -> DIE | None:
        for name in ("DW_AT_abstract_origin", "DW_AT_specification"):
            offset = dies.reference(die, name)
            if offset is not None:
                return self._die_at(offset)
        return None

    @staticmethod
    def _has(die: DIE, origin: DIE | None, name: str) -> bool:
        return name in die.attributes or (origin is not None and name in origin.attributes)

    @staticmethod
    def _text(die: DIE, origin: DIE | None, name: str) -> str:
        own = dies.text(die, name)
        if own is None and origin is not None:
            own = dies.text(origin, name)
        return own or ""

    @staticmethod
    def _number(die: DIE, origin: DIE | None, name: str, default: int = 0) -> int:
        if name not in die.attributes and origin is not None:
            return dies.number(origin, name, default)
        return dies.number(die, name, default)

    def _ranges(self, die: DIE) -> Ranges:
        single = dies.low_high(die)
        if single is not None:
            return (single,) if single[0] < single[1] else ()
        listed = dies.attribute(die, "DW_AT_ranges")
        return () if listed is None else tuple(sorted(self._lists.ranges(listed.value)))
