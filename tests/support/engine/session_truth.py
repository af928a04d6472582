"""What is true of a session, read from the driver past the engine."""

from __future__ import annotations

from zedbg.engine import Session
from zedbg.engine.modules.instruction_bits import InstructionBits
from zedbg.engine.threads.device import Device
from zedbg.levelzero.debug import ALL_THREADS, DebugSession
from zedbg.levelzero.enums import DebugMemorySpace, Result
from zedbg.levelzero.loader import ffi, function
from zedbg.xe.registers import RegisterKind

ThreadFields = tuple[int, int, int, int]


def _driver_session(device: Device) -> DebugSession:
    assert isinstance(device.debug, DebugSession)
    return device.debug


def stopped_in_the_driver(device: Device) -> set[ThreadFields]:
    """The threads whose registers the driver lets us read: those that are stopped."""
    handle = _driver_session(device)._handle
    read, buffer = function("zetDebugReadRegisters"), ffi.new("uint8_t[64]")
    places = (device.topology.thread(n).fields for n in range(device.topology.thread_count))
    return {
        place
        for place in places
        if read(handle, place, RegisterKind.CR, 0, 1, buffer) == Result.SUCCESS
    }


def assert_threads_are_known_as_they_are(session: Session) -> None:
    """While everything is stopped: the engine knows each stopped thread, and no other."""
    for device in session.devices:
        if device.attached:
            known = {thread.place.fields for thread in device.stopped_threads()}
            assert known == stopped_in_the_driver(device)


def _without_breakpoint_bits(device: Device, start: int, code: bytes) -> tuple[bytes, set[int]]:
    """The instructions of ``code`` at ``start`` without the bit, and the addresses that had it."""
    clean, found, offset = bytearray(code), set(), 0
    while offset < len(code):
        bits = InstructionBits.at(code[offset : offset + 16], device.code.platform)
        if bits.has_breakpoint:
            byte, bit = divmod(bits.breakpoint_bit, 8)
            clean[offset + byte] &= ~(1 << bit)
            found.add(start + offset)
        offset += bits.size
    return bytes(clean), found


def assert_memory_has_the_bits_of_enabled_breakpoints_and_shows_none(session: Session) -> None:
    """In memory: each enabled location's bit, and no other; in what is shown: none. Of programs
    that bring no bits of their own."""
    for device in session.devices:
        read = _driver_session(device).read_memory
        wanted = {
            place.address
            for each in session.breakpoints
            if each.enabled
            for place in each.locations
            if place.device is device and place not in each.disabled
        }
        found: set[int] = set()
        for module in device.modules:
            for section in () if module.image is None else module.image.code_sections:
                start, size = section.address, section.size
                raw = read(ALL_THREADS, DebugMemorySpace.DEFAULT, start, size)
                clean, traps = _without_breakpoint_bits(device, start, raw)
                assert device.read_memory(start, size) == clean
                found |= traps
        assert found == wanted
