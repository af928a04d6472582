"""Line tables of committed modules, compared with llvm-dwarfdump and readelf."""

import re
import subprocess
from collections import Counter

import pytest

from tests.support.dwarf.dwarf_corpus import corpus_modules, zebin_files
from tests.support.dwarf.dwarf_dump import dumped_rows
from tests.support.dwarf.relocated_elf import relocated_elf
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

CORPUS = zebin_files()
NAMES = [f"{path.parent.name}-{path.stem}" for path in CORPUS]


def hold_rows(module, relocated):
    """The rows are those of llvm-dwarfdump; lines and addresses also those of readelf."""
    relocated.write_bytes(relocated_elf(module))
    info = DebugInfo.of(module)
    # Where an older compiler says wrongly where functions are, lines are left out, and added.
    rows = [
        row
        for unit in info.units
        for sequence in (unit.sequences if unit.mended is None else unit.described_sequences)
        for row in sequence.rows
    ]
    assert rows
    assert Counter(dumped_rows(relocated)) == Counter(
        (row.address, row.line, row.column, row.is_stmt, row.prologue_end, row.end) for row in rows
    )
    command = ["readelf", "--debug-dump=decodedline", str(relocated)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    pattern = re.compile(r"^\S+ +(\d+) +(0x[0-9a-f]+|0)\b", re.MULTILINE)
    assert {(int(line), int(address, 0)) for line, address in pattern.findall(text)} == {
        (row.line, row.address) for row in rows if not row.end
    }


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_rows_are_those_of_other_readers(path, tmp_path):
    hold_rows(Module.open(path), tmp_path / path.name)


@pytest.mark.parametrize("archive", corpus_modules(), ids=str)
def test_rows_of_the_corpus_are_those_of_other_readers(archive, tmp_path):
    held = 0
    for module in archive.modules():
        hold_rows(module, tmp_path / "relocated")
        held += 1
    assert held >= 5


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_every_row_lies_in_the_code_of_its_kernel(path):
    module = Module.open(path)
    for sequence in DebugInfo.of(module).lines.sequences:
        kernel = module.kernel_at(sequence.start)
        assert kernel is not None
        assert sequence.end <= kernel.end
        addresses = [row.address for row in sequence.rows]
        assert addresses == sorted(addresses)


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_line_ranges_cover_the_code_without_gaps(path):
    lines = DebugInfo.of(Module.open(path)).lines
    for sequence in lines.sequences:
        address = sequence.start
        while address < sequence.end:
            low, high = lines.line_range_at(address)
            assert low == address
            row = lines.row_at(address)
            assert row is None or row.line == sequence.rows[sequence.index_at(high - 1)].line
            address = high
