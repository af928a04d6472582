"""Work coordinates from payloads in memory."""

import struct
from itertools import product

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.engine.threads.work import global_ids, group_ids, group_size_from_ids, row_length
from zedbg.missing import Missing
from zedbg.zebin import Module
from zedbg.zebin.payload import payload_map
from zedbg.zebin.zeinfo import (
    ExecutionEnvironment,
    KernelInfo,
    PerThreadPayloadArgument,
    UserAttributes,
)

SIZES = [s for s in product((1, 2, 3, 7, 8, 16, 20, 32, 64), (1, 2, 3, 5, 8), (1, 2, 3)) if
         s[0] * s[1] * s[2] <= 512]  # fmt: skip


def counted(size, simd_width, beyond):
    """Local ids as a runtime writes them: whole threads, ``beyond`` the end counting or zero."""
    x, y, z = size
    items = x * y * z
    lanes = -(-items // simd_width) * simd_width
    return [
        (lane % x, lane // x % y, lane // (x * y))
        if lane < items or beyond == "counting"
        else (0, 0, 0)
        for lane in range(lanes)
    ]


@pytest.mark.parametrize("beyond", ["counting", "zero"])
@pytest.mark.parametrize("simd_width", [8, 16, 32])
def test_group_size_follows_from_local_ids_whatever_lies_after_the_end(simd_width, beyond):
    for size in SIZES:
        ids = counted(size, simd_width, beyond)
        assert row_length(ids) == size[0]
        assert group_size_from_ids(ids, size[0] * size[1] * size[2]) == size


def test_ids_that_are_none_are_missing():
    assert isinstance(group_size_from_ids([(5, 0, 0)] * 8, 8), Missing)
    assert isinstance(group_size_from_ids([], 8), Missing)


def test_payload_of_a_compiled_kernel_is_laid_out_as_zeinfo_says():
    module = Module.open(ZEBINS / "igc2-dg2-O0" / "vadd.zebin")
    layout = payload_map(module.kernel("vadd").info, 32)
    assert (layout.inline_size, layout.per_thread_size, layout.simd_width) == (32, 96, 8)
    assert layout.memory_size == 32  # 64 bytes of arguments, of which 32 travel in a register
    rows = [range(10, 18), range(20, 28), range(30, 38)]
    data = b"".join(struct.pack("<8H", *row) + bytes(16) for row in rows)
    found = group_ids(layout, data)
    assert found.ids == [(10 + n, 20 + n, 30 + n) for n in range(8)]
    assert found.row_length == 18
    beyond = b"".join(struct.pack("<8H", *row) + bytes(16) for row in [range(40, 48)] * 3)
    assert group_ids(layout, data + beyond).ids == [*found.ids, *[(40 + n,) * 3 for n in range(8)]]


@pytest.mark.parametrize("grf_bytes", [32, 64])
def test_threads_of_a_simd1_kernel_have_their_ids_packed_each_in_a_register(grf_bytes):
    info = KernelInfo(
        "dft",
        ExecutionEnvironment(simd_size=1),
        UserAttributes(),
        (),
        (PerThreadPayloadArgument("packed_local_ids", 0, 6),),
    )
    layout = payload_map(info, grf_bytes)
    assert (layout.per_thread_size, layout.simd_width) == (grf_bytes, 1)
    wanted = [(x, y, 0) for y in range(2) for x in range(8)]
    data = b"".join(struct.pack("<3H", *each).ljust(grf_bytes, b"\xff") for each in wanted)
    found = group_ids(layout, data)
    assert (found.ids, found.row_length) == (wanted, 8)
    assert group_size_from_ids(found.ids, 16) == (8, 2, 1)


def test_global_ids_are_group_times_size_plus_offset_plus_local():
    assert global_ids([(1, 2, 3)], (2, 1, 0), (8, 4, 1), (100, 0, 7)) == [(117, 6, 10)]


def test_cross_thread_data_are_padded_to_32_bytes_whatever_the_registers_have():
    """Prologues add where the local ids begin, a dword at 0x3C, to the payload's start."""
    checked = 0
    for path in sorted(ZEBINS.glob("igc2-[pb]*-O0/*.zebin")):
        module = Module.open(path)
        for name in module.kernel_names:
            kernel = module.kernel(name)
            layout = payload_map(kernel.info, 64)
            if layout.local_id is None:
                continue  # its prologue has nothing to look for
            code = module.section_bytes(module.section(f".text.{name}"))
            assert layout.memory_size == int.from_bytes(code[0x3C:0x40], "little"), path
            checked += 1
    assert checked > 60
