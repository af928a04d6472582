"""What is known of a work-item is kept for all stops of its launch: values are the same with that
as where each stop computes them anew, also after the user has written to memory."""

import sys

import pytest

from tests.support.kernels.kernel_folder import launch_of
from tests.support.packed_modules import MODULES
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions import api
from zedbg.xe.coordinates import lanes_of

#: Kernels, and what the user writes to in them.
KERNELS = {"sparse": "value[3] = 100.0f", "search": "table[1] = 1000", "matmul": "a[1] = 5.0f"}


def shown(name, written, *, is_kept, monkeypatch):
    """What is shown at each stop: by variable, its values in the active lanes."""
    if not is_kept:
        monkeypatch.setattr(HardwareThread, "launch_findings", None)
    module = MODULES / "everyday" / "igc1-dg2-O2" / f"{name}.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    command += [f"{module}:{name}", *launch_of(name)]
    found, has_findings = [], False
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        for line in range(1, 60):
            session.break_at(f"{name}.cl:{line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            for thread in (hit.thread for hit in stop.threads):
                lanes = lanes_of(thread.active_lanes)
                for each in api.variables(thread, lanes):
                    values = each.values
                    row = thread.pc, each.variable.name, values.data, values.doubts
                    found.append(row)
                has_findings |= bool(thread.launch_findings)
                if written and len(found) > 200:
                    api.evaluate(written, thread, [lanes[0]])
                    assert thread.launch_findings is None
                    written = None
    return found, has_findings


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_values_are_the_same_where_nothing_is_kept(name, is_written, monkeypatch):
    written = KERNELS[name] if is_written else None
    with monkeypatch.context() as context:
        anew, _ = shown(name, written, is_kept=False, monkeypatch=context)
    kept, has_findings = shown(name, written, is_kept=True, monkeypatch=monkeypatch)
    assert has_findings
    assert len(kept) > 300
    assert kept == anew
