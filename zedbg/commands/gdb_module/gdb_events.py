"""``gdb.events``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zedbg.commands.extending.plugin_events import EventRegistry
from zedbg.commands.gdb_module.gdb_program import InferiorThread
from zedbg.engine.breakpoints.breakpoint import BreakpointChanged, BreakpointGone, BreakpointMade
from zedbg.engine.events import notifications as engine
from zedbg.engine.ground.notifier import Notification
from zedbg.engine.ground.stop_reason import StopReason


@dataclass
class ThreadEvent:
    """``inferior_thread``: the focused one; None in all-stop mode, as in GDB."""

    inferior_thread: InferiorThread | None = None


@dataclass
class StopEvent(ThreadEvent):
    """``stop``: the :class:`zedbg.engine.Stop`, which GDB does not have."""

    stop: Any = None


@dataclass
class SignalEvent(StopEvent):
    """A stop for an exception, or by the user."""

    stop_signal: str = "SIGTRAP"


@dataclass
class BreakpointEvent(StopEvent):
    """A stop at breakpoints; they are the engine's."""

    breakpoints: tuple[Any, ...] = ()
    breakpoint: Any = None


class ContinueEvent(ThreadEvent):
    """Threads go on."""


@dataclass
class ExitedEvent:
    """The program ended."""

    exit_code: int | None = None


@dataclass
class NewObjFileEvent:
    """A module was loaded."""

    new_objfile: Any = None


def _stop(notification: Notification) -> list[object]:
    if not isinstance(notification, engine.Stopped):
        return []
    stop = notification.stop
    hit = tuple(stop.breakpoints)
    if hit:
        return [BreakpointEvent(None, stop, hit, hit[0])]
    if stop.reason is StopReason.STEP:
        return [StopEvent(None, stop)]
    signal = "SIGINT" if stop.reason is StopReason.INTERRUPT else "SIGSEGV"
    return [SignalEvent(None, stop, signal)]


def _exited(notification: Notification) -> list[object]:
    if not isinstance(notification, engine.ProgramExited):
        return []
    event = ExitedEvent(notification.exited.code)
    if event.exit_code is None:
        del event.exit_code  # GDB's has none when it is not known
    return [event]


def _module(notification: Notification) -> list[object]:
    is_new = isinstance(notification, engine.ModuleLoaded)
    return [NewObjFileEvent(notification.module)] if is_new else []  # type: ignore[attr-defined]


def _of(kind: type[Any]) -> EventRegistry:
    return EventRegistry(
        kind.__name__, lambda each: [each.breakpoint] if isinstance(each, kind) else []
    )


stop = EventRegistry("stop", _stop)
cont = EventRegistry("cont", lambda n: [ContinueEvent()] if isinstance(n, engine.Resumed) else [])
exited = EventRegistry("exited", _exited)
new_objfile = EventRegistry("new_objfile", _module)
breakpoint_created = _of(BreakpointMade)
breakpoint_modified = _of(BreakpointChanged)
breakpoint_deleted = _of(BreakpointGone)
# What a GPU's program does not do: handlers may be connected, and are never called.
clear_objfiles = inferior_call = memory_changed = register_changed = EventRegistry(
    "memory_changed", lambda _: []
)
before_prompt = new_inferior = inferior_deleted = new_thread = EventRegistry(
    "before_prompt", lambda _: []
)
