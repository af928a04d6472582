"""Surfaces of buffers: where the memory is that a message reaches through a surface's state."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Protocol

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.registers import (
    BINDING_TABLE_BASE_INDEX,
    BINDLESS_BASE_INDEX,
    SCRATCH_BASE_INDEX,
    SURFACE_BASE_INDEX,
    RegisterKind,
)

_STATE_BYTES = 64
_TYPE_SHIFT, _BUFFER, _SCRATCH = 29, 4, 6  # dword 0


class StateReader(Protocol):
    """A stopped thread, as far as its surfaces are found."""

    def read_registers(self, kind: RegisterKind) -> bytes: ...
    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes: ...


@dataclass(frozen=True)
class Surface:
    """``size`` bytes of memory from ``base`` on; what lies after them is not accessed."""

    base: int
    size: int


def state_base(thread: StateReader, index: int) -> int:
    """One of the addresses that states and offsets are relative to."""
    bases = thread.read_registers(RegisterKind.SBA)
    base: int = struct.unpack_from("<Q", bases, index * 8)[0]
    return base


def bindless_surface(thread: StateReader, offset: int) -> Surface | Missing:
    """The surface whose state is ``offset`` bytes into the heap of bindless surfaces."""
    return _surface(thread, state_base(thread, BINDLESS_BASE_INDEX) + offset)


def heap_surface(thread: StateReader, offset: int) -> Surface | Missing:
    """The surface whose state is ``offset`` bytes into the heap of surfaces."""
    return _surface(thread, state_base(thread, SURFACE_BASE_INDEX) + offset)


def bound_surface(thread: StateReader, index: int) -> Surface | Missing:
    """The surface that entry ``index`` of the binding table names."""
    entry = state_base(thread, BINDING_TABLE_BASE_INDEX) + 4 * index
    try:
        data = thread.read_memory(MemorySpace.GLOBAL, entry, 4)
    except LevelZeroError as error:
        return Missing(f"the binding table cannot be read: {error}")
    return heap_surface(thread, int.from_bytes(data, "little"))


def _surface(thread: StateReader, address: int) -> Surface | Missing:
    """From the RENDER_SURFACE_STATE at ``address``."""
    try:
        state = struct.unpack("<16I", thread.read_memory(MemorySpace.GLOBAL, address, _STATE_BYTES))
    except LevelZeroError as error:
        return Missing(f"the state of its surface cannot be read: {error}")
    kind = state[0] >> _TYPE_SHIFT
    if kind == _SCRATCH:
        return Surface(state_base(thread, SCRATCH_BASE_INDEX), (state[3] & 0x3FFFF) + 1)
    if kind != _BUFFER:
        return Missing("its surface is no buffer")
    # Entries of one byte, minus one: 7 bits of width, 14 of height, 11 of depth.
    last = state[2] & 0x7F | (state[2] >> 16 & 0x3FFF) << 7 | state[3] >> 21 << 21
    return Surface(state[9] << 32 | state[8], last + 1)
