"""Writes the C++ ISA tables from the data in zedbg/xe/isa: generate_tables.py DIRECTORY.

`names.hpp` gets the enumerations, and what each instruction set is; `tables.hpp` the encodings: the
dataclasses of the data become structs of the same name and members. Needs nothing but the standard
library: it runs from CMake.
"""

import dataclasses
import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from zedbg.xe.isa import fields
from zedbg.xe.isa.compaction import CompactForm
from zedbg.xe.isa.encoding import ENCODINGS, Encoding, Values
from zedbg.xe.isa.names import (
    BINARY_MATH_FUNCTIONS,
    MATH_MACROS,
    TOKEN_SYNC_FUNCTIONS,
    Arf,
    Condition,
    DataType,
    MathFunction,
    NumberKind,
    Predicate,
    SharedFunction,
    SyncFunction,
)
from zedbg.xe.isa.opcodes import Format, Opcode, Operation, Trait
from zedbg.xe.isa.operations import OperandTypes, OperationFeatures
from zedbg.xe.isa.platform import Platform

FIELD_GROUPS = (
    fields.CommonFields,
    fields.DestinationFields,
    fields.SourceFields,
    fields.BasicFields,
    fields.TernaryFields,
    fields.DpasFields,
    fields.BranchFields,
    fields.SendFields,
)
LAYOUTS = {
    "common": fields.CommonFields,
    "basic": fields.BasicFields,
    "math": fields.BasicFields,
    "ternary": fields.TernaryFields,
    "dpas": fields.DpasFields,
    "branch": fields.BranchFields,
    "send": fields.SendFields,
}
# Members of Encoding with one number each.
SCALARS = {
    "channel_offset_unit": "unsigned",
    "first_math_macro_accumulator": "unsigned",
    "sync_has_register": "bool",
}
SPELLED = (
    Opcode,
    DataType,
    Arf,
    Predicate,
    Condition,
    MathFunction,
    SyncFunction,
    SharedFunction,
)
ENUMERATIONS = (Platform, Format, Operation, *SPELLED)
# The predicate over opcodes that says whether they have a trait.
TRAIT_FUNCTIONS = {
    Trait.BRANCH_CONTROL: "has_branch_control",
    Trait.ACCUMULATES: "accumulates",
    Trait.NEEDS_CONDITION: "needs_condition",
    Trait.GIVES_MASK: "gives_mask",
    Trait.WIDE_LANES: "has_wide_lanes",
    Trait.EXACT_RESULT: "may_need_exact_result",
    Trait.EXACT_COMPARISON: "may_need_exact_comparison",
}
# Members of Platform with one number each: what the function is called, and what it says.
PLATFORM_FACTS = {
    "grf_bytes": "Bytes of a general register.",
    "native_lanes": "Lanes of the arithmetic units: the fewest that a message's payload has room for.",
    "flag_registers": "How many there are.",
}
MEMBER_TYPES = {"Field": "Field", "int": "std::uint8_t"}  # of field groups, Python to C++
TABLE_LENGTH = 16  # values of the widest coded field
RESERVED = "kReserved"
UNKNOWN = "Unknown"  # the architecture registers that are not among Arf


def enumerator(member: Enum) -> str:
    """The C++ name of an enumeration's member: INSTRUCTION_POINTER → InstructionPointer."""
    words = member.name.split("_")
    return f"{type(member).__name__}::{''.join(word.capitalize() for word in words)}"


def literal(value: object) -> str:
    """`value` as a C++ initialiser."""
    if isinstance(value, fields.Field):
        segments = ", ".join(f"{{{part.low}, {part.width}}}" for part in value.segments)
        return f"{{{len(value.segments)}, {{{{{segments}}}}}}}" if segments else "{}"
    if isinstance(value, Enum):
        return enumerator(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = (
            f".{member_name(field.name)} = {literal(getattr(value, field.name))}"
            for field in dataclasses.fields(value)
        )
        return "{" + ",\n".join(members) + "}"
    if isinstance(value, tuple):
        padded = [*value, *[None] * (TABLE_LENGTH - len(value))]
        return "{{" + ", ".join(literal(item) for item in padded) + "}}"
    if isinstance(value, frozenset):
        members = sorted(enumerator(member) for member in value)
        return f"opcode_set({{{', '.join(members)}}})"
    if value is None:
        return "std::nullopt"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"no C++ initialiser for {value!r}")


