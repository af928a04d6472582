"""The instructions of a function, and which bytes of the general registers each of them uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from zedbg.xe.data_cache_message import response_bytes
from zedbg.xe.decoding import decode
from zedbg.xe.instruction import NATIVE_LENGTH, Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Arf, DataType, Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

SYSTOLIC = frozenset({Opcode.DPAS, Opcode.DPASW})


class Span(NamedTuple):  # of which there are very many
    """Bytes of the general registers that an operand takes, counted from r0. ``stride``: bytes from
    one lane's element to the next one's; 0 for a scalar. ``element``: bytes of a lane's element, 0
    where it is not known: then all of the stride."""

    first: int
    end: int
    stride: int
    element: int = 0

    def meets(self, other: Span) -> bool:
        """Whether they have a byte in common."""
        return self.first < other.end and other.first < self.end

    @property
    def is_dense(self) -> bool:
        """Whether nothing lies between the elements of lanes."""
        return not 0 < self.element < self.stride

    @property
    def every(self) -> int:
        """A set bit for each byte, the first one's lowest."""
        return (1 << self.end - self.first) - 1

    def taken_by(self, other: Span | None) -> int:
        """Of :attr:`every`, the bits of the bytes that ``other`` has too."""
        if other is None or other.first >= self.end or self.first >= other.end:
            return 0
        if other.is_dense:
            return _bits(other.end - other.first, other.first - self.first) & self.every
        found = 0
        for at in range(other.first, other.end, other.stride):
            found |= _bits(other.element, at - self.first)
        return found & self.every


def _bits(count: int, first: int) -> int:
    every = (1 << count) - 1
    return every << first if first >= 0 else every >> -first


class Step(NamedTuple):
    """One instruction: its offset (bytes) in the function, and which general registers it uses."""

    offset: int
    end: int
    decoded: Decoded
    writes: Span | None
    reads: tuple[Span, ...]

    @property
    def is_conditional(self) -> bool:
        """Whether it may leave out lanes that come to it."""
        return (
            self.decoded.predicate is not Predicate.NONE and self.decoded.opcode is not Opcode.SEL
        )


def operation(step: Step) -> tuple[object, int, int]:
    """What an instruction does, and in which lanes."""
    decoded = step.decoded
    return decoded.opcode, decoded.execution_size, decoded.channel_offset


def steps_of(code: bytes, platform: Platform) -> Iterator[Step]:
    """Those of ``code``, in their order."""
    grf_bytes, offset = platform.grf_bytes, 0
    while offset < len(code):
        decoded = decode(platform, code[offset : offset + NATIVE_LENGTH])
        yield step_of(offset, decoded, grf_bytes)
        offset += decoded.length


def step_of(offset: int, decoded: Decoded, grf_bytes: int) -> Step:
    """The instruction ``decoded`` at ``offset``."""
    written = decoded.destination
    length = decoded.send.response_length if decoded.send is not None else None
    writes = None if written is None else _span(decoded, written, length, grf_bytes, True)
    return Step(offset, offset + decoded.length, decoded, writes, _reads(decoded, grf_bytes))


def with_accumulators(step: Step, first: int, grf_bytes: int) -> Step:
    """``step`` with the accumulators that it names, and that have floats of 32 bits, as general
    registers from number ``first`` on."""

    def renamed(operand: Operand) -> Operand:
        if operand.arf is not Arf.ACCUMULATOR or operand.file is not RegisterFile.ARF:
            return operand
        if operand.type is not DataType.F:
            return operand
        number = first + operand.register_number
        return replace(operand, file=RegisterFile.GRF, register_number=number)

    decoded, target = step.decoded, step.decoded.destination
    sources = tuple(map(renamed, decoded.sources))
    destination = None if target is None else renamed(target)
    if (destination, sources) == (target, decoded.sources):
        return step
    changed = replace(decoded, destination=destination, sources=sources)
    return step_of(step.offset, changed, grf_bytes)


def _reads(decoded: Decoded, grf_bytes: int) -> tuple[Span, ...]:
    send = decoded.send
    lengths = () if send is None else (send.source0_length, send.source1_length)
    spans = [
        _span(decoded, source, lengths[index] if index < len(lengths) else None, grf_bytes, False)
        for index, source in enumerate(decoded.sources)
        if source.file is RegisterFile.GRF
    ]
    return tuple([each for each in spans if each is not None])


def source_span(decoded: Decoded, source: Operand, grf_bytes: int) -> Span | None:
    """What ``source``, an operand of an instruction that sends nothing, takes; None for other
    files, and what a0 says."""
    return _span(decoded, source, None, grf_bytes, False)


def _span(
    decoded: Decoded, operand: Operand, length: int | None, grf_bytes: int, is_written: bool
) -> Span | None:
    """What ``operand`` takes; ``length``: registers of a message."""
    if operand.file is not RegisterFile.GRF or operand.indirect:
        return None
    lanes, first = decoded.execution_size, operand.register_number * grf_bytes
    if decoded.send is not None:
        size = (length or 0) * grf_bytes
        if not size:
            return None
        block = response_bytes(decoded.send, lanes) if is_written else None
        if block is not None:
            return Span(first + block[0], first + block[1], 0)
        return Span(first, first + size, size // lanes if lanes > 1 else 0)
    first += operand.byte_offset
    region, size = operand.region, operand.type.size
    if is_written and decoded.opcode in SYSTOLIC:
        return Span(first, first + decoded.dpas_repeat * grf_bytes, 0)
    if is_written:
        stride = region.horizontal or 1
        extent = (lanes - 1) * stride + 1
    else:
        stride = region.vertical if region.width <= 1 else region.horizontal
        rows = lanes // (region.width or 1) or 1
        extent = (rows - 1) * region.vertical + (region.width - 1) * region.horizontal + 1
    element = size if is_written else 0
    return Span(first, first + extent * size, stride * size if lanes > 1 else 0, element)
