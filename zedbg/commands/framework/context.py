"""What every command gets: the session, the focus, the settings, and ways to run other commands."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from zedbg.commands.framework.changes import Changes
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.declaration import Declaration, Invocation, Registry, Requirement
from zedbg.commands.framework.hooks import Hooks
from zedbg.commands.framework.settings import Settings
from zedbg.commands.framework.source_files import SourceFiles
from zedbg.commands.rows.events import Event, MessageEvent, OutputEvent
from zedbg.commands.rows.row import Row
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.session_state import SessionState
from zedbg.missing import Missing
from zedbg.user_error import UserError, internal_error

if TYPE_CHECKING:
    from zedbg.commands.framework.remembered import (
        Display,
        Examined,
        Listing,
        Returned,
        UserCommand,
    )
    from zedbg.commands.rows.pane_rows import LayoutRow
    from zedbg.engine.ground.notifier import Notification, Subscription
    from zedbg.engine.process.process import Process
    from zedbg.engine.sessions.session import Session
    from zedbg.engine.threads.focus import Focus
    from zedbg.engine.threads.frames import Frame
    from zedbg.engine.threads.thread import HardwareThread
    from zedbg.levelzero.selection import DriverChoice
    from zedbg.values.typed.value import Value


_Kept = TypeVar("_Kept")


_USUAL_COLUMNS = 80


class EndOfSession(Exception):
    """Raised by ``quit``: the front end ends, with ``status`` if the user gave one."""

    def __init__(self, status: int | None = None) -> None:
        super().__init__()
        self.status = status


def _unset(*_: object) -> Sequence[Row]:
    raise RuntimeError("the front end has not set this")


TakeBlock = Callable[[list[str]], Sequence[Row]]
"""Gets the lines of a block; what it returns is shown."""


def _no_block(command: str, _take: TakeBlock) -> None:
    raise CommandError(f"{command} cannot be used here: there is no input to read its lines from.")


def _no_serving(_path: str | None) -> Path:
    raise CommandError("This session cannot be served.")


class CommandContext:
    """One user's view of one session, which ``open_session`` makes when it is first used.

    A front end sets ``execute`` (runs a command line, gives its rows), ``run`` (runs one and shows
    what it gives; False when it failed), ``show`` (rows to text), ``events_of`` (the events that
    report a notification of the session), ``emit`` (shows an event), ``read_block`` (takes the
    lines up to ``end`` away from the commands and gives them to a function; its first argument
    names the command), ``serve`` (lets other programs use the session, through a socket at a path
    or, without one, at a place of its own, which it gives) and ``end_block`` (no line follows;
    False when an ``end`` is missing, which it reports).
    ``program`` is what ``run`` starts, arguments included: they become the setting ``args``.
    ``captures_output``: what programs write
    is shown as events; otherwise they write to the debugger's own standard output and error.
    """

    def __init__(
        self,
        open_session: Callable[[], Session],
        registry: Registry,
        *,
        program: Sequence[str] = (),
        simulated_device: str | None = None,
        interactive: bool = False,
        captures_output: bool = False,
    ) -> None:
        self._open_session = open_session
        self._session: Session | None = None
        self.registry = registry
        self.program = list(program[:1])
        self.simulated_device = simulated_device
        self.interactive = interactive
        self.captures_output = captures_output
        self.log_changed: Callable[[], None] = lambda: None
        self.settings = Settings(self._setting_changed)
        self.settings.set("args", shlex.join(program[1:]))
        self.sources = SourceFiles()
        self.hooks = Hooks()
        self._kept: dict[object, object] = {}
        self._session_made: list[Callable[[Session], None]] = []
        self.examined: Examined | None = None
        self.frame_level = 0
        self.displays: dict[int, Display] = {}
        self.next_display = 1
        self.listed: Listing | None = None
        self.returned: Returned | None = None  # what was finished last
        self.execute: Callable[[str], Sequence[Row]] = _unset
        self.run: Callable[[str], bool] = lambda line: False
        self.show: Callable[[Sequence[Row]], list[str]] = lambda rows: []
        self.events_of: Callable[[Notification], Iterable[Event]] = lambda notification: ()
        self.emit: Callable[[Event], None] = lambda event: None
        self.read_block: Callable[[str, TakeBlock], None] = _no_block
        self.end_block: Callable[[], bool] = lambda: True
        self.confirm: Callable[[str], bool] = lambda question: True
        self.serve: Callable[[str | None], Path] = _no_serving
        self._driver: DriverChoice | None = None
        self._last_place: tuple[str | None, str | None] | None = None
        self._subscription: Subscription | None = None
        self._changes = Changes()
        self.trusted: list[Path] = []  # folders whose resource files may run
        # What the panes show that the user chose for after each stop.
        self.layout: Callable[[], LayoutRow] | None = None
        self.columns: Callable[[], int] = lambda: _USUAL_COLUMNS
        self.resumptions = 0  # how often something ran that was stopped before
        self.due_commands: list[str] = []  # those of the breakpoints of the last stop
        self.hook_is_due = False  # a stop came: what the user defined as hook-stop is to be run
        self.python_names: dict[str, Any] = {}  # of python blocks
        self.greets = True
        self.is_killing = False  # the program's end is ours
        self.notes_said: set[tuple[int, str]] = set()  # about breakpoints, by number
        self.thread_names: dict[tuple[int, int], str] = {}  # the user's, by device and number
        self.user_commands: dict[str, UserCommand] = {}
        self.dont_repeat: Callable[[], None] = lambda: None
        self.environment: dict[str, str | None] = {}  # of programs: changes; None: taken out
        self.typed: list[str] = []  # command lines at the prompt
        self.next_typed = 0  # of these, the first after those that show commands showed last
        self.terminal: str | None = None  # that programs read from and write to

    @property
    def session(self) -> Session:
        """The session, made with the first use."""
        if self._session is None:
            self._session = self._open_session()
            from zedbg.commands.framework.setting_functions import define_setting_functions

            define_setting_functions(self._session.variables, self.settings)
            self._subscription = self._session.subscribe()
            self._session.while_waiting = self._show_meanwhile
            for call in self._session_made:
                call(self._session)
            self._session_made.clear()
        return self._session

    @property
    def has_session(self) -> bool:
        """Whether the session was made."""
        return self._session is not None

    def when_session(self, call: Callable[[Session], None]) -> None:
        """Calls ``call`` with the session: now, or when it is made."""
        if self._session is not None:
            call(self._session)
        else:
            self._session_made.append(call)

    def kept(self, make: Callable[[CommandContext], _Kept]) -> _Kept:
        """What ``make`` (a class, a function) made of this context when it was first asked for."""
        if make not in self._kept:
            self._kept[make] = make(self)
        return cast("_Kept", self._kept[make])

    @property
    def process(self) -> Process | None:
        """The process under debug, None when there is none; makes no session."""
        return self._session.process if self._session is not None else None

    # --- what a command may need -----------------------------------------------------------

    def require(self, declaration: Declaration) -> None:
        """Checks what the declaration says that the command needs; CommandError names it."""
        if declaration.requires is Requirement.NOTHING:
            return
        if self.session.state is SessionState.NO_PROCESS:
            raise CommandError("The program is not being run.")
        if declaration.requires is Requirement.STOPPED_THREAD:
            self.require_stopped_thread()

    def require_confirmation(self, question: str) -> None:
        """Asks the user ``question``; CommandError when the answer is no."""
        if not self.confirm(question):
            raise CommandError("Not confirmed.")

    def require_stopped_thread(self) -> None:
        """Checks that the focused thread can be looked at; CommandError or EngineError if not."""
        if self.session.non_stop:
            self.session.require_focus()
        if self.session.state is SessionState.RUNNING:
            raise CommandError("The program is running: interrupt it first.")
        if self.session.focus is None:
            raise CommandError("No thread is stopped.")

    @property
    def focus(self) -> Focus:
        """The focused thread and lane; EngineError when there is none."""
        return self.session.require_focus()

    @property
    def thread(self) -> HardwareThread:
        """The focused thread; EngineError when none is stopped."""
        return self.focus.thread

    @property
    def frame(self) -> Frame:
        """The selected frame of the focused thread."""
        from zedbg.commands.framework.scopes import selected_frame

        return selected_frame(self.session, self.frame_level)

    def evaluate(self, expression: str) -> Value:
        """The value of a C expression in the focused lane; CommandError when it has none."""
        from zedbg.commands.framework.scopes import selected_scope
        from zedbg.values.expressions import api

        value = api.evaluate(expression, selected_scope(self.session, self.frame_level)).first
        if isinstance(value, Missing):
            raise CommandError(f"{expression} has no value: {value.reason}.")
        return value

    def driver(self, pid: int | None = None) -> DriverChoice:
        """Chooses the Level Zero driver on first use, and says which when the user named none.
        ``pid``: of a process that has one."""
        if self._driver is None:
            from zedbg.levelzero.selection import select_driver

            self._driver = select_driver(self.simulated_device, pid)
            if self._driver.message:
                self.show_message(self._driver.message)
        return self._driver

    def move(self, invocation: Invocation, action: Callable[[], object]) -> None:
        """Runs ``action``, which moves the focused thread; in the background if so invoked."""
        if invocation.background:
            self.session.in_background(action)
        else:
            action()

    @property
    def goes_back(self) -> bool:
        """Whether commands that move threads move them backwards."""
        return self.settings.text("exec-direction") == "reverse"

    # --- what happens ------------------------------------------------------------------------

    def show_message(self, text: str, *, warning: bool = False) -> None:
        """Shows a line that is no result."""
        self.emit(MessageEvent(text, warning))

    def program_wrote(self, stream: str, text: str) -> None:
        """Shows what the program wrote; called on other threads."""
        with contextlib.suppress(BrokenPipeError):  # no reader is left; commands will notice, too
            self.emit(OutputEvent(stream, text))

    def show_pending_events(self) -> None:
        """Shows everything that happened since the last time."""
        process = self.process
        if process is not None:
            process.take_output()
        for event in self.take_pending_events():
            self.emit(event)

    def _show_meanwhile(self) -> None:
        """Shows what happened so far while a command waits; half a line of output can wait too."""
        if self._subscription is None or self._subscription.is_empty:
            return
        process = self.process
        if process is not None:
            process.take_output(partial=False)
        for event in self.take_pending_events():
            self.emit(event)

    def take_pending_events(self) -> Iterator[Event]:
        """Everything that happened since the last time, not shown yet. What plugins do about a
        notification comes after its events, and may let the program go on."""
        while self._subscription is not None and not self._subscription.is_empty:
            notification = self._subscription.get(0)
            if notification is None:
                return
            self._note(notification)
            try:
                events = list(self.events_of(notification))
            except Exception as error:  # a program may die while its stop is looked at
                events = [MessageEvent(self.explain_error(error), warning=True)]
            yield from events
            for listener in list(self.hooks.listeners):
                listener(notification)

    def _note(self, notification: Notification) -> None:
        """What a stop leaves to do: the commands of its breakpoints."""
        from zedbg.engine.events.notifications import ProgramExited, Resumed, Stopped

        match notification:
            case Stopped(stop):
                self.due_commands = [line for each in stop.breakpoints for line in each.commands]
                self.hook_is_due = True
            case ProgramExited(exited):
                self.resumptions += 1
                self.due_commands = []
                if exited.code is not None:
                    self.session.variables.set("_exitcode", exited.code)
            case Resumed():
                self.resumptions += 1
                self.due_commands = []

    def _setting_changed(self, name: str) -> None:
        """Hands a setting on to the session, which knows nothing of settings."""
        if name.startswith("logging "):
            self.log_changed()
        match name:
            case "watchdog":
                self.session.settings.watchdog_seconds = self.settings.number(name)
            case "non-stop":
                self.session.non_stop = self.settings.is_on(name)
            case "range-stepping":
                self.session.settings.range_stepping = self.settings.is_on(name)
            case "record" | "record-budget":
                enabled = self.settings.is_on("record")
                budget = self.settings.number("record-budget") << 20
                self.session.time.set_recording(enabled, budget or None)
            case "exec-direction" if self.process is not None and self.goes_back:
                self.session.time.require_offered()
            case "scheduler-locking":
                self.session.settings.scheduler_locking = SchedulerLocking(self.settings.text(name))

    def moved_to(self, function: str | None, kernel: str | None) -> bool:
        """Whether a stop is in another function than the one before; remembers it."""
        place = (function, kernel)
        moved = place != self._last_place
        self._last_place = place
        return moved

    def has_changed(self, name: Hashable, value: object) -> bool:
        """Whether ``value``, which is shown for ``name`` now, is another one than at the stop where
        that was last shown."""
        return self._changes.has_changed(name, value, self.resumptions)

    def explain_error(self, error: Exception) -> str:
        """An error as the one line that the user sees."""
        if isinstance(error, UserError):
            return error.line
        if isinstance(error, RecursionError):
            return "This is nested too deeply."
        if isinstance(error, UnicodeError) or "null byte" in str(error):
            return "No name of a file or variable has such characters in it."
        if isinstance(error, OSError):
            return f"{error.filename or 'zedbg'}: {error.strerror or error}"
        return internal_error(error)