def structs() -> Iterable[str]:
    """Declarations of the field groups, the value tables and the encoding."""
    group_names = {group.__name__ for group in FIELD_GROUPS}
    for group in FIELD_GROUPS:
        yield f"struct {cpp_name(group.__name__)} {{"
        for field in dataclasses.fields(group):
            name = field.type if isinstance(field.type, str) else field.type.__name__
            kind = cpp_name(name) if name in group_names else MEMBER_TYPES[name]
            yield f"  {kind} {member_name(field.name)};"
        yield "};"
    yield "struct OperandTypes {"
    for field in dataclasses.fields(OperandTypes):
        yield f"  TypeTable {field.name};"
    yield "};"
    yield "struct TypedOperations {"
    yield "  OpcodeSet opcodes;"
    yield "  OperandTypes types;"
    yield "};"
    yield "struct OperationFeatures {"
    for field in dataclasses.fields(OperationFeatures):
        yield f"  OpcodeSet {field.name};"
    yield "};"
    yield "struct Values {"
    for field in dataclasses.fields(Values):
        yield f"  {value_table_type(field)} {field.name};"
    yield "};"


def member_name(name: str) -> str:
    """A name that is a keyword of C++ gets an underscore at its end."""
    return f"{name}_" if name == "register" else name


def cpp_name(group: str) -> str:
    """SendFields is also what instruction.hpp calls the decoded fields of a send."""
    return group.replace("Fields", "Layout")


def value_table_type(field: "dataclasses.Field[Any]") -> str:
    """The C++ type of a member of Values."""
    sample = next(iter(ENCODINGS.values())).values
    table = getattr(sample, field.name)
    if isinstance(table, int):
        return "std::uint8_t"
    item = next(item for item in table if item is not None)
    inner = type(item).__name__ if isinstance(item, Enum) else "std::uint8_t"
    return f"std::array<std::optional<{inner}>, {TABLE_LENGTH}>"


def compact_tables(encoding: Encoding) -> Iterable[str]:
    """The arrays of one platform's compact forms, then the forms."""
    platform = enumerator(encoding.platform).split("::")[1]
    for number, form in enumerate(encoding.compact_forms):
        prefix = f"k{platform}Compact{number}"
        yield f"inline constexpr std::array<Copied, {len(form.copied)}> {prefix}Copied = {{{{"
        for copied in form.copied:
            signed = str(copied.signed).lower()
            yield f"  {{{literal(copied.compact)}, {literal(copied.native)}, {signed}}},"
        yield "}};"
        yield from lookup_tables(prefix, form)
    forms = [
        f"  {{{format_mask(form)}, k{platform}Compact{number}Copied, "
        f"k{platform}Compact{number}Looked}},"
        for number, form in enumerate(encoding.compact_forms)
    ]
    yield f"inline constexpr std::array<CompactForm, {len(forms)}> k{platform}CompactForms = {{{{"
    yield from forms
    yield "}};"


def lookup_tables(prefix: str, form: CompactForm) -> Iterable[str]:
    """The index tables of one compact form."""
    for position, looked in enumerate(form.looked):
        values = ", ".join(RESERVED if value is None else f"{value:#x}" for value in looked.values)
        yield (
            f"inline constexpr std::array<std::uint64_t, {len(looked.values)}> "
            f"{prefix}Values{position} = {{{{{values}}}}};"
        )
    yield f"inline constexpr std::array<Looked, {len(form.looked)}> {prefix}Looked = {{{{"
    for position, looked in enumerate(form.looked):
        yield (
            f"  {{{literal(looked.index)}, {literal(looked.native)}, {prefix}Values{position}}},"
        )
    yield "}};"


