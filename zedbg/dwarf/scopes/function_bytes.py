"""The machine code of one function of a module."""

from __future__ import annotations

from zedbg.dwarf.scopes.scopes import Function
from zedbg.xe.isa.platform import Platform
from zedbg.zebin import Module
from zedbg.zebin.products import instruction_set_of


def code_of(module: Module, function: Function) -> tuple[bytes, Platform]:
    """The instructions of ``function`` and their set; empty when they are not decoded here."""
    return code_between(module, function.low, function.high)


def code_between(module: Module, low: int, high: int) -> tuple[bytes, Platform]:
    """The same of the code from ``low`` up to ``high``, without that: addresses of one section."""
    section = module.code_section_at(low)
    platform = instruction_set_of(module.notes)
    if section is None or platform is None:
        return b"", Platform.XE_HPG
    return module.section_bytes(section)[low - section.address : high - section.address], platform
