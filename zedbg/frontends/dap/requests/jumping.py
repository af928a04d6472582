"""Steps into one of several calls, and going on elsewhere."""

from __future__ import annotations

from zedbg.dwarf import DebugInfoError
from zedbg.frontends.dap.protocol.arguments import (
    FrameArguments,
    GotoArguments,
    GotoTargetsArguments,
)
from zedbg.frontends.dap.protocol.bodies import GotoTargetsBody, StepInTargetsBody
from zedbg.frontends.dap.protocol.events import StoppedEvent
from zedbg.frontends.dap.protocol.types import GotoTarget, StepInTarget
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.code_targets import JumpTarget, call_targets
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.registry import Answer, Then, request
from zedbg.frontends.dap.session.source_places import addresses_of_line


@request("stepInTargets", supports_step_in_targets_request=True)
def step_in_targets(adapter: Adapter, arguments: FrameArguments) -> Answer:
    """The functions that the line of an innermost frame calls; of others none."""
    frame = adapter.frame(arguments.frame_id)
    listing = adapter.sources.listings.around(frame.thread.device, frame.thread.pc)
    if frame.frame.level or listing is None:
        return StepInTargetsBody(targets=[])
    targets = [
        StepInTarget(id=adapter.references.add(each), label=each.name)
        for each in call_targets(frame.thread, listing)
    ]
    return StepInTargetsBody(targets=targets)


@request("gotoTargets", supports_goto_targets_request=True)
def goto_targets(adapter: Adapter, arguments: GotoTargetsArguments) -> Answer:
    """Where the code of a line begins, in the kernel of the focused thread; RequestError where
    debug information is damaged."""
    thread = adapter.session.require_focus().thread
    try:
        found = addresses_of_line(adapter, arguments.source, arguments.line, thread.device)
    except DebugInfoError as error:
        raise RequestError(error.line) from None
    targets = []
    for location in found:
        if (
            location.kernel != thread.kernel_name
            or thread.device.module_at(location.pc) is not thread.module
        ):
            continue
        number = adapter.references.add(JumpTarget(location.pc))
        label = f"{location.function or location.kernel}: {location.pc:#x}"
        line = (
            location.line
            if location.line is not None and not arguments.source.source_reference
            else arguments.line
        )
        targets.append(
            GotoTarget(
                id=number,
                label=label,
                line=line,
                instruction_pointer_reference=f"{location.pc:#x}",
            )
        )
    return GotoTargetsBody(targets=targets)


@request("goto")
def goto(adapter: Adapter, arguments: GotoArguments) -> Answer:
    """The thread goes on at a target: nothing in between is executed."""
    thread = adapter.thread(arguments.thread_id)
    target = adapter.references.get(arguments.target_id, JumpTarget)
    adapter.select(thread)
    thread.pc = target.address
    adapter.forget_stop()
    body = StoppedEvent(reason="goto", thread_id=arguments.thread_id, all_threads_stopped=True)
    return Then(None, lambda: adapter.send(body))
