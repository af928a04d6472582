"""What the Python API raises, besides the errors of the engine."""

from __future__ import annotations

from zedbg.engine.process.exited import Exited
from zedbg.user_error import UserError


class TimeLimitError(UserError):
    """The time limit of a session was over; its program was killed.

    ``report`` says where every stopped thread was, as ``zedbg stacks`` does: groups of threads with
    the same call stack, then the variables of one lane.
    """

    def __init__(self, seconds: float, report: str) -> None:
        super().__init__(
            f"The program was killed: the time limit of {seconds:g} s was over. The report of the "
            "error says where its threads were."
        )
        self.report = report

    def __str__(self) -> str:
        return f"{self.args[0]}\n{self.report}"


class EndedError(UserError):
    """The program ended where a stop was expected; ``exited`` says how."""

    def __init__(self, exited: Exited) -> None:
        how = "" if exited.code is None else f" with exit code {exited.code}"
        how = how if exited.signal is None else f", killed by signal {exited.signal}"
        super().__init__(f"The program ended{how} and did not stop any more.")
        self.exited = exited


class NotStoppedError(UserError, TimeoutError):
    """Nothing stopped in time; the program still runs."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Nothing stopped within {seconds:g} s: the program still runs.")


class StopOverError(UserError):
    """A thread of an earlier stop was asked for something, but the program has run since."""

    def __init__(self) -> None:
        super().__init__("This stop is over: the program has run since. Ask the newest stop.")


class ZedbgWarning(UserWarning):
    """What the engine warns of: a breakpoint that is never in place, a condition without value."""
