"""One kernel of many is found by its own unit, whatever says which unit that is."""

import pytest

from tests.support.kernels.many_kernels import debug_image, many_kernels
from tests.support.packed_modules import ZEBINS
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.zebin import Module

COUNT = 12
TEMPLATES = ("igc1-dg2-O0", "igc2-dg2-O0", "igc2-pvc-O2", "igc2-bmg-O2")


@pytest.fixture(params=TEMPLATES)
def template(request):
    return (ZEBINS / request.param / "vadd.zebin").read_bytes()


def lines_from_start(info, function):
    rows = info.lines.rows_between(function.low, function.high)
    return [(row.address - function.low, row.line, row.column) for row in rows]


@pytest.mark.parametrize("made", [lambda data: data, debug_image], ids=["file", "image"])
def test_every_kernel_is_as_in_the_module_of_one(template, made):
    single = DebugInfo.of(Module.from_bytes(template, "one"))
    (expected,) = single.functions_named("vadd")
    place = CodePlaces(single).after_prologue(expected).address - expected.low
    data = made(many_kernels(template, COUNT))
    for name in Module.from_bytes(data, "many").kernel_names:
        module = Module.from_bytes(data, "many")  # nothing has been read of the others
        info = DebugInfo.of(module)
        (function,) = info.functions_named(name)
        kernel = module.kernel(name)
        assert (function.low, function.name) == (kernel.address, name)
        assert CodePlaces(info).after_prologue(function).address - function.low == place
        assert lines_from_start(info, function) == lines_from_start(single, expected)
        names = [variable.name for variable in function.variables]
        assert names == [variable.name for variable in expected.variables]


def test_only_the_unit_of_the_kernel_is_read(template, monkeypatch):
    info = DebugInfo.of(Module.from_bytes(many_kernels(template, COUNT), "many"))
    read = []
    unit = info._sections.unit
    monkeypatch.setattr(info._sections, "unit", lambda start: read.append(start) or unit(start))
    for name in ("k004", "k003"):  # with its addresses' names, and without
        read.clear()
        assert [function.name for function in info.functions_named(name)] == [name]
        assert len(set(read)) == 1


def test_all_units_together_say_the_same_as_one_by_one(template):
    data = many_kernels(template, COUNT)
    together = DebugInfo.of(Module.from_bytes(data, "many"))
    apart = DebugInfo.of(Module.from_bytes(data, "many"))
    every = [(function.low, function.high, function.name) for function in together.functions]
    assert len(every) == COUNT
    assert every == [
        (function.low, function.high, function.name)
        for low, _high, _name in every
        for function in [apart.function_at(low)]
    ]


def test_a_line_of_a_file_reads_the_units_that_name_the_file(template, monkeypatch):
    data = many_kernels(template, COUNT)
    every = DebugInfo.of(Module.from_bytes(data, "many"))
    files = every.lines.files
    assert len(files) == COUNT
    for file in files:
        (line, *_more) = every.lines.lines_with_code(file)
        info = DebugInfo.of(Module.from_bytes(data, "many"))
        read = []
        unit = info._sections.unit
        monkeypatch.setattr(
            info._sections, "unit", lambda at, of=unit, r=read: r.append(at) or of(at)
        )
        (place,) = CodePlaces(info).of_line(file.name, line)
        assert place.address in [row.address for row in every.lines.rows if row.file == file]
        assert (place.file, len(set(read))) == (file, 1)
    assert CodePlaces(every).of_line("nowhere.cl", 1) == []


def test_all_units_are_read_where_line_programs_do_not_name_theirs(template, monkeypatch):
    sections = DebugInfo.of(Module.from_bytes(many_kernels(template, COUNT), "many"))._sections
    monkeypatch.setattr(sections._sections, "unit_starts", sections.unit_starts[::-1])
    assert sections.search.of_file("k003.cl") == sections.unit_starts


def test_a_unit_whose_line_program_does_not_name_its_files_is_read_for_every_file(template):
    sections = DebugInfo.of(Module.from_bytes(many_kernels(template, COUNT), "many"))._sections
    with sections._sections.required(".debug_line").stream.getbuffer() as line:
        line[4] = 5  # its header is not laid out as this version's
    first, *others = sections.unit_starts
    assert sections.search.of_file("k003.cl") == [first, others[2]]
