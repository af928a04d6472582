"""Kernels that get their local ids in registers, as hardware makes them.

The modules are those of Intel's compiler, which serve both ways; a note in them is changed so that
another generator seems to have made them.
"""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.support.kernels.committed_kernels import expected, module_of
from tests.support.kernels.kernel_case import check_results
from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_launch import CONFIGURATIONS, run_simulated

pytestmark = pytest.mark.native

TARGET_METADATA = struct.pack("<III8s", 8, 4, 3, b"IntelGT")
GENERATOR = 7 << 21  # the bits of it


def of_another_generator(module: bytes) -> bytes:
    """``module`` without the word that Intel's compiler made it."""
    at = module.index(TARGET_METADATA) + len(TARGET_METADATA)
    (metadata,) = struct.unpack_from("<I", module, at)
    assert metadata & GENERATOR
    return module[:at] + struct.pack("<I", metadata & ~GENERATOR) + module[at + 4 :]


@pytest.mark.cases(8)
@pytest.mark.parametrize(
    ("number", "configuration"),
    [
        pytest.param(number, configuration, id=f"{case.kernel}-{configuration}")
        for number, case in enumerate(CASES)
        for configuration in CONFIGURATIONS
        if not (case.doubles and "-dg2-" in configuration)  # has no 64-bit floating point
    ],
)
def test_results_are_the_same(number: int, configuration: str, tmp_path: Path) -> None:
    case = CASES[number]
    module = tmp_path / "other.zebin"
    module.write_bytes(of_another_generator(module_of(case, configuration).read_bytes()))
    launch = run_simulated(case, module, tmp_path)
    assert launch.report == ""
    check_results(case, launch.buffers, expected(number, configuration))


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc2-dg2-nodebug", "igc2-dg2-O0"])
@pytest.mark.parametrize("items", ["32", "24"])  # no power of two: ids are in memory
def test_a_breakpoint_at_the_kernel_is_hit_and_ids_are_known(
    debugger, kernel_command, tmp_path, build, items
):
    sizes = ["--global", f"{items},2", "--local", f"{items},2"]
    command = kernel_command("vadd", *sizes, "f32[64]", "f32[64]", "f32[64]", "i32=0", build=build)
    module = tmp_path / "other.zebin"
    module.write_bytes(of_another_generator(Path(command[2]).read_bytes()))
    command[2] = str(module)
    done = debugger.json(["break vadd", "run", "lane 3", "print $_workitem_local_id"], command)
    (printed,) = (each["rows"] for each in done.objects if each.get("command") == "print")
    assert printed[0]["value"] == [3, 0, 0], done.out


@pytest.mark.parametrize(("items", "number"), [("32", 2), ("24", 1)])
def test_threads_with_ids_in_registers_begin_after_the_code_that_loads_them(
    debugger, kernel_command, tmp_path, items, number
):
    sizes = ["--global", items, "--local", items]
    command = kernel_command("vadd", *sizes, "f32[64]", "f32[64]", "f32[64]", "i32=64")
    module = tmp_path / "other.zebin"
    module.write_bytes(of_another_generator(Path(command[2]).read_bytes()))
    command[2] = str(module)
    done = debugger.batch(["break *vadd", "break vadd", "run"], command)
    assert f"hit Breakpoint {number}, " in done.out, done.out
