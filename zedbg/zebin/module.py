"""A native module (zebin): a file of the compiler, or the image that a debuggee's driver gives.

A *file* is relocatable: its code has no addresses until it is placed. A *debug image* (what
``MODULE_LOAD`` announces) has final addresses, and its debug sections are relocated already.
Everything is read when it is first asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from zedbg.zebin.arguments import KernelArgument, kernel_arguments
from zedbg.zebin.build_options import debug_info_advice
from zedbg.zebin.elf import SHF_EXECINSTR, STT_FUNC, ElfFile, Relocation, Section, native_module
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.notes import Notes, parse_notes
from zedbg.zebin.placement import placed, zeroed_data_placed
from zedbg.zebin.relocation import DebugSection, debug_section
from zedbg.zebin.zeinfo import ArgumentInfo, ExecutionEnvironment, KernelInfo
from zedbg.zebin.zeinfo_reader import ZeInfo

_NOTES_SECTION = ".note.intelgt.compat"
_ENTRY_SYMBOL = "_entry"
# A stub that the compiler adds to export symbols; it is no kernel and is never run.


class Symbol(NamedTuple):
    """A symbol of the module's code or data, at its final address. ``size`` is bytes."""

    name: str
    address: int
    size: int
    section: Section
    is_function: bool

    def contains(self, address: int) -> bool:
        """Whether ``address`` is one of its bytes."""
        return self.address <= address < self.address + self.size


class AddressOwner(NamedTuple):
    """Whose an address is: ``offset`` counts from the symbol, or from the section without one."""

    section: Section
    kernel: str | None  # None for data
    symbol: Symbol | None
    offset: int


class ModuleRelocation(NamedTuple):
    """One relocation: a place in ``section``, and the symbol whose address is written there.

    ``symbol`` is "" where the compiler lost the name, None where the file names no such symbol;
    ``home`` is the section that the symbol lies in, None for one that the driver provides.
    """

    section: Section
    offset: int
    type: int
    symbol: str | None
    home: Section | None
    addend: int | None


@dataclass(frozen=True)
class Kernel:
    """A kernel: its code, and what ``.ze_info`` says of it."""

    name: str
    section: Section
    info: KernelInfo | None  # None when .ze_info does not name it
    entry: int  # address after the payload-loading prologue; where `_entry` points, or the start

    @property
    def address(self) -> int:
        """Address of the first instruction."""
        return self.section.address

    @property
    def size(self) -> int:
        """Bytes of code, with the functions that it calls."""
        return self.section.size

    @property
    def end(self) -> int:
        """Address after the last instruction."""
        return self.section.address + self.section.size

    @cached_property
    def passed_arguments(self) -> tuple[KernelArgument, ...]:
        """How its arguments are passed; see :func:`kernel_arguments`."""
        return () if self.info is None else kernel_arguments(self.info)

    @property
    def execution(self) -> ExecutionEnvironment:
        """How it is to be run; defaults when ``.ze_info`` does not say."""
        return self.info.execution if self.info is not None else ExecutionEnvironment()

    @property
    def arguments(self) -> tuple[ArgumentInfo, ...]:
        """Its arguments as its source declares them; empty when the module does not say."""
        return self.info.arguments if self.info is not None else ()

    @property
    def simd_width(self) -> int:
        """Lanes of a hardware thread; 0 when the module does not say."""
        return self.execution.simd_size


