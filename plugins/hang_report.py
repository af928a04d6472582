"""The ``hang-report`` command: where the threads of a stuck program are, and who waits for whom.

A plugin for zedbg (docs/plugins.md).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import zedbg
from zedbg.engine.threads.thread import HardwareThread

_MOST_GROUPS = 10


class HangReport(zedbg.Command):
    """Say where all threads are, which wait at barriers, and which their groups wait for

    Usage: hang-report
    The program has to be stopped: interrupt it first. A work-group is stuck where some of its
    threads wait at a barrier and the others are elsewhere, have ended, or wait at another one.
    """

    def __init__(self) -> None:
        super().__init__("hang-report", zedbg.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> Iterator[object]:
        threads = self.context.session.stopped_threads()
        if not threads:
            raise zedbg.CommandError("No thread of a device is there: nothing hangs on a GPU.")
        places = Counter((_place(each), _waits(each)) for each in threads)
        for (place, waits), count in places.most_common():
            yield {"threads": count, "at": place, "": "waits at a barrier" if waits else ""}
        groups = defaultdict(list)
        for thread in threads:
            groups[thread.device.number, thread.kernel_name, thread.workgroup].append(thread)
        stuck = [text for _, each in sorted(groups.items(), key=str) if (text := _stuck(each))]
        yield from stuck[:_MOST_GROUPS]
        if len(stuck) > _MOST_GROUPS:
            yield f"... and {len(stuck) - _MOST_GROUPS} more work-groups"
        if not stuck:
            running = places.most_common(1)[0][0][0]
            yield f"No work-group waits for threads of its own; most threads are at {running}:"
            yield "step a few times (next, until) to see whether a loop goes on for ever."


def _place(thread: HardwareThread) -> str:
    where = thread.location
    if where.line and where.file:
        return f"{where.function} {where.file.rsplit('/', 1)[-1]}:{where.line}"
    return f"{where.function or where.kernel or '??'} {where.pc:#x}"


def _waits(thread: HardwareThread) -> bool:
    """Whether what it executes next goes on only with the others of its group."""
    instruction = thread.device.code.instruction(thread.pc)
    return instruction is not None and instruction.waits_for_barrier


def _stuck(threads: list[HardwareThread]) -> str:
    """What a work-group waits for; "" when it waits for nothing."""
    at_barrier = [each for each in threads if _waits(each)]
    elsewhere = [each for each in threads if not _waits(each)]
    expected = max(each.header.threads_in_group for each in threads)
    ended = expected - len(threads)
    barriers = {_place(each) for each in at_barrier}
    if not at_barrier or (not elsewhere and not ended and len(barriers) == 1):
        return ""
    name = "({},{},{})".format(*threads[0].workgroup)
    text = f"Work-group {name}: {len(at_barrier)} of {expected} threads wait at "
    text += " and ".join(sorted(barriers))
    others = [f"{each.id} at {_place(each)}" for each in elsewhere[:3]]
    if len(elsewhere) > 3:
        others.append(f"{len(elsewhere) - 3} more")
    if ended > 0:
        others.append(f"{ended} ended, or not there yet")
    return text + (f"; not there: {', '.join(others)}" if others else ", which are not the same")
