"""A stop, and the hardware threads that stopped; each names the other, as a step of a thread gives
the next stop."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from zedbg.api import html
from zedbg.api.breakpoint import Breakpoint
from zedbg.api.frames import Frames, place_text
from zedbg.api.lanes import Ids, Lanes
from zedbg.api.memory import Memory, PrivateMemory
from zedbg.api.memory_spaces import pointed_to, private, scratch, shared_local, thread_memory
from zedbg.api.registers import Registers
from zedbg.api.stack_report import stack_report
from zedbg.api.stopped_state import StoppedState
from zedbg.api.values import Values, WorkItemValues
from zedbg.engine.breakpoints.breakpoint import Breakpoint as EngineBreakpoint
from zedbg.engine.engine_errors import LaneError, NoThreadError
from zedbg.engine.events.stops import Outcome as EngineOutcome
from zedbg.engine.events.stops import Stop as EngineStop
from zedbg.engine.events.stops import StoppedThread
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.engine.stepping.frame_return import dropped_call, returned_registers
from zedbg.engine.threads.returning import returning
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.work_item_values import read_work_items
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of


class Thread:
    """A hardware thread that is stopped. It is valid until the program runs again; a step of the
    thread itself leaves it valid.

    >>> thread.id, thread.name, thread.kernel, thread.work_group
    ('1.1', 'ZE 0.0.0.0', 'blur', (0, 0, 0))
    >>> thread["in[i] * 2"].lanes[:3]
    [0.0, 2.0, 4.0]
    """

    def __init__(
        self,
        state: StoppedState,
        thread: HardwareThread,
        hit: int,
        move: Move,
    ) -> None:
        self._state = state
        self._thread = thread
        self._hit = hit
        self._move = move

    @property
    def id(self) -> str:
        """The short id that the shell uses: device and number.

        >>> thread.id
        '1.1'
        """
        return self._thread.id

    @property
    def name(self) -> str:
        """The hardware's name: slice, subslice, EU, thread.

        >>> thread.name
        'ZE 0.0.0.0'
        """
        return self._thread.name

    @property
    def kernel(self) -> str | None:
        """The kernel that it executes, None when that is not known.

        >>> thread.kernel
        'blur'
        """
        with self._state.looking():
            return self._thread.kernel_name

    @property
    def work_group(self) -> Ids:
        """The work-group that it belongs to.

        >>> thread.work_group
        (0, 0, 0)
        """
        with self._state.looking():
            return self._thread.workgroup

    @property
    def pc(self) -> int:
        """The address of the next instruction.

        >>> thread.pc == thread.frames[0].pc
        True
        """
        with self._state.looking():
            return self._thread.pc

    @property
    def location(self) -> str:
        """Where it is, as text: ``blur at blur.cl:15``.

        >>> thread.location
        'blur at blur.cl:15'
        """
        with self._state.looking():
            return place_text(self._thread.location)

    @property
    def lanes(self) -> Lanes:
        """Its lanes.

        >>> thread.lanes.width
        8
        """
        return Lanes(self._state, self._thread, self._hit)

    @property
    def frames(self) -> Frames:
        """Its call frames, innermost first.

        >>> print(thread.frames[0])
        #0  blur at blur.cl:15
        """
        with self._state.looking():
            return Frames(self._state, self._thread, self._thread.backtrace())

    @property
    def variables(self) -> dict[str, Values]:
        """The variables in scope, in the active lanes.

        >>> thread.variables["n"].value
        64
        """
        return self.frames[0].variables

    def __getitem__(self, expression: str) -> Values:
        """The value of a C expression in each active lane; registers are ``$r10``.

        Raises :class:`~zedbg.EvaluationError` for what is wrong in every lane: no such name.

        >>> thread["n"].value
        64
        """
        return self.evaluate(expression)

    def __setitem__(self, expression: str, value: float | Sequence[float]) -> None:
        """Assigns a number, or one for each active lane.

        Raises :class:`~zedbg.EvaluationError` when that cannot be assigned to.

        >>> thread["n"] = 60
        >>> thread["n"].value
        60
        """
        if isinstance(value, Sequence):
            lanes = self.lanes.active
            if len(value) != len(lanes):
                raise LaneError(f"{len(lanes)} lanes are active, not {len(value)}.")
            for lane, each in zip(lanes, value, strict=True):
                self.evaluate(f"{expression} = {_literal(each)}", [lane])
        else:
            self.evaluate(f"{expression} = {_literal(value)}")

    def evaluate(self, expression: str, lanes: Sequence[int] | None = None) -> Values:
        """The value of ``expression`` in ``lanes``, without them in every active one.

        >>> thread.evaluate("i", [2, 4]).lanes
        [2, 4]
        """
        return Values(
            expression, self._state.evaluate(self._thread, self._thread, expression, lanes)
        )

    @property
    def registers(self) -> Registers:
        """Its registers by name.

        >>> len(thread.registers["r0"].data)
        32
        """
        return Registers(self._register)

    def _register(self, name: str) -> Value:
        with self._state.looking():
            return self._thread.registers[name]

    @property
    def memory(self) -> Memory:
        """Memory in the thread's address space, by pointers as its kernel has them: to global
        memory, to private memory, which has addresses of its own for each lane, and generic ones.

        >>> a = thread["in"].value
        >>> len(thread.memory[a : a + 16])
        16
        >>> private = thread["&value"].lanes[5]
        >>> thread.memory[private : private + 4] == bytes(4)
        True
        """
        return thread_memory(self._state, self._thread, lambda: pointed_to)

    @property
    def shared_local_memory(self) -> Memory:
        """The shared local memory (SLM) of its work-group, from address 0.

        >>> thread.shared_local_memory[0:0]
        b''
        """
        return thread_memory(self._state, self._thread, lambda: shared_local(self._thread))

    @property
    def private_memory(self) -> PrivateMemory:
        """The private memory of its work-items, by lane, and by the addresses of variables there.

        >>> p = thread["&value"].lanes[5]
        >>> len(thread.private_memory[5][p : p + 4])
        4
        """

        def of_lane(lane: int) -> Memory:
            self.lanes[lane]  # raises where there is none
            return thread_memory(self._state, self._thread, lambda: private(self._thread, lane))

        return PrivateMemory(of_lane)

    @property
    def scratch_memory(self) -> Memory:
        """Its scratch space, from address 0: registers that the compiler spilled, and stacks.

        >>> thread.scratch_memory[0:0]
        b''
        """
        return thread_memory(self._state, self._thread, lambda: scratch(self._thread))

    # --- moving it; all others stay stopped -------------------------------------------------------

    def step(self, count: int = 1, *, lane: int | None = None) -> Stop:
        """Goes on to another source line, into calls. ``lane``: lines that leave it inactive do not
        count. As the other moves, it gives the stop that it ends with, and raises
        :class:`~zedbg.EndedError` when the program ends.

        >>> other.step().thread.location
        'average at blur.cl:5'
        """
        return self._step(
            lambda session: session.step_line(count, follow_lane=lane is not None), lane
        )

    def next(self, count: int = 1, *, lane: int | None = None) -> Stop:
        """Goes on to another source line, over calls.

        >>> other.next().thread.frames[0].line
        16
        """
        follow = lane is not None
        return self._step(lambda session: session.step_line(count, True, follow), lane)

    def step_instruction(self, count: int = 1) -> Stop:
        """Executes ``count`` instructions.

        >>> before = other.pc
        >>> other.step_instruction().thread.pc > before
        True
        """
        return self._step(lambda session: session.step_instruction(count))

    def finish(self) -> Stop:
        """Runs until the innermost function returns; ``returned`` of the stop is its value.
        :class:`~zedbg.NoThreadError` in a kernel.

        >>> _ = other.advance("average")
        >>> stop = other.finish()
        >>> stop.thread.frames[0].function, stop.returned.lanes[:3]
        ('blur', [24.0, 25.0, 26.0])
        """
        with self._state.looking():
            function = returning(self._thread, self._thread.backtrace().frames[0])
        stop = self._step(lambda session: session.finish())
        if function is None or stop.reason is not StopReason.STEP:
            return stop
        with self._state.looking():
            values = function.values(self._thread, lanes_of(self._thread.active_lanes))
        if values is not None:
            stop._returned = Values(f"{function.function.name}()", values)
        return stop

    def return_(self, expression: str = "") -> Stop:
        """Lets the innermost function return at once, without executing the rest of it, in the
        active lanes; ``expression`` is what it returns, evaluated in each of them. Lanes that are
        elsewhere in the function go on there, and those that have returned wait for them.

        Raises :class:`~zedbg.NoThreadError` where that cannot be done, as in a kernel or an inlined
        function, and EvaluationError where the value cannot be returned.

        >>> _ = other.advance("average")
        >>> other.return_("middle * 10").thread.next().thread["value"].lanes[:3]
        [240.0, 250.0, 260.0]
        """
        with self._state.looking():
            self._thread.device.require_present()
            call = dropped_call(self._thread, 0)
            registers = returned_registers(self._thread, self._thread, call, expression)
        self._state.changed()
        return self._step(lambda session: session.return_from(call, registers))

    def advance(self, location: str) -> Stop:
        """Runs to a place, as in ``session.breakpoints.add``.

        >>> other.advance("blur.cl:18").thread.frames[0].line
        18
        """
        return self._step(lambda session: session.advance_to(location))

    # --- back; the whole device goes with it ----------------------------------------------------

    def reverse_step(self, count: int = 1, *, lane: int | None = None) -> Stop:
        """Goes back to the beginning of a source line, into calls at their ends. Raises
        :class:`~zedbg.TimeTravelError` where the device cannot go back.

        >>> other.next().thread.reverse_step().thread.location
        'average at blur.cl:5'
        """
        follow = lane is not None
        return self._step(lambda session: session.time.step_line(count, False, follow), lane)

    def reverse_next(self, count: int = 1, *, lane: int | None = None) -> Stop:
        """Goes back to the beginning of a source line, over calls.

        >>> other.next().thread.reverse_next().thread.frames[0].line
        15
        """
        follow = lane is not None
        return self._step(lambda session: session.time.step_line(count, True, follow), lane)

    def reverse_step_instruction(self, count: int = 1) -> Stop:
        """Goes back by ``count`` instructions.

        >>> before = other.pc
        >>> other.step_instruction(2).thread.reverse_step_instruction(2).thread.pc == before
        True
        """
        return self._step(lambda session: session.time.step_instruction(count))

    def reverse_finish(self) -> Stop:
        """Goes back to the call of the innermost function; :class:`~zedbg.NoThreadError` in a
        kernel.

        >>> _ = other.advance("average")
        >>> other.reverse_finish().thread.frames[0].function
        'blur'
        """
        return self._step(lambda session: session.time.finish())

    def _step(
        self, action: Callable[[EngineSession], EngineOutcome], lane: int | None = None
    ) -> Stop:
        def select_and_move() -> EngineOutcome:
            self._state.engine.select(self._thread, lane)
            return action(self._state.engine)

        self._state.require()
        return self._move(select_and_move)

    def __repr__(self) -> str:
        with contextlib.suppress(UserError):
            return f"<Thread {self.id} ({self.name}) {self.location}, work-group {self.work_group}>"
        return f"<Thread {self.id} ({self.name})>"

    def _repr_html_(self) -> str:
        rows = [
            (name, values.type, values.text(values.lane_numbers[0]) if len(values) else "")
            for name, values in self.variables.items()
        ]
        title = f"Thread {self.id}: {self.location}, work-group {self.work_group}"
        return html.table(("variable", "type", "value"), rows, title)


class Stop:
    """All that stopped together. It is valid until the program runs again.

    >>> stop.reason.value, len(stop.threads), stop.kernel
    ('breakpoint', 8, 'blur')
    >>> stop["in[i]"].over_work_items().shape
    (64,)
    """

    def __init__(
        self,
        state: StoppedState,
        stop: EngineStop,
        breakpoint_of: Callable[[EngineBreakpoint], Breakpoint],
        move: Move,
    ) -> None:
        self._state = state
        self._stop = stop
        self._breakpoint_of = breakpoint_of
        self._move = move
        self._returned: Values | None = None
        state.expect([each.thread for each in stop.threads])

    @property
    def reason(self) -> StopReason:
        """Why the focused thread stopped.

        >>> stop.reason is zedbg.StopReason.BREAKPOINT
        True
        """
        return self._stop.reason

    @property
    def detail(self) -> str:
        """One line more where there is one, as that of an exception; else empty.

        >>> stop.detail
        ''
        """
        return self._stop.detail

    @cached_property
    def threads(self) -> tuple[Thread, ...]:
        """Every thread that hit. Going through them reads their registers and memory together.

        >>> [each.id for each in stop.threads][:3]
        ['1.1', '1.2', '1.3']
        """
        return tuple(self._thread(each) for each in self._stop.threads)

    @property
    def thread(self) -> Thread:
        """The focused thread. Raises :class:`~zedbg.NoThreadError` when none stopped.

        >>> stop.thread.id
        '1.1'
        """
        focus = self._stop.focus
        if focus is None:
            raise NoThreadError("No thread of a device stopped.")
        return self._thread(focus)

    @property
    def stopped_threads(self) -> tuple[Thread, ...]:
        """Every stopped thread, also those that were only halted with the rest.

        >>> len(stop.stopped_threads)
        8
        """
        with self._state.looking():
            hits = {each.thread: each.lanes for each in self._stop.threads}
            return tuple(
                self._thread(StoppedThread(each, hits.get(each, 0)))
                for each in self._state.engine.stopped_threads()
            )

    def _thread(self, stopped: StoppedThread) -> Thread:
        return Thread(self._state, stopped.thread, stopped.lanes, self._move)

    @property
    def breakpoint(self) -> Breakpoint | None:
        """The breakpoint that the focused thread hit, None for another reason.

        >>> stop.breakpoint.location
        'blur.cl:15'
        """
        hit = self._stop.breakpoint
        return None if hit is None else self._breakpoint_of(hit)

    @property
    def breakpoints(self) -> list[Breakpoint]:
        """Every breakpoint that was hit, each once, the focused thread's first.

        >>> [each.number for each in stop.breakpoints]
        [1]
        """
        return [self._breakpoint_of(each) for each in self._stop.breakpoints]

    @property
    def returned(self) -> Values | None:
        """What the function returned that ``finish()`` ended, in each lane that called it; None
        after anything else, and where it returns nothing.

        >>> stop.returned is None
        True
        """
        return self._returned

    @property
    def kernel(self) -> str | None:
        """The kernel of the focused thread.

        >>> stop.kernel
        'blur'
        """
        return None if self._stop.group is None else self._stop.group.kernel

    @property
    def location(self) -> str:
        """Where the focused thread is, as text; empty when no thread stopped.

        >>> stop.location
        'blur at blur.cl:15'
        """
        where = self._stop.location
        return "" if where is None else place_text(where)

    @property
    def fault_address(self) -> int | None:
        """Where the driver saw a page fault since the last stop, if it reported one.

        >>> stop.fault_address is None
        True
        """
        return self._stop.fault_address

    def __getitem__(self, expression: str) -> WorkItemValues:
        """The value of ``expression`` in every stopped work-item of the focused thread's kernel.

        Raises :class:`~zedbg.EvaluationError` for what is wrong in each of them.
        """
        with self._state.looking():
            kernel = self.kernel
            engine = self._state.engine
            threads = [each for each in engine.stopped_threads() if each.kernel_name == kernel]
            items = read_work_items(threads, expression)
            size = threads[0].work.global_size if threads else None
            return WorkItemValues(expression, items, None if isinstance(size, Missing) else size)

    def stacks(self) -> str:
        """Where every stopped thread is: groups with the same call stack, as ``stacks`` shows them.

        >>> print(stop.stacks())  # doctest: +ELLIPSIS
        8 threads, 64 lanes, 4 work-groups (0,0,0)-(3,0,0):
          #0  blur at blur.cl:15
        Variables of thread 1.1, lane 0, (0,0,0):
        ...
        """
        with self._state.looking():
            return stack_report(self._state.engine)

    def __iter__(self) -> Iterator[Thread]:
        return iter(self.threads)

    def __str__(self) -> str:
        count = len(self._stop.threads)
        who = f"{count} threads" if count != 1 else "1 thread"
        why = self.reason.value
        if self._stop.breakpoint is not None:
            why = f"{why} {self._stop.breakpoint.number}"
        return " ".join(filter(None, (f"{why}: {who}", self.location and f"in {self.location}")))

    def __repr__(self) -> str:
        return f"<Stop {self}>"

    def _repr_html_(self) -> str:
        groups = [
            (
                each.reason.value,
                place_text(each.location),
                each.workgroup,
                ", ".join(one.thread.id for one in each.threads),
            )
            for each in self._stop.groups
        ]
        return html.table(("reason", "location", "work-group", "threads"), groups, str(self))


Outcome = Stop | Exited
"""What running ends with."""

Move = Callable[[Callable[[], EngineOutcome]], Stop]


def _literal(value: float) -> str:
    """A number as an expression."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "(0.0 / 0.0)"
    if value in (float("inf"), float("-inf")):
        return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
    return repr(float(value))
