"""The arguments of requests, as far as zedbg reads them."""

from __future__ import annotations

import msgspec

from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.protocol.types import Source, ValueFormat


class NoArguments(Message):
    """Of requests that have none."""


class CancelArguments(Message):
    request_id: int | None = None
    progress_id: str | None = None


class InitializeArguments(Message):
    """What the client is and can do."""

    lines_start_at1: bool = True
    columns_start_at1: bool = True
    path_format: str | None = None
    supports_variable_paging: bool = False
    supports_memory_references: bool = False
    supports_progress_reporting: bool = False
    supports_invalidated_event: bool = False
    supports_memory_event: bool = False


class StartArguments(Message):
    """What ``launch`` and ``attach`` have in common; the names are zedbg's own.

    ``sim`` names a simulated device. ``stop_on_entry``: ``launch`` stops in the first thread of the
    first kernel, ``attach`` at once. ``source_map``: pairs of a folder that was compiled in, and
    where it is now. ``commands`` are command lines of the shell to run before the program does.
    ``thread_limit``: how many threads the list of threads has at most.
    """

    sim: str | None = None
    stop_on_entry: bool = False
    source_map: list[tuple[str, str]] = msgspec.field(default_factory=list)
    source_folders: list[str] = msgspec.field(default_factory=list)
    commands: list[str] = msgspec.field(default_factory=list)
    thread_limit: int = 256


class LaunchArguments(StartArguments, kw_only=True):
    """A program to start: where it runs, and which variables its environment has in addition, or
    (null) lacks."""

    program: str
    args: list[str] = msgspec.field(default_factory=list)
    cwd: str | None = None
    env: dict[str, str | None] = msgspec.field(default_factory=dict)
    stdin: str | None = None


class AttachArguments(StartArguments, kw_only=True):
    """A process that runs, or a core file."""

    pid: int | None = None
    core_file: str | None = None


class DisconnectArguments(Message):
    restart: bool = False
    terminate_debuggee: bool | None = None


class RestartArguments(Message):
    """``arguments`` are those of ``launch`` as they are now, if the client has changed them."""

    arguments: msgspec.Raw = msgspec.Raw()


class SourceBreakpoint(Message):
    line: int
    column: int | None = None
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None


class SetBreakpointsArguments(Message):
    source: Source
    breakpoints: list[SourceBreakpoint] = msgspec.field(default_factory=list)


class FunctionBreakpoint(Message):
    name: str
    condition: str | None = None
    hit_condition: str | None = None


class SetFunctionBreakpointsArguments(Message):
    breakpoints: list[FunctionBreakpoint]


class InstructionBreakpoint(Message):
    instruction_reference: str
    offset: int = 0
    condition: str | None = None
    hit_condition: str | None = None


class SetInstructionBreakpointsArguments(Message):
    breakpoints: list[InstructionBreakpoint]


class ExceptionFilterOptions(Message):
    filter_id: str
    condition: str | None = None


class SetExceptionBreakpointsArguments(Message):
    filters: list[str]
    filter_options: list[ExceptionFilterOptions] = msgspec.field(default_factory=list)


class DataBreakpointInfoArguments(Message):
    name: str
    variables_reference: int | None = None
    frame_id: int | None = None
    bytes: int | None = None
    as_address: bool = False


class DataBreakpoint(Message):
    data_id: str
    access_type: str | None = None
    condition: str | None = None
    hit_condition: str | None = None


class SetDataBreakpointsArguments(Message):
    breakpoints: list[DataBreakpoint]


class BreakpointLocationsArguments(Message):
    source: Source
    line: int
    end_line: int | None = None


class ThreadArguments(Message):
    """Of requests about one thread."""

    thread_id: int


class ContinueArguments(ThreadArguments):
    single_thread: bool = False


class StepArguments(ThreadArguments):
    """Of ``next`` and ``stepOut``; ``granularity`` is statement, line or instruction."""

    single_thread: bool = False
    granularity: str = "statement"


class StepInArguments(StepArguments):
    target_id: int | None = None


class GotoTargetsArguments(Message):
    source: Source
    line: int


class GotoArguments(ThreadArguments):
    target_id: int


class StackTraceArguments(ThreadArguments):
    start_frame: int = 0
    levels: int = 0


class FrameArguments(Message):
    """Of ``scopes`` and ``stepInTargets``."""

    frame_id: int


class VariablesArguments(Message):
    variables_reference: int
    filter: str | None = None
    start: int = 0
    count: int = 0
    format: ValueFormat = msgspec.field(default_factory=ValueFormat)


class SetVariableArguments(Message):
    variables_reference: int
    name: str
    value: str
    format: ValueFormat = msgspec.field(default_factory=ValueFormat)


class SetExpressionArguments(Message):
    expression: str
    value: str
    frame_id: int | None = None
    format: ValueFormat = msgspec.field(default_factory=ValueFormat)


class EvaluateArguments(Message):
    expression: str
    frame_id: int | None = None
    context: str | None = None
    format: ValueFormat = msgspec.field(default_factory=ValueFormat)


class CompletionsArguments(Message):
    text: str
    column: int
    frame_id: int | None = None
    line: int = 1


class SourceArguments(Message):
    source_reference: int
    source: Source | None = None


class ModulesArguments(Message):
    start_module: int = 0
    module_count: int = 0


class ReadMemoryArguments(Message):
    memory_reference: str
    count: int
    offset: int = 0


class WriteMemoryArguments(Message):
    memory_reference: str
    data: str
    offset: int = 0
    allow_partial: bool = False


class DisassembleArguments(Message):
    memory_reference: str
    instruction_count: int
    offset: int = 0
    instruction_offset: int = 0
    resolve_symbols: bool = True


class FocusArguments(Message):
    """Of ``zedbg/focus``: a thread of the client's list, ``thread`` (``1.17`` or ``1.17:3``) or
    the work-item with a global id; and a lane of it."""

    thread_id: int | None = None
    thread: str | None = None
    work_item: list[int] | None = None
    lane: int | None = None


class LanesArguments(Message):
    """Of ``zedbg/lanes``: what each lane of a frame's thread is, and has as ``expression``."""

    frame_id: int
    expression: str | None = None


class ThreadsPageArguments(Message):
    """Of ``zedbg/threads``: ``count`` threads from ``start`` on, of one group or of all."""

    start: int = 0
    count: int = 256
    group: int | None = None
