"""Threads of SIMD1 kernels, which have one work-item each and its local id in one piece.

No compiler of OpenCL C makes one: a compiled kernel is called one, and stopped at its beginning.
"""

import re
from pathlib import Path

import pytest

SIZES = ["--global", "2,6", "--local", "2,3", "f32[64]", "f32[64]", "f32[64]", "i32=0"]


@pytest.mark.parametrize("build", ["igc2-dg2-O0", "igc2-pvc-O0"])
def test_each_thread_has_the_ids_of_its_work_item(debugger, kernel_command, tmp_path, build):
    command = kernel_command("vadd", *SIZES, build=build)
    path = tmp_path / "simd1.zebin"
    path.write_bytes(called_simd1(Path(command[2]).read_bytes()))
    command[2] = str(path)
    asked = [f"thread 1.{number}" for number in range(1, 7)]
    shown = [each for thread in asked for each in (thread, "print $_workitem_local_id")]
    device = build.split("-")[1]
    done = debugger.batch(["break kernel vadd", "run", *shown], command, f"--sim={device}")
    found = re.findall(r"^\$\d+ = \{(\d+), (\d+), (\d+)\}", done.out, re.MULTILINE)
    assert found == [(str(n % 2), str(n // 2), "0") for n in range(6)], done.out


def called_simd1(module):
    """``module`` with the description of a SIMD1 kernel, which is as long as its own."""
    ids = re.search(rb"- arg_type: +local_id\n +offset: +0\n +size: +\d+\n", module)[0]
    packed = b"- arg_type: packed_local_ids\n        offset: 0\n        size: 6"
    module = module.replace(ids, packed.ljust(len(ids) - 1) + b"\n")
    width = re.search(rb"simd_size: +\d+\n", module)[0]
    return module.replace(width, b"simd_size: 1".ljust(len(width) - 1) + b"\n")
