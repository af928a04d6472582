"""What the Python API raises, besides the errors of the engine."""

from __future__ import annotations

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


class StopOverError(UserError):
    """A thread of an earlier stop was asked for something, but the program has run since."""

    def __init__(self) -> None:
        super().__init__("This stop is over: the program has run since. Ask the newest stop.")


class ZedbgWarning(UserWarning):
    """What the engine warns of: a breakpoint that is never in place, a condition without value."""
