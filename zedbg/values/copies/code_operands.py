"""What the instructions that a thread executes next take from registers, checked with the source.

An instruction of the machine code takes what instructions of the SPIR-V with its line take, in the
iteration that it belongs to. So its registers say which iterations that may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zedbg.dwarf.trust.steps import Span
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.analysis.iteration_flow import made_in_iteration
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.registers import RegisterKind

_MOST_INSTRUCTIONS = 6
# A number in others may be made of what the source has, as the bits that are shifted for a product.
_WITH_NUMBERS = frozenset({Opcode.ADD, Opcode.ADD3, Opcode.CMP, Opcode.MOV, Opcode.XOR})


class SourceNumber(NamedTuple):
    """What ``result`` of the SPIR-V is in ``block``; or its component ``part``, of a vector: the
    machine code has an instruction for each."""

    result: int
    block: int
    part: int | None = None


def taken_operands(frame: SourceFrame, lanes: Sequence[int]) -> list[dict[int, bytes]]:
    """What the sources of the next instructions of the line have, by lane of ``lanes``, as far as
    that is in the general registers already."""
    try:
        registers = frame.context.read_registers(RegisterKind.GRF)
    except LevelZeroError:
        return []
    grf_bytes = frame.context.register_layout.platform.grf_bytes
    changed: list[Span] = []
    found = []
    for step in frame.info.code.instructions_of_line(frame.address)[:_MOST_INSTRUCTIONS]:
        for source in step.decoded.sources if step.decoded.send is None else ():
            if source.file is RegisterFile.IMMEDIATE and step.decoded.opcode in _WITH_NUMBERS:
                size = source.type.size
                number = (source.immediate & (1 << 8 * size) - 1).to_bytes(size, "little")
                if not _is_of_line(frame, number):
                    found.append(dict.fromkeys(lanes, number))
                continue
            data = {}
            for lane in lanes:
                place = _place(step.decoded, source, lane, grf_bytes)
                if place is not None and not any(place.meets(each) for each in changed):
                    data[lane] = registers[place.first : place.end]
            if data:
                found.append(data)
        if step.writes is not None:
            changed.append(step.writes)
        elif step.decoded.destination is not None and step.decoded.destination.indirect:
            break
    return found


def _is_of_line(frame: SourceFrame, number: bytes) -> bool:
    """Whether instructions of the SPIR-V of the frame's line use ``number`` as a constant."""
    model, position = frame.model, frame.position
    key = "constants", position
    if key not in model.notes:
        constants = model.code.constants
        model.notes[key] = {
            constants[each]
            for _, item in instructions(model.flow(position.function))
            if item.line is not None and item.line.line == position.line
            for each in item.operands
            if isinstance(constants.get(each), int)
        }
    found = model.notes[key]
    assert isinstance(found, set)
    mask = (1 << 8 * len(number)) - 1
    return any(each & mask == int.from_bytes(number, "little") for each in found)


def _place(decoded: Decoded, source: Operand, lane: int, grf_bytes: int) -> Span | None:
    """The bytes that an instruction takes for ``lane``; None where it is not one of its lanes."""
    if source.file is not RegisterFile.GRF or source.indirect:
        return None
    index = 0 if decoded.execution_size == 1 else lane - decoded.channel_offset
    if not 0 <= index < decoded.execution_size:
        return None
    first = source.register_number * grf_bytes + source.byte_offset + element_offset(source, index)
    return Span(first, first + source.type.size, 0)


def used_values(frame: SourceFrame, around: Sequence[int]) -> list[SourceNumber]:
    """The numbers that instructions of the SPIR-V of the frame's line use, which are in the loops
    ``around``: in the blocks of these."""
    model, position = frame.model, frame.position
    key = "used values", position, tuple(around)
    if key not in model.notes:
        model.notes[key] = list(dict.fromkeys(_used(frame, around)))
    found = model.notes[key]
    assert isinstance(found, list)
    return found


def made_values(frame: SourceFrame, around: Sequence[int]) -> list[SourceNumber]:
    """As :func:`used_values`, the numbers that these instructions make."""
    model, position = frame.model, frame.position
    key = "made values", position, tuple(around)
    if key not in model.notes:
        model.notes[key] = [
            number
            for item, label in _of_line(frame, around)
            for number in _numbers(model.code, item.result, label)
        ]
    found = model.notes[key]
    assert isinstance(found, list)
    return found


def flowing_values(frame: SourceFrame, around: Sequence[int]) -> dict[int, list[SourceNumber]]:
    """As :func:`made_values`, by line, the numbers that are made of those of the frame's line, and
    column, in the same iteration of all loops only."""
    model, position = frame.model, frame.position
    key = "flowing values", position, tuple(around)
    if key not in model.notes:
        of_line = [each for each, _ in _of_line(frame, around)]
        own = [
            each
            for each in of_line
            if each.line is not None and each.line.column == position.column
        ]
        flow = model.flow(position.function)
        results = made_in_iteration(flow, own or of_line, of_line)
        by_line: dict[int, list[SourceNumber]] = {}
        for label, item in instructions(flow):
            if item.result in results and item.line is not None and _is_at(frame, around, label):
                numbers = _numbers(model.code, item.result, label)
                by_line.setdefault(item.line.line, []).extend(numbers)
        model.notes[key] = by_line
    found = model.notes[key]
    assert isinstance(found, dict)
    return found


def _is_at(frame: SourceFrame, around: Sequence[int], label: int) -> bool:
    return frame.model.flow(frame.position.function).loops_around(label) == tuple(around)


def _numbers(code: SpirvCode, result: int, block: int) -> Iterator[SourceNumber]:
    """Those that ``result`` has: itself, or its components."""
    kind = code.type_of.get(result)
    if kind is None:
        return
    if kind.kind in (Kind.INTEGER, Kind.FLOAT):
        yield SourceNumber(result, block)
    elif kind.kind is Kind.VECTOR:
        yield from (SourceNumber(result, block, part) for part in range(kind.count))


def _used(frame: SourceFrame, around: Sequence[int]) -> Iterator[SourceNumber]:
    code, made = frame.model.code, frame.model.made(frame.position.function)
    for item, label in _of_line(frame, around):
        for each in item.operands:
            if each in made:
                yield from _numbers(code, each, label)


def _of_line(frame: SourceFrame, around: Sequence[int]) -> Iterator[tuple[Instruction, int]]:
    """The instructions of the frame's line in the loops ``around``, with their blocks."""
    position = frame.position
    for label, block in position.function.blocks.items():
        if not _is_at(frame, around, label):
            continue
        for item in block.items:
            if not isinstance(item, Instruction) or item.inlined != position.inlined:
                continue
            if item.line is not None and item.line.line == position.line:
                yield item, label
