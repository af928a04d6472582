"""The size of a work-group that the kernel is not passed: it follows from the local ids of all its
work-items, and from how full its last thread is, which may end before the others."""

import sys

import pytest

from tests.support.packed_modules import MODULES
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions import opening

COMMAND = [
    *(sys.executable, "-m", "zedbg.frontends.main", "kernel"),
    f"{MODULES / 'everyday' / 'igc2-dg2-O0' / 'transpose.zebin'}:transpose",
    *("--global", "16,16", "--local", "8,8", "f32[256]", "f32[256]=iota", "i32=16", "i32=16"),
]


@pytest.fixture
def groups():
    """A session, and the threads of each work-group, all stopped at their last store."""
    with opening.launch(COMMAND, sim="dg2", output=lambda stream, text: None) as session:
        session.break_at("transpose.cl:14")
        found = {}
        for each in session.continue_(timeout=60).threads:
            found.setdefault(each.thread.workgroup, []).append(each.thread)
        for threads in found.values():
            threads.sort(key=lambda each: each.header.thread_in_group)
        session.settings.scheduler_locking = SchedulerLocking.ON
        yield session, found


def end(session, threads):
    for each in threads:
        session.select(each)
        session.continue_(timeout=60)
        assert not each.is_stopped


def global_ids_of(thread):
    """By its number in its group, which has eight work-items in each row."""
    x, y, _ = (8 * each for each in thread.workgroup)
    return [(x + lane, y + thread.header.thread_in_group, 0) for lane in range(8)]


def test_another_group_tells_it(groups):
    session, found = groups
    end(session, [found[0, 1, 0][-1]])
    for thread in found[0, 1, 0][:-1]:
        assert thread.work.group_size == (8, 8, 1)
        assert thread.global_ids() == global_ids_of(thread)


def test_it_is_remembered_for_the_launch(groups):
    session, found = groups
    assert found[0, 0, 0][0].work.group_size == (8, 8, 1)
    end(session, [threads[-1] for threads in found.values()])
    for threads in found.values():
        for thread in threads[:-1]:
            assert thread.global_ids() == global_ids_of(thread)
