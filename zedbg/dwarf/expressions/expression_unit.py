"""What a location expression refers to in the unit that it stands in (DWARF 5, 2.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE

from zedbg.dwarf.expressions.typed_numbers import NumberType
from zedbg.dwarf.reading import dies
from zedbg.dwarf.types.program_types import Encoding
from zedbg.dwarf.types.type_reader import ENCODINGS
from zedbg.missing import MissingError


@dataclass(frozen=True, eq=False)
class ExpressionUnit:
    """A unit as its expressions see it. ``die_at`` gives the DIE at an offset of ``.debug_info``;
    ``address_at`` an address by its index in ``.debug_addr``."""

    unit: CompileUnit
    die_at: Callable[[int], DIE]
    address_at: Callable[[int], int]

    @cached_property
    def offset_size(self) -> int:
        """Bytes of an offset of a DIE: 4, or 8 in the 64-bit format."""
        return 8 if self.unit.structs.dwarf_format == 64 else 4

    def number_type(self, offset: int) -> NumberType | None:
        """The base type at ``offset`` of the unit; None, for offset 0, is the generic type.

        Raises MissingError when there is none that can be computed with.
        """
        if offset == 0:
            return None
        die = self.die_at(self.unit.cu_offset + offset)
        if die.tag != "DW_TAG_base_type":
            raise MissingError("its location names a type that is no base type")
        encoding = ENCODINGS.get(dies.number(die, "DW_AT_encoding"), Encoding.UNSIGNED)
        return NumberType(encoding, dies.number(die, "DW_AT_byte_size"))

    def location_in_unit(self, offset: int) -> bytes:
        """The location of the DIE at ``offset`` of the unit, for an expression to run."""
        return self.location_at(self.unit.cu_offset + offset)

    def location_at(self, offset: int) -> bytes:
        """The location of the DIE at ``offset`` of ``.debug_info``; empty when it has none.

        Raises MissingError.
        """
        found = dies.attribute(self.die_at(offset), "DW_AT_location")
        if found is None:
            return b""
        if isinstance(found.value, int):
            raise MissingError("its location runs one that is a list")
        return bytes(found.value)

    def name_at(self, offset: int) -> str:
        """The name of the DIE at ``offset`` of ``.debug_info``, or of what it is a copy of."""
        die = self.die_at(offset)
        origin = dies.reference(die, "DW_AT_abstract_origin")
        name = dies.text(die, "DW_AT_name")
        if name is None and origin is not None:
            name = dies.text(self.die_at(origin), "DW_AT_name")
        return name or "a variable without a name"
