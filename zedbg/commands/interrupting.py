"""Commands that wait for a stop, or make one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands.breakpoints import work_coordinates
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Nothing, Row
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.session_state import SessionState
from zedbg.xe.coordinates import ThreadPattern, parse_threads


@builtin.command(
    "wait",
    Category.RUNNING,
    "Wait until something stops, or the program ends",
    arguments=(Argument("seconds", Kind.NUMBER, "the longest time to wait", optional=True),),
    requires=Requirement.PROCESS,
    description="In non-stop mode a stop that was reported, but not waited for, counts, too. "
    "Ctrl-C stops all threads.",
    example="wait 10",
)
def wait_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is not None and not text.isdecimal():
        raise UsageError(f'"{text}" is not a number of seconds.')
    seconds = None if text is None else int(text)
    if context.session.wait(seconds) is None and seconds is not None:
        return [Nothing(f"Nothing stopped within {seconds} s.")]
    return []


@builtin.command(
    "interrupt",
    Category.RUNNING,
    "Stop the threads that run on the devices",
    arguments=(
        Argument(
            "threads",
            Kind.THREAD,
            "in non-stop mode: a thread list as in 1.1-8, or workgroup X,Y,Z, or -a for all",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.PROCESS,
    description="Ctrl-C does the same while the program runs. In non-stop mode interrupt stops "
    "the focused thread, or all threads when none is focused. What a thread executes is known only "
    "while it is stopped. So for a list or a work-group all threads stop for a moment.",
    example="interrupt workgroup 2,0,0",
    python="session.interrupt()",
)
def interrupt_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    session, wanted = context.session, invocation.optional(0)
    if session.non_stop:
        return _interrupt_some(context, wanted)
    if wanted not in (None, "-a"):
        session.require_non_stop()
    if session.state is SessionState.STOPPED and session.focus is not None:
        raise CommandError("The program is stopped already.")
    session.interrupt()
    session.continue_()
    return []


def _interrupt_some(context: CommandContext, wanted: str | None) -> Sequence[Row]:
    session = context.session
    if wanted is None and session.selected is not None:
        wanted = session.selected.thread.id
    if wanted is None or wanted == "-a":
        stop, what = session.interrupt_threads(), "Nothing"
    elif (group := re.fullmatch(r"workgroup\s+(.+)", wanted)) is not None:
        ids = work_coordinates(group[1], "workgroup")
        stop = session.interrupt_threads(lambda thread: thread.workgroup == ids)
        what = f"No thread of work-group {ids[0]},{ids[1]},{ids[2]}"
    else:
        stop, what = _interrupt_listed(context, parse_threads(wanted)), f"No thread of {wanted}"
    if stop is None and not any(each.interrupt_wanted for each in session.running_threads()):
        return [Nothing(f"{what} runs.")]
    return []


def _interrupt_listed(context: CommandContext, patterns: list[ThreadPattern]) -> Stop | None:
    session, first = context.session, patterns[0]
    if len(patterns) == 1 and first.is_single and first.device and first.thread:
        return session.interrupt_thread(first.device.first, first.thread.first)
    selected = session.selected
    place = None if selected is None else (selected.thread.device.number, selected.thread.number)
    return session.interrupt_threads(
        lambda thread: any(
            each.matches(thread.device.number, thread.number, place) for each in patterns
        )
    )
