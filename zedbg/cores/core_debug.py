"""A core file's device in the place of a driver's session: it answers as that did, and runs
nothing."""

from __future__ import annotations

import dataclasses
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence

from zedbg.cores.saved import SavedDevice, SavedThread
from zedbg.levelzero import debug_events as events
from zedbg.levelzero.debug import ALL_THREADS, RegsetProperties, thread_name
from zedbg.levelzero.debug_events import DebugEvent, ThreadFields
from zedbg.levelzero.enums import DebugMemorySpace, PageFaultReason, Result
from zedbg.levelzero.level_zero_errors import LevelZeroError, NotAvailable
from zedbg.xe.registers import RegisterKind

_LARGEST_READ = 1 << 30  # bytes: a damaged file could ask for any number of zeros
_LOCAL_OFFSETS = (1 << 28) - 1  # of an address of shared local memory, without its tag


class NotInCoreError(LevelZeroError):
    """The core file has not what was asked for."""

    advice = "the core file does not have it"


class LeftOutError(LevelZeroError):
    """It was there when the core file was made, but the file was to be small."""

    advice = "left out of the core file by its size limit: set core-limit, and make it again"


class CoreIsReadOnlyError(LevelZeroError):
    """A core file cannot be changed."""

    advice = "a core file can only be read"


class CoreDebug:
    """Implements :class:`zedbg.levelzero.debug.ProgramDebug` over ``device``."""

    pid = 0  # no process: nothing can be asked of it

    def __init__(self, device: SavedDevice) -> None:
        self._device = device
        self._threads = {thread.place: thread for thread in device.threads}
        self._starts = [stretch.address for stretch in device.memory]
        self._local = {place: each for each in device.local_memory for place in each.threads}
        self._condition = threading.Condition()
        self._events: deque[DebugEvent] = deque([events.ProcessEntry(b"", False)])
        for module in device.modules:
            loaded = events.ModuleLoad(b"", False, module.begin, module.end, module.load)
            self._events.append(loaded)

    def read_event(self, timeout_milliseconds: int) -> DebugEvent | None:
        """The next event: modules, then what stopped, as the answer to an interrupt."""
        with self._condition:
            self._condition.wait_for(lambda: bool(self._events), timeout_milliseconds / 1000)
            return self._events.popleft() if self._events else None

    def acknowledge(self, event: DebugEvent) -> None:
        """Nothing waits."""

    def interrupt(self, thread: ThreadFields) -> None:
        """All threads are stopped; those that stopped by themselves say so now."""
        with self._condition:
            fault = self._device.fault_address
            if fault is not None:
                self._events.append(events.PageFault(b"", False, fault, 0, PageFaultReason.INVALID))
            self._events.extend(
                events.ThreadStopped(b"", False, each.place)
                for each in self._device.threads
                if each.took_exception
            )
            answer = events.ThreadStopped if self._threads else events.ThreadUnavailable
            self._events.append(answer(b"", False, ALL_THREADS))
            self._condition.notify_all()

    def resume(self, thread: ThreadFields) -> None:
        """Refused."""
        raise self._read_only("resume", thread)

    def read_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, size: int
    ) -> bytes:
        """``size`` bytes of memory as they were; NotInCoreError for what the program did not have,
        LeftOutError for what the file has not."""
        if space is DebugMemorySpace.SLM:
            return self._read_local(thread, address & _LOCAL_OFFSETS, size)
        found = self._read(address, size) if size <= _LARGEST_READ else None
        if found is not None:
            return found
        error: type[LevelZeroError] = NotInCoreError
        for start, length in self._device.left_out:
            if start < address + size and address < start + length:
                error = LeftOutError
        raise error(
            Result.ERROR_INVALID_ARGUMENT,
            f"read {size} bytes of memory at {address:#x}",
            thread_name(thread),
        )

    def _read(self, address: int, size: int) -> bytes | None:
        """From one stretch of memory, or from neighbours; None where a byte is missing."""
        parts: list[bytes] = []
        index = bisect_right(self._starts, address) - 1
        at, end = address, address + size
        while at < end or not parts:
            if not 0 <= index < len(self._starts) or not self._starts[index] <= at:
                return None
            stretch = self._device.memory[index]
            if at >= stretch.end:
                return None
            part = min(end, stretch.end) - at
            parts.append(stretch.read(at, part))
            at += part
            index += 1
        return b"".join(parts)

    def _read_local(self, thread: ThreadFields, offset: int, size: int) -> bytes:
        shared = self._local.get(thread)
        if shared is None or offset + size > len(shared.data):
            raise NotInCoreError(
                Result.ERROR_INVALID_ARGUMENT,
                f"read {size} bytes of shared local memory at {offset:#x}",
                thread_name(thread),
            )
        return shared.data[offset : offset + size]

    def write_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, data: bytes
    ) -> None:
        """Refused."""
        raise self._read_only(f"write {len(data)} bytes to memory at {address:#x}", thread)

    def read_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, byte_size: int
    ) -> bytes:
        """Registers as they were; NotAvailable for a thread that was not stopped."""
        found = self._registers(thread, kind, start * byte_size, count * byte_size)
        if found is None:
            raise NotAvailable(
                Result.ERROR_NOT_AVAILABLE, f"read registers of set {kind}", thread_name(thread)
            )
        return found

    def read_registers_of(
        self, threads: Sequence[ThreadFields], kind: int, count: int, byte_size: int
    ) -> list[bytes | None]:
        """The first ``count`` registers of each thread; None where it was not stopped."""
        return [self._registers(thread, kind, 0, count * byte_size) for thread in threads]

    def _registers(self, thread: ThreadFields, kind: int, start: int, size: int) -> bytes | None:
        saved = self._threads.get(thread)
        data = b"" if saved is None else saved.registers.get(kind, b"")
        return data[start : start + size] if start >= 0 and start + size <= len(data) else None

    def write_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, data: bytes
    ) -> None:
        """Refused."""
        raise self._read_only(f"write registers of set {kind}", thread)

    def thread_register_sets(self, thread: ThreadFields) -> list[RegsetProperties] | None:
        """The device's sets, with as many GRFs as the thread has."""
        saved = self._threads.get(thread)
        return None if saved is None else [_own(each, saved) for each in self._device.register_sets]

    @property
    def time(self) -> None:
        """A core has one moment."""
        return None

    @property
    def watches(self) -> None:
        """No thread of a core accesses memory."""
        return None

    def exception_reason(self, thread: ThreadFields) -> str | None:
        """What the driver said of the thread's exception."""
        saved = self._threads.get(thread)
        return None if saved is None else saved.reason

    def detach(self) -> None:
        """Nothing remains."""

    def _read_only(self, attempted: str, thread: ThreadFields) -> CoreIsReadOnlyError:
        return CoreIsReadOnlyError(Result.ERROR_UNSUPPORTED_FEATURE, attempted, thread_name(thread))


def _own(each: RegsetProperties, thread: SavedThread) -> RegsetProperties:
    if each.type != RegisterKind.GRF:
        return each
    return dataclasses.replace(each, count=thread.general_registers)
