"""What is reported to plugins: stops, modules that come and go, breakpoints, the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from zedbg.commands.extending.plugin import Plugin, running_plugin
from zedbg.engine.breakpoints.breakpoint import BreakpointChanged, BreakpointGone, BreakpointMade
from zedbg.engine.events import notifications as engine
from zedbg.engine.ground.notifier import Notification
from zedbg.engine.threads.thread import HardwareThread

Handler = Callable[..., object]
_Select = Callable[[Notification], list[object]]


@dataclass(frozen=True)
class EventRegistry:
    """One kind of event: ``connect`` a function to be called with what happened, in the order in
    which it is shown; ``disconnect`` it again."""

    name: str
    select: _Select

    def connect(self, handler: Handler) -> Handler:
        """From now on ``handler`` is called; may stand as a decorator. What it raises switches its
        plugin off."""
        running_plugin().add(_EventContribution(self, handler))
        return handler

    def disconnect(self, handler: Handler) -> None:
        """It is not called any more."""
        plugin = running_plugin()
        for each in list(plugin.contributions):
            if isinstance(each, _EventContribution) and each.is_of(self, handler):
                plugin.drop(each)


class _EventContribution:
    def __init__(self, registry: EventRegistry, handler: Handler) -> None:
        self._registry = registry
        self._handler = handler
        self._plugin: Plugin | None = None
        self.description = f"handler of {registry.name}"

    @property
    def made(self) -> object:
        return self._handler

    def is_of(self, registry: EventRegistry, handler: Handler) -> bool:
        return self._registry is registry and self._handler == handler

    def attach(self, plugin: Plugin) -> None:
        self._plugin = plugin
        plugin.context.hooks.listeners.append(self._tell)

    def detach(self) -> None:
        assert self._plugin is not None
        self._plugin.context.hooks.listeners.remove(self._tell)

    def _tell(self, notification: Notification) -> None:
        assert self._plugin is not None
        for each in self._registry.select(notification):
            self._plugin.try_call(f"the {self.description}", partial(self._handler, each), None)


def _of(kind: type[Notification], attribute: str) -> _Select:
    def select(notification: Notification) -> list[object]:
        return [getattr(notification, attribute)] if isinstance(notification, kind) else []

    return select


def _threads(notification: Notification) -> list[object]:
    if not isinstance(notification, engine.Stopped):
        return []
    found: list[HardwareThread] = [each.thread for each in notification.stop.threads]
    return list(found)


@dataclass(frozen=True)
class Events:
    """What can be reported to plugins; in brackets what a handler gets."""

    #: The program stopped (``Stop``).
    stop = EventRegistry("stop", _of(engine.Stopped, "stop"))
    #: Threads go on (the notification).
    cont = EventRegistry("cont", lambda each: [each] if isinstance(each, engine.Resumed) else [])
    #: The program ended (``Exited``).
    exited = EventRegistry("exited", _of(engine.ProgramExited, "exited"))
    #: A module came or went (``LoadedModule``).
    module_loaded = EventRegistry("module_loaded", _of(engine.ModuleLoaded, "module"))
    module_unloaded = EventRegistry("module_unloaded", _of(engine.ModuleUnloaded, "module"))
    #: A thread hit something (``HardwareThread``).
    thread = EventRegistry("thread", _threads)
    #: A breakpoint was made, got or lost places, was deleted (``Breakpoint``).
    breakpoint_created = EventRegistry("breakpoint_created", _of(BreakpointMade, "breakpoint"))
    breakpoint_modified = EventRegistry("breakpoint_modified", _of(BreakpointChanged, "breakpoint"))
    breakpoint_deleted = EventRegistry("breakpoint_deleted", _of(BreakpointGone, "breakpoint"))


#: Those of zedbg.
events = Events()
