"""The bodies of events; each names its event."""

from __future__ import annotations

from typing import ClassVar

from zedbg.frontends.dap.protocol.capabilities import Capabilities
from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.protocol.types import Breakpoint, Module, Source


class EventBody(Message):
    """Base of the bodies of events."""

    event: ClassVar[str]


class InitializedEvent(EventBody):
    event: ClassVar[str] = "initialized"


class CapabilitiesEvent(EventBody):
    event: ClassVar[str] = "capabilities"
    capabilities: Capabilities


class StoppedEvent(EventBody):
    event: ClassVar[str] = "stopped"
    reason: str
    description: str | None = None
    thread_id: int | None = None
    text: str | None = None
    all_threads_stopped: bool | None = None
    hit_breakpoint_ids: list[int] | None = None


class ContinuedEvent(EventBody):
    event: ClassVar[str] = "continued"
    thread_id: int
    all_threads_continued: bool | None = None


class ExitedEvent(EventBody):
    event: ClassVar[str] = "exited"
    exit_code: int


class TerminatedEvent(EventBody):
    event: ClassVar[str] = "terminated"


class OutputEvent(EventBody):
    event: ClassVar[str] = "output"
    output: str
    category: str | None = None
    source: Source | None = None
    line: int | None = None


class BreakpointEvent(EventBody):
    event: ClassVar[str] = "breakpoint"
    reason: str
    breakpoint: Breakpoint


class ModuleEvent(EventBody):
    event: ClassVar[str] = "module"
    reason: str
    module: Module


class ProcessEvent(EventBody):
    event: ClassVar[str] = "process"
    name: str
    system_process_id: int | None = None
    is_local_process: bool | None = None
    start_method: str | None = None
    pointer_size: int | None = None


class ProgressStartEvent(EventBody):
    event: ClassVar[str] = "progressStart"
    progress_id: str
    title: str
    cancellable: bool | None = None
    message: str | None = None


class ProgressUpdateEvent(EventBody):
    event: ClassVar[str] = "progressUpdate"
    progress_id: str
    message: str | None = None


class ProgressEndEvent(EventBody):
    event: ClassVar[str] = "progressEnd"
    progress_id: str
    message: str | None = None


class InvalidatedEvent(EventBody):
    event: ClassVar[str] = "invalidated"
    areas: list[str] | None = None
    thread_id: int | None = None


class MemoryEvent(EventBody):
    event: ClassVar[str] = "memory"
    memory_reference: str
    offset: int
    count: int


class FocusChangedEvent(EventBody):
    """Zedbg's own: the focus went elsewhere by a command or a request."""

    event: ClassVar[str] = "zedbg/focusChanged"
    thread_id: int
    thread: str
    lane: int
