"""Program debug: one zetDebug session on one device of one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from zedbg.levelzero.core_driver import Device
from zedbg.levelzero.debug_events import DebugEvent, ThreadFields, decode_event
from zedbg.levelzero.device_time import DeviceTime, DriverTime
from zedbg.levelzero.device_watches import DeviceWatches, DriverWatches
from zedbg.levelzero.driver_extensions import EXCEPTION_REASON, extension_function
from zedbg.levelzero.enums import (
    DebugMemorySpace,
    DebugStructureType,
    RegsetFlag,
    Result,
)
from zedbg.levelzero.level_zero_errors import AlreadyAttached, LevelZeroError, check
from zedbg.levelzero.loader import (
    CData,
    ffi,
    function,
    library,
    new_structure,
    optional_function,
    text,
)

_BYTES = ffi.typeof("uint8_t[]")
ANY = 0xFFFFFFFF
ALL_THREADS: ThreadFields = (ANY, ANY, ANY, ANY)


@dataclass(frozen=True)
class RegsetProperties:
    """One register set: ``count`` registers of ``byte_size`` bytes (zet_debug_regset_properties_t).

    ``type`` is the driver's number (for Intel GPUs: zedbg.xe.registers.RegisterKind).
    """

    type: int
    version: int
    flags: RegsetFlag
    count: int
    bit_size: int
    byte_size: int


class ProgramDebug(Protocol):
    """What the engine asks of a session; :class:`DebugSession` over a driver, a double in tests.

    Every call raises a :class:`~zedbg.levelzero.level_zero_errors.LevelZeroError` when the driver
    refuses.
    """

    pid: int  # of the process that is debugged

    @property
    def time(self) -> DeviceTime | None:
        """The calls that let the device go back; None when the driver does not offer them."""

    @property
    def watches(self) -> DeviceWatches | None:
        """The calls that watch memory; None when the driver does not offer them."""

    def read_event(self, timeout_milliseconds: int) -> DebugEvent | None:
        """The next event, None when none came in time (or earlier, for no reason)."""

    def acknowledge(self, event: DebugEvent) -> None:
        """Lets the program go on that waits for ``event``."""

    def interrupt(self, thread: ThreadFields) -> None:
        """Asks to stop the threads that match; exactly one answer event follows."""

    def resume(self, thread: ThreadFields) -> None:
        """Lets the stopped threads that match go on."""

    def read_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, size: int
    ) -> bytes:
        """``size`` bytes; ``thread`` is one stopped thread, or all."""

    def write_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, data: bytes
    ) -> None:
        """Writes ``data``."""

    def read_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, byte_size: int
    ) -> bytes:
        """``count`` registers of ``byte_size`` bytes each, packed."""

    def read_registers_of(
        self, threads: Sequence[ThreadFields], kind: int, count: int, byte_size: int
    ) -> list[bytes | None]:
        """The first ``count`` registers of each thread; None of those that the driver refuses."""

    def write_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, data: bytes
    ) -> None:
        """Writes ``count`` registers; they take effect when the thread resumes."""

    def thread_register_sets(self, thread: ThreadFields) -> list[RegsetProperties] | None:
        """The sets of one stopped thread; None when this loader or driver does not say."""

    def exception_reason(self, thread: ThreadFields) -> str | None:
        """The driver's own words for why it does not execute the instruction at which ``thread``
        stopped; None when it has none, or offers no such words."""

    def detach(self) -> None:
        """Ends the session; no other call may be under way. If it is refused the session is there
        still, and may be asked again."""


class _OpenSessions:
    """What this process is attached to, by device handle and pid.

    Intel's driver answers an attach to what it is attached to already with the session that there
    is, and one detach ends that for all that hold it: they would be left with a dangling handle.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[tuple[int, int]] = set()

    def begin(self, device: Device, pid: int) -> None:
        """Notes a session that is about to be made; AlreadyAttached when there is one."""
        with self._lock:
            key = self._key(device, pid)
            if key in self._open:
                raise AlreadyAttached(
                    Result.ERROR_NOT_AVAILABLE,
                    f"attach to process {pid}",
                    device.properties.name,
                )
            self._open.add(key)

    def end(self, device: Device, pid: int) -> None:
        """It could not be made, or is detached."""
        with self._lock:
            self._open.discard(self._key(device, pid))

    def has_other(self, pid: int) -> bool:
        """Whether there is a session for a process other than ``pid``."""
        with self._lock:
            return any(other != pid for _, other in self._open)

    @staticmethod
    def _key(device: Device, pid: int) -> tuple[int, int]:
        return int(ffi.cast("uintptr_t", device.handle)), pid


