"""Threads with the same identity of work have the same arguments, ids and sizes."""

import sys

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening

BUFFERS = ("f32[80]=iota", "f32[80]=2", "f32[80]")
# Global and local size, and the last argument; the first launch comes again.
LAUNCHES = [
    ("80", "40", "i32=80"),
    ("80", "40", "i32=79"),
    ("80", "20", "i32=80"),
    ("40,2", "20,2", "i32=80"),
    ("40,2", "20,1", "i32=80"),
    ("80", "40", "i32=80"),
]
NAMES = ("_workgroup", "_workitem_local_size", "_workitem_global_size")


def work_of(thread):
    """All that a model of the source asks for."""
    return repr(
        [
            thread.global_ids(),
            thread.local_ids(),
            *(thread.kernel_argument(index) for index in range(4)),
            *(thread.convenience(name) for name in NAMES),
        ]
    )


@pytest.mark.cases(2)
@pytest.mark.parametrize("device", ["dg2", "pvc"])
@pytest.mark.parametrize("build", ["igc1-{}-O0", "igc2-{}-O2"])
def test_the_same_identity_is_the_same_work(build, device):
    works, seen = {}, []
    module = ZEBINS / build.format(device) / "vadd.zebin"
    for size, local, last in LAUNCHES:
        command = [sys.executable, "-P", "-m", "zedbg.frontends.main", "kernel", f"{module}:vadd"]
        command += ["--global", size, "--local", local, *BUFFERS, last]
        with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
            for line in (3, 4):
                session.break_at(f"vadd.cl:{line}")
            found = set()
            while not isinstance(session.continue_(), Exited):
                for thread in session.stopped_threads():
                    identity = thread.work_identity(range(4))
                    assert identity is not None
                    work = work_of(thread)
                    assert works.setdefault(identity, work) == work
                    found.add(identity)
        seen.append(found)
    # Every thread of a launch has one of its own, at each of its stops where its arguments are.
    assert all(len(each) >= len({works[one] for one in each}) > 1 for each in seen)
    assert seen[0] == seen[-1]
    assert not any(seen[0] & other for other in seen[1:-1])
