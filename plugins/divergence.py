"""The ``divergence`` command: where the stopped threads are, and how many lanes work there.

A plugin for zedbg, written as GDB users write theirs; docs/plugins.md explains how.
"""

from __future__ import annotations

from collections import defaultdict

import zedbg
from zedbg.xe.coordinates import format_lanes


class Divergence(zedbg.Command):
    """Show how many lanes are active at each place, over all stopped threads

    Usage: divergence [KERNEL]
    One row for each source line (or instruction, without debug info) that a stopped thread is at:
    its threads, the share of their lanes that are active, and the lanes that are active in all.
    A low share says that a branch sent the work-items of a thread different ways.
    """

    def __init__(self) -> None:
        super().__init__("divergence", zedbg.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> object:
        places = defaultdict(list)
        for thread in self.context.session.stopped_threads():
            if argument and thread.location.kernel != argument:
                continue
            place = (thread.location.kernel, thread.location.file, thread.location.line)
            places[place if thread.location.line else (*place[:1], None, thread.pc)].append(thread)
        if not places:
            raise zedbg.CommandError(
                f"No stopped thread executes {argument}." if argument else "No stopped threads."
            )
        for (kernel, file, line), threads in sorted(places.items(), key=lambda each: -len(each[1])):
            active = sum(thread.active_lanes.bit_count() for thread in threads)
            dispatched = sum(thread.dispatch_lanes.bit_count() for thread in threads)
            common = threads[0].active_lanes
            for thread in threads:
                common &= thread.active_lanes
            yield {
                "kernel": kernel or "??",
                "place": f"{file.rsplit('/', 1)[-1]}:{line}" if file else f"{line:#x}",
                "threads": len(threads),
                "active": f"{100 * active // max(dispatched, 1)}%",
                "lanes": format_lanes(common),
            }
