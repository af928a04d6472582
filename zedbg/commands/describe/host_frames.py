"""Stacks of the program on the processor as rows."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.describe.host_side import launches_of, require_calls, require_program
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.host_rows import HostFrameRow
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.threads.thread import HardwareThread
from zedbg.host.host_calls import HostCall
from zedbg.host.unwinding import HostStack
from zedbg.sycl.kernel_names import demangled

_MOST_COMPARED = 20  # launches that fit


def launch_rows(context: CommandContext, thread: HardwareThread) -> Iterator[Row]:
    """From where the kernel of ``thread`` was launched. Raises CommandError."""
    program, calls = require_program(context), require_calls(context)
    fitting = launches_of(calls, thread)
    if not fitting:
        name = thread.kernel_name
        raise CommandError(f"No launch of {demangled(name or 'this kernel')} is noted.")
    stacks = [program.stack_of_call(each) for each in fitting[:_MOST_COMPARED]]
    yield call_text(fitting[0])
    yield from frame_rows(stacks[0])
    others = sum(stack.frames != stacks[0].frames for stack in stacks)
    if others:
        yield Text(
            f"{others} earlier launch{'es fit' if others > 1 else ' fits'} too, from elsewhere: "
            "info launches"
        )


def call_text(call: HostCall) -> Text:
    """What a call made, and which thread made it."""
    name = f" of {demangled(call.name)}" if call.name else ""
    if call.kind.is_allocation:
        what = f"{call.kind.word} USM allocation {call.number}, {call.size} bytes"
    else:
        what = f"{call.kind.word} {call.number}{name}"
    groups = "" if call.groups is None else f", {'x'.join(map(str, call.groups))} work-groups"
    return Text(f"{what[0].upper()}{what[1:]}{groups}, by host thread {call.thread}:")


def frame_rows(stack: HostStack) -> Iterator[Row]:
    """The frames, and why there are no more."""
    for level, frame in enumerate(stack.frames):
        yield HostFrameRow(
            level=level,
            pc=frame.pc,
            function=frame.function,
            offset=frame.offset,
            file=frame.file,
            line=frame.line,
            library=frame.library,
            inlined=frame.inlined,
        )
    if stack.end is not None:
        yield Text(f"No more frames: {stack.end}.")
