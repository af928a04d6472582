"""The registers of one hardware thread, as they were read since it stopped."""

from __future__ import annotations

import struct
from enum import Enum

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.modules.device_contents import DeviceContents, layout_from
from zedbg.xe.coordinates import ThreadId
from zedbg.xe.registers import (
    ISA_BASE_INDEX,
    ControlBit,
    ControlRegister,
    RegisterKind,
    RegisterLayout,
    RegisterSet,
)

_LARGE_GRF_COUNT = 256


class ThreadState(Enum):
    """What zedbg knows of a thread."""

    RUNNING = "running"  # or idle: program debug does not distinguish the two
    STOPPED = "stopped"  # took an exception
    HALTED = "halted"  # stopped only because everything was interrupted


class ThreadRegisters:
    """A hardware thread of ``device``, as far as its registers go.

    Everything read is kept until the thread resumes. Reading one that runs raises NoThreadError,
    and LevelZeroError when the driver refuses.
    """

    def __init__(self, device: DeviceContents, place: ThreadId) -> None:
        self.device = device
        self.place = place
        self.number = device.topology.ordinal(place) + 1
        self.state = ThreadState.RUNNING
        self._registers: dict[RegisterKind, bytes] = {}
        self._first_registers: dict[RegisterKind, bytes] = {}
        self._layout: RegisterLayout | None = None
        self._control: ControlRegister | None = None
        self._isa_base: int | None = None

    @property
    def id(self) -> str:
        """The short id: ``1.17``."""
        return f"{self.device.number}.{self.number}"

    @property
    def name(self) -> str:
        """The hardware name: ``ZE 0.0.2.0``."""
        return self.place.name

    @property
    def is_stopped(self) -> bool:
        return self.state is not ThreadState.RUNNING

    def __repr__(self) -> str:
        return f"<HardwareThread {self.id} ({self.name}) {self.state.value}>"

    @property
    def control(self) -> ControlRegister:
        """cr0, decoded."""
        if self._control is None:
            self._control = ControlRegister.from_bytes(self.read_registers(RegisterKind.CR))
        return self._control

    @property
    def isa_base(self) -> int:
        """Global address that instruction pointers count from; fixed while a context lives."""
        if self._isa_base is None:
            bases = self.read_registers(RegisterKind.SBA)
            self._isa_base = struct.unpack_from("<Q", bases, ISA_BASE_INDEX * 8)[0]
        return self._isa_base

    @property
    def register_layout(self) -> RegisterLayout:
        if self._layout is None:
            self._layout = self._read_layout()
        return self._layout

    def _read_layout(self) -> RegisterLayout:
        """Its register sets: its number of GRFs is its kernel's choice."""
        device = self.device
        own = device.debug.thread_register_sets(self.place.fields)
        if own is not None:
            return layout_from(own)
        # Xe-HPG and Xe-HPC show it in cr0.0 bit 13; the device's own list always says 128.
        if not self.control.control & ControlBit.LARGE_GRF:
            return device.register_layout
        return RegisterLayout(
            {
                one.kind: RegisterSet(
                    one.kind,
                    _LARGE_GRF_COUNT if one.kind is RegisterKind.GRF else one.count,
                    one.byte_size,
                    one.readable,
                    one.writeable,
                )
                for one in device.register_layout
            }
        )

    def _register_set(self, kind: RegisterKind) -> RegisterSet:
        found = self.device.register_layout.get(kind)
        if kind is RegisterKind.GRF:
            found = self.register_layout.get(kind)
        if found is None:
            raise NoThreadError(f"{self.device.name} has no {kind.name} registers")
        return found

    def read_registers(self, kind: RegisterKind) -> bytes:
        data = self._registers.get(kind)
        if data is None:
            self._require_stopped()
            registers = self._register_set(kind)
            data = self.device.debug.read_registers(
                self.place.fields, kind, 0, registers.count, registers.byte_size
            )
            self._registers[kind] = data
        return data

    def _first_register(self, kind: RegisterKind) -> bytes:
        """Register 0 of a set, without reading the rest."""
        first = self._first_registers.get(kind)
        if first is not None:
            return first
        self._require_stopped()
        whole = self._registers.get(kind)
        registers = self.device.register_layout.get(kind)
        if registers is None:
            raise NoThreadError(f"{self.device.name} has no {kind.name} registers")
        if whole is not None:
            return whole[: registers.byte_size]
        first = self.device.debug.read_registers(self.place.fields, kind, 0, 1, registers.byte_size)
        self._first_registers[kind] = first
        return first

    def lacks(self, kind: RegisterKind) -> bool:
        """Whether it is stopped, and the set has not been read since."""
        if kind is RegisterKind.SBA and self._isa_base is not None:
            return False
        return kind not in self._registers and self.is_stopped

    def lacks_first(self, kind: RegisterKind) -> bool:
        """Whether it is stopped, and not even register 0 of the set has been read since."""
        return kind not in self._first_registers and self.lacks(kind)

    def take_registers(self, kind: RegisterKind, data: bytes) -> None:
        """``data`` is the whole set, as it was read."""
        self._registers[kind] = data

    def take_first_register(self, kind: RegisterKind, data: bytes) -> None:
        """``data`` is register 0 of the set, as it was read."""
        self._first_registers[kind] = data

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        self._require_stopped()
        self.device.require_present()
        registers = self._register_set(kind)
        count, rest = divmod(len(data), registers.byte_size)
        if rest or start + count > registers.count:
            raise NoThreadError(f"cannot write {len(data)} bytes at {kind.name} register {start}")
        if not registers.writeable:
            raise NoThreadError(f"{kind.name} registers cannot be written")
        self.device.debug.write_registers(self.place.fields, kind, start, count, data)
        self._forget()

    def _forget(self) -> None:
        """Nothing that was read holds any more, but the code base."""
        self._registers.clear()
        self._first_registers.clear()
        self._layout = None
        self._control = None

    def _require_stopped(self) -> None:
        if self.state is ThreadState.RUNNING:
            raise NoThreadError(f"Thread {self.id} is not stopped.")
