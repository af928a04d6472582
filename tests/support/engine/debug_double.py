"""A program-debug session in memory: threads that walk straight through a real module's code.

It keeps the rules that Intel's driver keeps (breakpoint bit, suppress, step, answers to interrupts,
which threads may be read when), and computes nothing: a jump is a step to the next instruction.
"""

import contextlib
import os
import queue
import struct
import threading
from dataclasses import dataclass, field

from tests.support.packed_modules import ZEBINS
from zedbg.engine import Session
from zedbg.engine.modules.instruction_bits import InstructionBits
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.levelzero import debug_events as events
from zedbg.levelzero.core_driver import DeviceProperties
from zedbg.levelzero.debug import ALL_THREADS, RegsetProperties
from zedbg.levelzero.enums import DeviceFlag, DeviceType, RegsetFlag
from zedbg.levelzero.level_zero_errors import InvalidArgument, NotAvailable
from zedbg.xe.coordinates import ThreadId
from zedbg.xe.registers import XE_HPG_LAYOUT, RegisterKind
from zedbg.zebin import Module

ELF_ADDRESS = 0x7F00_0000_0000
STEP = BREAKPOINT = 1 << 31
FORCED = 1 << 26
SUPPRESS = 1 << 15


@dataclass
class ThreadDouble:
    place: tuple[int, int, int, int]
    group: int
    ip: int
    state: str = "running"  # running, stopped, ended
    control: list[int] = field(default_factory=lambda: [0, 0])


