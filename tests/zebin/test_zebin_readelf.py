"""Symbols and relocations of every committed zebin, compared with readelf."""

import re
import shutil
import subprocess

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.zebin import Module
from zedbg.zebin.relocation import RelocationType

CORPUS = sorted(ZEBINS.glob("*/*.zebin"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in CORPUS]

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf here")


def readelf(option, path):
    done = subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_relocations_are_those_that_readelf_lists(path):
    entry = re.compile(
        r"([0-9a-f]{16}) +[0-9a-f]{8}([0-9a-f]{8}) \S+: \S+ +[0-9a-f]{16} ?(\S*)"
        r"(?: \+ ([0-9a-f]+))?"
    )
    listed = set()
    section = None
    for line in readelf("-r", path).splitlines():
        header = re.match(r"Relocation section '\.rela?(\S+)'", line)
        if header:
            section = header[1]
        found = entry.match(line)
        if found:
            offset, kind, symbol, addend = found.groups()
            listed.add(
                (section, int(offset, 16), int(kind, 16), symbol, int(addend, 16) if addend else 0)
            )
    ours = {
        (r.section.name, r.offset, r.type, r.symbol, r.addend or 0)
        for r in Module.open(path).relocations
    }
    # Where the compiler lost a symbol's name readelf prints the symbol's section, or the addend.
    lost = {(section, offset) for section, offset, _, symbol, _ in ours if not symbol}
    assert {row for row in ours if row[:2] not in lost} == {
        row for row in listed if row[:2] not in lost
    }
    assert {row[:3] for row in ours} == {row[:3] for row in listed}
    assert {kind for _, _, kind, *_ in ours} <= set(RelocationType)


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_objects_of_data_sections_are_those_that_readelf_lists(path):
    pattern = re.compile(r"\d+: ([0-9a-f]{16}) +(\d+) OBJECT +\S+ +\S+ +(\d+) (\S+)$", re.MULTILINE)
    module = Module.open(path)
    listed = {
        (name, int(size), int(value, 16))
        for value, size, section, name in pattern.findall(readelf("-s", path))
        if module.sections[int(section)].name.startswith((".data", ".bss"))
    }
    ours = {(s.name, s.size, s.address - s.section.address) for s in module.variables}
    assert ours == listed
    for symbol in module.variables:
        owner = module.owner_at(symbol.address)
        assert owner.section == symbol.section
        assert owner.kernel is None
        assert owner.offset == 0