_open_sessions = _OpenSessions()


def debugs_other_process(pid: int) -> bool:
    """Whether this process has a session for another process than ``pid``: a driver gives one
    process one session on each device."""
    return _open_sessions.has_other(pid)


class DebugSession:
    """A session on ``device`` for process ``pid`` (zetDebugAttach). See :class:`ProgramDebug`.

    AlreadyAttached when this process has one that is not detached.
    """

    def __init__(self, device: Device, pid: int) -> None:
        self.device = device
        self.pid = pid
        library()
        self._handle: CData = self._attach()
        self._read_event = function("zetDebugReadEvent")
        self._read_memory = function("zetDebugReadMemory")
        self._write_memory = function("zetDebugWriteMemory")
        self._read_registers = function("zetDebugReadRegisters")
        self._write_registers = function("zetDebugWriteRegisters")
        self._resume = function("zetDebugResume")
        self._thread_sets = optional_function("zetDebugGetThreadRegisterSetProperties")

    @cached_property
    def time(self) -> DeviceTime | None:
        return DriverTime.offered(self.device.driver, self._handle, f"process {self.pid}")

    @cached_property
    def watches(self) -> DeviceWatches | None:
        return DriverWatches.offered(self.device.driver, self._handle, f"process {self.pid}")

    def _attach(self) -> CData:
        config = ffi.new("zet_debug_config_t *", {"pid": self.pid})
        handle = ffi.new("zet_debug_session_handle_t *")
        _open_sessions.begin(self.device, self.pid)
        try:
            result = function("zetDebugAttach")(self.device.handle, config, handle)
            check(result, f"attach to process {self.pid}", self.device.properties.name)
        except BaseException:
            _open_sessions.end(self.device, self.pid)
            raise
        return handle[0]

    def read_event(self, timeout_milliseconds: int) -> DebugEvent | None:
        raw = ffi.new("zet_debug_event_t *")  # several threads may wait for one at the same time
        result = self._read_event(self._handle, timeout_milliseconds, raw)
        if result == Result.NOT_READY:
            return None
        check(result, "read a debug event", f"process {self.pid}")
        return decode_event(raw)

    def acknowledge(self, event: DebugEvent) -> None:
        raw = ffi.new("zet_debug_event_t *")
        ffi.buffer(raw)[:] = event.raw
        result = function("zetDebugAcknowledgeEvent")(self._handle, raw)
        check(result, "acknowledge a debug event", f"process {self.pid}")

    def interrupt(self, thread: ThreadFields) -> None:
        result = function("zetDebugInterrupt")(self._handle, thread)
        check(result, "interrupt", thread_name(thread))

    def resume(self, thread: ThreadFields) -> None:
        result = self._resume(self._handle, thread)
        if result:
            check(result, "resume", thread_name(thread))

    def read_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, size: int
    ) -> bytes:
        buffer = ffi.new(_BYTES, max(size, 1))
        where = _memory_space(space, address)
        result = self._read_memory(self._handle, thread, where, size, buffer)
        if result:
            check(result, f"read {size} bytes of memory at {address:#x}", thread_name(thread))
        return bytes(ffi.buffer(buffer, size))

    def write_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, data: bytes
    ) -> None:
        where = _memory_space(space, address)
        source = ffi.from_buffer(data)
        result = self._write_memory(self._handle, thread, where, len(data), source)
        if result:
            check(result, f"write {len(data)} bytes to memory at {address:#x}", thread_name(thread))

    def read_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, byte_size: int
    ) -> bytes:
        size = count * byte_size
        buffer = ffi.new(_BYTES, size)
        result = self._read_registers(self._handle, thread, kind, start, count, buffer)
        if result:
            check(result, f"read registers of set {kind}", thread_name(thread))
        return bytes(ffi.buffer(buffer, size))

    def read_registers_of(
        self, threads: Sequence[ThreadFields], kind: int, count: int, byte_size: int
    ) -> list[bytes | None]:
        size = count * byte_size
        buffer = ffi.new(_BYTES, size)
        shown = ffi.buffer(buffer, size)
        call, handle = self._read_registers, self._handle
        return [
            None if call(handle, thread, kind, 0, count, buffer) else shown[:] for thread in threads
        ]

    def write_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, data: bytes
    ) -> None:
        buffer = ffi.new(_BYTES, data)
        result = self._write_registers(self._handle, thread, kind, start, count, buffer)
        if result:
            check(result, f"write registers of set {kind}", thread_name(thread))

    def thread_register_sets(self, thread: ThreadFields) -> list[RegsetProperties] | None:
        call = self._thread_sets
        if call is None:
            return None
        try:
            return _regset_properties(
                lambda count, raw: call(self._handle, thread, count, raw), thread_name(thread)
            )
        except LevelZeroError:
            return None  # the table of an older driver lacks it; the caller derives the counts

    def exception_reason(self, thread: ThreadFields) -> str | None:
        call = extension_function(self.device.driver, EXCEPTION_REASON)
        if call is None:
            return None
        size = ffi.new("size_t *")
        if call(self._handle, thread, size, ffi.NULL):
            return None
        reason = ffi.new("char[]", size[0])
        return None if call(self._handle, thread, size, reason) else text(reason) or None

    def detach(self) -> None:
        if self._handle == ffi.NULL:
            return
        check(function("zetDebugDetach")(self._handle), "detach", f"process {self.pid}")
        self._handle = ffi.NULL
        _open_sessions.end(self.device, self.pid)


