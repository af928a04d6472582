"""The lines that each lane of a kernel steps back through: FILE KERNEL BUILD ITEMS ARGUMENTS...

Prints one list for each lane, of the lines of the reverse steps that end with the lane active,
earliest first, as JSON; then whether stepping on gives the same places and comes to the present.
"""

import json
import sys

from tests.support.packed_modules import ZEBINS
from zedbg.engine import StopReason
from zedbg.engine.sessions import opening


def main():
    name, kernel, build, count, *arguments = sys.argv[1:]
    module = ZEBINS / build / f"{name}.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:{kernel}"]
    program += ["--global", count, "--local", count, *arguments]
    device = build.split("-")[1]
    with opening.launch(program, sim=device, output=lambda stream, text: None) as session:
        session.break_at(kernel)
        thread = session.continue_().focus.thread
        steps = 0
        while thread.is_stopped:
            session.step_line()
            steps += 1
        session.kill()
    with opening.launch(program, sim=device, output=lambda stream, text: None) as session:
        session.break_at(kernel)
        thread = session.continue_().focus.thread
        first = thread.pc
        for _ in range(steps - 1):
            session.step_line()
        for each in session.breakpoints:
            session.breakpoints.delete(each)
        present = thread.pc, session.time.moment()
        found = [[] for _ in range(int(count))]
        places = []
        while True:
            for lane in range(int(count)):
                if thread.active_lanes >> lane & 1:
                    found[lane].append(thread.location.line)
            if thread.pc == first:
                break
            places.append((thread.pc, session.time.moment()))
            assert session.time.step_line().reason is StopReason.STEP, found
        forward = []
        while session.step_line().reason is StopReason.STEP:
            forward.append((thread.pc, session.time.moment()))
        back_again = (thread.pc, session.time.moment()) == present and not session.time.is_in_past
        session.kill()
    found = [lines[::-1] for lines in found]
    print(json.dumps([found, forward == places[:0:-1], back_again]))


if __name__ == "__main__":
    main()
