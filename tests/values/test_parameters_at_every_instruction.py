"""A parameter that the source never assigns to has one value during a call of its function: what is
shown of it without a mark is the same at every instruction, in prologue and epilogue too."""

from __future__ import annotations

import sys

import pytest

import zedbg
from tests.support.packed_modules import MODULES

BUILDS = ["igc1-dg2-O0", "igc2-dg2-O0", "igc2-pvc-O0", "igc2-bmg-O0", "igc1-pvc-O0", "igc2-dg2-O2"]
PARAMETERS = {"calls": "pq", "mid": "pa", "leaf": "ab", "vecf": "as"}  # of calls.cl
MOST_INSTRUCTIONS = 700  # past the first calls of each function but the last


def shown_values(thread, calls):
    """What is shown without a mark: for each call, parameter and lane, the value and the pc.
    ``calls``: the number of each frame's call, the outermost first."""
    for frame, number in zip(reversed(thread.frames), calls, strict=True):
        for name in PARAMETERS.get(frame.function, ""):
            values = frame[name]
            for lane in values.lane_numbers:
                if not isinstance(values[lane], zedbg.Missing) and lane not in values.doubtful:
                    yield (number, frame.function, name, lane), repr(values[lane])


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", BUILDS)
def test_a_parameter_is_shown_the_same_at_every_instruction(build):
    device = build.split("-")[1]
    module = MODULES / "zebin" / build / "calls.zebin"
    program = [
        sys.executable,
        "-m",
        "zedbg.frontends.main",
        "kernel",
        f"{module}:calls",
        "--global",
        "32",
        "--local",
        "16",
    ]
    program += ["i32[32]=iota", "f32[128]=iota"]
    seen: dict[tuple[object, ...], dict[str, int]] = {}
    numbers, names, called = [], [], 0
    with zedbg.launch(program, sim=device, output=lambda stream, text: None) as session:
        session.breakpoints.add("*calls")
        thread = session.next_stop(timeout=60).thread
        for _ in range(MOST_INSTRUCTIONS):
            now = [frame.function for frame in reversed(thread.frames)]
            while names != now[: len(names)]:
                names.pop()
                numbers.pop()
            for name in now[len(names) :]:
                called += 1
                names.append(name)
                numbers.append(called)
            for key, value in shown_values(thread, numbers):
                seen.setdefault(key, {}).setdefault(value, thread.pc)
            stop = thread.step_instruction()
            if not stop.threads or stop.thread.id != thread.id:
                break
            thread = stop.thread
        session.kill()
    wrong = {key: values for key, values in seen.items() if len(values) > 1}
    assert not wrong
    assert {key[1] for key in seen} >= {"calls", "mid", "leaf"}
