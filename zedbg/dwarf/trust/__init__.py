"""Whether the debug information is to be believed: what the machine code says, and places that it
contradicts.

The rest of zedbg uses two things of this folder, :class:`VariablePlaces` and :class:`ModuleCode`,
and only :class:`zedbg.dwarf.DebugInfo` makes them; the other names are of what they answer.
"""

from zedbg.dwarf.trust.entry_values import CallerPlaces, EntryPlace, RegisterDword, StackDword
from zedbg.dwarf.trust.module_code import ModuleCode
from zedbg.dwarf.trust.variable_places import VariablePlaces

__all__ = [
    "CallerPlaces",
    "EntryPlace",
    "ModuleCode",
    "RegisterDword",
    "StackDword",
    "VariablePlaces",
]
