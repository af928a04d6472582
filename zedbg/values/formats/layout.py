"""Types in full, as GDB's ``ptype`` shows them: members, with offsets and holes on request."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.dwarf.types.program_types import (
    ArrayType,
    EnumType,
    Member,
    PointerType,
    StructType,
    Type,
)
from zedbg.values.formats.opaque_types import image_type_name

_OFFSETS = "/* offset      |    size */"
_BLANK = " " * len(_OFFSETS)
_INDENT = " " * 4


def type_lines(value_type: Type, offsets: bool = False) -> list[str]:
    """``type = struct S { ... }`` line by line; ``offsets``: with each member's place and the holes
    between members, as ``ptype/o``. What is no structure or enumeration is one line."""
    core, declarator = _core(value_type)
    if isinstance(core, StructType) and core.members:
        head, end = f"type = {_head(core)} {{", f"}}{declarator}"
        if not offsets:
            own = [member for member in core.members if not member.is_base]
            return [head, *(line for member in own for line in _in_full(member)), end]
        return [f"{_OFFSETS}  {head}", *_members(core, 1, 0), f"{_BLANK}  {end}"]
    if isinstance(core, EnumType):
        return [f"type = {core.declare('')} {{{', '.join(_enumerators(core))}}}{declarator}"]
    return [f"type = {image_type_name(value_type) or value_type.stripped().name}"]


def _core(value_type: Type, what: str = "") -> tuple[Type, str]:
    """The type inside pointers and arrays, and the declarator ``what`` around it: `` (*)[4]``."""
    stripped = value_type.stripped()
    if isinstance(stripped, PointerType):
        is_array = isinstance(stripped.target.stripped(), ArrayType)
        return _core(stripped.target, f"(*{what})" if is_array else f"*{what}")
    if isinstance(stripped, ArrayType) and not stripped.is_vector:
        length = "" if stripped.count is None else str(stripped.count)
        return _core(stripped.element, f"{what}[{length}]")
    return stripped, f" {what}" if what else ""


def _head(structure: StructType) -> str:
    """``struct S``; in C++ with the classes that it inherits from."""
    bases = ", ".join(f"public {each.type.name}" for each in structure.members if each.is_base)
    keyword = f"{structure.keyword} " if structure.is_cpp and structure.tag else ""
    declared = structure.declare("") if structure.tag else structure.keyword
    return f"{keyword}{declared}{f' : {bases}' if bases else ''}"


def _enumerators(enumeration: EnumType) -> Iterator[str]:
    """The names in an enumeration, with their values where those do not follow each other."""
    following = 0
    for name, value in enumeration.enumerators.items():
        yield name if value == following else f"{name} = {value}"
        following = value + 1


def _declaration(member: Member) -> str:
    name = f"{member.name} : {member.bit_size}" if member.bit_size else member.name
    return member.type.declare(name)


def _in_full(member: Member) -> Iterator[str]:
    """A member without its place: with its own members where its type has no name."""
    core, declarator = _core(member.type, member.name)
    if isinstance(core, StructType) and core.members and not core.tag:
        yield f"{_INDENT}{core.keyword} {{"
        yield from (f"{_INDENT * 2}{_declaration(each)};" for each in core.members)
        yield f"{_INDENT}}}{declarator};"
    else:
        yield f"{_INDENT}{_declaration(member)};"


def _members(structure: StructType, depth: int, base: int) -> Iterator[str]:
    """The members of a structure that starts ``base`` bytes into the outermost one."""
    is_union = structure.keyword == "union"
    indent = _INDENT * depth
    end = 0  # bits
    for member in structure.members:
        start = member.offset * 8 + member.bit_offset
        if not is_union:
            yield from _gap(start - end, "hole")
        place = f"/*{member.type.size:22} */" if is_union else _place(member, base)
        inner = member.type.stripped()
        if isinstance(inner, StructType) and inner.members:
            yield f"{place}{indent}{inner.declare('') if inner.tag else inner.keyword} {{"
            yield from _members(inner, depth + 1, base + member.offset)
            yield f"{_BLANK}{indent}}} {member.name};"
        else:
            yield f"{place}{indent}{_declaration(member)};"
        end = max(end, start + (member.bit_size or member.type.size * 8))
    if not is_union:
        yield from _gap(structure.size * 8 - end, "padding")
    yield ""
    yield f"{_BLANK}{indent}/* total size (bytes): {structure.size:4} */"


def _gap(bits: int, name: str) -> Iterator[str]:
    whole, rest = divmod(bits, 8)
    if rest:
        yield f"/* XXX {rest:2}-bit {name:7}    */"
    if whole:
        yield f"/* XXX {whole:2}-byte {name:7}   */"


def _place(member: Member, base: int) -> str:
    bit = f":{member.bit_offset:2}   " if member.bit_size else " " * 6
    return f"/* {base + member.offset:6}{bit}|  {member.type.size:6} */"