def format_mask(form: CompactForm) -> str:
    """The formats of a compact form as a mask over Format."""
    return " | ".join(f"format_bit({enumerator(member)})" for member in form.formats)


def encoding_tables(encoding: Encoding) -> Iterable[str]:
    """One platform's constants."""
    platform = enumerator(encoding.platform).split("::")[1]
    yield from compact_tables(encoding)
    yield f"inline constexpr std::array<std::optional<Opcode>, 128> k{platform}Opcodes = {{{{"
    for number in range(128):
        opcode = encoding.opcodes.get(number)
        yield f"  {'std::nullopt' if opcode is None else enumerator(opcode)},"
    yield "}};"
    special = encoding.special_types
    name = f"k{platform}SpecialTypes"
    yield f"inline constexpr std::array<TypedOperations, {len(special)}> {name} = {{{{"
    for typed in special:
        yield f"  {literal(typed)},"
    yield "}};"
    yield f"inline constexpr Encoding k{platform}Encoding = {{"
    yield f"  .opcodes = k{platform}Opcodes,"
    for name in (*LAYOUTS, "values", "types"):
        yield f"  .{name} = {literal(getattr(encoding, name))},"
    yield f"  .special_types = k{platform}SpecialTypes,"
    yield f"  .features = {literal(encoding.features)},"
    yield f"  .compact_breakpoint = {literal(encoding.compact_breakpoint)},"
    yield f"  .compact_forms = k{platform}CompactForms,"
    for name in SCALARS:
        yield f"  .{name} = {literal(getattr(encoding, name))},"
    yield "};"


def name_function(enumeration: type[Enum]) -> Iterable[str]:
    """A function from an enumerator to its assembler spelling."""
    yield f"[[nodiscard]] constexpr std::string_view spelling({enumeration.__name__} value) {{"
    yield "  switch (value) {"
    for member in enumeration:
        yield f'    case {enumerator(member)}: return "{member.value}";'
    yield "    default: return {};"
    yield "  }"
    yield "}"


def membership_function(name: str, members: Iterable[Enum]) -> Iterable[str]:
    """A predicate over an enumeration."""
    ordered = sorted(members, key=lambda member: member.name)
    yield f"[[nodiscard]] constexpr bool {name}({type(ordered[0]).__name__} value) {{"
    yield "  switch (value) {"
    for member in ordered:
        yield f"    case {enumerator(member)}:"
    yield "      return true;"
    yield "    default:"
    yield "      return false;"
    yield "  }"
    yield "}"


def type_functions() -> Iterable[str]:
    """What types of operands are."""
    yield "// Bytes of one element; of a packed vector, of the element that it unpacks to."
    yield "[[nodiscard]] constexpr unsigned size_of(DataType type) {"
    yield "  switch (type) {"
    for kind in DataType:
        yield f"    case {enumerator(kind)}: return {kind.element_size};"
    yield "  }"
    yield "  return 0;"
    yield "}"
    for name, chosen in (
        ("is_float", [kind for kind in DataType if kind.kind is NumberKind.FLOATING]),
        ("is_signed_integer", [kind for kind in DataType if kind.kind is NumberKind.SIGNED]),
        ("is_unsigned_integer", [kind for kind in DataType if kind.kind is NumberKind.UNSIGNED]),
        ("is_packed_vector", [kind for kind in DataType if kind.is_packed]),
    ):
        yield from membership_function(name, chosen)


def opcode_functions() -> Iterable[str]:
    """What the rows of opcodes say that no encoding depends on."""
    for name, answer in (("format_of", Format), ("operation_of", Operation)):
        yield f"[[nodiscard]] constexpr {answer.__name__} {name}(Opcode opcode) {{"
        yield f"  constexpr std::array<{answer.__name__}, {len(Opcode)}> kOf{{{{"
        for opcode in Opcode:
            member = opcode.row.format if answer is Format else opcode.row.operation
            yield f"    {enumerator(member)},"
        yield "  }};"
        yield "  return kOf[static_cast<unsigned>(opcode)];"
        yield "}"
    for trait, name in TRAIT_FUNCTIONS.items():
        yield from membership_function(name, [each for each in Opcode if each.has_trait(trait)])


