"""A module of many kernels with debug information, put together from a module of one.

Debian's ocloc leaves debug information out of modules of several kernels, and the newest takes long
over a thousand. The result is laid out as the newest compiler's: one unit, line program, frame
entries and zeinfo entry for each kernel, and a quarter of the units with lost symbol names.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from zedbg.dwarf.units.sections import DebugSections
from zedbg.zebin import Module
from zedbg.zebin.elf import Section, native_module

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
_PROGBITS, _SYMTAB, _STRTAB, _RELA_TYPE = 1, 2, 3, 4
_ALLOC_EXECUTE = 6
_FUNC, _OBJECT, _NOTYPE, _GLOBAL = 2, 1, 0, 1
_ADDR64 = 1
_TEXT_ALIGNMENT = 64
# Where an attribute with a section offset points (DWARF 4, 7.5.4).
_OFFSETS = {
    "DW_AT_stmt_list": ".debug_line",
    "DW_AT_ranges": ".debug_ranges",
    "DW_AT_location": ".debug_loc",
    "DW_AT_frame_base": ".debug_loc",
}
_COPIED = (
    ".debug_info",
    ".debug_abbrev",
    ".debug_frame",
    ".debug_line",
    ".debug_loc",
    ".debug_ranges",
)


def names(template: str, kernels: int) -> list[str]:
    """Names of ``kernels`` kernels, as long as ``template``: nothing in its DWARF moves."""
    digits = len(template) - 1
    assert kernels <= 10**digits, "a longer name is needed for so many"
    return [f"k{number:0{digits}}" for number in range(kernels)]


@dataclass
class _Output:
    """The sections of the module that is made, and its symbols."""

    sections: list[tuple[str, int, int, bytes, int, int]] = field(default_factory=list)
    symbols: list[tuple[str, int, int, int, int]] = field(default_factory=list)

    def add(self, name: str, type_: int, flags: int, data: bytes, link: int = 0, info: int = 0):
        self.sections.append((name, type_, flags, data, link, info))
        return len(self.sections)  # section 0 is none

    def symbol(self, name: str, kind: int, section: int, value: int = 0, size: int = 0) -> int:
        self.symbols.append((name, kind, section, value, size))
        return len(self.symbols)  # symbol 0 is none


def many_kernels(data: bytes, kernels: int) -> bytes:
    """The module in ``data``, which has one kernel, ``kernels`` times."""
    module = Module.from_bytes(data, "template")
    elf = native_module(data, "template")
    (kernel,) = module.kernels
    output = _Output()
    wanted = names(kernel.name, kernels)
    old = kernel.name.encode()
    code = module.section_bytes(kernel.section)
    homes = [
        output.add(f".text.{name}", _PROGBITS, _ALLOC_EXECUTE, code.replace(old, name.encode()))
        for name in wanted
    ]
    targets = _offset_targets(module)
    parts = {name: s for name in _COPIED if (s := module.section(name)) is not None}
    at = {name: len(homes) + 1 + index for index, name in enumerate(parts)}
    contents = {name: bytearray() for name in parts}
    entries: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in parts}
    for number, (name, home) in enumerate(zip(wanted, homes, strict=True)):
        output.symbol("_entry", _NOTYPE, home, kernel.entry - kernel.address)
        output.symbol(name, _FUNC, home, 0, kernel.size)
        lost = number % 4 == 3
        code_symbol = output.symbol("" if lost else f".text.{name}", _OBJECT, at[".debug_info"])
        starts = {part: len(content) for part, content in contents.items()}
        for part, section in parts.items():
            bytes_ = module.section_bytes(section)
            for entry in elf.relocations(section):
                target = targets.get((part, entry.offset), "")
                is_code = entry.type == _ADDR64
                addend = (entry.addend or 0) + (0 if is_code else starts[target])
                symbol = code_symbol if is_code else -1
                entries[part].append((starts[part] + entry.offset, entry.type, symbol, addend))
            contents[part] += bytes_.replace(old, name.encode())
    sections_symbol = output.symbol(".debug_any", _OBJECT, at[".debug_info"])
    for part in parts:
        output.add(part, _PROGBITS, 0, bytes(contents[part]))
    symbol_table = len(output.sections) + sum(1 for each in entries.values() if each) + 1
    for part, listed in entries.items():
        if listed:
            packed = b"".join(
                _RELA.pack(offset, (sections_symbol if symbol < 0 else symbol) << 32 | kind, addend)
                for offset, kind, symbol, addend in listed
            )
            output.add(f".rela{part}", _RELA_TYPE, 0, packed, symbol_table, at[part])
    return _written(output, _zeinfo(module, wanted, kernel.name), elf.sections, elf.data)


def _offset_targets(module: Module) -> dict[tuple[str, int], str]:
    """To which section each offset in the debug sections points: by section and place."""
    found = {(".debug_info", 6): ".debug_abbrev"}
    for unit in DebugSections(module).units():
        for die in unit.iter_DIEs():
            for attribute in die.attributes.values():
                if attribute.name in _OFFSETS:
                    found[".debug_info", attribute.offset] = _OFFSETS[attribute.name]
    frame = module.section(".debug_frame")
    if frame is not None:
        content = module.section_bytes(frame)
        position = 0
        while position < len(content):  # each entry's pointer to its CIE
            found[".debug_frame", position + 12] = ".debug_frame"
            position += 12 + int.from_bytes(content[position + 4 : position + 12], "little")
    return found


def _zeinfo(module: Module, wanted: list[str], old: str) -> bytes:
    section = module.section(".ze_info")
    assert section is not None
    text = module.section_bytes(section).decode().rstrip("\0").removesuffix("...\n")
    head, _, rest = text.partition("kernels:\n")
    kernels, misc, described = rest.partition("kernels_misc_info:\n")

    def repeated(entry: str) -> str:
        return "".join(entry.replace(old, name) for name in wanted)

    return f"{head}kernels:\n{repeated(kernels)}{misc}{repeated(described)}...\n".encode()


def _written(output: _Output, zeinfo: bytes, template: list[Section], data: bytes) -> bytes:
    strings = bytearray(b"\0")

    def text(value: str) -> int:
        if not value:
            return 0
        strings.extend(value.encode() + b"\0")
        return len(strings) - len(value) - 1

    symbols = [_SYMBOL.pack(0, 0, 0, 0, 0, 0)]
    symbols += [
        _SYMBOL.pack(text(name), kind, 0, section, value, size)
        for name, kind, section, value, size in output.symbols
    ]
    strings_index = len(output.sections) + 2
    output.add(".symtab", _SYMTAB, 0, b"".join(symbols), strings_index, len(symbols))
    strings_at = output.add(".strtab", _STRTAB, 0, b"")
    assert strings_at == strings_index
    for section in template:
        if section.name == ".ze_info" or section.name.startswith(".note.intelgt.compat"):
            content = data[section.offset : section.offset + section.size]
            output.add(
                section.name, section.type, 0, zeinfo if "ze_info" in section.name else content
            )
    names_at = [text(section[0]) for section in output.sections]
    body = bytearray(_HEADER.size)
    headers = [bytes(_SECTION.size)]
    for (_, type_, flags, content, link, info), name in zip(output.sections, names_at, strict=True):
        content = bytes(strings) if type_ == _STRTAB else content
        body += bytes(-len(body) % _TEXT_ALIGNMENT)
        entry = {_SYMTAB: _SYMBOL.size, _RELA_TYPE: _RELA.size}.get(type_, 0)
        headers.append(
            _SECTION.pack(name, type_, flags, 0, len(body), len(content), link, info, 1, entry)
        )
        body += content
    body += bytes(-len(body) % 8)
    start = len(body)
    header = list(_HEADER.unpack_from(data))
    header[6], header[11], header[12], header[13] = (
        start,
        _SECTION.size,
        len(headers),
        strings_index,
    )
    body[: _HEADER.size] = _HEADER.pack(*header)
    return bytes(body) + b"".join(headers)


def debug_image(data: bytes) -> bytes:
    """The module in ``data`` as a driver gives it to a debugger: with final addresses."""
    module = Module.from_bytes(data, "module")
    image = bytearray(data)
    header = list(_HEADER.unpack_from(image))
    header[1] = 2  # ET_EXEC
    image[: _HEADER.size] = _HEADER.pack(*header)
    debug = DebugSections(module)
    for section, at in _headers(module, header[6]):
        fields = list(_SECTION.unpack_from(image, at))
        if section.name.startswith(".text."):
            fields[3] = section.address
        elif section.name.startswith(".rela.debug"):
            fields[1], fields[5] = 0, 0  # nothing is left to apply
        elif section.name.startswith(".debug"):
            content = debug.data(section.name)
            image[section.offset : section.offset + len(content)] = content
        elif section.type == _SYMTAB:
            _place_symbols(image, section, module)
        _SECTION.pack_into(image, at, *fields)
    return bytes(image)


def _headers(module: Module, table: int) -> Iterator[tuple[Section, int]]:
    for section in module.sections:
        yield section, table + section.index * _SECTION.size


def _place_symbols(image: bytearray, table: Section, module: Module) -> None:
    for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, kind, other, home, value, size = _SYMBOL.unpack_from(image, at)
        if module.sections[home].kernel_name:
            value += module.sections[home].address
        _SYMBOL.pack_into(image, at, name, kind, other, home, value, size)
