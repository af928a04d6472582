"""The addresses of the code that an entry of the host's debug information is about."""

from __future__ import annotations

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.ranges import BaseAddressEntry


def code_ranges(
    information: DWARFInfo, unit: CompileUnit, entry: DIE
) -> tuple[tuple[int, int], ...]:
    """First addresses and those after the last, in the file (DWARF 5, 2.17); none where ``entry``
    has no code. Raises what pyelftools does on damage."""
    low, high = entry.attributes.get("DW_AT_low_pc"), entry.attributes.get("DW_AT_high_pc")
    if low is not None and high is not None:
        end = high.value if high.form == "DW_FORM_addr" else low.value + high.value
        return ((low.value, end),)
    ranges = entry.attributes.get("DW_AT_ranges")
    lists = None if ranges is None else information.range_lists()
    if ranges is None or lists is None:
        return ()
    start = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    base, found = 0 if start is None else start.value, []
    for each in lists.get_range_list_at_offset(ranges.value, unit):
        if isinstance(each, BaseAddressEntry):
            base = each.base_address
        else:
            moved = 0 if each.is_absolute else base
            found.append((each.begin_offset + moved, each.end_offset + moved))
    return tuple(found)
