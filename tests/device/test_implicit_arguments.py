"""The structure that a payload's ``implicit_arg_buffer`` points to. No compiler makes one for these
devices, whose functions find it from r0.0; so a kernel that copies one of its arguments gets it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_launch import run_simulated
from tests.support.packed_modules import ZEBINS

POINTER = "- arg_type:        {}\n        offset:          24\n        size:            8\n"
REST = (
    "        arg_index:       0\n"
    "        addrmode:        stateless\n"
    "        addrspace:       global\n"
    "        access_type:     readwrite\n"
)
SIZE, GROUP, OFFSET = (32, 6, 2), (16, 3, 1), (0, 5, 7)
GROUP_ITEMS = 48
COPIED_BYTES = 16 * SIZE[0]
STRUCTURE = "<4B3I3QQ3QQ3II4Q"  # as compute-runtime's, version 0, and room after it
LANES = {"igc2-pvc-O2": 32, "igc2-bmg-O2": 32}


def with_implicit_buffer(module: Path, directory: Path) -> Path:
    """The module whose kernel's first argument is a buffer of implicit arguments."""
    contents = module.read_bytes()
    old = (POINTER.format("arg_bypointer") + REST).encode()
    new = POINTER.format("implicit_arg_buffer").encode()
    assert contents.count(old) == 1
    path = directory / module.name
    path.write_bytes(contents.replace(old, new + b"\n" * (len(old) - len(new))))
    return path


@pytest.mark.parametrize("configuration", LANES)
def test_the_buffer_says_what_there_is_to_know_of_a_launch(
    configuration: str, tmp_path: Path
) -> None:
    module = ZEBINS / configuration / "misaligned.zebin"
    changed = with_implicit_buffer(module, tmp_path)
    out = np.zeros(COPIED_BYTES, np.uint8)
    unused = np.zeros(16, np.uint8)
    arguments = [unused, out, np.int32(0), np.int32(0)]
    case = Case("misaligned", "misaligned", SIZE, GROUP, arguments, offset=OFFSET)
    done = run_simulated(case, changed, tmp_path)
    assert done.report == ""
    copied = done.buffers[1].tobytes()
    lanes = LANES[configuration]
    launch = struct.unpack_from(STRUCTURE, copied)
    assert launch[:10] == (112, 0, len(SIZE), lanes, *GROUP, *SIZE)
    printf_buffer, *offset, table = launch[10:15]
    assert printf_buffer != 0 and tuple(offset) == OFFSET
    assert launch[15:18] == (2, 2, 2)  # groups
    assert table != 0
    # It lies after the structure: for each hardware thread a row of its lanes for x, y and z.
    rows = np.frombuffer(copied, np.uint16, offset=struct.calcsize(STRUCTURE))
    rows = rows.reshape(-1, 3, lanes)
    for item in range(GROUP_ITEMS):
        x, y = item % GROUP[0], item // GROUP[0]
        assert rows[item // lanes, :, item % lanes].tolist() == [x, y, 0]
