"""Catchpoints: stops at what happens, not at a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.commands.describe.breakpoint_rows import BreakpointSet, breakpoint_row
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
    """

    name: str
    summary: str
    description: str
    takes_glob: bool = False
    change: ModuleChange | None = None
    exception: StopReason | None = None

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
    ),
    _Catch(
        "assert",
        "Count software exceptions, which a failed assert raises",
        _EXCEPTION,
        exception=StopReason.SOFTWARE_EXCEPTION,
    ),
    _Catch(
        "illegal-opcode",
        "Count illegal instructions",
        _EXCEPTION,
        exception=StopReason.ILLEGAL_INSTRUCTION,
    ),
)


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
