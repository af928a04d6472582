"""Which lanes of a thread write to memory with the instruction at its pc."""

from __future__ import annotations

from zedbg.engine.memory.flow_view import FlowView
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.data_message import MessageError
from zedbg.xe.flow.instruction_flow import assignments
from zedbg.xe.flow.places import Assignment, MemoryPlace


def memory_writes(thread: HardwareThread) -> list[Assignment]:
    """What the instruction at the pc of stopped ``thread`` writes to memory; nothing where that is
    not known. Raises LevelZeroError."""
    instruction = thread.device.code.instruction(thread.pc)
    if instruction is None or instruction.decoded.send is None:
        return []
    try:
        found = assignments(instruction.decoded, FlowView(thread))
    except MessageError:
        return []
    return [each for each in found if isinstance(each.target, MemoryPlace)]


def lanes_writing(writes: list[Assignment], place: MemoryPlace) -> int:
    """The lanes that write to a byte of ``place``. What the whole thread writes is lane 0's."""
    lanes = {each.lane or 0 for each in writes if place.meets(each.target)}
    return sum(1 << lane for lane in lanes)
