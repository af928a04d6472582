"""What a compiler says of the calls in a function: which arguments they pass (DWARF 5, 3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from elftools.dwarf.die import DIE

from zedbg.dwarf.reading import dies
from zedbg.dwarf.scopes.scopes import CallSite

# Each also under the name that GNU gave it before DWARF 5 did.
_SITES = frozenset({"DW_TAG_call_site", "DW_TAG_GNU_call_site"})
_PARAMETERS = frozenset({"DW_TAG_call_site_parameter", "DW_TAG_GNU_call_site_parameter"})
_RETURNS = ("DW_AT_call_return_pc", "DW_AT_low_pc")
_VALUES = ("DW_AT_call_value", "DW_AT_GNU_call_site_value")
_BLOCKS = frozenset({"DW_TAG_lexical_block", "DW_TAG_inlined_subroutine"})


def call_sites(function: DIE) -> list[CallSite]:
    """The calls in the code of ``function``, with those in its blocks and inlined calls."""
    return list(_sites_in(function))


def _sites_in(die: DIE) -> Iterator[CallSite]:
    for child in die.iter_children():
        if child.tag in _BLOCKS:
            yield from _sites_in(child)
        elif child.tag in _SITES:
            address = next((a for n in _RETURNS if (a := dies.attribute(child, n))), None)
            if address is not None:
                yield CallSite(address.value, dict(_values_of(child)))


def _values_of(site: DIE) -> Iterator[tuple[bytes, bytes]]:
    for parameter in site.iter_children():
        if parameter.tag not in _PARAMETERS:
            continue
        location = dies.block(parameter, "DW_AT_location")
        value = next((b for n in _VALUES if (b := dies.block(parameter, n))), None)
        if location is not None and value is not None:
            yield location, value
