"""Where steps by lines end, through each kernel of tests/kernels/truth: BUILD STEPS KERNEL...

Prints, as JSON, for each kernel two lists: one made by letting the thread run through the code of a
line, one by single instructions. Both have, for each of the first STEPS steps (``step``, ``next``
and ``until`` at random, with and without a lane to stay with), the offset in the kernel at which it
ended, the line and the active lanes; then the number of times that a thread was resumed.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

from tests.support.module_command import module_command
from tests.support.truth.truth_stores import TRUTH_MODULES
from zedbg.engine import Stop
from zedbg.engine.sessions import opening


class Counted:
    """Program debug that counts how often a thread is resumed."""

    def __init__(self, debug):
        self._debug = debug
        self.resumed = 0

    def __getattr__(self, name):
        return getattr(self._debug, name)

    def resume(self, place):
        self.resumed += 1
        self._debug.resume(place)


def walk(session, steps, seed):
    """The places that ``steps`` steps of the focused thread end at."""
    chosen = random.Random(seed)
    thread, found = session.focus.thread, []
    entry = thread.module.code_range_at(thread.pc)[0]
    counted = thread.device.debug = Counted(thread.device.debug)
    for _ in range(steps):
        kind, follows = chosen.choice("snsnu"), chosen.random() < 0.3
        if kind == "u":
            outcome = session.until_line(follow_lane=follows)
        else:
            outcome = session.step_line(over_calls=kind == "n", follow_lane=follows)
        if not isinstance(outcome, Stop) or not thread.is_stopped:
            found.append("ended")
            break
        found.append([thread.pc - entry, thread.location.line, thread.active_lanes])
    thread.device.debug = counted._debug
    return found, counted.resumed


def walks(build, result, names, steps, ranges):
    """What :func:`walk` finds in each kernel; the program writes the file ``result``."""
    program = module_command("truth.truth_host", TRUTH_MODULES / build, result, *names)
    silent = {"output": lambda stream, text: None}
    found = {}
    with opening.launch(program, sim=build.split("-")[1], **silent) as session:
        session.settings.range_stepping = ranges
        for name in sorted(names):
            breakpoint_ = session.break_at(name)
            session.continue_()
            session.breakpoints.delete(breakpoint_)
            found[name] = walk(session, steps, name)
        session.kill()
    return found


def main():
    build, steps, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        result = Path(scratch, "result")
        both = [walks(build, result, names, int(steps), ranges) for ranges in (True, False)]
    print(json.dumps({name: [each[name] for each in both] for name in names}))


if __name__ == "__main__":
    main()
