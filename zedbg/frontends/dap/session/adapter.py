"""One debug session of a client: the state that its requests share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import TypeVar

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import (
    AttachArguments,
    InitializeArguments,
    LaunchArguments,
)
from zedbg.frontends.dap.protocol.events import (
    EventBody,
    FocusChangedEvent,
    InvalidatedEvent,
    MemoryEvent,
    OutputEvent,
)
from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.session.breakpoint_lists import BreakpointLists
from zedbg.frontends.dap.session.console import Console
from zedbg.frontends.dap.session.errors import CancelledError, RequestError
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.progress import ProgressReports
from zedbg.frontends.dap.session.references import References
from zedbg.frontends.dap.session.runner import Runner
from zedbg.frontends.dap.session.source_names import SourceNames
from zedbg.frontends.dap.session.thread_numbers import number_of, thread_of
from zedbg.frontends.shared.pace import Pace
from zedbg.levelzero.selection import DriverChoice
from zedbg.xe.coordinates import lanes_of

Send = Callable[[EventBody], None]
_Thing = TypeVar("_Thing")


class NotStoppedError(RequestError):
    """The program runs: nothing can be looked at."""

    def __init__(self) -> None:
        super().__init__("The program is running: pause it first.")


class Adapter:
    """What the requests of one client work on.

    ``send`` sends an event, from any thread. ``client`` is what the client said of itself;
    ``start`` how it wants the program to be started, None before it said so. ``lanes``: the lane
    that the client chose in a thread, for the length of a stop.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self.client = InitializeArguments()
        self.start: LaunchArguments | AttachArguments | None = None
        self.started: Future[Message | None] = Future()  # the answer to launch or attach
        self.choice: DriverChoice | None = None
        self.references = References()
        self.lanes: dict[HardwareThread, int] = {}
        self.runner = Runner(self._ran)
        # What reports events sets these.
        self.program_starts: Callable[[], None] = lambda: None
        self.move_ended: Callable[[Exception | None], None] = lambda problem: None
        self.stop_reporting: Callable[[], None] = lambda: None
        self.is_leaving = False  # the program is being left: what it is stopped by is no news
        self.moved_by_console = False
        self.entry: Breakpoint | None = None  # what stops the program at its beginning
        # Data breakpoints, by how the client asked for them.
        self.watched: dict[tuple[str, str | None, str | None, str | None], Breakpoint] = {}
        self.cancelled = threading.Event()  # the answer that is being made is not wanted any more
        self._session: Session | None = None
        self._console: Console | None = None
        self._breakpoints: BreakpointLists | None = None
        self._sources: SourceNames | None = None
        self._reports = ProgressReports(send, lambda: self.client.supports_progress_reporting)
        self._hits: tuple[Stop | None, dict[HardwareThread, int]] = (None, {})

    # --- the session -----------------------------------------------------------------------------

    def open(self, session: Session, choice: DriverChoice | None) -> None:
        """Takes ``session``, which debugs with ``choice`` (None: a core file, which takes no
        driver), for the whole life of the adapter."""
        self._session = session
        self.choice = choice
        self._console = Console(session, lambda line: self.output(line + "\n", "console"))
        self._breakpoints = BreakpointLists(session)
        self._sources = SourceNames(self._console.context.sources)

    def close(self) -> None:
        """The client is gone."""
        self.stop_reporting()
        self.runner.close()

    @property
    def is_open(self) -> bool:
        """Whether there is a session."""
        return self._session is not None

    @property
    def session(self) -> Session:
        """The session; RequestError before ``launch`` or ``attach``."""
        return _there(self._session)

    @property
    def console(self) -> Console:
        """The shell's commands; RequestError before ``launch`` or ``attach``."""
        return _there(self._console)

    @property
    def breakpoints(self) -> BreakpointLists:
        """The client's breakpoints; RequestError before ``launch`` or ``attach``."""
        return _there(self._breakpoints)

    @property
    def sources(self) -> SourceNames:
        """What sources are called; RequestError before ``launch`` or ``attach``."""
        return _there(self._sources)

    @property
    def is_stopped(self) -> bool:
        """Whether the program is there and stopped."""
        if self._session is None or self.runner.is_busy:
            return False
        return self._session.state is SessionState.STOPPED

    def require_stopped(self) -> None:
        """NotStoppedError while the program runs; NotRunningError when there is none."""
        if self.runner.is_busy or self.session.state is SessionState.RUNNING:
            raise NotStoppedError

    def move(self, action: Callable[[], object], *, by_console: bool = False) -> None:
        """Lets ``action`` run the program up to its next stop, which is reported as an event."""

        def moved() -> None:
            self.moved_by_console = by_console
            action()

        self.runner.start(moved)

    def _ran(self, problem: Exception | None) -> None:
        if not self.is_leaving:
            self.move_ended(problem)

    def forget_stop(self) -> None:
        """Something runs: what was reported of the stop does not hold any more."""
        self.references.forget()
        self.lanes.clear()

    # --- threads and frames ----------------------------------------------------------------------

    def thread(self, number: int) -> HardwareThread:
        """The stopped thread that the client calls ``number``; NoThreadError when it is none."""
        return thread_of(self.session, number)

    def lane_of(self, thread: HardwareThread) -> int:
        """The lane of ``thread`` whose values are shown: the one that the client chose, or that is
        focused, or the first that took part in the stop."""
        chosen = self.lanes.get(thread, thread.selected_lane)
        if chosen is not None:
            return chosen
        hit = self._hit_lanes().get(thread, 0)
        return lanes_of(hit)[0] if hit else thread.focused_lane

    def _hit_lanes(self) -> dict[HardwareThread, int]:
        """The lanes of each thread of the newest stop, as masks."""
        stop = self.session.stop
        if stop is not self._hits[0]:
            hits = {} if stop is None else {each.thread: each.lanes for each in stop}
            self._hits = stop, hits
        return self._hits[1]

    def select(self, thread: HardwareThread, level: int = 0) -> None:
        """Makes ``thread`` the focus, for what moves it and for the console's commands."""
        focus = self.session.focus
        lane = self.lanes.get(thread)
        if focus is None or focus.thread is not thread or lane not in (None, focus.lane):
            is_active = lane is not None and bool(thread.active_lanes >> lane & 1)
            self.session.select(thread, lane if is_active else None)
        self.console.context.frame_level = level

    def frame(self, number: int) -> FrameReference:
        """The frame that the client calls ``number``; RequestError when it is none of this stop."""
        return self.references.get(number, FrameReference)

    def frame_or_focus(self, number: int | None) -> FrameReference:
        """The same; without a number, the innermost frame of the focused thread."""
        if number is not None:
            return self.frame(number)
        thread = self.session.require_focus().thread
        frame: Frame = backtrace(thread, 1).frames[0]
        return FrameReference(thread, frame, self.lane_of(thread))

    # --- events ----------------------------------------------------------------------------------

    def send(self, body: EventBody) -> None:
        """Sends an event."""
        self._send(body)

    def output(self, text: str, category: str) -> None:
        """Shows ``text``: ``console``, ``important``, ``stdout`` or ``stderr``."""
        self._send(OutputEvent(output=text, category=category))

    def values_changed(self) -> None:
        """Values are others than were reported, with nothing having run."""
        if self.client.supports_invalidated_event:
            self._send(InvalidatedEvent(areas=["variables"]))

    def memory_changed(self, reference: str, offset: int, count: int) -> None:
        """The client, or an expression of its, wrote to memory."""
        if self.client.supports_memory_event:
            self._send(MemoryEvent(memory_reference=reference, offset=offset, count=count))

    def focus_changed(self) -> None:
        """The focus went elsewhere, and not by a step."""
        focus = self.session.focus
        if focus is None:
            return
        self.lanes[focus.thread] = focus.lane
        number = number_of(focus.thread)
        body = FocusChangedEvent(thread_id=number, thread=focus.thread.id, lane=focus.lane)
        self._send(body)
        if self.client.supports_invalidated_event:
            self._send(InvalidatedEvent(areas=["stacks", "variables"], thread_id=number))

    def progress(self, title: str, *, at_once: bool = False) -> AbstractContextManager[None]:
        """While the block runs, the client may show that zedbg does what ``title`` says: when that
        takes long, or ``at_once``."""
        pace = Pace(lambda: self.session.breakpoints)

        def only_runs() -> bool:
            return self.session.state is SessionState.RUNNING and not pace.has_tried

        return self._reports.of(f"zedbg: {title}", pace, None if at_once else only_runs)

    def interrupt(self) -> None:
        """Stops what runs, and what computes. Waits for nothing, unlike the session's own."""
        if not self.is_open:
            return
        self.session.interrupt_requested = True  # what computes has the lock, and looks at this
        threading.Thread(target=self._interrupt_runner, daemon=True).start()

    def _interrupt_runner(self) -> None:
        with self.session.condition:
            if self.runner.is_busy:
                self.session.interrupt()
            else:  # too late for what was meant, it is not for the next
                self.session.interrupt_requested = False

    def check_cancelled(self) -> None:
        """CancelledError when the answer that is being made is not wanted any more."""
        if self.cancelled.is_set():
            raise CancelledError


def _there(thing: _Thing | None) -> _Thing:
    if thing is None:
        raise RequestError("There is no program yet: launch one, or attach.")
    return thing
