"""The state of a session that its parts share."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zedbg.engine.breakpoints.breakpoint_table import BreakpointTable
from zedbg.engine.breakpoints.skips import SkipTable
from zedbg.engine.events.focus_keeper import FocusKeeper
from zedbg.engine.events.module_catches import ModuleCatch
from zedbg.engine.events.page_faults import PageFaults
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.notifier import Message, Notifier, Severity
from zedbg.engine.ground.settings import Settings
from zedbg.engine.ground.variables import Variables
from zedbg.engine.threads.caller_functions import define_caller_functions
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.focus import Focus
from zedbg.engine.time.past import Past
from zedbg.missing import Missing


class EngineState:
    """Guarded by ``condition``, that of the debuggee, but for ``settings`` and ``notifier``.

    ``stop``: the newest stop of this run. ``interrupt_requested``: the user asked for a stop of
    everything. ``caught_modules``: what catchpoints for modules caught since the last report,
    oldest first. ``past``: which device shows it; ``present``: the stop and the focus that the
    present has meanwhile. ``workers``: the threads that carry out commands in the background.
    """

    def __init__(self) -> None:
        self.debuggee = Debuggee()
        self.condition = self.debuggee.condition
        self.settings = Settings()
        self.notifier = Notifier()
        self.variables = Variables()
        self.variables.define("_hit_count", self._hit_count)
        define_caller_functions(self.variables)
        self.breakpoints = BreakpointTable(self.debuggee, self.notifier, self.variables)
        self.skips = SkipTable()
        self.page_faults = PageFaults(self.debuggee, self.notifier, self.breakpoints)
        self.caught_modules: list[ModuleCatch] = []
        self.focus = FocusKeeper()
        self.past = Past(self.debuggee, self._leaves_present, self.breakpoints.look_again)
        self.present: tuple[Stop | None, Focus | None] = None, None
        self.stop: Stop | None = None
        self.interrupt_requested = False
        self.workers: set[threading.Thread] = set()
        self.while_waiting: Callable[[], None] = lambda: None

    def new_run(self) -> None:
        """The process is another one, or there is none: forgets what was of the one before."""
        self.stop = None
        self.past.forget()
        self.focus.forget()
        self.page_faults.forget()
        self.debuggee.modules_loaded = 0
        self.interrupt_requested = False

    def _leaves_present(self) -> None:
        self.present = self.stop, self.focus.current

    @property
    def is_in_background(self) -> bool:
        """Whether the caller carries out a command in the background."""
        return threading.current_thread() in self.workers

    def waits(self) -> None:
        """A command waits, and something may have happened: the front end may show it."""
        if not self.is_in_background:
            self.while_waiting()

    def warn(self, text: str) -> None:
        """Shows the user a warning."""
        self.notifier.notify(Message(text, Severity.WARNING))

    def _hit_count(self) -> object:
        hit = self.stop.breakpoint if self.stop is not None else None
        return Missing("not stopped at a breakpoint") if hit is None else hit.times
