"""A stop: all threads that stopped together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from zedbg.api import html
from zedbg.api.breakpoint import Breakpoint
from zedbg.api.frames import place_text
from zedbg.api.stack_report import stack_report
from zedbg.api.stopped_state import StoppedState
from zedbg.api.threads import Thread
from zedbg.api.values import Values, WorkItemValues
from zedbg.engine.breakpoints.breakpoint import Breakpoint as EngineBreakpoint
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.stops import Stop as EngineStop
from zedbg.engine.events.stops import StoppedThread
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.process.exited import Exited
from zedbg.engine.threads.work_item_values import read_work_items
from zedbg.missing import Missing

if TYPE_CHECKING:
    from zedbg.api.threads import Move


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
