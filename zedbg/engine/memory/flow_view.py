"""A stopped thread as the rules of what instructions read and write see it."""

from __future__ import annotations

import struct

from zedbg.engine.threads import surfaces
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.data_message import AddressModel, DataMessage
from zedbg.xe.flow.thread_view import Extent
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import GENERAL_BASE_INDEX, SCRATCH_BASE_INDEX, RegisterKind

_EVERYTHING = 1 << 64  # bytes


class FlowView:
    """``thread``, as a ThreadView."""

    def __init__(self, thread: HardwareThread) -> None:
        self._thread = thread

    @property
    def platform(self) -> Platform:
        """Its instruction set."""
        return self._thread.device.code.platform

    @property
    def enabled_lanes(self) -> int:
        """The channel enables."""
        enabled: int = struct.unpack_from("<I", self._thread.read_registers(RegisterKind.CE))[0]
        return enabled

    def read_registers(self, kind: RegisterKind) -> bytes:
        """All registers of a set. Raises LevelZeroError, NoThreadError."""
        return self._thread.read_registers(kind)

    def extent_of(self, message: DataMessage) -> Extent | None:
        """The global memory that the offsets of ``message`` are in."""
        surface = base_of(self._thread, message)
        return None if isinstance(surface, Missing) else Extent(surface.base, surface.size)


def base_of(thread: HardwareThread, message: DataMessage) -> surfaces.Surface | Missing:
    """The memory that the offsets of ``message`` are in."""
    match message.model:
        case AddressModel.FLAT:
            return surfaces.Surface(0, _EVERYTHING)
        case AddressModel.STATELESS:
            base = surfaces.state_base(thread, GENERAL_BASE_INDEX)
            return surfaces.Surface(base, _EVERYTHING)
        case AddressModel.SCRATCH:
            base = surfaces.state_base(thread, SCRATCH_BASE_INDEX)
            return surfaces.Surface(base, _EVERYTHING)
        case AddressModel.HEAP_SURFACE:
            return surfaces.bindless_surface(thread, message.surface)
        case AddressModel.SCRATCH_SURFACE:
            return surfaces.heap_surface(thread, message.surface)
        case AddressModel.BINDING_TABLE:
            return surfaces.bound_surface(thread, message.surface)
        case AddressModel.LOCAL:
            return Missing("it is in shared local memory, which has no pages")
        case AddressModel.IMAGE:
            return Missing("it is in an image")