class Module:
    """One native module in memory."""

    def __init__(self, elf: ElfFile, placement: Mapping[str, int] | None) -> None:
        """Use :meth:`open` or :meth:`from_bytes`."""
        self._elf = elf
        self.name = elf.name
        self._placement = placement

    def __repr__(self) -> str:
        return f"<Module {self.name!r}>"

    @classmethod
    def open(cls, path: str | Path, placement: Mapping[str, int] | None = None) -> Module:
        """Reads the module in the file ``path``; see :meth:`from_bytes`.

        Raises OSError when the file cannot be read.
        """
        path = Path(path)
        return cls.from_bytes(path.read_bytes(), path.name, placement)

    @classmethod
    def from_bytes(
        cls, data: bytes, name: str, placement: Mapping[str, int] | None = None
    ) -> Module:
        """The module in ``data``, which errors and listings call ``name``.

        ``placement`` gives code sections of a relocatable file their addresses, by section name;
        without it they, and data after them, lie one after the other from 0. A debug image keeps
        its own addresses.
        Raises :class:`ZebinError` when ``data`` is no native module.
        """
        return cls(native_module(data, name), placement)

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self._elf.data

    @property
    def address_bits(self) -> int:
        """Bits of the device's addresses: 32 or 64."""
        return self._elf.address_bits

    @property
    def is_relocatable(self) -> bool:
        """Whether this is a file of the compiler, rather than a debuggee's image."""
        return self._elf.is_relocatable

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, at their addresses."""
        if not self.is_relocatable:
            return zeroed_data_placed(self._elf.sections)
        return placed(self._elf.sections, self._placement)

    @cached_property
    def _sections_by_name(self) -> dict[str, Section]:
        return {section.name: section for section in reversed(self.sections)}

    def section(self, name: str) -> Section | None:
        """The (first) section called ``name``."""
        return self._sections_by_name.get(name)

    def section_bytes(self, section: Section) -> bytes:
        """The bytes of ``section`` as the file holds them: no relocation is applied to code."""
        return self._elf.section_bytes(section)

    @cached_property
    def code_sections(self) -> list[Section]:
        """The sections that hold instructions, by address."""
        code = [section for section in self.sections if section.flags & SHF_EXECINSTR]
        return sorted(code, key=lambda section: section.address)

    @cached_property
    def _code_starts(self) -> list[int]:
        return [section.address for section in self.code_sections]

    def code_section_at(self, address: int) -> Section | None:
        """The code section that ``address`` lies in."""
        index = bisect_right(self._code_starts, address) - 1
        if index < 0:
            return None
        section = self.code_sections[index]
        return section if address < section.address + section.size else None

    @cached_property
    def symbols(self) -> list[Symbol]:
        """Symbols of code and data, by address; the debug sections' own are left out."""
        homes = {
            section.index: (section, self._base_of(section.index))
            for section in self.sections[1:]
            if not section.name.startswith(".debug")
        }
        found = []
        for name, value, size, kind, section_index in self._elf.symbols:
            home = homes.get(section_index)
            if home is not None and name:
                section, base = home
                found.append(Symbol(name, base + value, size, section, kind == STT_FUNC))
        found.sort(key=lambda symbol: (symbol.address, -symbol.size))
        return found

    @cached_property
    def functions(self) -> list[Symbol]:
        """The symbols of kernels and of the functions that they call, by address."""
        named = [symbol for symbol in self.symbols if symbol.is_function]
        return [symbol for symbol in named if symbol.name != _ENTRY_SYMBOL]

    def functions_in(self, section: Section) -> list[Symbol]:
        """The same of one section."""
        return self._functions_by_section.get(section.index, [])

    @cached_property
    def _functions_by_section(self) -> dict[int, list[Symbol]]:
        found: dict[int, list[Symbol]] = {}
        for symbol in self.functions:
            found.setdefault(symbol.section.index, []).append(symbol)
        return found

    @cached_property
    def _function_starts(self) -> list[int]:
        return [symbol.address for symbol in self.functions]

    def symbol_at(self, address: int) -> Symbol | None:
        """The function symbol whose code ``address`` lies in, the innermost if several do.

        Some compilers count the functions that a kernel calls into the kernel's size.
        """
        section = self.code_section_at(address)
        index = bisect_right(self._function_starts, address) - 1
        while section is not None and index >= 0:
            symbol = self.functions[index]
            if symbol.section != section:
                return None
            if address < symbol.address + symbol.size or symbol.size == 0:
                return symbol
            index -= 1
        return None

    def owner_at(self, address: int) -> AddressOwner | None:
        """What the byte at ``address`` of code or data belongs to; None when to nothing."""
        section = self.code_section_at(address)
        if section is not None:
            symbol = self.symbol_at(address)
            start = section.address if symbol is None else symbol.address
            return AddressOwner(section, section.kernel_name, symbol, address - start)
        for section in self.data_sections:
            if section.contains(address) and not self.is_unplaced(section):
                # Symbols of data that start as zero may count from the data in front of them.
                around = [symbol for symbol in self.variables if symbol.contains(address)]
                symbol = around[-1] if around else None
                start = section.address if symbol is None else symbol.address
                return AddressOwner(section, None, symbol, address - start)
        return None

    @cached_property
    def data_sections(self) -> list[Section]:
        """The sections that hold constants, global variables and strings, in the file's order.

        In a file whose placement does not name them their addresses are those of the file.
        """
        return [section for section in self.sections if section.is_data]

    @cached_property
    def variables(self) -> list[Symbol]:
        """The constants, global variables and strings that have symbols."""
        return [symbol for symbol in self.symbols if symbol.section in self.data_sections]

    def is_unplaced(self, section: Section) -> bool:
        """Whether ``section`` is data whose address a debuggee's image does not give: drivers leave
        out data that start as zero where no data with values of their kind are in front of them."""
        return section.is_data and not section.address and not self.is_relocatable

    def unplaced_home(self, name: str) -> Section | None:
        """The section without an address (:meth:`is_unplaced`) that holds the variable ``name``;
        None when no such section does."""
        homes = (symbol.section for symbol in self.variables if symbol.name == name)
        return next((section for section in homes if self.is_unplaced(section)), None)

    @property
    def relocations(self) -> Iterator[ModuleRelocation]:
        """Every relocation of the module, by section; of a debug image they are applied."""
        for section in self.sections:
            yield from self._named(section, self._elf.relocations(section))

    def relocations_in(self, table: Section) -> Iterator[ModuleRelocation]:
        """The relocations that the section ``table`` lists, in the file's order."""
        if table.info < len(self.sections):
            yield from self._named(self.sections[table.info], self._elf.entries_of(table))

    def _named(self, section: Section, entries: Iterable[Relocation]) -> Iterator[ModuleRelocation]:
        symbols = self._elf.symbols
        for entry in entries:
            known = entry.symbol_index < len(symbols)
            symbol = symbols[entry.symbol_index] if known else None
            home = None
            if symbol is not None and 0 < symbol.section_index < len(self.sections):
                home = self.sections[symbol.section_index]
            name = symbol.name if symbol is not None else None
            yield ModuleRelocation(section, entry.offset, entry.type, name, home, entry.addend)

    def symbols_named(self, name: str) -> list[Symbol]:
        """Every symbol called ``name``."""
        return [symbol for symbol in self.symbols if symbol.name == name]

    @cached_property
    def zeinfo(self) -> ZeInfo:
        """What ``.ze_info`` says; empty when the module has no such section."""
        section = self.section(".ze_info")
        text = "" if section is None else self.section_bytes(section).decode("utf-8", "replace")
        return ZeInfo(text.rstrip("\0"), self.name)

    @cached_property
    def kernel_names(self) -> list[str]:
        """Names of the module's kernels, in the file's order."""
        names = [section.kernel_name for section in self.sections]
        return [name for name in names if name is not None]

    @cached_property
    def _kernels(self) -> dict[str, Kernel]:
        return {}

    def kernel(self, name: str) -> Kernel | None:
        """The kernel called ``name``; ZebinError when its ``.ze_info`` entry is damaged."""
        if name not in self._kernels:
            section = self.section(f".text.{name}")
            if section is None or section.kernel_name != name:
                return None
            entries = self._entries.get(section.index)
            entry = section.address if entries is None else entries
            self._kernels[name] = Kernel(name, section, self.zeinfo.kernel(name), entry)
        return self._kernels[name]

    @cached_property
    def _entries(self) -> dict[int, int]:
        return {
            section: self._base_of(section) + value
            for name, value, _size, _kind, section in self._elf.symbols
            if name == _ENTRY_SYMBOL and 0 < section < len(self.sections)
        }

    def _base_of(self, section: int) -> int:
        """The address from which values of symbols in the section with this number count."""
        return self.sections[section].address - self._elf.sections[section].address

    @property
    def kernels(self) -> list[Kernel]:
        """Every kernel of the module; parses all of ``.ze_info``."""
        found = [self.kernel(name) for name in self.kernel_names]
        return [kernel for kernel in found if kernel is not None]

    def kernel_at(self, address: int) -> Kernel | None:
        """The kernel whose code (or whose functions' code) ``address`` lies in."""
        section = self.code_section_at(address)
        if section is None or section.kernel_name is None:
            return None
        return self.kernel(section.kernel_name)

    @cached_property
    def notes(self) -> Notes:
        """For which device, and by which compiler, the module was made."""
        section = self.section(_NOTES_SECTION)
        return Notes() if section is None else parse_notes(self.section_bytes(section))

    @cached_property
    def build_options(self) -> str | None:
        """The options that the module was built with, None when it does not say."""
        section = self.section(".misc.buildOptions")
        if section is None:
            return None
        return self.section_bytes(section).split(b"\0")[0].decode("utf-8", "replace").strip()

    @property
    def has_debug_info(self) -> bool:
        """Whether it was compiled with ``-g`` by a compiler that honours it for zebins."""
        return self.section(".debug_info") is not None

    @property
    def debug_info_advice(self) -> str:
        """What to do to have debug information, where there is none."""
        has_own_data = any(section.kernel_name is None for section in self.code_sections)
        return debug_info_advice(self.build_options, len(self.kernel_names), has_own_data)

    @cached_property
    def _section_addresses(self) -> list[int]:
        return [section.address for section in self.sections]

    def debug_section(self, name: str) -> DebugSection | None:
        """The debug section ``name``, None when there is none.

        Of a debug image only those addresses that its producer left alone, because their symbol
        had lost its name, are still to be written.
        """
        section = self.section(name)
        if section is None:
            return None
        return debug_section(self._elf, section, self._section_addresses)


__all__ = ["Kernel", "Module", "Symbol", "ZebinError"]
