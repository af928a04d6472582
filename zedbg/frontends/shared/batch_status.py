"""What the exit status of ``zedbg --batch`` depends on."""

from __future__ import annotations

from zedbg.commands.framework.batch_status import BatchStatus
from zedbg.commands.framework.context import CommandContext
from zedbg.engine.ground.notifier import Notification
from zedbg.engine.ground.stop_reason import StopReason

_FAULTS = (
    StopReason.PAGE_FAULT,
    StopReason.ILLEGAL_INSTRUCTION,
    StopReason.SOFTWARE_EXCEPTION,
)
_SIGNALLED = 128


class BatchRecord:
    """What happens in a batch, as far as its exit status depends on it."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        self.faulted = False
        self.never_hit = False
        self.program: int | None = None  # its exit status, as shells have it
        context.hooks.listeners.append(self._note)

    def _note(self, notification: Notification) -> None:
        # What notifies has loaded these; a start without a program goes without them.
        from zedbg.engine.breakpoints.breakpoint_specs import ExceptionSpec, WatchSpec
        from zedbg.engine.events.notifications import ProgramExited, Stopped

        match notification:
            case Stopped(stop):
                self.faulted |= any(group.reason in _FAULTS for group in stop.groups)
            case ProgramExited(exited) if not self._context.is_killing:
                code = exited.code
                signal = exited.signal
                self.program = code if signal is None else _SIGNALLED + signal
                self.never_hit |= any(
                    each.enabled
                    and not each.hits
                    and not isinstance(each.spec, ExceptionSpec | WatchSpec)  # wait for harm
                    for each in self._context.session.breakpoints
                )

    def status(self, *, command_failed: bool) -> BatchStatus:
        """The status of what was noted."""
        if command_failed:
            return BatchStatus.COMMAND_FAILED
        if self.faulted:
            return BatchStatus.FAULTED
        if self.program:
            return BatchStatus.PROGRAM_FAILED
        return BatchStatus.NEVER_HIT if self.never_hit else BatchStatus.SUCCESS
