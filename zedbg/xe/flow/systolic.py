"""What dpas writes: products of small matrices.

Row r of the result, lane n: the sum of the same element of source 0 and, for each stage s of the
systolic depth, of the products of cell s, n of source 1 and cell r, s of source 2. A cell has as
many elements as fit into a dword if all are as wide as the wider of both types, at most eight.
"""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.xe.flow.operands import whole_registers
from zedbg.xe.flow.places import Assignment, OtherPlace, RegisterPlace, Source
from zedbg.xe.flow.thread_view import ThreadView, lanes_of_instruction
from zedbg.xe.instruction import Decoded, Operand
from zedbg.xe.isa.opcodes import Opcode

_FUSED = OtherPlace("registers of the fused thread")


def systolic(decoded: Decoded, view: ThreadView) -> Iterator[Assignment]:
    """What each lane of a dpas writes, an element for each row."""
    destination = decoded.destination
    if destination is None:
        return
    added, columns, rows = decoded.sources
    bits = [_bits(columns, decoded.dpas_bits[0]), _bits(rows, decoded.dpas_bits[1])]
    elements = 32 // max(*bits, 4)
    column_cell, row_cell = (elements * each // 8 for each in bits)
    lanes, depth = decoded.execution_size, decoded.dpas_depth
    for lane in lanes_of_instruction(decoded, view):
        index = lane - decoded.channel_offset
        cells = [
            Source(
                _bytes(view, columns, (stage * lanes + index) * column_cell, column_cell),
                type=columns.type,
            )
            for stage in range(depth)
        ]
        for row in range(decoded.dpas_repeat):
            sources: list[Source] = []
            if not added.is_null:
                size = added.type.size
                place = _bytes(view, added, (row * lanes + index) * size, size)
                sources.append(Source(place, type=added.type))
            sources += cells
            if decoded.opcode is Opcode.DPASW:
                sources.append(Source(_FUSED))
                row_bytes = decoded.dpas_repeat * depth * row_cell
                sources.append(Source(_bytes(view, rows, 0, row_bytes), type=rows.type))
            else:
                stages = _bytes(view, rows, row * depth * row_cell, depth * row_cell)
                sources.append(Source(stages, type=rows.type))
            size = destination.type.size
            target = _bytes(view, destination, (row * lanes + index) * size, size)
            yield Assignment(lane, target, tuple(sources), type=destination.type)


def _bits(factor: Operand, narrowed: int) -> int:
    return 8 * factor.type.size if factor.type.is_floating else narrowed


def _bytes(view: ThreadView, operand: Operand, offset: int, size: int) -> RegisterPlace:
    return whole_registers(view, operand, operand.byte_offset + offset, size)
