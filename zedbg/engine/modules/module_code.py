"""A module's code: its kernels, its source lines, and where breakpoints go in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import PurePath

from zedbg.dwarf import CodePlaces, DebugInfo, DebugInfoError
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import (
    AddressSpec,
    EntrySpec,
    FunctionSpec,
    KernelSpec,
    LineSpec,
    PlaceSpec,
)
from zedbg.sycl.kernel_names import demangled
from zedbg.zebin import Kernel, Module
from zedbg.zebin.build_options import COMPILE_WITH_DEBUG_INFO
from zedbg.zebin.implicit_arguments import implicit_size_places
from zedbg.zebin.module import AddressOwner
from zedbg.zebin.payload import PayloadMap, payload_map


@dataclass(frozen=True, eq=False)
class ModuleCode:
    """What is known of a module from its ELF alone, whether it is loaded or a file.

    ``image`` is None when there is no ELF: then nothing is known of it.
    """

    image: Module | None
    _places: dict[int, CodeLocation] = field(default_factory=dict, init=False, repr=False)
    _calls: dict[int, tuple[InlinedCall, ...]] = field(default_factory=dict, init=False, repr=False)
    # Payloads of kernels, by the index of their section and the size of a register.
    _payloads: dict[tuple[int, int], PayloadMap] = field(
        default_factory=dict, init=False, repr=False
    )

    @cached_property
    def debug_info(self) -> DebugInfo | None:
        """Its DWARF, None when it was compiled without ``-g``."""
        return None if self.image is None else DebugInfo.of(self.image)

    @cached_property
    def source_places(self) -> CodePlaces | None:
        """Where its lines and functions are in its code; None as :attr:`debug_info`."""
        return None if self.debug_info is None else CodePlaces(self.debug_info)

    @property
    def kernels(self) -> list[Kernel]:
        """Its kernels, all that zeinfo says of them included; see :attr:`kernel_names`.

        Raises ZebinError where zeinfo is damaged.
        """
        return [] if self.image is None else self.image.kernels

    @property
    def kernel_names(self) -> list[str]:
        """The names of its kernels, for which zeinfo is not read."""
        return [] if self.image is None else self.image.kernel_names

    def payload_of(self, kernel: Kernel, grf_bytes: int) -> PayloadMap | None:
        """The payload of ``kernel`` in registers of ``grf_bytes``; None where zeinfo has none."""
        if kernel.info is None:
            return None
        key = kernel.section.index, grf_bytes
        if key not in self._payloads:
            self._payloads[key] = payload_map(kernel.info, grf_bytes)
        return self._payloads[key]

    def implicit_size_place(self, kernel: Kernel) -> int | None:
        """Where the code of ``kernel`` has the size of its implicit arguments, None without."""
        return self._implicit_size_places.get(kernel.section.index)

    @cached_property
    def _implicit_size_places(self) -> dict[int, int]:
        return {} if self.image is None else implicit_size_places(self.image)

    @property
    def build_options(self) -> str | None:
        return None if self.image is None else self.image.build_options

    @property
    def debug_info_advice(self) -> str:
        """What to do to have debug information, where there is none."""
        return COMPILE_WITH_DEBUG_INFO if self.image is None else self.image.debug_info_advice

    def contains(self, address: int) -> bool:
        """Whether ``address`` is in one of its code sections."""
        return self.image is not None and self.image.code_section_at(address) is not None

    def kernel_at(self, address: int) -> Kernel | None:
        """The kernel that ``address`` belongs to."""
        return None if self.image is None else self.image.kernel_at(address)

    def owner_at(self, address: int) -> AddressOwner | None:
        """What the byte at ``address`` belongs to: code, a constant, a variable; None: nothing."""
        return None if self.image is None else self.image.owner_at(address)

    def code_range_at(self, address: int) -> tuple[int, int] | None:
        """First address of the code section around ``address``, and the one after its last."""
        section = None if self.image is None else self.image.code_section_at(address)
        return None if section is None else (section.address, section.address + section.size)

    @cached_property
    def function_sections(self) -> list[tuple[int, int]]:
        """The same of the sections with functions that any kernel may call."""
        sections = [] if self.image is None else self.image.code_sections
        return [
            (section.address, section.address + section.size)
            for section in sections
            if section.kernel_name is None
        ]

    def locate(self, address: int) -> CodeLocation:
        """What is known of the instruction at ``address``; damaged debug info counts as none."""
        place = self._places.get(address)
        if place is None:
            place = self._places[address] = self._locate(address)
        return place

    def _locate(self, address: int) -> CodeLocation:
        if self.image is None:
            return CodeLocation(address)
        section = self.image.code_section_at(address)
        kernel = section.kernel_name if section is not None else None
        symbol = self.image.symbol_at(address)
        symbol_name = symbol.name if symbol is not None and symbol.name != "_entry" else kernel
        function = None if symbol_name is None else demangled(symbol_name)
        try:
            if self.debug_info is None:
                return CodeLocation(address, kernel, function)
            row = self.debug_info.lines.row_at(address)
            known = self.debug_info.function_at(address)
            inlined = self.inlined_calls_at(address)
        except DebugInfoError:
            return CodeLocation(address, kernel, function)
        # A compiler of SYCL gives kernels their linker's name in debug information too.
        name = demangled(known.name) if known is not None and known.name else function
        if inlined:
            name = inlined[0].name
        if row is None:
            return CodeLocation(address, kernel, name)
        return CodeLocation(address, kernel, name, row.file.path, row.line, row.column or None)

    def inlined_calls_at(self, address: int) -> tuple[InlinedCall, ...]:
        """The calls that were inlined at ``address``, innermost first."""
        if address not in self._calls:
            info = self.debug_info
            self._calls[address] = () if info is None else tuple(info.inlined_calls_at(address))
        return self._calls[address]

    def starts_statement(self, address: int) -> bool:
        """Whether a statement of the source begins at ``address``."""
        return self.source_places is not None and self.source_places.starts_statement(address)

    def function_range_at(self, address: int) -> tuple[int, int] | None:
        """First address of the function around ``address``, and the one after its last."""
        function = None if self.debug_info is None else self.debug_info.function_at(address)
        if function is not None:
            return function.low, function.high
        symbol = None if self.image is None else self.image.symbol_at(address)
        if symbol is not None and symbol.size:
            return symbol.address, symbol.address + symbol.size
        return self.code_range_at(address)

    def body_of_function_at(self, address: int) -> int | None:
        """The first instruction after the prologue of the function that starts at ``address``.

        None when no line of source is known there.
        """
        if self.debug_info is None or self.source_places is None:
            return None
        function = self.debug_info.function_at(address)
        if function is None or self.debug_info.lines.row_at(address) is None:
            return None
        return self.source_places.after_prologue(function).address

    def resolve(self, spec: PlaceSpec) -> list[CodeLocation]:
        """Every place in this module that ``spec`` means; empty when there is none.

        Raises DebugInfoError when the module's debug information is damaged.
        """
        match spec:
            case AddressSpec(address):
                return [self.locate(address)] if self.contains(address) else []
            case EntrySpec(name, offset):
                addresses = [entry + offset for entry in self._entries(name)]
                return [self.locate(each) for each in addresses if self.contains(each)]
            case FunctionSpec(name, file):
                found = [self.locate(address) for address in self._function_addresses(name)]
                if file is None:
                    return found
                wanted = PurePath(file).name
                return [each for each in found if PurePath(each.file or "").name == wanted]
            case KernelSpec(pattern):
                names = self._kernels_like(pattern)
                addresses = [each for name in names for each in self._function_addresses(name)]
                return [self.locate(address) for address in addresses]
            case LineSpec(file, line):
                return self._line_locations(file, line)

    def has_kernel_like(self, pattern: str) -> bool:
        """Whether one of its kernels' names fits ``pattern``; any module fits ``*``."""
        return pattern == "*" or bool(self._kernels_like(pattern))

    def _kernels_like(self, pattern: str) -> list[str]:
        """The names of the kernels whose name, as the linker or the source has it, fits."""
        known = [] if self.image is None else self.image.kernel_names
        return [
            name
            for name in known
            if fnmatchcase(name, pattern) or fnmatchcase(demangled(name), pattern)
        ]

    def _entries(self, name: str) -> list[int]:
        """The first instructions of the functions called ``name``, or of a kernel."""
        info = self.debug_info
        entries = [] if info is None else [each.low for each in info.functions_named(name)]
        return entries or self._named_by_symbols(name)

    def _function_addresses(self, name: str) -> list[int]:
        if self.source_places is not None:
            places = self.source_places.of_function(name)
            if places:
                return [self._after_prologue(place.address, place.line) for place in places]
        return self._named_by_symbols(name)

    def _after_prologue(self, address: int, line: int) -> int:
        """The first ``address`` of a function, which is of ``line``; of a kernel whose lines are
        not known, after the code that loads its payload: threads to which hardware gives local ids
        come in after parts of that."""
        kernel = None if line else self.kernel_at(address)
        if kernel is not None and address == kernel.section.address:
            return kernel.entry
        return address

    def _named_by_symbols(self, name: str) -> list[int]:
        """The functions and kernels that the ELF file's symbols call ``name``."""
        if self.image is None:
            return []
        kernel = self.image.kernel(name)
        if kernel is not None:
            return [kernel.entry]
        found = [symbol.address for symbol in self.image.symbols_named(name) if symbol.is_function]
        if found:
            return found
        # The source's name of a kernel that the linker knows by another.
        same = [
            each for each in self.image.kernel_names if each != name and demangled(each) == name
        ]
        return [address for each in same for address in self._function_addresses(each)]

    def _line_locations(self, file: str | None, line: int) -> list[CodeLocation]:
        if self.debug_info is None or self.source_places is None:
            return []
        if file is not None:
            files = [file]
        else:  # which takes reading every unit
            files = [source.path for source in self.debug_info.lines.files]
        places = [each for name in files for each in self.source_places.of_line(name, line)]
        return [self.locate(place.address) for place in places]
