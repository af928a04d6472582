"""Makes a shared library of a newer system open on this one.

The dynamic linker refuses a library that asks for a version (GLIBC_2.38) which this system's
library does not define, even where next to nothing of that version is used. Two changes of the file
help. The version is marked as weak, so that the linker goes on; and the file gets one more library
that it needs, which has the functions of that version. The format: System V ABI for ELF, Linux
Standard Base (symbol versioning).
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import Section, StringTableSection, SymbolTableSection

from zedbg.levelzero.newest import SYSTEM_LIBRARIES
from zedbg.tools.fetch.packages import FetchError

_WEAK = 2  # VER_FLG_WEAK
_DT_NULL, _DT_NEEDED = 0, 1
_PREFIX = "lib"

_Kind = TypeVar("_Kind", bound=Section)


@dataclass(frozen=True)
class _NeededVersion:
    library: str
    name: str
    index: int  # as the symbols have it
    flags_at: int  # place in the file


def adapt(data: bytes, supported: frozenset[str]) -> tuple[bytes, str]:
    """The library ``data``, changed to open on this system, and the further library it needs then.

    ``supported`` names the functions that this further library has; it is to be put beside, under
    the name returned. Nothing to change gives the same bytes and an empty name. Raises FetchError
    when the library needs more.
    """
    try:
        elf = ELFFile(io.BytesIO(data))
        if not any(isinstance(section, GNUVerNeedSection) for section in elf.iter_sections()):
            return data, ""
        lacking = [each for each in _needed_versions(elf, data) if not _is_defined(each)]
        if not lacking:
            return data, ""
        beyond = _functions_of({each.index for each in lacking}, elf) - supported
        if beyond:
            raise FetchError(f"this system is too old for it: no {', '.join(sorted(beyond))}")
        changed = bytearray(data)
        for version in lacking:
            (flags,) = struct.unpack_from("<H", changed, version.flags_at)
            struct.pack_into("<H", changed, version.flags_at, flags | _WEAK)
        needed = _add_needed(changed, elf)
        return bytes(changed), needed
    except (ELFError, struct.error, KeyError) as error:
        raise FetchError(f"the library is damaged: {error}") from error


def _section(elf: ELFFile, kind: type[_Kind]) -> _Kind:
    for section in elf.iter_sections():
        if isinstance(section, kind):
            return section
    raise FetchError(f"the library has no {kind.__name__}")


def _needed_versions(elf: ELFFile, data: bytes) -> list[_NeededVersion]:
    section = _section(elf, GNUVerNeedSection)
    strings = section.stringtable
    found, at = [], section["sh_offset"]
    for _ in range(section["sh_info"]):
        _version, count, file, first, following = struct.unpack_from("<HHIII", data, at)
        place = at + first
        for _ in range(count):
            _hash, _flags, index, name, distance = struct.unpack_from("<IHHII", data, place)
            library = strings.get_string(file)
            found.append(_NeededVersion(library, strings.get_string(name), index, place + 4))
            place += distance
        at += following
    return found


def _is_defined(version: _NeededVersion) -> bool:
    """Whether this system's library of that name defines the version."""
    path = _system_library(version.library)
    with path.open("rb") as file:
        definitions = _section(ELFFile(file), GNUVerDefSection).iter_versions()
        return any(version.name == next(names).name for _definition, names in definitions)


def _system_library(name: str) -> Path:
    path = Path("/") / SYSTEM_LIBRARIES / name
    if not path.exists():
        raise FetchError(f"this system has no {path}, which it needs")
    return path


def _functions_of(versions: set[int], elf: ELFFile) -> set[str]:
    indices = _section(elf, GNUVerSymSection)
    names = set()
    for number, symbol in enumerate(_section(elf, SymbolTableSection).iter_symbols()):
        index = indices.get_symbol(number)["ndx"]
        if symbol["st_shndx"] == "SHN_UNDEF" and index in versions:
            names.add(symbol.name)
    return names


def _add_needed(data: bytearray, elf: ELFFile) -> str:
    """Writes one more DT_NEEDED in a spare entry: the library's own name without ``lib``.

    The string table cannot grow, but has that name as the end of another.
    """
    section = _section(elf, DynamicSection)
    strings = elf.get_section(section["sh_link"])
    (own,) = (tag.entry.d_val for tag in section.iter_tags() if tag.entry.d_tag == "DT_SONAME")
    name = strings.get_string(own) if isinstance(strings, StringTableSection) else ""
    entries = [
        section["sh_offset"] + at
        for at in range(0, section["sh_size"], section["sh_entsize"])
        if struct.unpack_from("<q", data, section["sh_offset"] + at)[0] == _DT_NULL
    ]
    if len(entries) < 2 or not name.startswith(_PREFIX):
        raise FetchError("the library has no room for another name")
    struct.pack_into("<qQ", data, entries[0], _DT_NEEDED, own + len(_PREFIX))
    return name[len(_PREFIX) :]
