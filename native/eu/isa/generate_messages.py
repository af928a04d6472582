"""Writes the C++ encodings of messages from zedbg/xe/isa: generate_messages.py DIRECTORY.

`eu/isa/messages.hpp` gets what all messages have, `eu/messages/lsc_encoding.hpp` and
`eu/messages/hdc_encoding.hpp` the ports: fields become those of native/eu/isa/message_field.hpp,
rows structs, tables arrays, with their names in camel case. Needs nothing but the standard library:
it runs from CMake.
"""

import dataclasses
import sys
import types
import typing
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from zedbg.xe.isa import data_cache, load_store, messages
from zedbg.xe.isa.messages import DescriptorField, PayloadField

MARK = "// Generated from zedbg/xe/isa by generate_messages.py."
FIELDS = (DescriptorField, PayloadField)  # as written in message_field.hpp
PLAIN_TYPES = {int: "std::uint8_t", bool: "bool", str: "const char*"}


def camel(name: str) -> str:
    """The C++ spelling of a name: INDEX_MASK → IndexMask."""
    return "".join(word.capitalize() for word in name.split("_"))


def cpp_type(kind: object) -> str:
    """The C++ type of a member, whose absence is its zero."""
    parts = [part for part in typing.get_args(kind) if part is not types.NoneType] or [kind]
    return PLAIN_TYPES.get(parts[0]) or parts[0].__name__


def literal(value: object) -> str:
    """`value` as a C++ initialiser."""
    if value is None:
        return "{}"
    if isinstance(value, Enum):
        return f"{type(value).__name__}::{camel(value.name)}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = (getattr(value, field.name) for field in dataclasses.fields(value))
        return f"{{{', '.join(map(literal, members))}}}"
    return str(value)


def enumeration(kind: type[Enum]) -> str:
    """The declaration of an enumeration."""
    members = ", ".join(f"{camel(member.name)} = {member.value}" for member in kind)
    return f"enum class {kind.__name__} : std::uint8_t {{ {members} }};"


def structure(kind: type) -> Iterable[str]:
    """The declaration of a row."""
    hints = typing.get_type_hints(kind)
    yield f"struct {kind.__name__} {{"
    for field in dataclasses.fields(kind):
        yield f"  {cpp_type(hints[field.name])} {field.name}{{}};"
    yield "};"


def constant(name: str, value: object) -> Iterable[str]:
    """The definition of a field, a number or a table."""
    if isinstance(value, FIELDS):
        yield f"inline constexpr {type(value).__name__} k{camel(name)}{literal(value)};"
    elif isinstance(value, int):
        yield f"inline constexpr std::uint32_t k{camel(name)} = {value:#x}u;"
    elif isinstance(value, tuple):
        kind = type(next(item for item in value if item is not None))
        item_type = PLAIN_TYPES.get(kind, kind.__name__)
        yield f"inline constexpr std::array<{item_type}, {len(value)}> k{camel(name)}{{{{"
        yield from (f"    {literal(item)}," for item in value)
        yield "}};"


def header(include: str, namespace: str, module: types.ModuleType) -> Iterable[str]:
    """The header of a module's enumerations, rows, fields and tables."""
    yield MARK
    yield "#pragma once"
    yield "#include <array>"
    yield "#include <cstdint>"
    yield f'#include "{include}"'
    yield f"namespace {namespace} {{"
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__:
            if issubclass(value, Enum):
                yield enumeration(value)
            elif value not in FIELDS:
                yield from structure(value)
        elif name.isupper():
            yield from constant(name, value)
    yield f"}}  // namespace {namespace}"


def write_if_new(path: Path, lines: Iterable[str]) -> None:
    """Leaves a file that says the same as it is, so that nothing is compiled again for it."""
    text = "\n".join(lines) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    directory = Path(sys.argv[1])
    common = "eu/isa/messages.hpp"
    for path, include, namespace, module in (
        (common, "eu/isa/message_field.hpp", "xesim::eu", messages),
        ("eu/messages/lsc_encoding.hpp", common, "xesim::eu::lsc", load_store),
        ("eu/messages/hdc_encoding.hpp", common, "xesim::eu::hdc", data_cache),
    ):
        write_if_new(directory / path, header(include, namespace, module))
