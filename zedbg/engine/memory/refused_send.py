"""Why a device does not execute a send: what hardware reports of it is an illegal instruction only,
but the message, and the registers that it takes, are there to be looked at."""

from __future__ import annotations

import functools
import operator
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zedbg.engine.memory import surfaces
from zedbg.engine.memory.memory_access import (
    DATA_CACHE,
    LOAD_STORE,
    base_of,
    data_message,
    lanes_acting,
    offsets_of,
    payload_of,
    send_words,
)
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.data_cache_check import (
    data_cache_alignment,
    data_cache_payload,
    data_cache_problems,
)
from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    MessageError,
    SendWords,
)
from zedbg.xe.image_check import image_problems, is_to_image
from zedbg.xe.instruction import Decoded, Operand, RegisterFile, Send
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.load_store_check import (
    load_store_alignment,
    load_store_payload,
    load_store_problems,
    operand_problems,
)
from zedbg.xe.matrix_block import MatrixBlock
from zedbg.xe.message_payload import (
    NO_ROOM_FOR_ADDRESSES,
    NO_ROOM_FOR_DATA,
    SendLengths,
    payload_problems,
)
from zedbg.xe.registers import RegisterKind

_KNOWN = LOAD_STORE | DATA_CACHE | {SharedFunction.SAMPLER, SharedFunction.GATEWAY}
_MOST_ANSWERED = 32  # registers: one more than the field of the response's length can say
_ATOMIC_DEMAND = "atomic at an address that is not a multiple of its size"
# Of messages to the gateway.
_FUNCTION, _BARRIER = (0, 3), 4
_BARRIER_DWORD, _BARRIERS, _LAST_ROLE = 2, 32, 2


@dataclass(frozen=True)
class Refusal:
    """Why a send is not executed. ``lanes`` (a mask), ``address`` and ``access`` (read, write or
    atomic) are of the lanes whose addresses are at fault; there are none when it is the message
    itself."""

    text: str
    lanes: int = 0
    address: int | None = None
    access: str | None = None


def refusal_at(thread: HardwareThread, decoded: Decoded) -> Refusal | None:
    """Why the send ``decoded`` at the pc of ``thread`` is not executed; None when nothing is found
    that a device would object to."""
    if decoded.send is None:
        return None
    send = send_words(thread, decoded.send)
    lengths = _lengths(decoded, decoded.send, send)
    if not _fits(thread, decoded, lengths):
        return Refusal("payload beyond the register file")
    if send.function is SharedFunction.GATEWAY:
        return _of_text(_gateway_problems(thread, decoded, send))
    if send.function not in _KNOWN:
        return Refusal("shared function not implemented")
    if send.function is SharedFunction.SAMPLER:
        return None
    return _data_refusal(thread, decoded, send, lengths)


def _of_text(problems: Sequence[str]) -> Refusal | None:
    return Refusal("; ".join(problems)) if problems else None


def _lengths(decoded: Decoded, send: Send, words: SendWords) -> SendLengths:
    source1 = send.source1_length
    if source1 is None:
        source1 = words.extended >> 6 & 0x1F
    if len(decoded.sources) < 2 or decoded.sources[1].is_null:
        source1 = 0
    to_null = decoded.destination is None or decoded.destination.is_null
    return SendLengths(words.source0_length, source1, words.response_length, to_null)


def _fits(thread: HardwareThread, decoded: Decoded, lengths: SendLengths) -> bool:
    """Whether the registers that are named are there."""
    first = decoded.sources[0]
    second = decoded.sources[1] if len(decoded.sources) > 1 else None
    return first.file is RegisterFile.GRF and all(
        _is_inside(thread, operand, length)
        for operand, length in (
            (first, lengths.source0),
            (second, lengths.source1),
            (decoded.destination, lengths.response),
        )
    )


def _is_inside(thread: HardwareThread, operand: Operand | None, length: int) -> bool:
    if operand is None or operand.is_null or not length:
        return True
    is_general = operand.file is RegisterFile.GRF
    return is_general and operand.register_number + length <= _register_count(thread)