def device_register_sets(device: Device) -> list[RegsetProperties]:
    """The register sets of ``device``, in the driver's order (zetDebugGetRegisterSetProperties)."""
    call = library().zetDebugGetRegisterSetProperties
    return _regset_properties(
        lambda count, raw: call(device.handle, count, raw), device.properties.name
    )


class _RegsetCall(Protocol):
    def __call__(self, count: CData, raw: CData) -> int: ...


def _regset_properties(call: _RegsetCall, subject: str) -> list[RegsetProperties]:
    count = ffi.new("uint32_t *")
    attempted = "list the register sets"
    check(call(count, ffi.NULL), attempted, subject)
    if count[0] == 0:
        return []
    raw = ffi.new("zet_debug_regset_properties_t[]", count[0])
    for entry in raw:
        entry.stype = DebugStructureType.DEBUG_REGSET_PROPERTIES
    check(call(count, raw), attempted, subject)
    return [
        RegsetProperties(
            entry.type,
            entry.version,
            RegsetFlag(entry.generalFlags),
            entry.count,
            entry.bitSize,
            entry.byteSize,
        )
        for entry in raw[0 : count[0]]
    ]


def _memory_space(space: DebugMemorySpace, address: int) -> CData:
    where = new_structure(
        "zet_debug_memory_space_desc_t", DebugStructureType.DEBUG_MEMORY_SPACE_DESC
    )
    where.type = space
    where.address = address & 0xFFFFFFFFFFFFFFFF
    return where


def thread_name(thread: ThreadFields) -> str:
    """``thread 0.0.2.0``, or ``all threads``, for messages."""
    if thread == ALL_THREADS:
        return "all threads"
    return "thread " + ".".join("*" if field == ANY else str(field) for field in thread)


def process_exists(pid: int) -> bool:
    """Whether ``pid`` is a process that this user can see."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
