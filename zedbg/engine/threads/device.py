"""One device under debug: its session, its threads that stopped, its modules and breakpoints."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.module_catches import ModuleCatches
from zedbg.engine.modules.code_memory import CodeMemory
from zedbg.engine.modules.code_place import CodePlace
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.read_ahead import ReadAhead
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadRegisters, ThreadState
from zedbg.levelzero.core_driver import DeviceProperties
from zedbg.levelzero.debug import ALL_THREADS, ProgramDebug, RegsetProperties
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.enums import DebugMemorySpace, RegsetFlag
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable
from zedbg.xe.coordinates import ThreadId, Topology
from zedbg.xe.registers import (
    ControlBit,
    RegisterKind,
    RegisterLayout,
    RegisterSet,
)

if TYPE_CHECKING:
    from zedbg.engine.events.event_reader import EventReader
    from zedbg.engine.sessions.session import Session

_LARGE_GRF_COUNT = 256


class Device:
    """Device ``number`` (from 1) of a session. Threads exist here from their first stop on."""

    def __init__(
        self,
        session: Session,
        number: int,
        debug: ProgramDebug,
        properties: DeviceProperties,
        register_sets: list[RegsetProperties],
        pci_address: str | None = None,
    ) -> None:
        self.session = session
        self.number = number
        self.debug = debug
        self.properties = properties
        self.pci_address = pci_address
        self.topology = Topology(
            properties.slices,
            properties.subslices_per_slice,
            properties.eus_per_subslice,
            properties.threads_per_eu,
        )
        self.register_layout = layout_from(register_sets)
        self.modules: list[LoadedModule] = []
        self.code = CodeMemory(debug, self._code_range_at, self.register_layout.platform)
        self.event_reader: EventReader | None = None
        self.attached = True
        self.process_entered = False
        # Threads that reported a stop which nobody has judged yet, in order of arrival.
        self.new_stops: dict[HardwareThread, None] = {}
        self.module_catches = ModuleCatches(self)
        self.interrupts_pending = 0
        self.asked: set[HardwareThread] = set()  # interrupted alone, and not answered yet
        # Everything was interrupted, and nothing let go since: no stop can wait to be read.
        self.stands_still = False
        self.halted_unknown = False  # an interrupt hit threads that have not been looked for
        self._threads: dict[ThreadFields, HardwareThread] = {}
        self._read_ahead: ReadAhead | None = None
        self._code_places: dict[int, CodePlace] = {}

    @property
    def name(self) -> str:
        return self.properties.name

    def __repr__(self) -> str:
        return f"<Device {self.number} {self.name!r}>"

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
        thread = self._threads[place.fields] = HardwareThread(self, place)
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

    def let_go(self) -> list[HardwareThread]:
        """The threads that were stopped at some time and run since, or have ended; by number."""
        gone = (each for each in self._threads.values() if not each.is_at_rest)
        return sorted(gone, key=lambda thread: thread.number)

    def _stopped(self) -> Iterator[HardwareThread]:
        return (thread for thread in self._threads.values() if thread.is_stopped)

    def only_stopped(self, threads: Iterable[HardwareThread]) -> bool:
        """Whether ``threads``, and no others, are stopped."""
        return not self.halted_unknown and set(threads) == set(self._stopped())

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
        """Whether ``thread`` is stopped, also by an interrupt whose threads nobody looked for."""
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

        Threads whose stop nobody has judged yet stay stopped, and in non-stop mode those that a
        command moves. ``others_run``: each is let go by itself, since the driver's word for all of
        them also takes one whose stop has been read but not been taken; it stops again, but whoever
        waits for it would believe that it is stopped before it is. Otherwise they go on at the same
        time, and do the same whenever that is.
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
            except NotAvailable:  # none of them is there any more; who wants to know looks
                self.halted_unknown = True
        for thread in threads:
            thread.mark_running(in_context=thread is stepping)
        return len(threads)

    def let_everything_go(self) -> None:
        """Before a detach: no breakpoint is left, and nothing waits; what the driver refuses is
        skipped."""
        self.code.remove_all()
        self.module_catches.release()
        self.new_stops.clear()
        for thread in self._stopped():
            thread.is_moved = False
        with contextlib.suppress(LevelZeroError, NoThreadError):
            self.resume_all()

    def _resume_one_by_one(
        self, threads: list[HardwareThread], stepping: HardwareThread | None
    ) -> None:
        for thread in threads:
            try:
                thread.resume(step=thread is stepping)
            except LevelZeroError:
                thread.mark_running()  # it is gone

    def read_together(self, threads: Sequence[HardwareThread], *kinds: RegisterKind) -> None:
        """Reads sets of registers of all of ``threads``, without work in between: that takes a
        fraction of reading one by one. What the driver refuses is asked for again when needed.

        General registers are many, and not all threads have as many: see
        :meth:`read_headers` and :meth:`read_general_registers`.
        """
        for kind in kinds:
            registers = self.register_layout.get(kind)
            if registers is not None:
                wanted = [thread for thread in threads if thread.lacks(kind)]
                self._read_of(wanted, kind, registers.count, HardwareThread.take_registers)

    def read_headers(self, threads: Sequence[HardwareThread]) -> None:
        """Reads the first general register of all of ``threads``, as above."""
        wanted = [thread for thread in threads if thread.lacks_first(RegisterKind.GRF)]
        self._read_of(wanted, RegisterKind.GRF, 1, HardwareThread.take_first_register)

    def read_general_registers(self, threads: Iterable[HardwareThread]) -> None:
        """Reads all general registers of all of ``threads``, as above."""
        by_count: dict[int, list[HardwareThread]] = {}
        for thread in threads:
            with contextlib.suppress(LevelZeroError):  # one that is gone
                registers = thread.register_layout.get(RegisterKind.GRF)
                if registers is not None and thread.lacks(RegisterKind.GRF):
                    by_count.setdefault(registers.count, []).append(thread)
        for count, wanted in by_count.items():
            self._read_of(wanted, RegisterKind.GRF, count, HardwareThread.take_registers)

    def _read_of(
        self,
        threads: Sequence[HardwareThread],
        kind: RegisterKind,
        count: int,
        take: Callable[[HardwareThread, RegisterKind, bytes], None],
    ) -> None:
        """Has each of ``threads`` ``take`` its first ``count`` registers."""
        if not threads:
            return
        places = [thread.place.fields for thread in threads]
        found = self.debug.read_registers_of(places, kind, count, self._byte_size(kind))
        for thread, data in zip(threads, found, strict=True):
            if data is not None:
                take(thread, kind, data)

    def layout_of(self, thread: ThreadRegisters) -> RegisterLayout:
        """The register sets of ``thread``: its number of GRFs is its kernel's choice."""
        own = self.debug.thread_register_sets(thread.place.fields)
        if own is not None:
            return layout_from(own)
        # Xe-HPG and Xe-HPC tell by cr0.0 bit 13; the device's own list always says 128.
        if thread.lacks(RegisterKind.CR):
            # The thread itself asks for its layout before it reads a register.
            data = self.debug.read_registers(
                thread.place.fields, RegisterKind.CR, 0, 1, self._byte_size(RegisterKind.CR)
            )
            thread.take_registers(RegisterKind.CR, data)
        if not thread.control.control & ControlBit.LARGE_GRF:
            return self.register_layout
        return RegisterLayout(
            {
                one.kind: RegisterSet(
                    one.kind,
                    _LARGE_GRF_COUNT if one.kind is RegisterKind.GRF else one.count,
                    one.byte_size,
                    one.readable,
                    one.writeable,
                )
                for one in self.register_layout
            }
        )

    def _byte_size(self, kind: RegisterKind) -> int:
        registers = self.register_layout.get(kind)
        if registers is None:
            raise NoThreadError(f"{self.name} has no {kind.name} registers")
        return registers.byte_size

    # --- modules and memory ------------------------------------------------------------------

    def module_at(self, address: int) -> LoadedModule | None:
        """The module whose code ``address`` lies in."""
        return next((module for module in self.modules if module.contains(address)), None)

    def code_place(self, address: int) -> CodePlace:
        """What is known of the code at ``address``."""
        found = self._code_places.get(address)
        if found is None:
            found = self._code_places[address] = CodePlace(self, address)
        return found

    def add_module(self, module: LoadedModule) -> None:
        self.modules.append(module)
        self._code_places.clear()

    def remove_module(self, module: LoadedModule) -> None:
        self.modules.remove(module)
        self._code_places.clear()

    def _code_range_at(self, address: int) -> tuple[int, int] | None:
        module = self.module_at(address)
        return None if module is None else module.code_range_at(address)

    def read_memory(self, address: int, size: int, thread: HardwareThread | None = None) -> bytes:
        """Global memory as the program has it: zedbg's breakpoints do not show.

        ``thread``: the stopped thread in whose address space to look; without one, any.
        """
        if self._read_ahead is None or thread is None:
            return self._read_memory(thread, address, size)
        read = partial(self._read_memory, thread)
        return self._read_ahead.read(thread.isa_base, address, size, read)

    def _read_memory(self, thread: HardwareThread | None, address: int, size: int) -> bytes:
        fields = ALL_THREADS if thread is None else thread.place.fields
        data = self.debug.read_memory(fields, DebugMemorySpace.DEFAULT, address, size)
        return self.code.hide(address, data)

    @contextlib.contextmanager
    def reading_ahead(self) -> Iterator[None]:
        """While many threads are looked at: reads memory in blocks, each of them once."""
        outer, self._read_ahead = self._read_ahead, self._read_ahead or ReadAhead()
        try:
            yield
        finally:
            self._read_ahead = outer

    def write_memory(self, address: int, data: bytes, thread: HardwareThread | None = None) -> None:
        """Writes global memory; zedbg's breakpoints stay."""
        fields = ALL_THREADS if thread is None else thread.place.fields
        self.debug.write_memory(
            fields, DebugMemorySpace.DEFAULT, address, self.code.overlay(address, data)
        )
        if self._read_ahead is not None:
            self._read_ahead = ReadAhead()


def layout_from(register_sets: list[RegsetProperties]) -> RegisterLayout:
    """The driver's list of register sets, in its order; kinds that zedbg does not know are left
    out."""
    known = {kind.value: kind for kind in RegisterKind}
    return RegisterLayout(
        {
            known[one.type]: RegisterSet(
                known[one.type],
                one.count,
                one.byte_size,
                bool(one.flags & RegsetFlag.READABLE),
                bool(one.flags & RegsetFlag.WRITEABLE),
            )
            for one in register_sets
            if one.type in known and one.count
        }
    )
