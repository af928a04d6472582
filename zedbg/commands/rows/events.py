"""What happens while commands run, as rows: stops, exits, modules that come and go.

The machine's view of each is one JSON object with an ``"event"`` key; its shape is fixed, scripts
rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from zedbg.commands.rows.row import JsonValue, Row

if TYPE_CHECKING:  # a session without a stop needs none of them
    from zedbg.commands.rows.exception_rows import ExceptionRow
    from zedbg.commands.rows.pane_rows import LayoutRow
    from zedbg.commands.rows.session_rows import FrameRow, SourceRow
    from zedbg.commands.rows.stopped_threads import StoppedThreadRows
    from zedbg.commands.rows.value_rows import DisplayRow
    from zedbg.missing import Missing


#: Of all that scripts see, rows too (docs/machine-view.md). It grows when something that they rely
#: on goes or changes; what is only added does not count.
VERSION = 1


class Event(Row):
    """Something that happened; subclasses are frozen dataclasses and name their kind."""

    event: ClassVar[str]

    def to_json(self) -> dict[str, JsonValue]:
        return {"event": self.event, **super().to_json()}


@dataclass(frozen=True)
class ChangeRow(Row):
    """What a watched value was in a lane, and what it is now."""

    lane: int
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class StopGroupRow(Row):
    """The threads of a stop that are at one place for one reason."""

    reason: str
    breakpoint: int | None
    kernel: str | None
    file: str | None
    line: int | None
    pc: int
    threads: StoppedThreadRows
    detail: str | None = None
    changes: tuple[ChangeRow, ...] = ()
    """What a watchpoint saw."""
    expression: str | None = field(default=None, metadata={"json": False})
    watchpoint: str | None = field(default=None, metadata={"json": False})


@dataclass(frozen=True, kw_only=True)
class StopEvent(Event):
    """A stop: its first group (that of the focused thread), and the others, if there are any.

    ``threads`` are none when none took part (a step to a thread's end): ``detail`` says why.
    """

    event: ClassVar[str] = "stop"
    reason: str
    breakpoint: int | None
    kernel: str | None
    file: str | None
    line: int | None
    pc: int | Missing
    threads: StoppedThreadRows | tuple[()]
    detail: str | None = None
    others: tuple[StopGroupRow, ...] = ()
    function: str | None = None
    changes: tuple[ChangeRow, ...] = ()
    """What a watchpoint saw."""
    expression: str | None = field(default=None, metadata={"json": False})
    watchpoint: str | None = field(default=None, metadata={"json": False})
    """The type of the watchpoint, as rows of breakpoints have it."""
    exception: ExceptionRow | None = None
    frame: FrameRow | None = field(default=None, metadata={"json": False})
    source: SourceRow | None = field(default=None, metadata={"json": False})
    around: tuple[SourceRow, ...] = field(default=(), metadata={"json": False})
    """The lines around the current one, which is among them; none where that is enough."""
    moved: bool = field(default=False, metadata={"json": False})
    """Whether the function differs from that of the stop before."""
    inside_line: bool = field(default=False, metadata={"json": False})
    """Whether a step ended where no statement of the line begins."""
    silent: bool = field(default=False, metadata={"json": False})
    """Whether people do not see it: the breakpoint's own commands report it."""


@dataclass(frozen=True)
class DisplayEvent(Event):
    """What a display shows after a stop."""

    event: ClassVar[str] = "display"
    row: DisplayRow

    def to_json(self) -> dict[str, JsonValue]:
        return {"event": self.event, **self.row.to_json()}


@dataclass(frozen=True)
class LayoutEvent(Event):
    """What the panes that the user chose show after a stop."""

    event: ClassVar[str] = "layout"
    row: LayoutRow

    def to_json(self) -> dict[str, JsonValue]:
        return {"event": self.event, **self.row.to_json()}


@dataclass(frozen=True)
class LogEvent(Event):
    """What a breakpoint with a ``log`` says of lanes that hit it; ``global_id`` is that of the
    work-item when it is one lane's alone."""

    event: ClassVar[str] = "log"
    breakpoint: int
    thread: str
    lanes: tuple[int, ...]
    global_id: tuple[int, int, int] | Missing | None
    text: str


@dataclass(frozen=True)
class ExitEvent(Event):
    """The process ended: with an exit status, by a signal, or (attached) in an unknown way."""

    event: ClassVar[str] = "exit"
    code: int | Missing
    signal: str | None = None


@dataclass(frozen=True)
class ModuleEvent(Event):
    """A module was loaded or unloaded."""

    event: ClassVar[str] = "module"
    action: str
    module: int
    load: int
    kernels: tuple[str, ...]
    debug_info: bool


@dataclass(frozen=True)
class ProcessEvent(Event):
    """A process came under debug, or was left; ``action`` is ``core`` where it is that of a core
    file."""

    event: ClassVar[str] = "process"
    action: str
    pid: int
    devices: tuple[str, ...] = ()


@dataclass(frozen=True)
class BreakpointEvent(Event):
    """A breakpoint found its place, moved, or was deleted after its one hit."""

    event: ClassVar[str] = "breakpoint"
    action: str
    breakpoint: int
    file: str | None = None
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class OutputEvent(Event):
    """The program wrote something; ``stream`` is ``stdout`` or ``stderr``, ``text`` a line with its
    end, or what was written without one. Only where the front end captures output."""

    event: ClassVar[str] = "output"
    stream: str
    text: str


@dataclass(frozen=True)
class MessageEvent(Event):
    """A line for the user that no other event covers: which driver was taken, a warning."""

    event: ClassVar[str] = "message"
    text: str
    warning: bool = False


@dataclass(frozen=True)
class HelloEvent(Event):
    """The first that a client of a served session gets: the ``version`` of what follows, and which
    ``client`` it is."""

    event: ClassVar[str] = "hello"
    version: int
    client: int


@dataclass(frozen=True)
class CommandEvent(Event):
    """Another client of a served session runs a command."""

    event: ClassVar[str] = "command"
    client: int
    line: str
