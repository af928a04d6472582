"""The machine code of one function of a module."""

from __future__ import annotations

from zedbg.dwarf.scopes.scopes import Function
from zedbg.xe.isa.platform import Platform
from zedbg.zebin import Module
from zedbg.zebin.products import instruction_set_of


def code_of(module: Module, function: Function) -> tuple[bytes, Platform]:
    """The instructions of ``function`` and their set; empty when they are not decoded here."""
    section = module.code_section_at(function.low)
    platform = instruction_set_of(module.notes)
    if section is None or platform is None:
        return b"", Platform.XE_HPG
    low, high = function.low - section.address, function.high - section.address
    return module.section_bytes(section)[low:high], platform
