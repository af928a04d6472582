"""What zetDebugReadEvent reports, as one class per event type."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.levelzero.enums import (
    DebugEventFlag,
    DebugEventType,
    DetachReason,
    PageFaultReason,
)
from zedbg.levelzero.loader import CData, ffi

ThreadFields = tuple[int, int, int, int]  # slice, subslice, eu, thread; 0xFFFFFFFF is a wildcard

_NEED_ACK = int(DebugEventFlag.NEED_ACK)  # arithmetic with flag objects is slow


@dataclass(frozen=True)
class DebugEvent:
    """An event. ``raw`` is the driver's structure, byte for byte: acknowledging needs it so."""

    raw: bytes
    needs_acknowledge: bool


@dataclass(frozen=True)
class Detached(DebugEvent):
    """The session is over: the program ended, or the driver closed the session."""

    reason: DetachReason


@dataclass(frozen=True)
class ProcessEntry(DebugEvent):
    """The program created its first command queue on the device."""


@dataclass(frozen=True)
class ProcessExit(DebugEvent):
    """The program destroyed its last command queue on the device."""


@dataclass(frozen=True)
class ModuleLoad(DebugEvent):
    """A module is on the device. Its ELF is at [begin, end) of the default memory space; ``load``
    is its lowest device address. The program waits until it is acknowledged."""

    begin: int
    end: int
    load: int


@dataclass(frozen=True)
class ModuleUnload(DebugEvent):
    """A module is about to leave the device."""

    begin: int
    end: int
    load: int


@dataclass(frozen=True)
class ThreadStopped(DebugEvent):
    """``thread`` took an exception; with wildcards: the answer to an interrupt that hit some."""

    thread: ThreadFields


@dataclass(frozen=True)
class ThreadUnavailable(DebugEvent):
    """The answer to an interrupt that hit no thread."""

    thread: ThreadFields


@dataclass(frozen=True)
class PageFault(DebugEvent):
    """An access to an unmapped address by a thread that the driver cannot name."""

    address: int
    mask: int
    reason: PageFaultReason


@dataclass(frozen=True)
class UnknownEvent(DebugEvent):
    """An event of a type that zedbg does not know."""

    type: int


def decode_event(event: CData) -> DebugEvent:
    """Copies a ``zet_debug_event_t *`` into its class."""
    raw = bytes(ffi.buffer(event))
    acknowledge = bool(event.flags & _NEED_ACK)
    info = event.info
    match event.type:
        case DebugEventType.THREAD_STOPPED:  # of which there are thousands at a time
            return ThreadStopped(raw, acknowledge, _fields(info.thread.thread))
        case DebugEventType.DETACHED:
            return Detached(raw, acknowledge, _detach_reason(info.detached.reason))
        case DebugEventType.PROCESS_ENTRY:
            return ProcessEntry(raw, acknowledge)
        case DebugEventType.PROCESS_EXIT:
            return ProcessExit(raw, acknowledge)
        case DebugEventType.MODULE_LOAD | DebugEventType.MODULE_UNLOAD:
            loaded = event.type == DebugEventType.MODULE_LOAD
            kind = ModuleLoad if loaded else ModuleUnload
            module = info.module
            return kind(raw, acknowledge, module.moduleBegin, module.moduleEnd, module.load)
        case DebugEventType.THREAD_UNAVAILABLE:
            return ThreadUnavailable(raw, acknowledge, _fields(info.thread.thread))
        case DebugEventType.PAGE_FAULT:
            fault = info.page_fault
            known = fault.reason in PageFaultReason.__members__.values()
            reason = PageFaultReason(fault.reason) if known else PageFaultReason.INVALID
            return PageFault(raw, acknowledge, fault.address, fault.mask, reason)
        case unknown:
            return UnknownEvent(raw, acknowledge, unknown)


def _fields(thread: CData) -> ThreadFields:
    return thread.slice, thread.subslice, thread.eu, thread.thread


def _detach_reason(value: int) -> DetachReason:
    return DetachReason.HOST_EXIT if value == DetachReason.HOST_EXIT else DetachReason.INVALID