def names_header() -> Iterable[str]:
    """The header of the enumerations."""
    yield "// Generated from zedbg/xe/isa by generate_tables.py."
    yield "#pragma once"
    yield "#include <array>"
    yield "#include <cstdint>"
    yield "#include <optional>"
    yield "#include <string_view>"
    yield "namespace xesim::eu {"
    for enumeration in ENUMERATIONS:
        names = [enumerator(member).split("::")[1] for member in enumeration]
        members = ", ".join(names + [UNKNOWN] * (enumeration is Arf))
        yield f"enum class {enumeration.__name__} : std::uint8_t {{ {members} }};"
    yield "// By the name of a member of zedbg.xe.isa.Platform in lower case: xe_hpg."
    yield "[[nodiscard]] constexpr std::optional<Platform> platform_named(std::string_view name) {"
    for platform in Platform:
        yield f'  if (name == "{platform.name.lower()}") return {enumerator(platform)};'
    yield "  return std::nullopt;"
    yield "}"
    for enumeration in SPELLED:
        yield from name_function(enumeration)
    yield from type_functions()
    yield from opcode_functions()
    for fact, meaning in PLATFORM_FACTS.items():
        numbers = [getattr(platform, fact) for platform in Platform]
        yield f"// {meaning}"
        yield f"[[nodiscard]] constexpr unsigned {fact}(Platform platform) {{"
        yield f"  constexpr std::array<unsigned, {len(numbers)}> kOf{{{', '.join(map(str, numbers))}}};"
        yield "  return kOf[static_cast<unsigned>(platform)];"
        yield "}"
    yield "}  // namespace xesim::eu"


def tables_header() -> Iterable[str]:
    """The header of the encodings."""
    yield "// Generated from zedbg/xe/isa by generate_tables.py."
    yield "#pragma once"
    yield '#include "eu/isa/compact_form.hpp"'
    yield '#include "eu/isa/opcode_set.hpp"'
    yield "namespace xesim::eu {"
    yield "[[nodiscard]] constexpr std::uint32_t format_bit(Format format) {"
    yield "  return 1u << static_cast<unsigned>(format);"
    yield "}"
    yield from membership_function("has_two_sources", BINARY_MATH_FUNCTIONS)
    yield from membership_function("is_math_macro", MATH_MACROS)
    yield from membership_function("has_tokens", TOKEN_SYNC_FUNCTIONS)
    yield from structs()
    yield "struct Encoding {"
    yield "  std::span<const std::optional<Opcode>, 128> opcodes;"
    for name, group in LAYOUTS.items():
        yield f"  {cpp_name(group.__name__)} {name};"
    yield "  Values values;"
    yield "  OperandTypes types;"
    yield "  std::span<const TypedOperations> special_types;"
    yield "  OperationFeatures features;"
    yield "  Field compact_breakpoint;"
    yield "  std::span<const CompactForm> compact_forms;"
    for name, kind in SCALARS.items():
        yield f"  {kind} {name};"
    yield "};"
    for encoding in ENCODINGS.values():
        yield from encoding_tables(encoding)
    yield "[[nodiscard]] constexpr const Encoding* encoding_of(Platform platform) {"
    yield "  switch (platform) {"
    for encoding in ENCODINGS.values():
        name = enumerator(encoding.platform)
        yield f"    case {name}: return &k{name.split('::')[1]}Encoding;"
    yield "    default: return nullptr;"
    yield "  }"
    yield "}"
    yield "}  // namespace xesim::eu"


def write_if_new(path: Path, text: str) -> None:
    """Leaves a file that says the same as it is, so that nothing is compiled again for it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    directory = Path(sys.argv[1])
    for name, lines in (("names.hpp", names_header()), ("tables.hpp", tables_header())):
        write_if_new(directory / name, "\n".join(lines) + "\n")
