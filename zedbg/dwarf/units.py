"""Reading a compile unit's DIEs into functions, scopes and variables; and its line program."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf import dies
from zedbg.dwarf.errors import DebugInfoError
from zedbg.dwarf.lines import LineRow, LineSequence, SourceFile
from zedbg.dwarf.scopes import (
    Function,
    InlinedCall,
    LocationEntry,
    Ranges,
    Scope,
    Variable,
)
from zedbg.dwarf.sections import DebugSections
from zedbg.dwarf.type_reader import TypeReader

_BLOCK_FORMS = frozenset(
    {
        "DW_FORM_exprloc",
        "DW_FORM_block",
        "DW_FORM_block1",
        "DW_FORM_block2",
        "DW_FORM_block4",
    }
)
_PAIR = struct.Struct("<QQ")
_BASE_SELECTION = 0xFFFFFFFFFFFFFFFF
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
    ) -> None:
        """``kernel_at`` names the kernel whose code section an address lies in."""
        self._unit = unit
        self._sections = sections
        self._types = types
        self._die_at = die_at
        self._kernel_at = kernel_at
        self._top = unit.get_top_DIE()

    @property
    def producer(self) -> str:
        """The compiler, as it names itself."""
        return dies.text(self._top, "DW_AT_producer") or ""

    @cached_property
    def ranges(self) -> Ranges:
        """The code that the unit describes."""
        return self._ranges(self._top)

    @property
    def _base(self) -> int:
        return dies.number(self._top, "DW_AT_low_pc")

    @cached_property
    def _line_program(self) -> LineProgram | None:
        return self._sections.dwarf.line_program_for_CU(self._unit)

    @cached_property
    def files(self) -> dict[int, SourceFile]:
        """The unit's source files by the number that rows and DIEs use."""
        program = self._line_program
        if program is None:
            return {}
        home = dies.text(self._top, "DW_AT_comp_dir") or ""
        directories = [home]
        directories += [path.decode("utf-8", "replace") for path in program["include_directory"]]
        found = {}
        for number, entry in enumerate(program["file_entry"], 1):
            directory = directories[entry.dir_index] if entry.dir_index < len(directories) else ""
            if directory and not directory.startswith("/") and home:
                directory = f"{home}/{directory}"
            found[number] = SourceFile(entry.name.decode("utf-8", "replace"), directory)
        return found

    @cached_property
    def sequences(self) -> list[LineSequence]:
        """The rows of the unit's line program."""
        program = self._line_program
        if program is None:
            return []
        unknown = SourceFile("<unknown>")
        sequences: list[LineSequence] = []
        rows: list[LineRow] = []
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            rows.append(
                LineRow(
                    state.address,
                    self.files.get(state.file, unknown),
                    state.line,
                    state.column,
                    bool(state.is_stmt),
                    bool(state.prologue_end),
                    bool(state.end_sequence),
                )
            )
            if state.end_sequence:
                if rows[0].address < rows[-1].address:
                    rows.sort(key=lambda row: row.address)
                    sequences.append(LineSequence(rows))
                rows = []
        return sequences

    @cached_property
    def functions(self) -> list[Function]:
        """The functions that have code of their own."""
        found = []
        for die in self._top.iter_children():
            if die.tag == "DW_TAG_subprogram":
                ranges = self._ranges(die)
                if ranges:
                    found.append(self._function(die, ranges))
        return found

    @cached_property
    def variables(self) -> list[Variable]:
        """Variables outside of functions."""
        tops = [die for die in self._top.iter_children() if die.tag == "DW_TAG_variable"]
        return [self._variable(die) for die in tops]

    def _function(self, die: DIE, ranges: Ranges) -> Function:
        origin = self._origin(die)
        function = Function(
            ranges,
            name=self._text(die, origin, "DW_AT_name"),
            linkage_name=self._text(die, origin, "DW_AT_linkage_name") or None,
            file=self.files.get(self._number(die, origin, "DW_AT_decl_file")),
            line=self._number(die, origin, "DW_AT_decl_line"),
            kernel=self._kernel_at(ranges[0][0]),
            simd_width=dies.simd_width(die) or dies.simd_width(self._top),
        )
        for source in (die, origin):
            if source is not None and "DW_AT_type" in source.attributes:
                function.type = self._types.type_of(source)
                break
        self._fill(function, die)
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
        origin = self._origin(die)
        call = InlinedCall(
            ranges,
            scope,
            name=self._text(die, origin, "DW_AT_name"),
            call_file=self.files.get(dies.number(die, "DW_AT_call_file")),
            call_line=dies.number(die, "DW_AT_call_line"),
            call_column=dies.number(die, "DW_AT_call_column"),
        )
        scope.children.append(call)
        self._fill(call, die)

    def _variable(self, die: DIE) -> Variable:
        origin = self._origin(die)
        source = die if "DW_AT_type" in die.attributes or origin is None else origin
        entries: tuple[LocationEntry, ...] = ()
        expression = None
        location = dies.attribute(die, "DW_AT_location")
        if location is not None and location.form in _BLOCK_FORMS:
            # An empty expression says that the variable is nowhere.
            expression = bytes(location.value) or None
        elif location is not None:
            entries = self._location_list(location.value)
        constant = dies.attribute(die, "DW_AT_const_value")
        value = None
        if constant is not None:
            value = constant.value if isinstance(constant.value, int) else bytes(constant.value)
        return Variable(
            self._text(die, origin, "DW_AT_name"),
            self._types.type_of(source),
            die.tag == "DW_TAG_formal_parameter",
            self.files.get(self._number(die, origin, "DW_AT_decl_file")),
            self._number(die, origin, "DW_AT_decl_line"),
            entries,
            expression,
            value,
            self._number(die, origin, "DW_AT_address_class", -1) % (1 << 32)
            if self._has(die, origin, "DW_AT_address_class")
            else None,
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
        if listed is None:
            return ()
        return tuple(sorted(self._pairs(listed.value)))

    def _pairs(self, offset: int) -> list[tuple[int, int]]:
        """A range list: offsets from the unit's base (DWARF 4, 2.17.3)."""
        data = self._sections.data(".debug_ranges")
        base = self._base
        found: list[tuple[int, int]] = []
        while True:
            low, high = self._pair(data, offset, "range")
            offset += _PAIR.size
            if low == _BASE_SELECTION:
                base = high
            elif low == high == 0:
                return found
            elif low < high:
                found.append((base + low, base + high))

    def _location_list(self, offset: int) -> tuple[LocationEntry, ...]:
        """A location list: offsets from the unit's base and expressions (DWARF 4, 2.6.2)."""
        data = self._sections.data(".debug_loc")
        base = self._base
        found: list[LocationEntry] = []
        while True:
            low, high = self._pair(data, offset, "location")
            offset += _PAIR.size
            if low == _BASE_SELECTION:
                base = high
                continue
            if low == high == 0:
                return tuple(found)
            size = int.from_bytes(data[offset : offset + 2], "little")
            expression = data[offset + 2 : offset + 2 + size]
            offset += 2 + size
            if low < high:
                found.append(LocationEntry(base + low, base + high, expression))

    def _pair(self, data: bytes, offset: int, what: str) -> tuple[int, int]:
        if offset + _PAIR.size > len(data):
            name = dies.text(self._top, "DW_AT_name") or "unit"
            raise DebugInfoError(name, f"a {what} list has no end (offset {offset:#x})")
        low, high = _PAIR.unpack_from(data, offset)
        return low, high