def _register_count(thread: HardwareThread) -> int:
    size = thread.device.code.platform.grf_bytes
    return len(thread.read_registers(RegisterKind.GRF)) // size


def _gateway_problems(thread: HardwareThread, decoded: Decoded, send: SendWords) -> tuple[str, ...]:
    if decoded.is_end_of_thread:
        return ()
    if send.field(*_FUNCTION) != _BARRIER:
        return ("gateway function not implemented",)
    dword = struct.unpack_from("<I", payload_of(thread, decoded), 4 * _BARRIER_DWORD)[0]
    if dword & 0xFF >= _BARRIERS:
        return ("barrier number above 31",)
    return ("reserved role at a named barrier",) if dword >> 14 & 3 > _LAST_ROLE else ()


def _data_refusal(
    thread: HardwareThread, decoded: Decoded, send: SendWords, lengths: SendLengths
) -> Refusal | None:
    if is_to_image(send):
        return _of_text(image_problems(send))
    is_load_store = send.function in LOAD_STORE
    try:
        message = data_message(send)
    except MessageError:
        message = None
    problems = load_store_problems(send) if is_load_store else data_cache_problems(send)
    if problems or message is None:
        return _of_text(problems)
    lanes = decoded.execution_size
    payload = load_store_payload(send, lanes) if is_load_store else data_cache_payload(send)
    assert payload is not None  # only fences have none, and they are no messages to memory
    problems = payload_problems(payload, lengths, message.access)
    if is_load_store:
        problems += operand_problems(send)
    is_prefetch = message.access is Access.READ and lengths.to_null
    if NO_ROOM_FOR_ADDRESSES in problems or is_prefetch or not lanes_acting(thread, decoded):
        return _of_text([each for each in problems if each == NO_ROOM_FOR_ADDRESSES])
    if message.order is AddressOrder.BLOCK_2D:
        return _of_text(problems or _matrix_problems(thread, decoded, message, lengths))
    base = base_of(thread, message)
    if isinstance(base, Missing):
        if message.model is not AddressModel.LOCAL:
            return _of_text((*problems, base.reason))
        base = surfaces.Surface(0, 0)
    if problems:
        return _of_text(problems)
    if message.access is Access.ATOMIC:
        alignment, demanded = message.extent, _ATOMIC_DEMAND
    else:
        alignment = load_store_alignment(send) if is_load_store else data_cache_alignment(send)
        demanded = f"address that is not a multiple of {alignment} bytes"
    found = _unaligned(thread, decoded, message, base.base, alignment)
    return None if found is None else replace(found, text=f"{demanded}: {found.text}")


def _matrix_problems(
    thread: HardwareThread, decoded: Decoded, message: DataMessage, lengths: SendLengths
) -> tuple[str, ...]:
    block = MatrixBlock.read(message, payload_of(thread, decoded))
    problems = tuple(block.problems(message))
    if problems:
        return problems
    grf_bytes = thread.device.code.platform.grf_bytes
    needed = block.register_bytes(message, grf_bytes) // grf_bytes
    if message.access is Access.WRITE:
        operand, room = decoded.sources[1], lengths.source1
    else:
        assert decoded.destination is not None
        operand, room = decoded.destination, lengths.response
        room = _MOST_ANSWERED if room == _MOST_ANSWERED - 1 else room
    if needed > room or operand.register_number + needed > _register_count(thread):
        return (NO_ROOM_FOR_DATA,)
    return ()


def _unaligned(
    thread: HardwareThread, decoded: Decoded, message: DataMessage, base: int, alignment: int
) -> Refusal | None:
    """The lanes of a message whose addresses are no multiple of ``alignment`` bytes."""
    found = [
        (mask, base + offset)
        for mask, offset, _ in offsets_of(thread, decoded, message, lanes_acting(thread, decoded))
        if (base + offset) % alignment
    ]
    if not found:
        return None
    lanes = functools.reduce(operator.or_, (mask for mask, _ in found))
    address = found[0][1]
    text = f"{message.extent} bytes at {address:#x}"
    return Refusal(text, lanes, address, message.access.name.lower())
