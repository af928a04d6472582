"""Where breakpoints stop, and which code belongs to a line."""

import re
from itertools import permutations
from pathlib import Path

import pytest

from tests.support.dwarf.ways_through import (
    JUMPS,
    comes_to,
    comes_to_end_without,
    instructions_of,
)
from tests.support.packed_modules import MODULES, ZEBINS
from tests.support.places import KERNELS
from zedbg.dwarf import CodePlaces, DebugInfo, SourceFile
from zedbg.dwarf.lines.line_table import LineRow, LineSequence, LineTable
from zedbg.zebin import Module

SOURCES = KERNELS / "src"
MACRO = re.compile(r"[A-Z_]+\(.*\)")  # one that makes a whole function
WITH_LINES = sorted(
    path for path in ZEBINS.glob("*/*.zebin") if b".debug_line" in path.read_bytes()
)


@pytest.fixture(scope="module")
def calls():
    return DebugInfo.of(Module.open(ZEBINS / "igc2-dg2-O0" / "calls.zebin"))


@pytest.mark.parametrize(
    ("line", "stops"),
    [
        (1, [("leaf", 2)]),  # a function's head: after its prologue
        (4, [("leaf", 4)]),
        (6, [("mid", 8)]),  # an empty line between functions: the next that has code
        (12, [("vecf", 14)]),
        (16, [("calls", 17)]),
        (21, [("calls", 21)]),
        (22, []),
    ],
)
def test_a_line_stops_where_its_code_is(calls, line, stops):
    found = CodePlaces(calls).of_line("calls.cl", line)
    assert [(location.function.name, location.line) for location in found] == stops
    for location in found:
        assert calls.location_of_address(location.address).line == location.line


def test_files_are_named_by_the_end_of_their_path(calls):
    (file,) = calls.lines.files
    assert CodePlaces(calls).of_line(file.path, 4)
    assert CodePlaces(calls).of_line(f"{Path(file.path).parent.name}/calls.cl", 4)
    assert CodePlaces(calls).of_line("alls.cl", 4) == []
    assert CodePlaces(calls).of_line("", 4) == []


@pytest.mark.parametrize(
    "path", WITH_LINES, ids=[f"{path.parent.name}-{path.stem}" for path in WITH_LINES]
)
def test_a_breakpoint_on_a_function_stops_in_its_body(path):
    """The oracle is the source: the line must be of the function, and after its head. At a jump
    around the body's first line, which built-in functions make, it can be the head's."""
    info = DebugInfo.of(Module.open(path))
    source = (SOURCES / f"{path.stem}.cl").read_text().splitlines()
    for function in info.functions:
        location = CodePlaces(info).after_prologue(function)
        assert function.low <= location.address < function.high
        if location.address == function.low:
            continue  # nothing but the head has lines there
        text = source[location.line - 1].strip()
        if MACRO.fullmatch(text) or ("{" in text and text.endswith("}")):
            assert location.line == function.line  # it has one line
            continue
        if location.line in (0, function.line):
            at = instructions_of(info.module, function)[location.address]
            assert at.opcode in JUMPS
            continue
        assert location.line > function.line
        assert text not in ("", "}", "{"), (function.name, location.line)


@pytest.mark.parametrize(
    "path", WITH_LINES, ids=[f"{path.parent.name}-{path.stem}" for path in WITH_LINES]
)
def test_every_way_through_a_function_comes_to_its_breakpoint(path):
    info = DebugInfo.of(Module.open(path))
    for function in info.functions:
        instructions = instructions_of(info.module, function)
        address = CodePlaces(info).after_prologue(function).address
        assert address in instructions
        assert comes_to_end_without(instructions, function.low, ())
        assert not comes_to_end_without(instructions, function.low, (address,))


