"""Commands about time: where the device is, going to another time, checkpoints, other launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.describe.places import short_file
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Nothing, Row
from zedbg.commands.rows.time_rows import CheckpointRow, RecordedLaunchRow, RecordingRow, TimeRow
from zedbg.engine.sessions.time_travel import Checkpoint
from zedbg.levelzero.device_time import Recording, RecordingState

_STATES = {
    RecordingState.OFF: "off",
    RecordingState.RECORDS: "records",
    RecordingState.IN_PAST: "past",
    RecordingState.FINISHED: "finished",
    RecordingState.GAVE_UP: "gave-up",
    RecordingState.UNRECORDABLE: "unrecordable",
}
_FIRST = ("start", "begin")
_PRESENT = ("end", "present")


@builtin.command(
    "when",
    Category.STATUS,
    "Show the time that the device shows, and which times are recorded",
    requires=Requirement.PROCESS,
    description="A time is the number of instructions that all threads have executed since the "
    "launch began.",
)
def when_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [_time_row(context)]


def _time_row(context: CommandContext) -> TimeRow:
    travel = context.session.time
    device, moment = travel.device(), travel.moment()
    recording = travel.recording(moment.launch)
    return TimeRow(
        device=device.number,
        launch=moment.launch,
        kernel=recording.text,
        time=moment.time,
        first=recording.first,
        end=recording.end,
        in_past=travel.is_in_past,
    )


@builtin.command(
    "goto",
    Category.RUNNING,
    "Go to a time: of the launch that the device shows, or of another one",
    aliases=("record goto",),
    arguments=(
        Argument(
            "time",
            Kind.EXPRESSION,
            "a time as when shows it, start, or end (the present)",
            rest=True,
        ),
    ),
    requires=Requirement.PROCESS,
    example="goto 4711",
    description="In the past, registers and memory are those of that time, and cannot be changed. "
    "Commands that run go on through the recorded launch, and come back to the present at its end.",
    repeats=Repeat.NO,
)
def goto_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    wanted = invocation.text(0).strip()
    travel = context.session.time
    if wanted in _FIRST:
        travel.go_to_first()
    elif wanted in _PRESENT:
        travel.go_to_present()
    else:
        travel.go_to(_number(context, wanted))
    return []


def _number(context: CommandContext, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        pass
    if context.session.focus is None:
        raise UsageError(f'"{text}" is no time: give a number, start or end.')
    value = context.evaluate(text).plain()
    if not isinstance(value, int):
        raise UsageError(f'"{text}" is no time: give a number, start or end.')
    return value


@builtin.command(
    "visit",
    Category.RUNNING,
    "Go to the beginning of another launch, also of one that has ended",
    arguments=(Argument("launch", Kind.NUMBER, "a number of info recordings"),),
    requires=Requirement.PROCESS,
    example="visit 1",
    description="goto end returns to the present.",
    repeats=Repeat.NO,
)
def visit_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.session.time.go_to_first(_whole(invocation, "launch"))
    return []


def _whole(invocation: Invocation, what: str) -> int:
    text = invocation.text(0)
    if not text.isdecimal() or not int(text):
        raise UsageError(f'"{text}" is not the number of a {what}.')
    return int(text)


@builtin.command(
    "info recordings",
    Category.STATUS,
    "List the launches that can be visited",
    requires=Requirement.PROCESS,
)
def info_recordings_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    travel = context.session.time
    recordings = travel.recordings()
    shown = travel.moment().launch if recordings else 0
    rows: list[Row] = [
        RecordedLaunchRow(
            launch=each.launch,
            kernel=each.text,
            state=_STATES[each.state],
            first=each.first,
            end=each.end,
            shown=each.launch == shown,
        )
        for each in recordings
    ]
    return rows or [Nothing("No launches are recorded.")]


@builtin.command(
    "info record",
    Category.STATUS,
    "Show what is recorded, and the memory that it takes",
    aliases=("info rec",),
    requires=Requirement.PROCESS,
)
def info_record_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    travel = context.session.time
    return [_recording_row(travel.device().number, travel.recording())]


def _recording_row(device: int, each: Recording) -> RecordingRow:
    return RecordingRow(
        device=device,
        state=_STATES[each.state],
        launch=each.launch,
        kernel=each.text,
        first=each.first,
        end=each.end,
        keyframes=each.keyframes,
        launches=each.launches,
        oldest=each.oldest,
        bytes=each.bytes,
        budget=each.budget,
        host_writes=each.host_writes,
    )


@builtin.command(
    "checkpoint",
    Category.RUNNING,
    "Remember this time, to come back to it with restart",
    requires=Requirement.PROCESS,
    repeats=Repeat.NO,
)
def checkpoint_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [_checkpoint_row(context.session.time.add_checkpoint(), made=True)]


def _checkpoint_row(each: Checkpoint, *, made: bool = False) -> CheckpointRow:
    where = each.location
    return CheckpointRow(
        number=each.number,
        device=each.device.number,
        launch=each.moment.launch,
        time=each.moment.time,
        place="" if where is None else str(replace(where, file=short_file(where.file))),
        made=made,
    )


@builtin.command(
    "restart",
    Category.RUNNING,
    "Go to the time of a checkpoint",
    arguments=(Argument("checkpoint", Kind.NUMBER, "a number of info checkpoints"),),
    requires=Requirement.PROCESS,
    example="restart 1",
    repeats=Repeat.NO,
)
def restart_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.session.time.restart(_whole(invocation, "checkpoint"))
    return []


@builtin.command(
    "info checkpoints",
    Category.STATUS,
    "List the checkpoints",
    requires=Requirement.PROCESS,
)
def info_checkpoints_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows = [_checkpoint_row(each) for each in context.session.time.checkpoints]
    return rows or [Nothing("No checkpoints.")]


@builtin.command(
    "delete checkpoint",
    Category.RUNNING,
    "Forget a checkpoint",
    arguments=(Argument("checkpoint", Kind.NUMBER, "a number of info checkpoints"),),
    requires=Requirement.PROCESS,
    repeats=Repeat.NO,
)
def delete_checkpoint_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.session.time.delete_checkpoint(_whole(invocation, "checkpoint"))
    return []


@builtin.command(
    "first",
    Category.RUNNING,
    "Go to the first moment at which a condition holds in the focused thread",
    arguments=(
        Argument("condition", Kind.EXPRESSION, "a condition, as that of a breakpoint", rest=True),
    ),
    flags="bda",
    requires=Requirement.STOPPED_THREAD,
    example="first isnan(sum)",
    description="It looks at the beginning of each statement that the thread has executed, and in "
    "the one before which the condition holds, at each instruction. The whole recorded launch is "
    "searched. /b bisects: for a condition that goes on to hold once it does. /d takes any "
    "expression: the first moment at which two active lanes, which are work-items, have different "
    "values of it. /da: two work-items of any threads, when they come to the same statement.",
    repeats=Repeat.NO,
)
def first_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    condition = invocation.text(0)
    bisect, differs, every = (
        "b" in invocation.flags,
        "d" in invocation.flags,
        "a" in invocation.flags,
    )
    travel = context.session.time
    if every:
        if bisect or not differs:
            raise CommandError("/a is for different values alone. Use: first/da EXPRESSION")
        if travel.go_to_first_disagreement(condition) is None:
            raise CommandError(f"{condition} has one value in all work-items, at each statement.")
    elif travel.go_to_first_where(condition, bisect=bisect, differs=differs) is None:
        what = "has one value in all lanes, at each time" if differs else "holds at no time"
        raise CommandError(f"{condition} {what} of the thread that is recorded.")
    return []
