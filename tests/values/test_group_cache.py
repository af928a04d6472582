"""What is found out about a work-group is found once for all of its threads, and then kept."""

import sys

import pytest

from tests.support.packed_modules import MODULES
from zedbg.engine.sessions import opening
from zedbg.values.expressions import api
from zedbg.values.inputs.work_group import GroupLoads

ITEMS = 64  # of a group


def of_group(context):
    return [each for each in context.group_cache.values() if isinstance(each, GroupLoads)]


@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O2"])
def test_threads_of_a_group_have_what_one_of_them_found(build):
    module = MODULES / "everyday" / build / "scan.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    command += [f"{module}:scan", "--global", str(2 * ITEMS), "--local", str(ITEMS)]
    command += ["i32[128]", "i32[128]=iota", "local[256]", f"i32={ITEMS}"]
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        session.break_at("scan.cl:12")
        stop = session.continue_(timeout=60)
        threads = [hit.thread for hit in stop.threads]
        first, *others = threads
        assert {each.workgroup == first.workgroup for each in others} == {True, False}
        with first.device.reading_ahead():
            (shown,) = (each for each in api.variables(first, [0]) if each.variable.name == "total")
            assert shown.values.doubts == (None,)
            assert len(of_group(first)) == 1
            for each in others:
                is_same = each.workgroup == first.workgroup
                assert of_group(each) == of_group(first) * is_same
        assert of_group(first) == []


def test_what_is_known_of_a_group_is_kept_for_the_next_stop():
    module = MODULES / "everyday" / "igc1-dg2-O2" / "scan.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    command += [f"{module}:scan", "--global", str(ITEMS), "--local", str(ITEMS)]
    command += ["i32[64]", "i32[64]=iota", "local[256]", f"i32={ITEMS}"]
    found = []
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        session.break_at("scan.cl:13")
        for reach in (2, 4, 8):
            thread = session.continue_(timeout=60).threads[0].thread
            lanes = range(thread.simd_width)
            ids = [x for x, _, _ in thread.local_ids()]
            with thread.device.reading_ahead():
                (total,) = (
                    each.values
                    for each in api.variables(thread, lanes)
                    if each.variable.name == "total"
                )
                assert total.doubts == (None,) * len(lanes)
                sums = [sum(range(max(0, at - reach + 1), at + 1)) for at in ids]
                assert [int.from_bytes(each, "little") for each in total.data] == sums
                found += of_group(thread)
    first, *others = found
    assert len(others) == 2
    assert all(each is first for each in others)