class DebugDouble:
    """One device with one kernel of a compiled module. The ISA base is 0."""

    pid = 0  # there is no such process
    time = None  # it cannot go back
    watches = None  # nor watch memory

    def __init__(self, module="igc2-dg2-O0/vadd", threads=4, wait_for_acknowledge=True):
        self.elf = (ZEBINS / f"{module}.zebin").read_bytes()
        self.module = Module.from_bytes(self.elf, module)
        self.section = self.module.code_sections[0]
        self.code = bytearray(self.module.section_bytes(self.section))
        self.events = queue.Queue()
        self._together = threading.RLock()  # held while events come that belong together
        self.threads = [
            ThreadDouble((0, 0, n // 8, n % 8), n, self.section.address) for n in range(threads)
        ]
        self.acknowledged = []
        self.detached = False
        self.hang_at = None  # an address at which threads stay, running, for ever
        self.calls = {"interrupt": 0, "resume": 0, "registers": 0}
        self.fail_code_reads = False

    # --- what the program does --------------------------------------------------------------

    def load_module(self):
        end = ELF_ADDRESS + len(self.elf)
        self.events.put(events.ModuleLoad(b"load", True, ELF_ADDRESS, end, self.section.address))

    def unload_module(self):
        end = ELF_ADDRESS + len(self.elf)
        address = self.section.address
        self.events.put(events.ModuleUnload(b"unload", False, ELF_ADDRESS, end, address))

    def dispatch(self):
        """Starts every thread, and runs each as far as it gets."""
        with self._together:
            for thread in self.threads:
                self._run(thread)

    def end_program(self):
        self.events.put(events.Detached(b"", False, events.DetachReason.INVALID))

    # --- ProgramDebug ------------------------------------------------------------------------

    def read_event(self, timeout_milliseconds):
        try:
            if timeout_milliseconds == 0:
                with self._together:
                    return self.events.get_nowait()
            return self.events.get(timeout=timeout_milliseconds / 1000)
        except queue.Empty:
            return None

    def acknowledge(self, event):
        self.acknowledged.append(event)

    def interrupt(self, thread):
        self.calls["interrupt"] += 1
        hit = False
        for each in self.threads:
            if thread not in (ALL_THREADS, each.place):
                continue
            if each.state == "running" and each.ip == self.hang_at:
                each.state, hit = "stopped", True
                each.control[1] |= FORCED
        answer = events.ThreadStopped if hit else events.ThreadUnavailable
        self.events.put(answer(b"", False, thread))

    def resume(self, thread):
        self.calls["resume"] += 1
        chosen = [
            t for t in self.threads if t.state == "stopped" and thread in (ALL_THREADS, t.place)
        ]
        if not chosen:
            raise NotAvailable(0x70010001, "resume")
        with self._together:
            for each in chosen:
                self._run(each)

    def read_memory(self, thread, space, address, size):
        if address >= ELF_ADDRESS and address + size <= ELF_ADDRESS + len(self.elf):
            return self.elf[address - ELF_ADDRESS : address - ELF_ADDRESS + size]
        start = self._code_offset(address, size)
        if self.fail_code_reads:
            raise NotAvailable(0x70010001, "read")
        return bytes(self.code[start : start + size])

    def write_memory(self, thread, space, address, data):
        start = self._code_offset(address, len(data))
        self.code[start : start + len(data)] = data

    def read_registers(self, thread, kind, start, count, byte_size):
        self.calls["registers"] += 1
        each = self._stopped(thread)
        size = count * byte_size
        if kind == RegisterKind.CR:
            return struct.pack("<4I", *each.control, each.ip, 0)
        if kind == RegisterKind.SR:
            return struct.pack("<4I", 0, 0, 0xFF, 0)
        if kind == RegisterKind.CE:
            return struct.pack("<I", 0x0F)
        data = bytearray(size)
        if kind == RegisterKind.GRF and start == 0:
            struct.pack_into("<3I", data, 0, 0, each.group, 0x01000000)
        return bytes(data)

    def read_registers_of(self, threads, kind, count, byte_size):
        def read(thread):
            try:
                return self.read_registers(thread, kind, 0, count, byte_size)
            except NotAvailable:
                return None

        return [read(thread) for thread in threads]

    def write_registers(self, thread, kind, start, count, data):
        each = self._stopped(thread)
        assert kind == RegisterKind.CR
        each.control[0], each.control[1], each.ip, _ = struct.unpack("<4I", data)

    def thread_register_sets(self, thread):
        return None

    def exception_reason(self, thread):
        return None

    def detach(self):
        self.detached = True

    # --- the machine -------------------------------------------------------------------------

    def _run(self, thread):
        thread.state = "running"
        if thread.control[1] & FORCED:
            raise AssertionError("resumed with the forced exception still set")
        while True:
            instruction = self._instruction(thread.ip)
            step = bool(thread.control[1] & STEP)
            if instruction.has_breakpoint and not thread.control[0] & SUPPRESS:
                return self._stop(thread)
            if thread.ip == self.hang_at:
                return None
            thread.control = [thread.control[0] & ~SUPPRESS, thread.control[1] & ~STEP]
            if instruction.ends_thread:
                thread.state = "ended"
                return None
            thread.ip += instruction.size
            if step:
                return self._stop(thread)

    def _stop(self, thread):
        thread.state = "stopped"
        thread.control[1] |= BREAKPOINT
        self.events.put(events.ThreadStopped(b"", False, thread.place))

    def _instruction(self, ip):
        start = ip - self.section.address
        return InstructionBits.at(bytes(self.code[start : start + 16]))

    def _code_offset(self, address, size):
        start = address - self.section.address
        if start < 0 or start + size > len(self.code):
            raise InvalidArgument(0x78000004, f"read {size} bytes at {address:#x}")
        return start

    def _stopped(self, place):
        for each in self.threads:
            if each.place == place and each.state == "stopped":
                return each
        raise NotAvailable(0x70010001, "read registers", ThreadId(*place).name)


def opened(double):
    """What attaching to the double's process gives."""
    properties = DeviceProperties(
        name="double",
        type=DeviceType.GPU,
        vendor_id=0x8086,
        device_id=0x56A0,
        flags=DeviceFlag(0),
        subdevice_id=0,
        core_clock_mhz=1000,
        max_allocation_bytes=1 << 30,
        physical_simd_width=8,
        slices=1,
        subslices_per_slice=1,
        eus_per_subslice=4,
        threads_per_eu=8,
        uuid=bytes(16),
    )
    sets = [
        RegsetProperties(
            one.kind,
            0,
            RegsetFlag.READABLE | (RegsetFlag.WRITEABLE if one.writeable else RegsetFlag(0)),
            one.count,
            one.byte_size * 8,
            one.byte_size,
        )
        for one in XE_HPG_LAYOUT
    ]
    return [OpenedDevice(double, properties, sets)]


@contextlib.contextmanager
def stopped_in_kernel(double):
    """A session with the double's process, whose threads all stopped where vadd begins."""
    session = Session(lambda _pid, _patience: opened(double))
    double.load_module()
    session.attach(os.getpid())
    session.break_at("vadd")
    threading.Timer(0.05, double.dispatch).start()
    session.continue_(timeout=10)
    yield session
    session.close()
