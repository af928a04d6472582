"""Continue, steps, pause."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.engine.events.stops import Outcome, Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.frames import call_depth
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import (
    ContinueArguments,
    StepArguments,
    StepInArguments,
    ThreadArguments,
)
from zedbg.frontends.dap.protocol.bodies import ContinueBody
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.code_targets import CallTarget
from zedbg.frontends.dap.session.registry import Answer, Needs, Then, request
from zedbg.frontends.dap.session.thread_numbers import PROGRAM, REST

_INSTRUCTION = "instruction"


@request("continue", supports_single_thread_execution_requests=True)
def continue_(adapter: Adapter, arguments: ContinueArguments) -> Answer:
    """Lets everything run, or with ``singleThread`` one thread alone."""
    session = adapter.session
    alone = arguments.single_thread and arguments.thread_id not in (PROGRAM, REST)
    if not alone:
        return Then(
            ContinueBody(all_threads_continued=True), lambda: adapter.move(_continue(adapter))
        )
    adapter.select(adapter.thread(arguments.thread_id))
    return Then(
        ContinueBody(all_threads_continued=False),
        lambda: adapter.move(lambda: _alone(session, session.continue_)),
    )


def _alone(session: Session, move: Callable[[], object]) -> None:
    """Does ``move`` for the focused thread only."""
    before = session.settings.scheduler_locking
    session.settings.scheduler_locking = SchedulerLocking.ON
    try:
        move()
    finally:
        session.settings.scheduler_locking = before


def _continue(adapter: Adapter) -> Callable[[], object]:
    """What lets everything run. While values are watched that is slow, and the client shows it."""
    session = adapter.session
    watches = any(
        each.watch is not None and each.enabled and not each.watch.by_driver
        for each in session.breakpoints
    )
    title = "stepping the threads of data breakpoints" if watches else "continue"
    return _reported(adapter, title, session.continue_, at_once=watches)


def _reported(
    adapter: Adapter, title: str, action: Callable[[], object], *, at_once: bool = False
) -> Callable[[], object]:
    """``action``, of which the client shows that it takes long."""

    def reported() -> None:
        with adapter.progress(title, at_once=at_once):
            action()

    return reported


def _step(
    adapter: Adapter,
    number: int,
    action: Callable[[HardwareThread], object],
    title: str = "step",
) -> Answer:
    thread = adapter.thread(number)
    adapter.select(thread)
    move = _reported(adapter, title, lambda: action(thread))
    return Then(None, lambda: adapter.move(move))


def _follows_lane(adapter: Adapter) -> bool:
    return adapter.console.context.settings.is_on("follow-lane")


@request("next", supports_stepping_granularity=True)
def next_(adapter: Adapter, arguments: StepArguments) -> Answer:
    """The thread goes on to another line, or by one instruction, over calls."""
    session = adapter.session
    if arguments.granularity == _INSTRUCTION:
        return _step(
            adapter, arguments.thread_id, lambda _: session.step_instruction(over_calls=True)
        )
    follow = _follows_lane(adapter)
    return _step(
        adapter,
        arguments.thread_id,
        lambda _: session.step_line(over_calls=True, follow_lane=follow),
    )


@request("stepIn")
def step_in(adapter: Adapter, arguments: StepInArguments) -> Answer:
    """The same, into calls; with a target, to where that call goes."""
    session = adapter.session
    if arguments.target_id is not None:
        target = adapter.references.get(arguments.target_id, CallTarget)
        return _step(adapter, arguments.thread_id, lambda thread: _into(session, thread, target))
    if arguments.granularity == _INSTRUCTION:
        return _step(adapter, arguments.thread_id, lambda _: session.step_instruction())
    follow = _follows_lane(adapter)
    return _step(adapter, arguments.thread_id, lambda _: session.step_line(follow_lane=follow))


def _into(session: Session, thread: HardwareThread, target: CallTarget) -> None:
    """Steps to ``target`` as the current line calls it: the same function may be called inside of
    another call of the line, which is let go by. Ends where the line ends, too."""
    depth, line = call_depth(thread), thread.location.line
    place = f"*{target.address:#x}"
    while _has_stepped(session.advance_to(place, within_frame=True)) and depth is not None:
        now = call_depth(thread)
        if now is None or now < depth:
            return
        if thread.pc == target.address and now <= depth + 1:
            return
        if now > depth and not _has_stepped(session.finish()):
            return
        if call_depth(thread) == depth and thread.location.line != line:
            return


def _has_stepped(outcome: Outcome) -> bool:
    """Whether a step went as it should, and was not ended by something else."""
    return isinstance(outcome, Stop) and outcome.reason is StopReason.STEP


@request("stepOut")
def step_out(adapter: Adapter, arguments: StepArguments) -> Answer:
    """The thread runs until its function returns. A kernel returns to nothing: all goes on."""
    session = adapter.session
    thread = adapter.thread(arguments.thread_id)
    frames = thread.backtrace(2).frames
    if len(frames) < 2:
        return Then(None, lambda: adapter.move(_continue(adapter)))
    return _step(adapter, arguments.thread_id, lambda _: session.finish())


@request("stepBack")
def step_back(adapter: Adapter, arguments: StepArguments) -> Answer:
    """The thread goes back to the beginning of a line, or by one instruction, over calls."""
    travel = adapter.session.time
    if arguments.granularity == _INSTRUCTION:
        return _step(
            adapter,
            arguments.thread_id,
            lambda _: travel.step_instruction(over_calls=True),
            "step back",
        )
    follow = _follows_lane(adapter)
    return _step(
        adapter,
        arguments.thread_id,
        lambda _: travel.step_line(over_calls=True, follow_lane=follow),
        "step back",
    )


@request("reverseContinue")
def reverse_continue(adapter: Adapter, arguments: ContinueArguments) -> Answer:
    """Back to the last breakpoint that a thread came to, or that one thread did."""
    travel = adapter.session.time
    if not arguments.single_thread or arguments.thread_id in (PROGRAM, REST):
        move = _reported(adapter, "reverse-continue", travel.continue_)
        return Then(None, lambda: adapter.move(move))
    adapter.select(adapter.thread(arguments.thread_id))
    move = _reported(adapter, "reverse-continue", lambda: _alone(adapter.session, travel.continue_))
    return Then(None, lambda: adapter.move(move))


@request("pause", Needs.SESSION)
def pause(adapter: Adapter, arguments: ThreadArguments) -> Answer:
    """Stops everything; a program that is stopped stays so."""
    if adapter.runner.is_busy:
        return Then(None, adapter.session.interrupt)
    return Then(None, lambda: adapter.move_ended(None))
