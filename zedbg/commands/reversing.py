"""Commands that move backwards: reverse-step and its family."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.counting import COUNT, count_of
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Row
from zedbg.engine.threads.frames import backtrace

_ALL_GO_BACK = "The whole device goes back to where the focused thread was."


@builtin.command(
    "reverse-step",
    Category.RUNNING,
    "Step back to the beginning of a source line, entering calls at their ends",
    aliases=("rs",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description=_ALL_GO_BACK,
)
def reverse_step_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _step_line(context, invocation, over_calls=False)
    return []


@builtin.command(
    "reverse-next",
    Category.RUNNING,
    "Step back to the beginning of a source line, but step over calls",
    aliases=("rn",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description=_ALL_GO_BACK,
)
def reverse_next_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _step_line(context, invocation, over_calls=True)
    return []


def _step_line(context: CommandContext, invocation: Invocation, *, over_calls: bool) -> None:
    context.session.settings.steps_into_code_without_lines = context.settings.is_on("step-mode")
    follow_lane = context.settings.is_on("follow-lane")
    context.session.time.step_line(count_of(invocation), over_calls, follow_lane)


@builtin.command(
    "reverse-stepi",
    Category.RUNNING,
    "Step back by one instruction",
    aliases=("rsi",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description=_ALL_GO_BACK,
)
def reverse_stepi_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.session.time.step_instruction(count_of(invocation))
    return []


@builtin.command(
    "reverse-nexti",
    Category.RUNNING,
    "Step back by one instruction, but step over calls",
    aliases=("rni",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description=_ALL_GO_BACK,
)
def reverse_nexti_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.session.time.step_instruction(count_of(invocation), over_calls=True)
    return []


@builtin.command(
    "reverse-finish",
    Category.RUNNING,
    "Go back to the call of the selected frame",
    requires=Requirement.STOPPED_THREAD,
    description=_ALL_GO_BACK,
)
def reverse_finish_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    frame = context.frame
    if len(backtrace(context.thread).frames) > context.frame_level + 1:
        row = places.frame_row(context, context.thread, frame.location, frame.level)
        context.show_message(f"Run back to call of {context.show([row])[0]}")
    context.session.time.finish(frame.level)
    return []


@builtin.command(
    "reverse-continue",
    Category.RUNNING,
    "Go back to the last breakpoint that a thread came to, or to the beginning",
    aliases=("rc",),
    arguments=(
        Argument(
            "count",
            Kind.NUMBER,
            "ignore the breakpoint's next COUNT - 1 hits on the way",
            optional=True,
        ),
    ),
    requires=Requirement.PROCESS,
    description="Threads come to a breakpoint one after the other, so a stop in the past is of one "
    "thread. With set scheduler-locking on, only those of the focused thread count.",
)
def reverse_continue_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    count, stop = count_of(invocation), context.session.stop
    if count > 1:
        if stop is None or stop.breakpoint is None:
            raise CommandError("Not stopped at a breakpoint: a count has no meaning here.")
        stop.breakpoint.ignore_count = count - 1
    context.session.time.continue_()
    return []
