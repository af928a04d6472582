"""One device under debug: what it has, and its threads that stopped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.ground.variables import Variables
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.threads.hand_writes import HandWrites
from zedbg.engine.threads.thread import HardwareThread, Standing
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.levelzero.debug import ALL_THREADS
from zedbg.levelzero.debug_events import DebugEvent, ThreadFields
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable
from zedbg.xe.coordinates import ThreadId
from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class DeviceStanding:
    """How the threads of a device are stopped: each that is, those whose stop is not judged yet,
    and whether no stop can wait to be read."""

    stopped: Mapping[HardwareThread, Standing]
    new_stops: Mapping[HardwareThread, None]
    stands_still: bool


class Device(DeviceContents):
    """Device ``number`` (from 1) of a session. Threads exist here from their first stop on."""

    def __init__(
        self, number: int, opened: OpenedDevice, variables: Variables | None = None
    ) -> None:
        super().__init__(number, opened, variables)
        # Reads events in the caller's thread for a moment, until what it is given is true.
        self.read_events_until: Callable[[Callable[[], bool]], None] | None = None
        self.process_entered = False
        # Threads that reported a stop which is not judged yet, in order of arrival.
        self.new_stops: dict[HardwareThread, None] = {}
        # Events of modules that a catchpoint waits for: the program waits until they are answered.
        self.unanswered: list[DebugEvent] = []
        self.interrupts_pending = 0
        self.asked: set[HardwareThread] = set()  # interrupted alone, and not answered yet
        self.halted_unknown = False  # an interrupt hit threads that have not been looked for
        self._threads: dict[ThreadFields, HardwareThread] = {}
        self.hand_writes = HandWrites(self, self.stopped_threads)
        self.before_write = self.hand_writes.memory_written

    # --- threads ---------------------------------------------------------------------------

    def thread(self, place: ThreadId) -> HardwareThread:
        """The thread at ``place``; ValueError when the device has none there."""
        return self._threads.get(place.fields) or self._new_thread(place)

    def thread_of(self, fields: ThreadFields) -> HardwareThread | None:
        """The thread that the driver calls ``fields``; None when the device has none there."""
        found = self._threads.get(fields)
        if found is None:
            place = ThreadId(*fields)
            found = self._new_thread(place) if self.topology.contains(place) else None
        return found

    def _new_thread(self, place: ThreadId) -> HardwareThread:
        thread = self._threads[place.fields] = HardwareThread(
            self, place, self.stopped_threads, self.hand_writes
        )
        return thread

    def thread_numbered(self, number: int) -> HardwareThread:
        """Thread ``number`` (from 1) if it is stopped; NoThreadError when not."""
        if not 1 <= number <= self.topology.thread_count:
            raise NoThreadError(f"Invalid thread ID: {self.number}.{number}")
        thread = self.thread(self.topology.thread(number - 1))
        if not self.is_stopped(thread):
            raise NoThreadError(f"Thread {thread.id} ({thread.name}) is not stopped.")
        return thread

    def stopped_threads(self) -> list[HardwareThread]:
        """Every stopped thread, by number, also those that an interrupt halted."""
        self.find_halted()
        return sorted(self._stopped(), key=lambda thread: thread.number)

    def rests(self) -> bool:
        """Whether any thread is known to be stopped, and not moved by a command."""
        return any(thread.is_at_rest for thread in self._threads.values())

    def resumed_threads(self) -> list[HardwareThread]:
        """The threads that were stopped at some time and run since, or have ended; by number."""
        gone = (each for each in self._threads.values() if not each.is_at_rest)
        return sorted(gone, key=lambda thread: thread.number)

    def _stopped(self) -> Iterator[HardwareThread]:
        return (thread for thread in self._threads.values() if thread.is_stopped)

    def only_stopped(self, threads: Iterable[HardwareThread]) -> bool:
        """Whether ``threads``, and no others, are stopped."""
        return not self.halted_unknown and set(threads) == set(self._stopped())

    # --- the past ----------------------------------------------------------------------------

    def standing(self) -> DeviceStanding:
        """How its threads are stopped, before the past is shown."""
        self.find_halted()
        stopped = {thread: thread.standing for thread in self._stopped()}
        return DeviceStanding(stopped, dict(self.new_stops), self.stands_still)

    def show_past(self, resident: Iterable[ThreadFields]) -> None:
        """It shows another time, at which the threads ``resident`` are stopped: nothing that was
        read before holds."""
        self.in_past = True
        for thread in self._threads.values():
            thread.mark_running()
        self.new_stops.clear()
        for fields in resident:
            found = self.thread_of(fields)
            if found is not None:
                found.mark_stopped(ThreadState.HALTED)

    def show_present(self, before: DeviceStanding) -> None:
        """The present is back, as it was left: ``before``."""
        self.show_past(())
        self.in_past = False
        for thread, standing in before.stopped.items():
            thread.stand_again(standing)
        self.new_stops.update(before.new_stops)
        self.stands_still = before.stands_still

    def find_halted(self) -> None:
        """Looks for the threads that an interrupt halted: the driver only says that there are
        some, so each thread that is not known to be stopped is asked once."""
        if not self.halted_unknown:
            return
        self.halted_unknown = False
        every = map(self.topology.thread, range(self.topology.thread_count))
        stopped = {thread.place.fields for thread in self._stopped()}
        self._probe([place for place in every if place.fields not in stopped])

    def is_stopped(self, thread: HardwareThread) -> bool:
        """Whether ``thread`` is stopped, also by an interrupt whose threads were not looked for."""
        if not thread.is_stopped and self.halted_unknown:
            self._probe([thread.place])
        return thread.is_stopped

    def is_halted_at(self, thread: HardwareThread, address: int) -> bool:
        """Whether an interrupt halted ``thread`` in front of the instruction at ``address``."""
        halted = self.is_stopped(thread) and thread.state is ThreadState.HALTED
        return halted and thread.pc == address

    def _probe(self, places: list[ThreadId]) -> None:
        """Takes those threads for halted whose cr the driver lets be read."""
        registers = self.register_layout.get(RegisterKind.CR)
        assert registers is not None
        read = self.debug.read_registers_of(
            [place.fields for place in places],
            RegisterKind.CR,
            registers.count,
            registers.byte_size,
        )
        for place, control in zip(places, read, strict=True):
            if control is not None:
                self.thread(place).mark_stopped(ThreadState.HALTED, control)
            elif place.fields in self._threads:
                self._threads[place.fields].mark_running()

    def resume_all(
        self, stepping: HardwareThread | None = None, *, others_run: bool = False
    ) -> int:
        """Lets every stopped thread run, ``stepping`` for one instruction; how many there were.

        Threads whose stop is not judged yet stay stopped, and in non-stop mode those that a
        command moves. ``others_run``: each is resumed by itself, since the driver's call for all
        threads also resumes one whose stop has been read but not been taken. It stops again, but
        what waits for it would believe that it is stopped before it is. Otherwise they go on at
        the same time, and do the same whenever that is.
        """
        stopped = self.stopped_threads()
        threads = [each for each in stopped if each not in self.new_stops and not each.is_moved]
        if len(threads) < len(stopped) or others_run:
            self._resume_one_by_one(threads, stepping)
            return len(threads)
        self.stands_still = False
        for thread in threads:
            try:
                thread.prepare_resume(step=thread is stepping)
            except LevelZeroError:
                thread.mark_running()  # it is gone
        if threads:
            try:
                self.debug.resume(ALL_THREADS)
            except NotAvailable:  # none of them is there any more; it is looked for when needed
                self.halted_unknown = True
        for thread in threads:
            thread.mark_running(in_context=thread is stepping)
        return len(threads)

    def release(self) -> None:
        """Before a detach: no breakpoint is left, and nothing waits; what the driver refuses is
        skipped."""
        self.code.remove_all()
        self.answer_module_events()
        self.new_stops.clear()
        for thread in self._stopped():
            thread.is_moved = False
        with contextlib.suppress(LevelZeroError, NoThreadError):
            self.resume_all()

    def answer_module_events(self) -> list[LevelZeroError]:
        """Lets a program go on that waits after a module came or went; what the driver refused."""
        events, self.unanswered = self.unanswered, []
        errors = []
        for event in events:
            try:
                self.debug.acknowledge(event)
            except LevelZeroError as error:
                errors.append(error)
        return errors

    def _resume_one_by_one(
        self, threads: list[HardwareThread], stepping: HardwareThread | None
    ) -> None:
        for thread in threads:
            try:
                thread.resume(step=thread is stepping)
            except LevelZeroError:
                thread.mark_running()  # it is gone
