"""Commands that let the focused thread run on to a place: finish, until, advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.describe import places
from zedbg.commands.framework.command_errors import CommandError
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
from zedbg.commands.framework.evaluation import format_options, remember
from zedbg.commands.framework.python_calls import focused_thread
from zedbg.commands.framework.remembered import Returned
from zedbg.commands.framework.scopes import selected_scope
from zedbg.commands.rows.row import Row, to_json
from zedbg.commands.rows.value_rows import LaneValueRow, ReturnedRow
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.modules.place_specs import parse_spec
from zedbg.engine.stepping.frame_return import dropped_call, returned_registers
from zedbg.engine.threads.frames import backtrace
from zedbg.engine.threads.returning import Returning, returning
from zedbg.missing import Missing
from zedbg.values.formats.formatting import format_value, type_name
from zedbg.xe.coordinates import lanes_of

_ALONE = "The focused thread runs, all others stay stopped."


def _finish_in_python(context: CommandContext, invocation: Invocation) -> str:
    # The API finishes the innermost frame.
    return "" if context.frame_level else f"{focused_thread(context)}.finish().returned"


@builtin.command(
    "finish",
    Category.RUNNING,
    "Run until the selected frame returns, and show what it returned",
    aliases=("fin",),
    flags="l",
    requires=Requirement.STOPPED_THREAD,
    example="finish/l",
    description="/l shows what it returned in every lane that called it. " + _ALONE,
    python=_finish_in_python,
)
def finish_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    if context.goes_back:
        context.execute("reverse-finish")
        return []
    frame = context.frame
    if len(backtrace(context.thread).frames) > context.frame_level + 1:
        row = places.frame_row(context, context.thread, frame.location, frame.level)
        context.show_message(f"Run till exit from {context.show([row])[0]}")
    function = returning(context.thread, frame)
    outcome = context.session.finish(frame.level)
    if not isinstance(outcome, Stop) or outcome.reason is not StopReason.STEP or function is None:
        return []
    context.returned = Returned(context.thread, outcome, function)
    return _returned(context, function, "l" in invocation.flags)


@builtin.command(
    "return-value",
    Category.DATA,
    "Show the value that the last finished function returned",
    flags="l",
    requires=Requirement.STOPPED_THREAD,
    example="return-value/l",
    description="/l shows it in every lane that called. The thread must still be where finish left "
    "it: what runs next overwrites the value.",
)
def return_value_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    last = context.returned
    if last is None or last.thread is not context.thread or last.stop is not context.session.stop:
        raise CommandError(
            "The focused thread has not just returned from a function. Use finish first."
        )
    if last.returning.function.type is None:
        raise CommandError(f"{last.returning.function.name} returns no value.")
    return _returned(context, last.returning, "l" in invocation.flags)


@builtin.command(
    "return",
    Category.RUNNING,
    "Let the selected frame return at once, without executing the rest of its function",
    arguments=(
        Argument(
            "expression", Kind.EXPRESSION, "what it returns, in each lane", optional=True, rest=True
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="return 0",
    description="The active lanes return, each with its own value of the expression; without one, "
    "what they return is undefined. Lanes that are elsewhere in the function go on there, and the "
    "others wait for them at the call; from outer frames all return together. A kernel or an "
    "inlined function cannot return so. A subroutine, whose call does not use the stack, can "
    "return a number, or a vector of equal parts, if the code shows which registers it returns it "
    "in.",
    repeats=Repeat.NO,
)
def return_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    thread, level = context.thread, context.frame_level
    thread.device.require_present()
    call = dropped_call(thread, level)
    scope = selected_scope(context.session, level)
    registers = returned_registers(thread, scope, call, invocation.optional(0) or "")
    context.require_confirmation(f"Make {call.function.name} return now?")
    context.session.return_from(call, registers)
    return []


def _returned(context: CommandContext, function: Returning, per_lane: bool) -> Sequence[Row]:
    thread = context.thread
    lanes = lanes_of(thread.active_lanes) if per_lane else [context.focus.lane]
    values = function.values(thread, lanes)
    if values is None:
        return []
    if per_lane and function.is_known:
        ids = thread.global_ids()
        return [
            LaneValueRow(
                lane,
                ids if isinstance(ids, Missing) else ids[lane],
                to_json(value) if isinstance(value, Missing) else value.plain(),
                format_value(value, replace(format_options(context), lane=lane)),
            )
            for lane, value in values
        ]
    kind, value = type_name(values.type), values.first
    if isinstance(value, Missing):
        return [ReturnedRow(kind, to_json(value), str(value), None)]
    text = format_value(value, format_options(context))
    return [ReturnedRow(kind, value.plain(), text, remember(context, value))]


@builtin.command(
    "until",
    Category.RUNNING,
    "Step to the next source line, but not back to the start of a loop; or run to a place",
    aliases=("u",),
    arguments=(
        Argument(
            "location",
            Kind.LOCATION,
            "location as for break: run to it, or until the frame returns",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="until 17",
    description=_ALONE,
    background=True,
)
def until_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    place = invocation.optional(0)
    if place is None:
        follow_lane = context.settings.is_on("follow-lane")
        if context.goes_back:
            context.session.time.step_line(1, over_calls=True, follow_lane=follow_lane)
            return []
        context.move(invocation, lambda: context.session.until_line(follow_lane=follow_lane))
    else:
        _run_to(context, invocation, place, within_frame=True)
    return []


@builtin.command(
    "advance",
    Category.RUNNING,
    "Run to a place",
    arguments=(Argument("location", Kind.LOCATION, "location as for break", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="advance blur.cl:17",
    description=_ALONE,
    background=True,
    python="{thread}.advance({texts})",
)
def advance_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _run_to(context, invocation, invocation.text(0), within_frame=False)
    return []


@builtin.command(
    "jump",
    Category.RUNNING,
    "Continue at another place: the focused thread goes on there",
    aliases=("j",),
    arguments=(Argument("location", Kind.LOCATION, "location as for break", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="jump blur.cl:17",
    description="Only its instruction pointer changes, for all of its lanes: registers and stack "
    "stay as they are. Other threads go on where they are.",
    repeats=Repeat.NO,
    background=True,
)
def jump_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = places.named_place(context, invocation.text(0))
    thread = context.thread
    found = [] if thread.module is None else thread.module.resolve(parse_spec(text))
    if not found:
        raise CommandError(f"No code at {invocation.text(0)} in the module of the focused thread.")
    target = found[0]
    if target.kernel != thread.location.kernel:
        context.require_confirmation(
            f"{target} is not in the kernel that the thread executes. Jump anyway?"
        )
    context.frame_level = 0
    context.evaluate(f"$pc = {target.pc:#x}")
    context.show_message(f"Continuing at {target}.")
    context.session.continue_(background=invocation.background)
    return []


def _run_to(
    context: CommandContext, invocation: Invocation, place: str, *, within_frame: bool
) -> None:
    target = places.named_place(context, place)
    if context.goes_back:
        context.session.time.back_to(target)
        return
    context.move(invocation, lambda: context.session.advance_to(target, within_frame))
