"""A program under debug."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from zedbg.api import html
from zedbg.api.breakpoints import Breakpoints
from zedbg.api.commands import commands_over
from zedbg.api.errors import EndedError, NotStoppedError
from zedbg.api.memory import Memory
from zedbg.api.origins import Origin, tree_of
from zedbg.api.program_run import ProgramRun
from zedbg.api.stack_report import stack_report
from zedbg.api.stops import Outcome, Stop, Thread
from zedbg.commands.describe.saving_cores import save_core
from zedbg.commands.describe.stacks import stack_rows
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.origin_rows import HistoryRow, OriginRow
from zedbg.commands.rows.row import Row
from zedbg.cores.opening import open_core
from zedbg.engine.engine_errors import NoThreadError, NotRunningError
from zedbg.engine.events.stops import Outcome as EngineOutcome
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.engine.threads.thread import HardwareThread
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
        self._run = ProgramRun(engine, self._breakpoints._of, time_limit)
        self._commands: CommandContext | None = None

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
        return self._run.stop

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
        return self._run.exited

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
        return self._run.heard()

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
                self._run.state.changed()
                self._engine.device(1).write_memory(address, data)

        return Memory(read, write)

    @property
    def threads(self) -> tuple[Thread, ...]:
        """Every stopped thread, also those that were only halted with the rest. Raises
        :class:`~zedbg.NoThreadError` while none is.

        >>> len(session.threads)
        8
        """
        if self._run.stop is None and not self._engine.non_stop:
            raise NoThreadError("No thread is stopped.")
        with self._engine.condition:
            return tuple(self._thread(each) for each in self._engine.stopped_threads())

    def thread(self, short_id: str) -> Thread:
        """A stopped thread by its short id. Raises :class:`~zedbg.NoThreadError`.

        >>> session.thread("1.4").work_group
        (1, 0, 0)
        """
        device, _, number = short_id.partition(".")
        if not (device.isdecimal() and number.isdecimal()):
            raise NoThreadError(f"{short_id!r} is no thread: give device and number, as in 1.17.")
        return self._thread(self._engine.thread(int(device), int(number)))

    def work_item(self, x: int, y: int = 0, z: int = 0) -> tuple[Thread, int]:
        """The stopped thread that executes the work-item with that global id, and its lane there.

        Raises :class:`~zedbg.NoThreadError` when none does.

        >>> found, lane = session.work_item(37)
        >>> found.id, lane
        ('1.5', 5)
        """
        item = self._engine.find_work_item((x, y, z))
        return self._thread(item.thread), item.lane

    def _thread(self, thread: HardwareThread) -> Thread:
        """``thread`` as scripts have it, with the lanes that hit."""
        stop = self._engine.stop
        hits = () if stop is None else stop.threads
        lanes = next((each.lanes for each in hits if each.thread is thread), 0)
        return Thread(self._run.state, thread, lanes, self._run.move)

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
        self._run.follow_engine(before)
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
        return self._run.until_stop(
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
            return self._run.move(self._engine.time.go_to_present)
        return self._run.move(lambda: self._engine.time.go_to(time, launch))

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
            self._run.stayed()
            return None
        return self._run.move(lambda: found)

    def reverse_continue(self) -> Stop:
        """Goes back to the last breakpoint that a thread came to, or to the first time that is
        recorded: then the stop's reason is NO_HISTORY.

        >>> session.breakpoints.add("blur.cl:14")
        <Breakpoint 2 blur.cl:14, 0 hits>
        >>> session.reverse_continue().breakpoint.number
        2
        """
        return self._run.move(self._engine.time.continue_)

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
        if self._run.stop is not None and self._engine.state is SessionState.STOPPED:
            return self._run.stop
        return self._run.until_stop(lambda limit: self._engine.wait(limit), timeout)

    def interrupt(self) -> None:
        """Asks the call that waits, on another thread, to stop everything. (Ctrl-C stops
        everything too, and the call raises KeyboardInterrupt.)

        >>> threading.Timer(0.2, session.interrupt).start()
        """
        self._run.interrupt()

    def kill(self) -> None:
        """Ends the program.

        >>> session.kill()
        >>> session.state
        'no process'
        """
        self._run.kill()

    def detach(self) -> None:
        """Takes breakpoints out, and lets the program go on by itself.

        >>> session.detach()
        >>> session.state
        'no process'
        """
        self._run.detach()

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
        self._run.attach(pid)

    def _open_core(self, path: Path) -> None:
        """Looks at the core file at ``path``."""
        open_core(self._engine, path)
        self._run.took(self._engine.stop)

    def _stop_for_report(self, seconds: float) -> None:
        """Stops the program if it runs; waits so many ``seconds`` for that."""
        self._run.stop_for_report(seconds)

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
