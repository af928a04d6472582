"""What a command leaves for later commands."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.events.stops import Stop
from zedbg.engine.threads.returning import Returning
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.formats.examine import ExamineFormat
from zedbg.values.threads.context import MemorySpace

_EXAMINING = frozenset("is")


@dataclass(frozen=True)
class Display:
    """An expression that is shown after every stop while it is ``enabled``; ``flags`` are those of
    ``print``, or of ``x`` (a count, ``i`` or ``s``). ``variables``: those of the frame that it was
    made for, by name, file and line; elsewhere it means nothing."""

    number: int
    expression: str
    flags: str
    enabled: bool = True
    variables: frozenset[tuple[str, str, int]] = frozenset()

    @property
    def command(self) -> str:
        """The command that shows it."""
        examines = bool(_EXAMINING & set(self.flags)) or self.flags[:1].isdigit()
        name = "x" if examines else "output"
        return (
            f"{name}/{self.flags} {self.expression}" if self.flags else f"{name} {self.expression}"
        )


@dataclass(frozen=True)
class Examined:
    """Where the last ``x`` ended, and how it showed memory: the next one continues there."""

    format: ExamineFormat
    space: MemorySpace
    address: int


@dataclass(frozen=True)
class Listing:
    """The lines of ``file`` that ``list`` showed last."""

    file: str
    first: int
    last: int


@dataclass(frozen=True)
class UserCommand:
    """A command that the user defined, and what ``document`` says of it."""

    name: str
    lines: tuple[str, ...]
    document: tuple[str, ...] = ()


@dataclass(frozen=True)
class Returned:
    """A function that ``thread`` has returned from, to where it is at ``stop``."""

    thread: HardwareThread
    stop: Stop
    returning: Returning
