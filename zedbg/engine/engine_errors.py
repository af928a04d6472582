"""What can go wrong in the engine, each as one line that a user can act on."""

from __future__ import annotations

from zedbg.user_error import UserError


class EngineError(UserError):
    """Base of the engine's errors; the text is one line."""


class NotRunningError(EngineError):
    """There is no program under debug."""

    def __init__(self) -> None:
        super().__init__("The program is not being run.")


class CannotRunError(EngineError):
    """The program is that of a core file."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing runs in a core file: it can only be looked at. Leave it with detach, then use "
            "run or attach."
        )


class AlreadyRunningError(EngineError):
    """A program is under debug already."""


class ProgramRunsError(EngineError):
    """Something that needs stopped threads was asked for while the program runs."""

    def __init__(self, text: str = "The program is running: interrupt it first.") -> None:
        super().__init__(text)


class AllStopError(ProgramRunsError):
    """Something that only non-stop mode allows was asked for in all-stop mode."""

    def __init__(self) -> None:
        super().__init__(
            "Threads go on and stop one by one in non-stop mode only: set non-stop on, before "
            "the program runs."
        )


class TimeTravelError(EngineError):
    """The device cannot go where it was asked to; the text says why."""


class PastError(TimeTravelError):
    """Something was to be changed in the past."""

    def __init__(self) -> None:
        super().__init__("This is the past, which nothing can change. Return with: goto end")


class NoThreadError(EngineError):
    """There is no such thread, or none that is stopped."""


class LaneError(EngineError):
    """A lane that does not exist, or that is not active."""


class AttachError(EngineError):
    """A process cannot be debugged; the text says why and what to do."""


class NothingToDebug(AttachError):
    """The process is gone, or does not use a device of this driver (yet)."""


class LaunchError(EngineError):
    """A program cannot be started."""


class BreakpointError(EngineError):
    """A breakpoint's specification cannot be read, or there is no such breakpoint."""


class ConditionError(BreakpointError):
    """A breakpoint's condition is no expression."""


class UnresponsiveError(EngineError):
    """The device did not answer in time."""
