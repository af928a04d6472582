"""The bodies of responses."""

from __future__ import annotations

from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.protocol.types import (
    Breakpoint,
    BreakpointLocation,
    CompletionItem,
    ExceptionDetails,
    GotoTarget,
    Instruction,
    Module,
    PresentationHint,
    Scope,
    Source,
    StackFrame,
    StepInTarget,
    Thread,
    Variable,
)


class BreakpointsBody(Message):
    breakpoints: list[Breakpoint]


class BreakpointLocationsBody(Message):
    breakpoints: list[BreakpointLocation]


class DataBreakpointInfoBody(Message):
    """``data_id`` is null where the data cannot be watched, and ``description`` says why."""

    data_id: str | None
    description: str
    access_types: list[str] | None = None
    can_persist: bool | None = None


class ContinueBody(Message):
    all_threads_continued: bool


class ThreadsBody(Message):
    threads: list[Thread]


class StackTraceBody(Message):
    stack_frames: list[StackFrame]
    total_frames: int | None = None


class ScopesBody(Message):
    scopes: list[Scope]


class VariablesBody(Message):
    variables: list[Variable]


class SetValueBody(Message):
    """Of ``setVariable`` and ``setExpression``."""

    value: str
    type: str | None = None
    variables_reference: int | None = None
    named_variables: int | None = None
    indexed_variables: int | None = None
    memory_reference: str | None = None


class EvaluateBody(Message):
    result: str
    variables_reference: int
    type: str | None = None
    presentation_hint: PresentationHint | None = None
    named_variables: int | None = None
    indexed_variables: int | None = None
    memory_reference: str | None = None


class CompletionsBody(Message):
    targets: list[CompletionItem]


class SourceBody(Message):
    content: str
    mime_type: str | None = None


class ModulesBody(Message):
    modules: list[Module]
    total_modules: int | None = None


class LoadedSourcesBody(Message):
    sources: list[Source]


class ExceptionInfoBody(Message):
    exception_id: str
    break_mode: str
    description: str | None = None
    details: ExceptionDetails | None = None


class ReadMemoryBody(Message):
    address: str
    data: str | None = None
    unreadable_bytes: int | None = None


class WriteMemoryBody(Message):
    bytes_written: int | None = None


class DisassembleBody(Message):
    instructions: list[Instruction]


class StepInTargetsBody(Message):
    targets: list[StepInTarget]


class GotoTargetsBody(Message):
    targets: list[GotoTarget]


class FocusBody(Message):
    """The focus: a lane of a thread, and the work-item in it, where it is known."""

    thread_id: int
    thread: str
    name: str
    lane: int
    kernel: str | None
    workgroup: list[int]
    global_id: list[int] | None = None
    local_id: list[int] | None = None


class LaneBody(Message):
    """One lane: whether it is active, its work-item, the value asked for or why it has none."""

    lane: int
    active: bool
    focused: bool
    global_id: list[int] | None = None
    local_id: list[int] | None = None
    value: str | None = None
    missing: str | None = None


class LanesBody(Message):
    simd_width: int
    lanes: list[LaneBody]
    type: str | None = None


class ThreadGroupBody(Message):
    """Threads of the stop that are at one place for one reason, in one work-group."""

    reason: str
    workgroup: list[int] | None
    threads: int
    kernel: str | None = None
    file: str | None = None
    line: int | None = None
    address: str | None = None
    breakpoint_id: int | None = None


class ThreadPlaceBody(Message):
    """A stopped thread; ``lanes`` are the active ones."""

    id: int
    thread: str
    name: str
    lanes: list[int]
    workgroup: list[int]
    address: str
    kernel: str | None = None
    file: str | None = None
    line: int | None = None


class ThreadsPageBody(Message):
    groups: list[ThreadGroupBody]
    threads: list[ThreadPlaceBody]
    total_threads: int
