"""``intel_gdb_zedbg.py DEVICE LINE KERNEL ARGUMENT...``: what zedbg sees of a kernel's threads that
are at a breakpoint, as JSON; the same as intel_gdb_stops.py writes."""

import json
import sys

from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values.expressions.api import variables
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.registers import RegisterKind


def lanes(thread):
    found = {}
    for each in variables(thread, lanes_of(thread.active_lanes)):
        for lane, value in each.values:
            shown = [value.reason] if isinstance(value, Missing) else value.data.hex()
            found.setdefault(lane, {}).setdefault(each.variable.name, shown)
    return found


def main(device, line, *program):
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", *program]
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        session.break_at(line)
        stop = session.continue_(timeout=120)
        found = {}
        for hit in stop:
            thread = hit.thread
            found[".".join(map(str, thread.place.fields))] = {
                "pc": thread.pc,
                "line": thread.location.line,
                "registers": {
                    kind.name: thread.read_registers(kind).hex()
                    for kind in (RegisterKind.GRF, RegisterKind.CE, RegisterKind.SR)
                },
                "lanes": lanes(thread),
            }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
