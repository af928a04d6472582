"""Where values came from: kernels with a planted fault, in which ``origin`` names the line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import MODULES, ZEBINS
from tests.support.places import KERNELS
from zedbg.api.origins import Origin
from zedbg.testing.devices import find_gpu
from zedbg.testing.kernels import Kernels
from zedbg.testing.programs import DebuggedPrograms

FOLDER = KERNELS / "origins"
LEVELS = ("O0", "O2")


@dataclass(frozen=True)
class Fault:
    """A launch, what came out wrong, and what of its origin is to name the line.

    ``way``: the instruction that ``computed`` the value, the one that has ``written`` it last, one
    that it ``passed`` as a copy, one of an ``operand``, or one that made an ``address``.
    ``writer``: the work-item that wrote it. ``line_at_o2``: where the compiler says that the guilty
    instructions are, if not in their line. ``tells``: what the tree has to say besides.
    """

    launch: str
    value: str
    way: str
    writer: int | None = None
    line_at_o2: int | None = None
    tells: str = ""


FAULTS = {
    "wrong_index": Fault("8 8 i32[8]=iota i32[8]", "out[4]", "address", 5, 5),
    "race": Fault("16 16 i32[16]=iota i32[8]", "out[3]", "written", 7),
    "uninitialised": Fault(
        "16 16 i32[16]=iota i32[16]=7", "out[0]", "passed", 0, tells="has not written"
    ),
    "wrong_constant": Fault("8 8 i32[8]=iota i32[8]", "out[3]", "computed", 3),
    "missing_barrier": Fault(
        "64 64 i32[64]=5 i32[64]=7", "out[0]", "passed", 0, tells="has not written"
    ),
    "overflow": Fault("8 8 i32[9]=250 i32[8]", "out[3]", "passed", 3, 6),
    "swapped": Fault("8 8 i32[8]=iota i32[8]=9 i32[8]", "out[3]", "operand", 3),
    "off_by_one": Fault("4 4 i32[17]=iota i32[4]", "out[2]", "computed", 2),
    "wrong_stride": Fault("4,2 4,2 i32[8]=iota i32[8] i32=4 i32=2", "out[5]", "address", 1),
    "shifted": Fault("8 8 i32[8]=-3 i32[8]", "out[3]", "operand", 3),
    "wrong_atomic": Fault("8 8 i32[8]=iota i32[1]", "out[0]", "computed"),
    "rounded": Fault("8 8 i32[8]=16777217 i32[8]", "out[3]", "computed", 3),
    "not_a_number": Fault("8 8 f32[8] f32[8]", "out[3]", "operand", 3),
    "wrong_branch": Fault("8 8 i32[8]=iota i32[8] i32=5", "out[5]", "computed", 5, 5),
    "neighbour": Fault("8 8 i32[8]=iota i32[9]", "out[4]", "written", 3),
    "not_reset": Fault("4 4 f32[24]=1 f32[8]", "out[3]", "computed", 1),
    "wrong_component": Fault("4 4 i32[16]=iota i32[16]", "((int *)out)[6]", "computed", 1),
    "wrong_lane": Fault("16 16 i32[16]=iota i32[16]", "out[5]", "operand", 5),
    "swapped_by_host": Fault(
        "8 8 i32[8]=iota i32[8] i32=10 i32=3", "out[3]", "computed", 3, tells="argument scale"
    ),
    "wrong_table": Fault(
        "8 8 i32[8]=iota i32[16]=2 i32[8]", "out[3]", "passed", 3, tells="buffer table"
    ),
    "overlap": Fault("16 16 i32[16]=iota i32[16]", "out[2]", "passed", 2),
    "wrong_group": Fault("32 16 i32[32]=iota i32[32]", "out[8]", "address"),
}
DEPTHS = {"operand": 2, "address": 6}


def guilty_line(name: str) -> int:
    lines = (FOLDER / f"{name}.cl").read_text().splitlines()
    (number,) = (n for n, line in enumerate(lines, 1) if "/* guilty */" in line)
    return number


@pytest.fixture
def kernels(tmp_path):
    """Kernels by the path of their module."""
    programs = DebuggedPrograms(find_gpu("dg2"), 60)
    yield Kernels(programs, MODULES / "origins", lambda: tmp_path)
    programs.close()


def origin_of(kernels: Kernels, name: str, level: str, fault: Fault) -> Origin:
    """The origin of the wrong value, asked when the kernel has ended."""
    size, group, *arguments = fault.launch.split()
    launch = kernels(f"igc2-dg2-{level}/{name}.zebin").launch(
        *arguments, global_size=sizes(size), local_size=sizes(group)
    )
    depth = DEPTHS.get(fault.way, 3 if fault.tells.startswith("argument") else 1)
    return launch.origin(fault.value, depth=depth)


def sizes(text: str) -> list[int]:
    return list(map(int, text.split(",")))


def lines_of(origin: Origin) -> list[int]:
    return [each.line for each in origin.instants]


def addresses(origin: Origin) -> Iterator[Origin]:
    """What said where, and all that was made from."""
    for each in origin.sources:
        yield from each.walk() if each.role == "address" else addresses(each)


def guilty_lines(origin: Origin, way: str) -> list[int]:
    """The lines that the origin says of ``way``."""
    match way:
        case "computed":
            return [each.line for each in origin.instants if each.does == "computed"]
        case "written":
            return lines_of(origin)[:1]
        case "passed":
            return lines_of(origin)
        case "operand":
            operands = [each for each in origin.sources if each.role == "value"]
            return [line for each in operands for line in lines_of(each)]
        case _:
            return [line for each in addresses(origin) for line in lines_of(each)]


def test_every_kernel_has_its_fault():
    assert {path.stem for path in FOLDER.glob("*.cl")} == set(FAULTS)
    assert len(FAULTS) >= 20


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.cases(4)
def test_origin_names_the_guilty_line(kernels, name, level):
    fault = FAULTS[name]
    origin = origin_of(kernels, name, level, fault)
    wanted = guilty_line(name)
    if level == "O2" and fault.line_at_o2 is not None:
        wanted = fault.line_at_o2
    assert wanted in guilty_lines(origin, fault.way), origin
    assert origin.written_by.file == f"{name}.cl"
    if fault.writer is not None:
        assert origin.written_by.work_item == (fault.writer, 0, 0) or fault.way == "address"
    assert fault.tells in " ".join(each.beginning or "" for each in origin.walk())


def test_a_test_asks_by_argument_and_element(kernels):
    launch = kernels("igc2-dg2-O2/neighbour.zebin").launch(
        "i32[8]=iota", "i32[9]", global_size=8, local_size=8
    )
    wrong = launch.origin(1, 4)
    assert wrong.value == -3
    assert (wrong.written_by.line, wrong.written_by.work_item) == (8, (3, 0, 0))
    assert launch.origin(1, 5).written_by.work_item == (5, 0, 0)


def test_history_has_every_write(kernels, tmp_path):
    launch = kernels("igc2-dg2-O2/neighbour.zebin").launch(
        "i32[8]=iota", "i32[9]", global_size=8, local_size=8
    )
    launch.origin("out[4]")
    table = tmp_path / "writes.csv"
    rows = launch.session.rows(f"history out[4] --csv {table} --launch 1")
    writes = [row for row in rows if "written_by" in row]
    assert [(row["value"], row["written_by"]["work_item"][0]) for row in writes] == [
        (4, 4),
        (-3, 3),
    ]
    header, *lines = table.read_text().splitlines()
    assert header.split(",")[-1] == "value"
    assert [line.split(",")[-1] for line in lines] == ["4", "-3"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("device", EACH_PLATFORM)
@pytest.mark.cases(1)
def test_each_platform(device, level, tmp_path):
    programs = DebuggedPrograms(find_gpu(device), 60)
    launch = Kernels(programs, ZEBINS, lambda: tmp_path)(
        f"igc2-{device}-{level}/vadd.zebin"
    ).launch("f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64", global_size=64, local_size=32)
    made = launch.origin("c[37]")
    programs.close()
    assert made.value == 39.0
    assert made.written_by.work_item == (37, 0, 0)
    assert sorted(each.value for each in made.sources if each.role == "value") == [2.0, 37.0]


def test_what_lies_nowhere_is_refused(debugger):
    module = MODULES / "origins" / "igc2-dg2-O0" / "neighbour.zebin"
    program = ["zedbg", "kernel", str(module), "--global", "8", "--local", "8"]
    done = debugger.batch(
        ["break neighbour.cl:5", "run", "origin value + 1", "origin", "origin i --deep 2"],
        [*program, "i32[8]=iota", "i32[9]"],
    )
    assert "value + 1 is nowhere" in done.err
    assert "--deep is no option here" in done.err


def test_history_of_a_race_has_both_work_items(kernels):
    launch = kernels("igc2-dg2-O0/race.zebin").launch(
        "i32[16]=iota", "i32[8]", global_size=16, local_size=16
    )
    assert launch.origin(1, 3).value == 14
    rows = launch.session.rows("history out[3] --launch 1")
    writes = [row for row in rows if "written_by" in row]
    assert [row["value"] for row in writes] == [12, 14]
    assert [row["written_by"]["work_item"][0] for row in writes] == [6, 7]
