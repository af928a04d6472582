"""What is known of a session while its threads stand still, read together for many threads."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence

from zedbg.api.errors import StopOverError
from zedbg.dwarf import DebugInfo
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.read_ahead import ReadAhead
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions.api import Expression
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.value import LaneValues
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.registers import RegisterKind

# A program's host part may write memory while its threads stand still: what was read ahead is used
# for as long as a loop over threads goes on.
_PICTURE_SECONDS = 0.1
_LARGEST_CHUNK = 512


class StoppedState:
    """One stretch of time in which the program does not run; ``threads`` are those that a script
    is likely to ask one after another.

    Raises StopOverError once the program has run, and what the engine raises.
    """

    def __init__(self, engine: EngineSession) -> None:
        self.engine = engine
        self.is_over = False
        self._order: dict[HardwareThread, int] = {}
        self._threads: Sequence[HardwareThread] = ()
        self._expressions: dict[tuple[str, DebugInfo | None], Expression] = {}
        self._read_ahead: dict[DeviceContents, ReadAhead] = {}
        self._last_use = 0.0
        self._next_chunk = 1
        self._expected = 0

    def expect(self, threads: Sequence[HardwareThread]) -> None:
        """``threads`` are those of a stop."""
        self._threads = threads
        self._order = {thread: position for position, thread in enumerate(threads)}

    def require(self) -> None:
        """StopOverError when the program has run. (In non-stop mode others may run: the engine
        knows whether a thread is still stopped.)"""
        if self.is_over and not self.engine.non_stop:
            raise StopOverError

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """While something is asked of threads: the session's lock is held."""
        with self.engine.condition:
            self.require()
            yield

    def changed(self) -> None:
        """Memory or registers were written, or a thread moved: what was read ahead is old."""
        self._read_ahead.clear()

    def evaluate(
        self,
        thread: HardwareThread,
        context: ThreadContext,
        text: str,
        lanes: Sequence[int] | None,
    ) -> LaneValues:
        """The value of ``text`` in ``context``, which is of ``thread``; without ``lanes``, in the
        active ones."""
        with self.engine.condition:
            self.require()
            self._read_registers(thread)
            info = context.debug_info
            key = text, info
            expression = self._expressions.get(key)
            if expression is None:
                expression = self._expressions[key] = Expression(text, info)
            wanted = lanes_of(context.active_lanes) if lanes is None else lanes
            if expression.assigns or self.engine.non_stop:
                self.changed()
                return expression.evaluate(context, wanted)
            with thread.device.reading_ahead(self._picture(thread.device)):
                values = expression.evaluate(context, wanted)
            self._last_use = time.monotonic()
            return values

    def _picture(self, device: DeviceContents) -> ReadAhead:
        """Memory of ``device`` as this loop over threads sees it."""
        if time.monotonic() - self._last_use > _PICTURE_SECONDS:
            self._read_ahead.clear()
        return self._read_ahead.setdefault(device, ReadAhead())

    def _read_registers(self, thread: HardwareThread) -> None:
        """Reads the registers of ``thread``, and of those after it when a script goes through
        them one by one: of twice as many each time."""
        position = self._order.get(thread)
        if position is None or not thread.lacks(RegisterKind.GRF):
            return
        self._next_chunk = self._next_chunk * 2 if position == self._expected else 1
        self._next_chunk = min(self._next_chunk, _LARGEST_CHUNK)
        together = self._threads[position : position + self._next_chunk]
        self._expected = position + self._next_chunk
        device = thread.device
        read_general_registers(device, [each for each in together if each.device is device])
