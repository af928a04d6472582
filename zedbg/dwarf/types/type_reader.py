"""Building types from DIEs, each once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from elftools.dwarf.die import DIE

from zedbg.dwarf.reading import dies
from zedbg.dwarf.types import cpp_names
from zedbg.dwarf.types.program_types import (
    VOID,
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
    complex_type,
)

# What bits mean, by the number of their encoding (DWARF 5, 7.8).
_COMPLEX_FLOAT = 0x03
ENCODINGS = {
    0x02: Encoding.BOOLEAN,
    0x04: Encoding.FLOAT,
    0x05: Encoding.SIGNED,
    0x06: Encoding.SIGNED_CHAR,
    0x07: Encoding.UNSIGNED,
    0x08: Encoding.UNSIGNED_CHAR,
    0x10: Encoding.UNSIGNED_CHAR,  # UTF
}
_QUALIFIERS = {
    "DW_TAG_const_type": "const",
    "DW_TAG_volatile_type": "volatile",
    "DW_TAG_restrict_type": "restrict",
    "DW_TAG_atomic_type": "_Atomic",
    # An older graphics compiler writes a tag of 0 where it means an atomic type; versions of
    # pyelftools differ in what they call that.
    "DW_TAG_padding": "_Atomic",
    "DW_TAG_null": "_Atomic",
}
_STRUCTURES = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_class_type": "class",
    "DW_TAG_union_type": "union",
}
# What C++ writes for a reference, nothing for a pointer.
_POINTERS = {
    "DW_TAG_pointer_type": "",
    "DW_TAG_reference_type": "&",
    "DW_TAG_rvalue_reference_type": "&&",
}
_NUMBERS = 1 << 64  # that an attribute's value may be
_POINTER_SIZE = 8


class TypeReader:
    """The types of one module, by the offset of their DIE."""

    def __init__(self, die_at: Callable[[int], DIE]) -> None:
        """``die_at`` gives the DIE at an offset of ``.debug_info``."""
        self._die_at = die_at
        self._types: dict[int, Type] = {}

    def type_of(self, die: DIE) -> Type:
        """The type that ``die`` (a variable, a member, another type) has; void when it has none."""
        offset = dies.reference(die, "DW_AT_type")
        return VOID if offset is None else self.at(offset)

    def at(self, offset: int) -> Type:
        """The type whose DIE is at ``offset``."""
        if offset not in self._types:
            self._build(offset, self._die_at(offset))
        return self._types[offset]

    def _build(self, offset: int, die: DIE) -> None:
        """Enters the type of ``die``; what can refer to itself is entered before its parts."""
        size = dies.number(die, "DW_AT_byte_size")
        name = dies.text(die, "DW_AT_name") or ""
        tag = str(die.tag)
        if tag in _POINTERS:
            size = size or _POINTER_SIZE
            address_class = dies.attribute(die, "DW_AT_address_class")
            space = address_class.value if address_class else None
            pointer = PointerType(size, VOID, space, _POINTERS[tag])
            self._types[offset] = pointer
            pointer.target = self.type_of(die)
        elif tag in _STRUCTURES:
            declared = dies.attribute(die, "DW_AT_declaration") is not None
            structure = StructType(size, name, _STRUCTURES[tag], is_declaration=declared)
            if self._is_cpp(die):
                structure.tag = cpp_names.qualified(die, name) if name else ""
                structure.is_cpp = True
            self._types[offset] = structure
            structure.members += self._members(die)
        elif tag == "DW_TAG_base_type":
            number = dies.number(die, "DW_AT_encoding")
            encoding = ENCODINGS.get(number, Encoding.UNSIGNED)
            is_complex = number == _COMPLEX_FLOAT
            self._types[offset] = (
                complex_type(name, size) if is_complex else BaseType(size, name, encoding)
            )
        elif tag == "DW_TAG_enumeration_type":
            self._types[offset] = self._enumeration(die, size or 4, name)
        elif tag == "DW_TAG_typedef":
            known_as = cpp_names.qualified(die, name) if self._is_cpp(die) else name
            typedef = TypedefType(0, known_as, VOID)
            self._types[offset] = typedef
            typedef.target = self.type_of(die)
            typedef.size = typedef.target.size
        elif tag in _QUALIFIERS:
            qualified = QualifiedType(0, _QUALIFIERS[tag], VOID)
            self._types[offset] = qualified
            qualified.target = self.type_of(die)
            qualified.size = qualified.target.size
        elif tag == "DW_TAG_array_type":
            self._types[offset] = self._array(die, size)
        elif tag == "DW_TAG_subroutine_type":
            function = FunctionType(0, VOID)
            self._types[offset] = function
            function.result = self.type_of(die)
            function.parameters += [
                self.type_of(child)
                for child in die.iter_children()
                if child.tag == "DW_TAG_formal_parameter"
            ]
        else:
            # An unspecified type (`decltype(nullptr)`) or one that is newer than this reader.
            self._types[offset] = StructType(size, name or tag, "struct", is_declaration=True)

    @staticmethod
    def _is_cpp(die: DIE) -> bool:
        return cpp_names.is_cpp(die.cu.get_top_DIE())

    def _members(self, die: DIE) -> list[Member]:
        found = []
        for child in die.iter_children():
            if child.tag not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            if "DW_AT_external" in child.attributes or "DW_AT_declaration" in child.attributes:
                continue  # a static member: it lies elsewhere
            member_type = self.type_of(child)
            name = dies.text(child, "DW_AT_name") or ""
            offset = dies.number(child, "DW_AT_data_member_location")
            bits = dies.number(child, "DW_AT_bit_size")
            bit_offset = 0
            if bits and "DW_AT_data_bit_offset" in child.attributes:
                offset, bit_offset = divmod(dies.number(child, "DW_AT_data_bit_offset"), 8)
            elif bits:
                # DWARF 3 counts from the most significant bit of the storage unit. Intel's compiler
                # places that below the structure, in unsigned numbers that wrap around.
                unit = dies.number(child, "DW_AT_byte_size", member_type.size) * 8
                start = offset * 8 + unit - bits - dies.number(child, "DW_AT_bit_offset")
                offset, bit_offset = divmod(start % _NUMBERS, 8)
            is_base = child.tag == "DW_TAG_inheritance"
            found.append(Member(name, member_type, offset, bit_offset, bits, is_base))
        return found

    def _enumeration(self, die: DIE, size: int, name: str) -> EnumType:
        is_cpp = self._is_cpp(die)
        tag = cpp_names.qualified(die, name) if is_cpp and name else name
        # C++ names the values of a scoped enumeration after its own name, others beside it.
        around = tag if "DW_AT_enum_class" in die.attributes else tag.rpartition("::")[0]
        prefix = f"{around}::" if is_cpp and around else ""
        values = {
            prefix + (dies.text(child, "DW_AT_name") or ""): dies.number(child, "DW_AT_const_value")
            for child in die.iter_children()
            if child.tag == "DW_TAG_enumerator"
        }
        is_signed = any(value < 0 for value in values.values())
        return EnumType(size, tag, values, is_signed, is_cpp)

    def _array(self, die: DIE, size: int) -> Type:
        """An array; several dimensions become arrays of arrays, the last one innermost."""
        is_vector = dies.attribute(die, "DW_AT_GNU_vector") is not None
        counts = [_count(child) for child in die.iter_children() if _is_dimension(child)]
        result = self.type_of(die)
        for count in reversed(counts or [None]):
            # A vector of three takes the room of four (OpenCL C 6.1.5).
            stored = 4 if is_vector and count == 3 else count or 0
            result = ArrayType(result.size * stored, result, count, is_vector)
        if size:
            result.size = size
        return result


def _is_dimension(die: DIE) -> bool:
    return die.tag in ("DW_TAG_subrange_type", "DW_TAG_enumeration_type")


def _count(die: DIE) -> int | None:
    if "DW_AT_count" in die.attributes:
        return dies.number(die, "DW_AT_count")
    if "DW_AT_upper_bound" in die.attributes:
        return dies.number(die, "DW_AT_upper_bound") + 1
    return None
