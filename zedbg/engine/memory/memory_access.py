"""Which memory the instruction at a thread's pc accesses: for the report of a page fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.engine.memory.flow_view import FlowView, base_of
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.data_message import Access, AddressOrder, DataMessage, MessageError
from zedbg.xe.flow.messages import data_message, send_words
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.names import Predicate, SharedFunction
from zedbg.xe.matrix_block import MatrixBlock
from zedbg.xe.registers import RegisterKind


@dataclass(frozen=True)
class AccessedRange:
    """``size`` bytes from ``address`` on, for the lanes of the mask ``lanes``."""

    lanes: int
    address: int
    size: int


@dataclass(frozen=True)
class MemoryAccess:
    """``ranges`` of global memory. They are empty, and ``unknown`` says why, when it is not known
    where the access goes."""

    access: Access
    ranges: tuple[AccessedRange, ...]
    unknown: str = ""


def access_at(thread: HardwareThread) -> MemoryAccess | Missing:
    """What the instruction at the pc of ``thread`` accesses, or why that is not known."""
    instruction = thread.device.code.instruction(thread.pc)
    if instruction is None:
        return Missing("there is no code at the pc, where a jump has led")
    decoded = instruction.decoded
    if decoded.send is None:
        return Missing("the instruction at the pc accesses no memory")
    if decoded.send.function is SharedFunction.SAMPLER:
        return MemoryAccess(Access.READ, (), "it goes through a sampler")
    try:
        message = data_message(send_words(FlowView(thread), decoded.send))
    except MessageError as error:
        return Missing(f"the message at the pc is not read: {error}")
    if message is None:
        return Missing("the instruction at the pc accesses no memory")
    base = base_of(thread, message)
    if isinstance(base, Missing):
        return MemoryAccess(message.access, (), base.reason)
    lanes = lanes_acting(thread, decoded)
    found = tuple(
        AccessedRange(mask, base.base + offset, size)
        for mask, offset, size in offsets_of(thread, decoded, message, lanes)
        if offset + size <= base.size
    )
    return MemoryAccess(message.access, found)


def lanes_acting(thread: HardwareThread, decoded: Decoded) -> int:
    """The lanes for which the send does something."""
    span = ((1 << decoded.execution_size) - 1) << decoded.channel_offset
    lanes = span if decoded.no_mask else thread.active_lanes & span
    if decoded.predicate is not Predicate.NORMAL:
        return lanes
    flags = thread.read_registers(RegisterKind.FLAG)
    first = 4 * decoded.flag_register + 2 * decoded.flag_subregister
    bits = int.from_bytes(flags[first : first + 4], "little")
    return lanes & (~bits if decoded.predicate_inverted else bits)


def offsets_of(
    thread: HardwareThread, decoded: Decoded, message: DataMessage, lanes: int
) -> Iterator[tuple[int, int, int]]:
    """Mask of lanes, offset from the base, and bytes, of each access, as far as the payload has
    addresses."""
    whole = thread.active_lanes or 1  # whose thread's access it is
    if not message.address_bytes:
        yield whole, message.offset, message.extent
        return
    payload = _payload(thread, decoded)[message.address_start :]
    addresses = [
        int.from_bytes(payload[at : at + message.address_bytes], "little")
        for at in range(0, len(payload), message.address_bytes)
    ]
    if not addresses:
        return
    match message.order:
        case AddressOrder.BLOCK:
            yield whole, _offset(message, addresses[0]), message.extent
        case AddressOrder.BLOCK_2D:
            block = MatrixBlock.read(message, payload)
            for offset, size in block.row_ranges(message.extent):
                yield whole, offset, size
        case AddressOrder.STRIDED:
            step = int.from_bytes(payload[8:12], "little")
            for lane in lanes_of(lanes):
                address = addresses[0] + (lane - decoded.channel_offset) * step
                yield 1 << lane, _offset(message, address), message.extent
        case AddressOrder.PER_LANE:
            # What is the same in all lanes compilers do once, for whichever of them are active.
            is_for_all = decoded.no_mask and decoded.execution_size == 1
            for lane in lanes_of(lanes):
                slot = lane - decoded.channel_offset
                if slot < len(addresses):  # older messages have room for fewer lanes
                    mask = whole if is_for_all else 1 << lane
                    yield mask, _offset(message, addresses[slot]), message.extent


def _payload(thread: HardwareThread, decoded: Decoded) -> bytes:
    """The first source."""
    source = decoded.sources[0]
    if decoded.send is None or source.file is not RegisterFile.GRF:
        return b""
    size = thread.device.code.platform.grf_bytes
    first = source.register_number * size
    length = send_words(FlowView(thread), decoded.send).source0_length * size
    return thread.read_registers(RegisterKind.GRF)[first : first + length]


def _offset(message: DataMessage, address: int) -> int:
    return (address << message.address_shift) + message.offset
