"""A module on a device: its kernels, its source lines, and where breakpoints go in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING

from zedbg.dwarf import DebugInfo, DebugInfoError
from zedbg.engine.breakpoints import AddressSpec, BreakpointSpec, FunctionSpec, KernelSpec, LineSpec
from zedbg.engine.locations import CodeLocation
from zedbg.zebin import Kernel, Module

if TYPE_CHECKING:
    from zedbg.engine.device import Device


@dataclass(frozen=True)
class LoadedModule:
    """A module that the program loaded on ``device``.

    ``begin``, ``end``: where its ELF is in the session's default memory space; ``load``: its lowest
    device address. ``image`` is None when the program's driver keeps no ELF for it.
    """

    number: int
    device: Device
    begin: int
    end: int
    load: int
    image: Module | None
    _places: dict[int, CodeLocation] = field(default_factory=dict, init=False, repr=False)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @cached_property
    def debug_info(self) -> DebugInfo | None:
        """Its DWARF, None when it was compiled without ``-g``."""
        return None if self.image is None else DebugInfo.of(self.image)

    @property
    def kernels(self) -> list[Kernel]:
        return [] if self.image is None else self.image.kernels

    @property
    def build_options(self) -> str | None:
        return None if self.image is None else self.image.build_options

    def contains(self, address: int) -> bool:
        """Whether ``address`` is in one of its code sections."""
        return self.image is not None and self.image.code_section_at(address) is not None

    def kernel_at(self, address: int) -> Kernel | None:
        """The kernel that ``address`` belongs to."""
        return None if self.image is None else self.image.kernel_at(address)

    def code_range_at(self, address: int) -> tuple[int, int] | None:
        """First address of the code section around ``address``, and the one behind its last."""
        section = None if self.image is None else self.image.code_section_at(address)
        return None if section is None else (section.address, section.address + section.size)

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
        function = symbol.name if symbol is not None and symbol.name != "_entry" else kernel
        try:
            if self.debug_info is None:
                return CodeLocation(address, kernel, function)
            row = self.debug_info.lines.row_at(address)
            known = self.debug_info.function_at(address)
        except DebugInfoError:
            return CodeLocation(address, kernel, function)
        name = known.name if known is not None and known.name else function
        if row is None:
            return CodeLocation(address, kernel, name)
        return CodeLocation(address, kernel, name, row.file.path, row.line, row.column or None)

    def starts_statement(self, address: int) -> bool:
        """Whether a statement of the source begins at ``address``."""
        return self.debug_info is not None and self.debug_info.starts_statement(address)

    def function_range_at(self, address: int) -> tuple[int, int] | None:
        """First address of the function around ``address``, and the one behind its last."""
        function = None if self.debug_info is None else self.debug_info.function_at(address)
        if function is not None:
            return function.low, function.high
        symbol = None if self.image is None else self.image.symbol_at(address)
        if symbol is not None and symbol.size:
            return symbol.address, symbol.address + symbol.size
        return self.code_range_at(address)

    def body_of_function_at(self, address: int) -> int | None:
        """Where the function that starts at ``address`` has its prologue behind it.

        None when no line of source is known there.
        """
        if self.debug_info is None:
            return None
        function = self.debug_info.function_at(address)
        if function is None or self.debug_info.lines.row_at(address) is None:
            return None
        return self.debug_info.function_location(function).address

    def resolve(self, spec: BreakpointSpec) -> list[CodeLocation]:
        """Every place in this module that ``spec`` means; empty when there is none.

        Raises DebugInfoError when the module's debug information is damaged.
        """
        match spec:
            case AddressSpec(address):
                return [self.locate(address)] if self.contains(address) else []
            case FunctionSpec(name):
                return [self.locate(address) for address in self._function_addresses(name)]
            case KernelSpec(pattern):
                names = [k.name for k in self.kernels if fnmatchcase(k.name, pattern)]
                found = [each for name in names for each in self._function_addresses(name)]
                return [self.locate(address) for address in found]
            case LineSpec(file, line):
                return self._line_locations(file, line)

    def _function_addresses(self, name: str) -> list[int]:
        if self.debug_info is not None:
            functions = self.debug_info.functions_named(name)
            if functions:
                return [self.debug_info.function_location(f).address for f in functions]
        if self.image is None:
            return []
        kernel = self.image.kernel(name)
        if kernel is not None:
            return [kernel.entry]
        return [symbol.address for symbol in self.image.symbols_named(name) if symbol.is_function]

    def _line_locations(self, file: str | None, line: int) -> list[CodeLocation]:
        if self.debug_info is None:
            return []
        every_file = [source.path for source in self.debug_info.lines.files]
        files = every_file if file is None else [file]
        places = [
            place for name in files for place in self.debug_info.breakpoint_locations(name, line)
        ]
        return [self.locate(place.address) for place in places]
