"""Commands about the program on the processor: from where a kernel was launched, what the program
allocated, its threads and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from zedbg.commands.describe.core_answers import core_launch
from zedbg.commands.describe.host_frames import call_text, frame_rows, launch_rows
from zedbg.commands.describe.host_side import (
    argument_texts,
    launches_of,
    own_frame,
    require_calls,
    require_program,
)
from zedbg.commands.describe.python_frames import python_frames
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.saved_rows import core_rows
from zedbg.commands.rows.host_rows import (
    HostThreadRow,
    LaunchRow,
    ProcessRow,
    PythonFrameRow,
    SharedLibraryRow,
    UsmAllocationRow,
)
from zedbg.commands.rows.row import Nothing, Row, Text
from zedbg.host.host_calls import HostCall
from zedbg.sycl.kernel_names import demangled

_MOST_SHOWN = 20
_COUNTED = ("launch", "allocation", "module", "thread")
_KIBIBYTE = 1024


@builtin.command(
    "host-backtrace",
    Category.STACK,
    "Show from where the program launched the kernel of the focused thread",
    aliases=("hbt",),
    arguments=(
        Argument(
            "what",
            Kind.TEXT,
            "launch N, allocation N or module N: from where the program made it; thread ID: where "
            "a thread of the program is now; default: the launch of the focused thread",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.PROCESS,
    example="host-backtrace",
    description="The stack is that of the call, whatever the thread does now. Only programs that "
    "zedbg started have their calls noted (info launches, info allocations). For `thread`, that "
    "thread is stopped for a moment; where it executes Python and py-spy is installed, the frames "
    "of the Python code are shown too.",
)
def host_backtrace_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    words = (invocation.optional(0) or "").split()
    if not words:
        context.require_stopped_thread()
        return core_launch(context) or list(launch_rows(context, context.thread))
    if len(words) != 2 or words[0] not in _COUNTED or not words[1].isdecimal():
        raise UsageError("host-backtrace takes launch, allocation, module or thread, and a number.")
    number = int(words[1])
    program = require_program(context)
    if words[0] == "thread":
        python = python_frames(program.pid, number)
        return [*frame_rows(program.stack_of_thread(number)), *_python_rows(python)]
    calls = require_calls(context)
    kinds = {
        "launch": calls.launches,
        "allocation": calls.allocations,
        "module": calls.modules,
    }
    found = next((each for each in kinds[words[0]] if each.number == number), None)
    if found is None:
        raise CommandError(f"No {words[0]} {number} is noted.")
    return [call_text(found), *frame_rows(program.stack_of_call(found))]


def _python_rows(frames: Sequence[tuple[str, str, int]]) -> Iterator[Row]:
    if frames:
        yield Text("Python code, now:")
    for level, (function, file, line) in enumerate(frames):
        yield PythonFrameRow(level=level, function=function, file=file, line=line)


@builtin.command(
    "info launches",
    Category.STATUS,
    "List the launches of kernels that the program made, and from where",
    arguments=(Argument("kernel", Kind.KERNEL, "name or glob", optional=True),),
    requires=Requirement.PROCESS,
    example="info launches",
    description="The newest ones. host-backtrace launch N shows the whole stack of one.",
)
def info_launches_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = invocation.optional(0) or "*"
    saved = core_rows(context, "info launches")
    if saved is not None:
        return saved
    program, calls = require_program(context), require_calls(context)
    focus = context.session.focus
    fitting = [] if focus is None else launches_of(calls, focus.thread)
    rows: list[Row] = []
    matching = [
        call
        for call in calls.launches
        if fnmatchcase(call.name, pattern) or fnmatchcase(demangled(call.name), pattern)
    ]
    for call in matching[-_MOST_SHOWN:]:
        place = own_frame(program.stack_of_call(call))
        rows.append(
            LaunchRow(
                number=call.number,
                kernel=demangled(call.name),
                groups=call.groups,
                thread=call.thread,
                function=None if place is None else place.function,
                file=None if place is None else place.file,
                line=None if place is None else place.line,
                library=None if place is None else place.library,
                current=bool(fitting) and call is fitting[0],
                arguments=argument_texts(context, call),
            )
        )
    return rows or [Nothing("No launches.")]


@builtin.command(
    "info allocations",
    Category.STATUS,
    "List the USM memory that the program allocated, and from where",
    arguments=(Argument("all", Kind.TEXT, "all: also what is freed", optional=True),),
    requires=Requirement.PROCESS,
    example="info allocations",
)
def info_allocations_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    with_freed = invocation.optional(0) == "all"
    if invocation.optional(0) is not None and not with_freed:
        raise UsageError("info allocations takes nothing, or all.")
    saved = core_rows(context, f"info allocations{' all' * with_freed}")
    if saved is not None:
        return saved
    program, calls = require_program(context), require_calls(context)
    rows: list[Row] = []
    for call in calls.allocations:
        if call.gone and not with_freed:
            continue
        place = own_frame(program.stack_of_call(call))
        rows.append(
            UsmAllocationRow(
                number=call.number,
                usm=call.kind.word,
                address=call.handle,
                size=call.size,
                freed=bool(call.gone),
                thread=call.thread,
                function=None if place is None else place.function,
                file=None if place is None else place.file,
                line=None if place is None else place.line,
                library=None if place is None else place.library,
            )
        )
    if calls.not_noted:
        rows.append(Text(f"{calls.not_noted} more found no room to be noted."))
    return rows or [Nothing("No allocations.")]


@builtin.command(
    "info host-threads",
    Category.STATUS,
    "List the threads of the program on the processor",
    requires=Requirement.PROCESS,
    description="host-backtrace thread ID shows where one is.",
)
def info_host_threads_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    saved = core_rows(context, "info host-threads")
    if saved is not None:
        return saved
    program = require_program(context)
    calls = program.calls
    rows: list[Row] = [
        HostThreadRow(
            thread=thread.id,
            name=thread.name,
            state=thread.state,
            launches=None if calls is None else _count(calls.launches, thread.id),
        )
        for thread in program.threads()
    ]
    return rows or [Nothing("The program has ended.")]


def _count(launches: Iterable[HostCall], thread: int) -> int:
    return sum(call.thread == thread for call in launches)


@builtin.command(
    "info sharedlibrary",
    Category.STATUS,
    "List the shared libraries of the program on the processor",
    arguments=(Argument("pattern", Kind.TEXT, "part of a name", optional=True),),
    requires=Requirement.PROCESS,
    description="Modules of devices are in info modules.",
)
def info_sharedlibrary_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    wanted = invocation.optional(0) or ""
    saved = core_rows(context, "info sharedlibrary")
    if saved is not None:
        return saved
    program = require_program(context)
    own = _link(program.pid, "exe")
    rows: list[Row] = [
        SharedLibraryRow(
            start=image.text[0],
            end=image.text[1],
            symbols=True,
            debug_info=image.has_debug_info,
            path=image.name,
        )
        for image in program.images()
        if image.text is not None and image.name != own and wanted in image.name
    ]
    return rows or [Nothing("No shared libraries.")]


@builtin.command(
    "info proc",
    Category.STATUS,
    "Show the process of the program: its command line, folder, threads, memory",
    requires=Requirement.PROCESS,
)
def info_proc_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    saved = core_rows(context, "info proc")
    if saved is not None:
        return saved
    program = require_program(context)
    said = _status(program.pid)
    if not said:
        raise CommandError(f"Process {program.pid} has ended.")
    return [
        ProcessRow(
            pid=program.pid,
            command=_command_line(program.pid),
            folder=_link(program.pid, "cwd"),
            program=_link(program.pid, "exe"),
            parent=_leading_number(said.get("PPid", "")),
            threads=_leading_number(said.get("Threads", "")),
            state=said.get("State", "").strip(),
            memory=_leading_number(said.get("VmRSS", "")) * _KIBIBYTE,
            devices=tuple(each.number for each in context.session.devices if each.attached),
        )
    ]


def _status(pid: int) -> dict[str, str]:
    try:
        text = Path(f"/proc/{pid}/status").read_text(errors="replace")
    except OSError:
        return {}
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _command_line(pid: int) -> str:
    try:
        text = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    return text.rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace")


def _link(pid: int, name: str) -> str:
    try:
        return str(Path(f"/proc/{pid}/{name}").readlink())
    except OSError:
        return ""


def _leading_number(text: str) -> int:
    words = text.split()
    return int(words[0]) if words and words[0].isdecimal() else 0