@pytest.mark.parametrize(
    "path",
    [path for path in WITH_LINES if path.stem in ("called_numbers", "launch_numbers")],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_every_way_comes_once_to_the_first_line_of_the_body(path):
    """In which get_global_linear_id chooses, in code without a line."""
    info = DebugInfo.of(Module.open(path))
    (function,) = info.functions_named(path.stem)
    instructions = instructions_of(info.module, function)
    source = (SOURCES / f"{path.stem}.cl").read_text().splitlines()
    line = 1 + next(n for n, text in enumerate(source) if "get_global_linear_id" in text)
    places = [each.address for each in CodePlaces(info).of_line(f"{path.stem}.cl", line)]
    assert len(places) == (1 if "igc1" in path.parent.name else 2)
    assert {info.location_of_address(each).line for each in places} == {line}
    assert not comes_to_end_without(instructions, function.low, places)
    for one, other in permutations(places, 2):
        assert not comes_to(instructions, one, other)


@pytest.mark.parametrize(
    "path",
    [path for path in WITH_LINES if path.parent.name.endswith("-O0")],
    ids=[f"{path.parent.name}-{path.stem}" for path in WITH_LINES if "-O0" in path.parent.name],
)
def test_a_closing_brace_is_not_in_the_prologue(path):
    """Debian 12's compiler gives the end of a prologue its line."""
    info = DebugInfo.of(Module.open(path))
    source = (SOURCES / f"{path.stem}.cl").read_text().splitlines()
    for line in (number for number, text in enumerate(source, 1) if text.rstrip() == "}"):
        for location in CodePlaces(info).of_line(f"{path.stem}.cl", line):
            start = CodePlaces(info).after_prologue(location.function).address
            assert location.address > start or location.line > line  # of the next function


@pytest.mark.parametrize(
    "path",
    [path for path in WITH_LINES if path.parent.name == "igc2-dg2-O0"],
    ids=lambda path: path.stem,
)
def test_arguments_are_there_where_a_breakpoint_on_a_function_stops(path):
    info = DebugInfo.of(Module.open(path))
    for function in info.functions:
        address = CodePlaces(info).after_prologue(function).address
        for parameter in function.parameters:
            assert isinstance(info.location_expression(parameter, address), bytes)


def table(*rows):
    """A table of one sequence; each row: address, line, is_stmt."""
    file = SourceFile("k.cl", "/src")
    made = [LineRow(at, file, line, 1, stmt, False, False) for at, line, stmt in rows[:-1]]
    made.append(LineRow(rows[-1][0], file, rows[-1][1], 1, False, False, True))
    return LineTable(lambda: [LineSequence(made)])


def test_rows_of_one_line_that_follow_each_other_are_one_range():
    lines = table(
        (0, 1, True), (16, 2, True), (32, 2, False), (48, 3, True), (64, 2, False), (80, 0, False)
    )
    assert lines.line_range_at(40) == (16, 48)
    assert lines.line_range_at(64) == (64, 80)
    assert lines.line_range_at(80) is None
    assert lines.row_at(79).line == 2
    assert lines.row_at(80) is None


def test_code_without_a_line_has_no_row():
    lines = table((0, 1, True), (16, 0, True), (32, 3, True), (48, 3, False))
    assert lines.row_at(20) is None
    assert lines.row_at(32).line == 3


def test_only_statements_are_places_to_stop():
    lines = table((0, 1, True), (16, 2, False), (32, 3, True), (48, 3, False))
    (file,) = lines.files
    assert lines.lines_with_code(file) == [1, 3]
    assert [row.address for row in lines.statements(file, 2)] == [32]
    unmarked = table((0, 1, False), (16, 2, False), (32, 2, False))
    assert unmarked.lines_with_code(file) == [1, 2]


def test_a_kernel_that_calls_its_own_source_stops_in_what_it_calls():
    info = DebugInfo.of(Module.open(MODULES / "pocl" / "saxpy.zebin"))
    (stop,) = CodePlaces(info).of_function("saxpy")
    assert stop.function.linkage_name == "__clang_ocl_kern_imp_saxpy"
    assert (stop.line, info.function_at(stop.address)) == (3, stop.function)
