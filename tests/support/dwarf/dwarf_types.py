"""Compares a type that zedbg reads with its DIE in a dump: every attribute that says what it is,
and all types that it is made of."""

from __future__ import annotations

import re

from tests.support.dwarf.dwarf_dump import DumpedDie
from zedbg.dwarf.types.program_types import (
    ArrayType,
    BaseType,
    Encoding,
    EnumType,
    FunctionType,
    Member,
    PointerType,
    QualifiedType,
    StructType,
    Type,
    TypedefType,
    VoidType,
)

_ENCODINGS = {
    "DW_ATE_signed": Encoding.SIGNED,
    "DW_ATE_unsigned": Encoding.UNSIGNED,
    "DW_ATE_float": Encoding.FLOAT,
    "DW_ATE_boolean": Encoding.BOOLEAN,
    "DW_ATE_signed_char": Encoding.SIGNED_CHAR,
    "DW_ATE_unsigned_char": Encoding.UNSIGNED_CHAR,
}
_POINTERS = {"pointer": "", "reference": "&", "rvalue_reference": "&&"}
_STRUCTURES = {"structure": "struct", "class": "class", "union": "union"}
_QUALIFIERS = {
    "const": "const",
    "volatile": "volatile",
    "restrict": "restrict",
    "atomic": "_Atomic",
}
_MEMBERS = ("DW_TAG_member", "DW_TAG_inheritance")
_POINTER_BYTES = 8


class DumpedTypes:
    """The types of one dump."""

    def __init__(self, by_offset: dict[int, DumpedDie]) -> None:
        self.by_offset = by_offset
        self._held: set[tuple[int, int]] = set()

    def of(self, die: DumpedDie) -> DumpedDie | None:
        """The type of what ``die`` describes; None for void."""
        match = re.match(r"0x[0-9a-f]+", die.attributes.get("DW_AT_type", ""))
        return self.by_offset[int(match[0], 16)] if match else None

    def hold(self, ours: Type, die: DumpedDie | None) -> None:
        """``ours`` is what ``die`` says; AssertionError when it is not."""
        if die is None:
            assert isinstance(ours, VoidType)
            return
        if (id(ours), die.offset) in self._held:
            return
        self._held.add((id(ours), die.offset))
        name, size = die.text("DW_AT_name"), die.number("DW_AT_byte_size")
        kind = die.tag.removeprefix("DW_TAG_").removesuffix("_type")
        if kind in _POINTERS:
            assert isinstance(ours, PointerType)
            space = die.number("DW_AT_address_class")
            has_space = "DW_AT_address_class" in die.attributes
            assert ours.address_class == (space if has_space else None)
            assert (ours.reference, ours.size) == (_POINTERS[kind], size or _POINTER_BYTES)
            self.hold(ours.target, self.of(die))
        elif kind in _STRUCTURES:
            assert isinstance(ours, StructType)
            assert (ours.keyword, ours.size) == (_STRUCTURES[kind], size)
            assert ours.tag.endswith(name)
            assert ours.is_declaration == ("DW_AT_declaration" in die.attributes)
            self._hold_members(ours, die)
        elif kind == "base":
            assert isinstance(ours, BaseType)
            encoding = _ENCODINGS[die.attributes["DW_AT_encoding"]]
            assert (ours.base_name, ours.size, ours.encoding) == (name, size, encoding)
        elif kind == "enumeration":
            assert isinstance(ours, EnumType)
            values = {each.rpartition("::")[2]: value for each, value in ours.enumerators.items()}
            assert (ours.size, values) == (size, _enumerators(die))
            assert ours.tag.endswith(name)
        elif kind in ("typedef", "DW_TAG_typedef"):
            assert isinstance(ours, TypedefType), (ours, die.tag)
            assert ours.typedef_name.endswith(name)
            self.hold(ours.target, self.of(die))
        elif kind in _QUALIFIERS:
            assert isinstance(ours, QualifiedType), (die.tag, type(ours), str(ours), die.offset)
            assert ours.qualifier == _QUALIFIERS[kind]
            self.hold(ours.target, self.of(die))
        elif kind == "array":
            self._hold_array(ours, die)
        elif kind == "subroutine":
            assert isinstance(ours, FunctionType)
            self.hold(ours.result, self.of(die))
            parameters = [each for each in die.children if "formal_parameter" in each.tag]
            for one, child in zip(ours.parameters, parameters, strict=True):
                self.hold(one, self.of(child))
        else:
            assert isinstance(ours, StructType), die.tag
            assert ours.is_declaration

    def _hold_members(self, ours: StructType, die: DumpedDie) -> None:
        static = {"DW_AT_external", "DW_AT_declaration"}
        children = [
            each
            for each in die.children
            if each.tag in _MEMBERS and not static & each.attributes.keys()
        ]
        for member, child in zip(ours.members, children, strict=True):
            assert member.name == child.text("DW_AT_name")
            assert member.is_base == (child.tag == "DW_TAG_inheritance")
            assert member.bit_size == child.number("DW_AT_bit_size")
            assert member.offset * 8 + member.bit_offset == _first_bit(member, child)
            self.hold(member.type, self.of(child))

    def _hold_array(self, ours: Type, die: DumpedDie) -> None:
        dimensions = [each for each in die.children if each.tag == "DW_TAG_subrange_type"]
        element: Type = ours
        for dimension in dimensions or [die]:
            assert isinstance(element, ArrayType)
            assert element.count == _count(dimension)
            assert element.is_vector == ("DW_AT_GNU_vector" in die.attributes)
            element = element.element
        if size := die.number("DW_AT_byte_size"):
            assert ours.size == size
        self.hold(element, self.of(die))


def _count(dimension: DumpedDie) -> int | None:
    if "DW_AT_count" in dimension.attributes:
        return dimension.number("DW_AT_count")
    if "DW_AT_upper_bound" in dimension.attributes:
        return dimension.number("DW_AT_upper_bound") + 1
    return None


def _first_bit(member: Member, die: DumpedDie) -> int:
    """Where a member begins in its structure, in bits."""
    if "DW_AT_data_bit_offset" in die.attributes:
        return die.number("DW_AT_data_bit_offset")
    start = die.number("DW_AT_data_member_location") * 8
    if not member.bit_size:
        return start
    unit = (die.number("DW_AT_byte_size") or member.type.size) * 8
    return start + unit - member.bit_size - die.number("DW_AT_bit_offset")


def _enumerators(die: DumpedDie) -> dict[str, int]:
    return {
        each.text("DW_AT_name"): int(each.attributes["DW_AT_const_value"], 0)
        for each in die.children
        if each.tag == "DW_TAG_enumerator"
    }
