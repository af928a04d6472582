"""The quick reader of where a kernel's source is, compared with the reader of whole units."""

import random

import pytest

from tests.support.dwarf.dwarf_corpus import corpus_modules, zebin_files
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.dwarf.reading.unit_head import linked_names, read_unit_head
from zedbg.dwarf.scopes.routines import are_misplaced
from zedbg.dwarf.units.source_places import source_place
from zedbg.zebin import Module

CORPUS = zebin_files()
NAMES = [f"{path.parent.name}-{path.stem}" for path in CORPUS]
DAMAGED = 4000  # pairs of a unit and its abbreviations


def compared(module):
    """How many functions of ``module`` the quick reader placed, and how many it left out; each
    that it placed is where the reader of whole units has it."""
    quick, whole = DebugInfo.of(module), DebugInfo.of(module)
    placed = left = 0
    for function in whole.functions:
        address = function.low
        section = module.code_section_at(address)
        found = source_place(quick._sections, section, address)
        if found is None:
            left += 1
            continue
        location = CodePlaces(whole).body(whole.function_at(address))
        assert found == (location.file, location.line), (module.name, function.name)
        placed += 1
    return placed, left


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_functions_are_placed_as_by_the_whole_unit(path):
    module = Module.open(path)
    placed, left = compared(module)
    assert placed + left >= 1
    info = DebugInfo.of(module)
    if all(unit._unit["version"] <= 4 for unit in info.units) and not any(
        len(unit.ranges) > 1 or needs_code(info, unit) for unit in info.units
    ):
        assert placed > 0


def needs_code(info, unit):
    """Whether only the code says where the functions of ``unit`` are."""
    low = unit.ranges[0][0]
    section = info.module.code_section_at(low)
    heads = (info._sections.unit_head(at, low) for at in info._sections.search.about(section))
    return any(head is not None and are_misplaced(sorted(head.extents)) for head in heads)


@pytest.mark.parametrize("archive", corpus_modules(), ids=str)
def test_those_of_the_corpus_are_placed_as_by_the_whole_unit(archive):
    counts = [compared(module) for module in archive.modules()]
    assert sum(placed for placed, _left in counts) > sum(left for _placed, left in counts)


def test_damaged_bytes_are_left_out_or_read():
    """Whatever the bytes are: a head or None, and names or None."""
    chance = random.Random(1)
    read = left = 0
    modules = [Module.open(path) for path in CORPUS[:: max(len(CORPUS) // 8, 1)]]
    originals = []
    for module in modules:
        info = DebugInfo.of(module)
        sections = info._sections._sections
        abbreviations = sections.section(".debug_abbrev").data
        originals += [
            (sections.unit_bytes(start), abbreviations, unit.ranges[0][0] if unit.ranges else 0)
            for start, unit in zip(sections.unit_starts, info.units, strict=True)
        ]
    for _ in range(DAMAGED):
        unit, abbreviations, address = chance.choice(originals)
        parts = [bytearray(unit), bytearray(abbreviations)]
        for part in parts:
            for _ in range(chance.randrange(3)):
                part[chance.randrange(len(part))] = chance.randrange(256)
        cut = chance.choice(parts)
        if chance.random() < 0.3:
            del cut[chance.randrange(len(cut)) :]
        damaged, table = map(bytes, parts)
        head = read_unit_head(damaged, table, address)
        names = linked_names(damaged, table)
        assert names is None or all(isinstance(name, str) for name in names)
        if head is None:
            left += 1
        else:
            read += 1
            assert head.function is None or head.function.low <= address < head.function.high
    assert read > DAMAGED // 20
    assert left > DAMAGED // 20


def test_every_byte_of_a_unit_may_be_the_last():
    info = DebugInfo.of(Module.open(CORPUS[0]))
    sections = info._sections._sections
    low = info.units[0].ranges[0][0]
    unit = sections.unit_bytes(sections.unit_starts[0])
    abbreviations = sections.section(".debug_abbrev").data
    assert read_unit_head(unit, abbreviations, low) is not None
    for end in range(len(unit) - 4):
        assert read_unit_head(unit[:end], abbreviations, low) is None
