"""Writes the C++ table of devices from zedbg/xe/devices.py: generate_devices.py OUTPUT.

The members of the dataclass become those of `struct DeviceRow`. Needs nothing but the standard
library: it runs from CMake.
"""

import dataclasses
import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from zedbg.xe.devices import DEVICES, Device, MemoryType
from zedbg.xe.isa.platform import Platform

TYPES: dict[object, str] = {
    str: "std::string_view",
    bool: "bool",
    int: "std::uint64_t",
    Platform: "eu::Platform",
    MemoryType: "MemoryType",
    tuple[int, int, int]: "std::uint32_t",  # an IP version, packed as Level Zero does
}
SMALL = 1 << 32
_VERSION_SHIFTS = (22, 14, 0)


def enumerator(member: Enum) -> str:
    """The C++ name of an enumeration's member: XE_HPG → XeHpg."""
    words = member.name.split("_")
    return "".join(word.capitalize() for word in words)


def cpp_type(field: "dataclasses.Field[object]") -> str:
    """The type of a member; numbers of 32 bits where every device's fit."""
    values = [getattr(device, field.name) for device in DEVICES.values()]
    if field.type is int and all(value < SMALL for value in values):
        return "std::uint32_t"
    return TYPES[field.type]


def literal(value: object) -> str:
    """`value` as a C++ initialiser."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Platform):
        return f"eu::Platform::{enumerator(value)}"
    if isinstance(value, MemoryType):
        return f"MemoryType::{enumerator(value)}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return hex(sum(part << by for part, by in zip(value, _VERSION_SHIFTS, strict=True)))
    return f"{value}u" if isinstance(value, int) and value < SMALL else f"{value}ull"


def header() -> Iterable[str]:
    """The whole generated header."""
    yield "// Generated from zedbg/xe/devices.py by generate_devices.py; what each member is stands there."
    yield "#pragma once"
    yield "#include <array>"
    yield "#include <cstdint>"
    yield "#include <string_view>"
    yield '#include "eu/isa/names.hpp"'
    yield "namespace xesim::device {"
    kinds = ", ".join(enumerator(kind) for kind in MemoryType)
    yield f"enum class MemoryType : std::uint8_t {{ {kinds} }};"
    yield "[[nodiscard]] constexpr std::string_view memory_name(MemoryType type) {"
    yield "  switch (type) {"
    for kind in MemoryType:
        yield f'    case MemoryType::{enumerator(kind)}: return "{kind.value}";'
    yield "  }"
    yield "  return {};"
    yield "}"
    yield "struct DeviceRow {"
    for field in dataclasses.fields(Device):
        yield f"  {cpp_type(field)} {field.name};"
    yield "};"
    yield f"inline constexpr std::array<DeviceRow, {len(DEVICES)}> kDeviceRows{{{{"
    for device in DEVICES.values():
        yield "  {"
        for field in dataclasses.fields(Device):
            yield f"    .{field.name} = {literal(getattr(device, field.name))},"
        yield "  },"
    yield "}};"
    yield "}  // namespace xesim::device"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(header()) + "\n", encoding="utf-8")
