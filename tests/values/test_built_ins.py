"""What work-items know of their launch, computed at -O2 where no register has it any more."""

import sys

import pytest

from tests.support.packed_modules import MODULES
from zedbg.engine.sessions import opening
from zedbg.values.expressions import api

# Kernel, arguments, line, variable, and what it is for the work-item with a global id and a lane.
CASES = {
    "a number in the launch": (
        "launch_numbers:launch_numbers",
        "--global 8,2 --local 4,1 u64[576] u32=1",
        "launch_numbers.cl:31",
        "item",
        lambda x, y, lane: 8 * y + x,
    ),
    "a number in the subgroup": (
        "subgroup:sg",
        "--global 32 --local 32 i32[64]=iota i32[2048] f32[64]",
        "subgroup.cl:13",
        "l",
        lambda x, y, lane: lane,
    ),
    "the number of groups": (
        "grid:grid_barrier",
        "--global 32 --local 16 i32[1] i32[4] i32[2] i32=1",
        "grid.cl:13",
        "groups",
        lambda x, y, lane: 2,
    ),
}


@pytest.mark.parametrize("build", ["igc2-dg2", "igc2-pvc"])
@pytest.mark.parametrize("case", CASES)
def test_it_is_shown_without_a_mark(build, case):
    kernel, arguments, place, name, expected = CASES[case]
    module, kernel = kernel.split(":")
    device = build.split("-")[1]
    path = MODULES / "zebin" / f"{build}-O2" / f"{module}.zebin"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", device]
    command += [f"{path}:{kernel}", *arguments.split()]
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        session.break_at(place)
        thread = session.continue_(timeout=60).threads[0].thread
        lanes = list(range(thread.simd_width))
        lanes = [lane for lane in lanes if thread.active_lanes >> lane & 1]
        (found,) = [each for each in api.variables(thread, lanes) if each.variable.name == name]
        shown = [int.from_bytes(data, "little") for data in found.values.data]
        ids = thread.global_ids()
        assert shown == [expected(*ids[lane][:2], lane) for lane in lanes]
        assert not any(found.values.doubts)
