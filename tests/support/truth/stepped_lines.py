"""The lines that each lane of a kernel steps through: FILE KERNEL BUILD ITEMS ARGUMENTS...

Prints one list for each lane, of the lines of the steps that end with the lane active, as JSON.
"""

import json
import sys

from tests.support.packed_modules import ZEBINS
from zedbg.engine.sessions import opening


def main():
    name, kernel, build, count, *arguments = sys.argv[1:]
    module = ZEBINS / build / f"{name}.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:{kernel}"]
    sizes = ["--global", count, "--local", count]
    found = [[] for _ in range(int(count))]
    silent = {"output": lambda stream, text: None}
    device = build.split("-")[1]
    with opening.launch([*program, *sizes, *arguments], sim=device, **silent) as session:
        session.break_at(kernel)
        thread = session.continue_().focus.thread
        while thread.is_stopped:
            for lane in range(int(count)):
                if thread.active_lanes >> lane & 1:
                    found[lane].append(thread.location.line)
            session.step_line()
        session.kill()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
