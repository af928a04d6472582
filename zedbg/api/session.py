"""A program under debug."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from zedbg.api import html
from zedbg.api.breakpoints import Breakpoints
from zedbg.api.commands import commands_over
from zedbg.api.errors import EndedError, NotStoppedError
from zedbg.api.memory import Memory
from zedbg.api.messages import Messages
from zedbg.api.origins import Origin, tree_of
from zedbg.api.stack_report import stack_report
from zedbg.api.stopped_state import StoppedState
from zedbg.api.stops import Outcome, Stop, Thread
from zedbg.api.time_limit import TimeLimit
from zedbg.commands.describe.saving_cores import save_core
from zedbg.commands.describe.stacks import stack_rows
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.origin_rows import HistoryRow, OriginRow
from zedbg.commands.rows.row import Row
from zedbg.cores.opening import open_core
from zedbg.engine.engine_errors import AttachError, NoThreadError, NotRunningError
from zedbg.engine.events.stops import Outcome as EngineOutcome
from zedbg.engine.events.stops import StoppedThread
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.engine.time.past import Moment
from zedbg.frontends.text.rendering import render
from zedbg.user_error import UserError

_GRACE_SECONDS = 5.0


class Session:
    """One program under debug, made by :func:`zedbg.launch` or :func:`zedbg.attach`.

    Methods may be called from any thread. Those that run the program block until it stops; another
    thread may call :meth:`interrupt` meanwhile. As a context manager it lets the program go on by
    itself at the end, if that is still there.

    >>> session.state
    'stopped'
    """

    def __init__(self, engine: EngineSession, time_limit: float | None = None) -> None:
        self._engine = engine
        self._breakpoints = Breakpoints(engine)
        self._state = StoppedState(engine)
        self._stop: Stop | None = None
        self._exited: Exited | None = None
        self._messages = Messages(engine)
        self._waiting = 0
        self._interrupt_asked = False  # by a caller; Ctrl-C is none
        self._commands: CommandContext | None = None
        self._limit = None if time_limit is None else TimeLimit(time_limit, self._report_and_kill)

    # --- what there is ---------------------------------------------------------------------------

    @property
    def breakpoints(self) -> Breakpoints:
        """Its breakpoints. They outlive the program.

        >>> [each.location for each in session.breakpoints]
        ['blur.cl:15']
        """
        return self._breakpoints

    @property
    def stop(self) -> Stop | None:
        """The newest stop, None before the first one and once the program has ended.

        >>> session.stop.location
        'blur at blur.cl:15'
        """
        return self._stop

    @property
    def state(self) -> str:
        """``running``, ``stopped``, or ``no process``.

        >>> session.state
        'stopped'
        """
        return {
            SessionState.RUNNING: "running",
            SessionState.STOPPED: "stopped",
            SessionState.NO_PROCESS: "no process",
        }[self._engine.state]

    @property
    def pid(self) -> int:
        """The process under debug. Raises :class:`~zedbg.NotRunningError` when there is none.

        >>> session.pid > 1
        True
        """
        process = self._engine.process
        if process is None:
            raise NotRunningError
        return process.pid

    @property
    def exited(self) -> Exited | None:
        """How the program ended, None while it has not: ``code`` is its exit code, ``signal`` what
        killed it.

        >>> session.exited is None
        True
        """
        return self._exited

    @property
    def devices(self) -> list[str]:
        """The names of the devices that the program is debugged on.

        >>> session.devices
        ['Intel(R) Arc(TM) A770 Graphics (simulated)']
        """
        with self._engine.condition:
            return [device.name for device in self._engine.devices]

    @property
    def kernels(self) -> list[str]:
        """The kernels of the modules that are loaded.

        >>> session.kernels
        ['blur']
        """
        with self._engine.condition:
            modules = [each for device in self._engine.devices for each in device.modules]
            return [name for module in modules for name in module.kernel_names]

    @property
    def messages(self) -> list[str]:
        """What the engine has said so far: why a breakpoint was never hit, what breakpoints with a
        ``log`` wrote. Warnings among them are Python warnings, too.

        >>> session.messages
        []
        """
        self._hear()
        return list(self._messages.texts)

    @property
    def memory(self) -> Memory:
        """Global memory of the first device; a thread has its own view in ``thread.memory``.

        >>> a = thread["in"].value
        >>> session.memory[a + 4 : a + 8]
        b'\\x00\\x00\\x80?'
        """

        def read(address: int, size: int) -> bytes:
            with self._engine.condition:
                return self._engine.device(1).read_memory(address, size)

        def write(address: int, data: bytes) -> None:
            with self._engine.condition:
                self._state.changed()
                self._engine.device(1).write_memory(address, data)

        return Memory(read, write)

    @property
    def threads(self) -> tuple[Thread, ...]:
        """Every stopped thread, also those that were only halted with the rest. Raises
        :class:`~zedbg.NoThreadError` while none is.

        >>> len(session.threads)
        8
        """
        if self._stop is None and not self._engine.non_stop:
            raise NoThreadError("No thread is stopped.")
        with self._engine.condition:
            return tuple(
                Thread(self._state, each, self._hit_lanes(each), self._move)
                for each in self._engine.stopped_threads()
            )

    def thread(self, short_id: str) -> Thread:
        """A stopped thread by its short id. Raises :class:`~zedbg.NoThreadError`.

        >>> session.thread("1.4").work_group
        (1, 0, 0)
        """
        device, _, number = short_id.partition(".")
        if not (device.isdecimal() and number.isdecimal()):
            raise NoThreadError(f"{short_id!r} is no thread: give device and number, as in 1.17.")
        found = self._engine.thread(int(device), int(number))
        return Thread(self._state, found, self._hit_lanes(found), self._move)

    def work_item(self, x: int, y: int = 0, z: int = 0) -> tuple[Thread, int]:
        """The stopped thread that executes the work-item with that global id, and its lane there.

        Raises :class:`~zedbg.NoThreadError` when none does.

        >>> found, lane = session.work_item(37)
        >>> found.id, lane
        ('1.5', 5)
        """
        item = self._engine.find_work_item((x, y, z))
        found = Thread(self._state, item.thread, self._hit_lanes(item.thread), self._move)
        return found, item.lane

    def _hit_lanes(self, thread: object) -> int:
        stop = self._engine.stop
        hits: list[StoppedThread] = [] if stop is None else list(stop.threads)
        return next((each.lanes for each in hits if each.thread is thread), 0)

    def stacks(self) -> str:
        """Where every stopped thread is: groups with the same call stack, the largest first, then
        the variables of the focused lane.

        >>> print(session.stacks().splitlines()[0])
        8 threads, 64 lanes, 4 work-groups (0,0,0)-(3,0,0):
        """
        with self._engine.condition:
            return stack_report(self._engine)

    def save_core(self, path: str | Path, *, limit_bytes: int = 256 << 20) -> None:
        """Saves what is stopped in a core file: :func:`zedbg.open_core` and ``zedbg core`` open it.

        ``limit_bytes``: of device memory in it, at most. Raises :class:`~zedbg.CoreFileError`, and
        :class:`~zedbg.NotRunningError` or :class:`~zedbg.ProgramRunsError`.

        >>> session.save_core(folder / "core")
        """
        save_core(self._shell, Path(path), limit_bytes=limit_bytes)

    # --- the shell's commands ---------------------------------------------------------------------

    def execute(self, command: str) -> str:
        """Carries out a command of the shell, and gives the text that it shows.

        Raises :class:`~zedbg.CommandError`, and what the command raises.

        >>> print(session.execute("print in[3]"))
        $1 = 3
        """
        return "\n".join(render(self._execute(command)))

    def rows(self, command: str) -> list[dict[str, Any]]:
        """The same as data: what ``--json`` has as the command's rows; docs/machine-view.json is
        their schema.

        >>> session.rows("backtrace")[0]["line"]
        15
        """
        return [row.to_json() for row in self._execute(command)]

    def origin(self, expression: str, depth: int = 1, launch: int | None = None) -> Origin:
        """Where the value of ``expression`` came from, in a launch that is recorded: the
        instructions that brought and computed it, and, ``depth`` computations back, what it was
        made from. ``launch``: a launch that has ended, where no thread is stopped.

        Raises :class:`~zedbg.TimeTravelError`, and :class:`~zedbg.EvaluationError`.

        >>> left = session.origin("left")
        >>> left.written_by.line, left.beginning
        (13, 'buffer in, as it was before the launch')
        """
        where = "" if launch is None else f" --launch {launch}"
        rows = self._execute(f"origin {expression} --depth {depth}{where}")
        return tree_of([row for row in rows if isinstance(row, OriginRow)])

    def history(
        self, expression: str, limit: int = 200, launch: int | None = None
    ) -> list[HistoryRow]:
        """The last ``limit`` writes to what ``expression`` names, the earliest first: ``value``
        after the write, and ``written_by``, as of an origin. ``launch`` as for :meth:`origin`.

        Raises :class:`~zedbg.TimeTravelError`, and :class:`~zedbg.EvaluationError`.

        >>> [(each.written_by.line, each.value) for each in session.history("left")]
        [(13, 0.0)]
        """
        where = "" if launch is None else f" --launch {launch}"
        rows = self._execute(f"history {expression} --limit {limit}{where}")
        return [row for row in rows if isinstance(row, HistoryRow)]

    @property
    def _shell(self) -> CommandContext:
        if self._commands is None:
            self._commands = commands_over(self._engine)
        return self._commands

    def _execute(self, command: str) -> Sequence[Row]:
        before = self._engine.stop
        shell = self._shell
        shell.show_pending_events()  # for the handlers of plugins
        rows = shell.execute(command)
        shell.show_pending_events()
        self._state.changed()
        if self._engine.stop is not before:
            self._forget_stop()
        if self._stop is None and self._engine.stop is not None:
            self._stop = Stop(self._state, self._engine.stop, self._breakpoints._of, self._move)
        self._hear()
        return rows

    # --- running ---------------------------------------------------------------------------------

    def run(self, timeout: float | None = None) -> Iterator[Stop]:
        """Runs the program to its end, and gives each stop on the way; it goes on with the next
        round of the loop. ``timeout``: seconds for each part of the way, then it ends too.

        >>> lines = [stop.thread.frames[0].line for stop in session.run()]
        >>> lines, session.exited.code
        ([], 0)
        """
        while True:
            outcome = self.continue_(timeout, all_threads=True)
            if not isinstance(outcome, Stop):
                return
            yield outcome

    async def stops(self) -> AsyncIterator[Stop]:
        """The same for asyncio: ``async for stop in session.stops()``. Cancelling it interrupts
        the program.

        >>> async def lines():
        ...     return [stop.thread.frames[0].line async for stop in session.stops()]
        >>> asyncio.run(lines())
        []
        """
        import asyncio  # here: it takes a tenth of the time that loading all of the API does

        while True:
            running = asyncio.create_task(asyncio.to_thread(self.continue_))
            try:
                outcome = await asyncio.shield(running)
            except asyncio.CancelledError:
                self.interrupt()
                with contextlib.suppress(UserError):
                    await running
                raise
            if not isinstance(outcome, Stop):
                return
            yield outcome

    def continue_(
        self, timeout: float | None = None, *, all_threads: bool = False
    ) -> Outcome | None:
        """Lets everything run until something stops, or the program ends; None when ``timeout``
        seconds were over: then it still runs. In non-stop mode the focused thread goes on, or with
        ``all_threads`` every one that is stopped.

        Raises :class:`~zedbg.NotRunningError`, :class:`~zedbg.TimeLimitError`, and
        :class:`~zedbg.AttachError` when the program used a device but could not be debugged.

        >>> session.continue_().code
        0
        """
        return self._run(
            lambda limit: self._engine.continue_(limit, all_threads=all_threads), timeout
        )

    @property
    def moment(self) -> Moment:
        """Which launch the device shows, and at which time: the number of instructions that all
        threads have executed since it began. Raises :class:`~zedbg.TimeTravelError` where nothing
        is recorded.

        >>> session.moment.launch
        1
        """
        return self._engine.time.moment()

    def goto(self, time: int | None, launch: int | None = None) -> Stop:
        """Shows another time of the launch, or of another one; None: the present. Raises
        :class:`~zedbg.TimeTravelError` when there is no such time.

        >>> now = session.moment.time
        >>> session.goto(now - 1).reason.value
        'travel'
        >>> session.goto(None).reason.value, session.moment.time == now
        ('travel', True)
        """
        if time is None:
            return self._move(self._engine.time.go_to_present)
        return self._move(lambda: self._engine.time.go_to(time, launch))

    def goto_first(self, condition: str, *, differs: bool = False) -> Stop | None:
        """Shows the first moment at which ``condition`` holds in an active lane of the focused
        thread; None when it holds at no time that is recorded. ``differs``: at which two active
        lanes have different values of it.

        >>> session.goto_first("i == 3").thread.frames[0].line
        11
        """
        return self._went(self._engine.time.go_to_first_where(condition, differs=differs))

    def goto_first_disagreement(self, expression: str) -> Stop | None:
        """Shows the first moment at which a work-item, of any thread, comes to a statement of the
        focused thread's code with another value of ``expression`` than another work-item had there;
        each for the same time, for statements in loops. None when there is none.

        >>> session.goto_first_disagreement("n") is None  # an argument is the same for all
        True
        """
        return self._went(self._engine.time.go_to_first_disagreement(expression))

    def _went(self, found: EngineOutcome | None) -> Stop | None:
        """The stop of a search that went through the past; None: it found nothing."""
        if found is None:
            self._state.changed()
            self._hear()
            return None
        return self._move(lambda: found)

    def reverse_continue(self) -> Stop:
        """Goes back to the last breakpoint that a thread came to, or to the first time that is
        recorded: then the stop's reason is NO_HISTORY.

        >>> session.breakpoints.add("blur.cl:14")
        <Breakpoint 2 blur.cl:14, 0 hits>
        >>> session.reverse_continue().breakpoint.number
        2
        """
        return self._move(self._engine.time.continue_)

    def next_stop(self, timeout: float | None = None) -> Stop:
        """The same where a stop is expected: raises :class:`~zedbg.EndedError` when the program
        ends, and :class:`~zedbg.NotStoppedError` when ``timeout`` seconds were over.

        >>> session.next_stop(60)
        Traceback (most recent call last):
        zedbg.api.errors.EndedError: The program ended with exit code 0 and did not stop any more.
        """
        outcome = self.continue_(timeout)
        if outcome is None:
            raise NotStoppedError(timeout or 0)
        if isinstance(outcome, Exited):
            raise EndedError(outcome)
        return outcome

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """The stop that there is, or else the next one; as :meth:`continue_` otherwise.

        >>> session.wait() is session.stop
        True
        """
        if self._stop is not None and self._engine.state is SessionState.STOPPED:
            return self._stop
        return self._run(lambda limit: self._engine.wait(limit), timeout)

    def interrupt(self) -> None:
        """Asks the call that waits, on another thread, to stop everything. (Ctrl-C stops
        everything too, and the call raises KeyboardInterrupt.)

        >>> threading.Timer(0.2, session.interrupt).start()
        """
        self._interrupt_asked = True
        self._engine.interrupt()

    def kill(self) -> None:
        """Ends the program.

        >>> session.kill()
        >>> session.state
        'no process'
        """
        self._end_limit()
        if self._engine.process is not None:
            self._exited = self._engine.kill()
        self._forget_stop()
        self._hear()

    def detach(self) -> None:
        """Takes breakpoints out, and lets the program go on by itself.

        >>> session.detach()
        >>> session.state
        'no process'
        """
        self._end_limit()
        self._forget_stop()
        if self._engine.process is not None:
            self._engine.detach()
        self._hear()

    def close(self) -> None:
        """Ends the session; a program that is still there goes on by itself.

        >>> session.close()
        """
        self.detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _attach(self, pid: int) -> None:
        self._interrupt_asked = True
        self._run(lambda _: self._engine.attach(pid), None)

    def _open_core(self, path: Path) -> None:
        """Looks at the core file at ``path``."""
        open_core(self._engine, path)
        self._took(self._engine.stop)

    def _run(
        self, action: Callable[[float | None], EngineOutcome | None], timeout: float | None
    ) -> Outcome | None:
        """Lets the program run until something that no callback has an answer to."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            self._forget_stop()
            outcome = self._wait(action, deadline)
            if not isinstance(outcome, Stop) or not self._goes_on(outcome):
                return outcome
            action = self._engine.continue_

    def _wait(
        self, action: Callable[[float | None], EngineOutcome | None], deadline: float | None
    ) -> Outcome | None:
        self._check_limit()
        remaining = None if deadline is None else max(deadline - time.monotonic(), 0)
        self._waiting += 1
        try:
            outcome = action(remaining)
        except UserError:
            self._check_limit()
            raise
        finally:
            self._waiting -= 1
            self._hear()
        self._check_limit()
        asked, self._interrupt_asked = self._interrupt_asked, False
        took = self._took(outcome)
        if isinstance(took, Stop) and took.reason is StopReason.INTERRUPT and not asked:
            raise KeyboardInterrupt
        return took

    def _took(self, outcome: EngineOutcome | None) -> Outcome | None:
        if outcome is None:
            return None
        if isinstance(outcome, Exited):
            self._exited = outcome
            self._end_limit()
            self._messages.explain_end()
            if self._messages.refused is not None:
                raise AttachError(self._messages.refused)
            return outcome
        self._stop = Stop(self._state, outcome, self._breakpoints._of, self._move)
        return self._stop

    def _move(self, action: Callable[[], EngineOutcome]) -> Stop:
        """One thread moves, all others stay. Raises EndedError."""
        self._state.changed()
        moved = self._wait(lambda _: action(), None)
        if isinstance(moved, Exited):
            raise EndedError(moved)
        assert moved is not None
        return moved

    def _goes_on(self, stop: Stop) -> bool:
        """Whether callbacks answer for everything that stopped, and let it go on."""
        hit = stop.breakpoints
        if not hit or not all(each.callback is not None for each in hit):
            for each in hit:
                if each.callback is not None:
                    each.callback(stop)
            return False
        answers = [each.callback(stop) for each in hit if each.callback is not None]
        return all(answer is False for answer in answers) and self._stop is stop

    def _forget_stop(self) -> None:
        """The program runs, or is gone: threads of earlier stops are not what they were."""
        self._state.is_over = True
        self._state = StoppedState(self._engine)
        self._stop = None

    def _hear(self) -> None:
        """Takes what the engine has said."""
        self._exited = self._messages.hear() or self._exited

    # --- the time limit --------------------------------------------------------------------------

    def _check_limit(self) -> None:
        if self._limit is not None:
            self._limit.check()

    def _end_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()

    def _report_and_kill(self) -> str:
        """The time is over: says where everything is, and kills the program."""
        process = self._engine.process
        if process is None:
            return "The program had ended."
        report = self._report_of_the_end()
        self._forget_stop()
        with contextlib.suppress(UserError):
            self._exited = self._engine.kill()
        process.kill()
        return report

    def _report_of_the_end(self) -> str:
        """Where its threads are; stops it for that, unless it is stopped."""
        try:
            self._stop_for_report(_GRACE_SECONDS)
            return stack_report(self._engine)
        except UserError as error:
            return error.line

    def _stop_for_report(self, seconds: float) -> None:
        """Stops the program if it runs, whether another thread waits for it or not."""
        engine = self._engine
        if engine.state is not SessionState.RUNNING:
            return
        self._interrupt_asked = True
        engine.interrupt()
        if self._waiting:
            with engine.condition:
                engine.condition.wait_for(lambda: engine.state is not SessionState.RUNNING, seconds)
        else:
            engine.wait(seconds)

    def _stack_rows(self) -> list[Row]:
        """What :meth:`stacks` shows, as rows."""
        with self._engine.condition:
            return stack_rows(self._engine)

    def __repr__(self) -> str:
        process = self._engine.process
        return f"<Session of process {process.pid}, {self.state}>" if process else "<Session>"

    def _repr_html_(self) -> str:
        rows = [
            (each.number, each.location, each.condition or "", each.hits)
            for each in self.breakpoints
        ]
        return html.table(("breakpoint", "location", "condition", "hits"), rows, repr(self))
