"""Where the sections of a module lie on a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zedbg.zebin.elf import SHF_EXECINSTR, Section

_ALIGNMENT = 0x1000  # of sections without a given place, bytes


def placed(sections: Sequence[Section], placement: Mapping[str, int] | None) -> list[Section]:
    """The sections of a compiler's file, at the addresses that ``placement`` gives by name.

    Without it code, and data after it, lie one after the other from 0.
    """
    if placement is None:
        placement = _one_after_the_other(sections)
    at_their_places = [
        section.at(placement[section.name]) if section.name in placement else section
        for section in sections
    ]
    return zeroed_data_placed(at_their_places)


def zeroed_data_placed(sections: Sequence[Section]) -> list[Section]:
    """``sections``, of which those that start as zero may have no address of their own: drivers do
    not say it, and put them right after the data of their kind that have values."""
    in_front = {s.zeroed_name: s for s in sections if s.zeroed_name is not None and s.address}
    found = []
    for section in sections:
        data = in_front.get(section.name)
        if data is not None and not section.address:
            section = section.at(data.address + data.size)
        found.append(section)
    return found


def _one_after_the_other(sections: Sequence[Section]) -> dict[str, int]:
    by_name = {section.name: section for section in sections}
    in_front = {section.zeroed_name for section in sections} - {None}
    loaded = [section for section in sections if section.flags & SHF_EXECINSTR]
    loaded += [s for s in sections if s.is_data and s.name not in in_front]
    addresses = {}
    next_address = 0
    for section in loaded:
        zeroed = by_name.get(section.zeroed_name or "")
        size = section.size + (0 if zeroed is None else zeroed.size)
        addresses[section.name] = next_address
        next_address += -(-size // _ALIGNMENT) * _ALIGNMENT
    return addresses
