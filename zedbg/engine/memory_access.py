"""Which memory the instruction at a thread's pc accesses: for the report of a page fault.

Load/store messages to untyped global memory (LSC, shared function UGM) with flat 64-bit addresses
are read; what the fields mean is in the "LSC" messages of Intel's programmer's reference manuals.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum

from zedbg.dwarf.machine import Missing
from zedbg.engine.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.registers import RegisterKind

_OPERATION = 0x3F
_FIRST_STORE, _LAST_STORE = 0x04, 0x07
_FIRST_ATOMIC, _LAST_ATOMIC = 0x08, 0x1E
_FENCE = 0x1F
_ADDRESS_SIZE_SHIFT, _ADDRESS_64 = 7, 3  # 2 bits
_TRANSPOSED = 1 << 15  # one address, whatever the number of lanes
_ADDRESS_TYPE_SHIFT, _FLAT = 29, 0  # 2 bits


class Access(Enum):
    """What is done to memory; the values complete "page fault ..."."""

    READ = "reading"
    WRITE = "writing"
    ATOMIC = "atomic access to"


@dataclass(frozen=True)
class MemoryAccess:
    """``addresses``: the first byte that each active lane accesses, by lane."""

    access: Access
    addresses: dict[int, int]


def access_at(thread: HardwareThread) -> MemoryAccess | Missing:
    """What the instruction at the pc of ``thread`` accesses, or why that is not known."""
    instruction = thread.device.code.instruction(thread.pc)
    if instruction is None:
        return Missing("there is no code at the pc, where a jump has led")
    send = instruction.decoded.send
    if send is None:
        return Missing("the instruction at the pc accesses no memory")
    descriptor = send.descriptor
    if send.function is not SharedFunction.UGM or descriptor is None:
        return Missing("the message at the pc says its addresses in a way that zedbg does not read")
    operation = descriptor & _OPERATION
    flat = descriptor >> _ADDRESS_TYPE_SHIFT & 3 == _FLAT
    if not flat or descriptor >> _ADDRESS_SIZE_SHIFT & 3 != _ADDRESS_64 or operation >= _FENCE:
        return Missing("the message at the pc has no flat 64-bit addresses")
    decoded = instruction.decoded
    first = 0 if descriptor & _TRANSPOSED else decoded.channel_offset
    count = 1 if descriptor & _TRANSPOSED else decoded.execution_size
    lanes = thread.dispatch_lanes if decoded.no_mask else thread.active_lanes
    if descriptor & _TRANSPOSED:
        lanes = 1
    registers = thread.read_registers(RegisterKind.GRF)
    grf = thread.device.register_layout.get(RegisterKind.GRF)
    if grf is None or not decoded.sources:
        return Missing("the register with the addresses is not known")
    start = decoded.sources[0].register_number * grf.byte_size
    addresses = struct.unpack_from(f"<{count}Q", registers, start)
    return MemoryAccess(
        _access(operation),
        {
            lane: addresses[lane - first]
            for lane in lanes_of(lanes)
            if first <= lane < first + count
        },
    )


def _access(operation: int) -> Access:
    if _FIRST_STORE <= operation <= _LAST_STORE:
        return Access.WRITE
    return Access.ATOMIC if _FIRST_ATOMIC <= operation <= _LAST_ATOMIC else Access.READ
