"""Debug information: lines, scopes, types, locations over lanes, call frames."""

from zedbg.dwarf.errors import DebugInfoError
from zedbg.dwarf.info import CodeLocation, DebugInfo
from zedbg.dwarf.lines import LineRow, LineTable, SourceFile
from zedbg.dwarf.machine import Machine, MemorySpace, Missing
from zedbg.dwarf.scopes import Function, InlinedCall, Scope, Variable

__all__ = [
    "CodeLocation",
    "DebugInfo",
    "DebugInfoError",
    "Function",
    "InlinedCall",
    "LineRow",
    "LineTable",
    "Machine",
    "MemorySpace",
    "Missing",
    "Scope",
    "SourceFile",
    "Variable",
]
