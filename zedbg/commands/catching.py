"""Catchpoints: stops at what happens, not at a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.commands.describe.breakpoint_rows import BreakpointSet, breakpoint_row
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Handler,
    Invocation,
    Kind,
    builtin,
)
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import ExceptionKindRow
from zedbg.engine.breakpoints.breakpoint_specs import (
    BreakpointSpec,
    ExceptionSpec,
    LaunchSpec,
    ModuleChange,
    ModuleSpec,
)
from zedbg.engine.ground.stop_reason import StopReason


@dataclass(frozen=True)
class _Catch:
    """One kind of catchpoint: the word after ``catch``, and its help.

    ``spec`` makes what it waits for out of a glob; ``takes_glob``: whether there is one to give.
    ``exception``: the reason of the stop, where it is an exception, and ``means`` what that is.
    """

    name: str
    summary: str
    description: str
    takes_glob: bool = False
    change: ModuleChange | None = None
    exception: StopReason | None = None
    means: str = ""

    def spec(self, pattern: str) -> BreakpointSpec:
        if self.change is not None:
            return ModuleSpec(self.change, pattern)
        if self.exception is not None:
            return ExceptionSpec(self.exception)
        return LaunchSpec(pattern)


_EXCEPTION = (
    "Such an exception always stops the thread. The catchpoint counts the exceptions, and can have "
    "commands or apply to one thread."
)
_CATCHES = (
    _Catch(
        "launch",
        "Stop once in every launch of a kernel, when its first thread starts",
        "The first thread is the first of work-group (0,0,0). It stops after the kernel's "
        "prologue, where its arguments can be read.",
        takes_glob=True,
    ),
    _Catch(
        "load",
        "Stop when a module is loaded, before its code can run",
        "The program waits in the call that creates the module until you continue.",
        takes_glob=True,
        change=ModuleChange.LOAD,
    ),
    _Catch(
        "unload",
        "Stop when a module is unloaded",
        "Its breakpoints are pending again.",
        takes_glob=True,
        change=ModuleChange.UNLOAD,
    ),
    _Catch(
        "page-fault",
        "Count accesses to memory that is not mapped",
        _EXCEPTION,
        exception=StopReason.PAGE_FAULT,
        means="a memory access where nothing is mapped",
    ),
    _Catch(
        "assert",
        "Count software exceptions, which a failed assert raises",
        _EXCEPTION,
        exception=StopReason.SOFTWARE_EXCEPTION,
        means="a failed assert, or abort()",
    ),
    _Catch(
        "illegal-opcode",
        "Count illegal instructions",
        _EXCEPTION,
        exception=StopReason.ILLEGAL_INSTRUCTION,
        means="an instruction that is none",
    ),
)


@builtin.command(
    "info signals",
    Category.BREAKPOINTS,
    "Show what zedbg does at each exception of a kernel",
    aliases=("info handle",),
    arguments=(Argument("exception", Kind.TEXT, "one of them", optional=True),),
    example="info signals page-fault",
    description="Kernels take no signals but raise exceptions, which always stop their threads and "
    "which a program cannot handle. Signals of the host program are not zedbg's: it gets them.",
)
def info_signals_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    kinds = [each for each in _CATCHES if each.exception is not None]
    wanted = invocation.optional(0)
    found = [each for each in kinds if wanted in (None, each.name)]
    if not found:
        names = ", ".join(each.name for each in kinds)
        raise CommandError(
            f'Kernels have no exception "{wanted}": they have {names}. Signals are the host '
            "program's: use GDB for them, beside zedbg."
        )
    return [ExceptionKindRow(each.name, True, False, each.means) for each in found]


def _handler(kind: _Catch, *, temporary: bool) -> Handler:
    def catch(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        given = invocation.optional(0) if kind.takes_glob else None
        text = f"{kind.name} {given}" if given else kind.name
        breakpoint_ = context.session.catch(text, kind.spec(given or "*"), temporary=temporary)
        return [BreakpointSet.of(breakpoint_row(breakpoint_))]

    return catch


def _declare() -> None:
    for kind in _CATCHES:
        glob = Argument(
            "kernel", Kind.KERNEL, "name or glob of a kernel; default: every kernel", optional=True
        )
        arguments = (glob,) if kind.takes_glob else ()
        example = f"catch {kind.name} v*" if kind.takes_glob else f"catch {kind.name}"
        builtin.command(
            f"catch {kind.name}",
            Category.BREAKPOINTS,
            kind.summary,
            arguments=arguments,
            example=example,
            description=kind.description,
        )(_handler(kind, temporary=False))
        builtin.command(
            f"tcatch {kind.name}",
            Category.BREAKPOINTS,
            f"Like catch {kind.name}, but the catchpoint is deleted when it is hit",
            arguments=arguments,
            example="t" + example,
        )(_handler(kind, temporary=True))


_declare()
