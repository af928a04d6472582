"""Line tables of every committed zebin, held against llvm-dwarfdump and readelf."""

import re
import shutil
import subprocess

import pytest
from conftest import ZEBINS
from relocated_elf import relocated_elf

from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

CORPUS = sorted(path for path in ZEBINS.glob("*/*.zebin") if b".debug_line" in path.read_bytes())
NAMES = [f"{path.parent.name}-{path.stem}" for path in CORPUS]


def output_of(tool, *arguments):
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return done.stdout


@pytest.fixture
def module_and_file(request, tmp_path):
    module = Module.open(request.param)
    path = tmp_path / "relocated.elf"
    path.write_bytes(relocated_elf(module))
    return module, path


def every_corpus_file(test):
    return pytest.mark.parametrize("module_and_file", CORPUS, ids=NAMES, indirect=True)(test)


@every_corpus_file
def test_rows_are_those_of_llvm_dwarfdump(module_and_file):
    module, path = module_and_file
    pattern = re.compile(r"^0x([0-9a-f]{16}) +(\d+) +(\d+) +\d+ +\d+ +\d+ +(.*)$", re.MULTILINE)
    expected = [
        (
            int(address, 16),
            int(line),
            int(column),
            # The end of a sequence is no statement, whatever the dump shows for it.
            "is_stmt" in flags and "end_sequence" not in flags,
            "prologue_end" in flags,
            "end_sequence" in flags,
        )
        for address, line, column, flags in pattern.findall(
            output_of("llvm-dwarfdump", "--debug-line", path)
        )
    ]
    assert expected
    rows = DebugInfo.of(module).lines.rows
    assert sorted(expected) == sorted(
        (row.address, row.line, row.column, row.is_stmt, row.prologue_end, row.end) for row in rows
    )


@every_corpus_file
def test_rows_are_those_of_readelf(module_and_file):
    module, path = module_and_file
    pattern = re.compile(r"^(\S+) +(\d+) +(0x[0-9a-f]+|0)\b", re.MULTILINE)
    expected = [
        (name, int(line), int(address, 0))
        for name, line, address in pattern.findall(
            output_of("readelf", "--debug-dump=decodedline", path)
        )
    ]
    assert expected
    rows = DebugInfo.of(module).lines.rows
    assert {each[1:] for each in expected} == {
        (row.line, row.address) for row in rows if not row.end
    }


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
