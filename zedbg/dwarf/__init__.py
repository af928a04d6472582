"""Debug information: lines, scopes, types, locations over lanes, call frames."""

from zedbg.dwarf.code_places import CodePlaces
from zedbg.dwarf.expressions.machine import Machine, MemorySpace
from zedbg.dwarf.info import CodeLocation, DebugInfo
from zedbg.dwarf.lines.line_table import LineRow, LineTable, SourceFile
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.scopes.scopes import Function, InlinedCall, Scope, Variable

__all__ = [
    "CodeLocation",
    "CodePlaces",
    "DebugInfo",
    "DebugInfoError",
    "Function",
    "InlinedCall",
    "LineRow",
    "LineTable",
    "Machine",
    "MemorySpace",
    "Scope",
    "SourceFile",
    "Variable",
]
