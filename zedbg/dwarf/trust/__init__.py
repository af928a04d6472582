"""Whether the debug information is to be believed: places that the code contradicts.

The rest of zedbg uses one thing of this folder, :class:`VariablePlaces`, and only
:class:`zedbg.dwarf.DebugInfo` does.
"""

from zedbg.dwarf.trust.variable_places import VariablePlaces

__all__ = ["VariablePlaces"]
