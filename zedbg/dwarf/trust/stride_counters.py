"""Registers that each iteration of a loop adds another register to, proved by the machine code.

As :mod:`zedbg.dwarf.trust.loop_counters`, for loops whose step is no constant, as that of a loop in
which each work-item takes every so-many-th element: one instruction, which every iteration executes
once, adds a register that nothing in the loop writes to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.trust.counter_history import Origin, history, lanes_of
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.loop_counters import SIZES, changing_steps, steps_of_each_pass
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

_WHOLE = ("D", "UD", "Q", "UQ")


@dataclass(frozen=True)
class StrideCounter:
    """``places``: where the counter of each lane is, a number of ``size`` bytes, to which the
    instruction at offset ``added_at`` adds that at ``amounts``; from that at ``stepped_at`` on it
    is that of the next iteration. ``origins``: what may have set it in front of the loop."""

    places: LanePlaces
    amounts: LanePlaces
    size: int
    origins: tuple[Origin, ...]
    added_at: int
    stepped_at: int


def stride_counters(flow: RegisterFlow, loop: tuple[int, int]) -> Iterator[StrideCounter]:
    """Those of ``loop``: offsets of its head and of its jump back."""
    for step, others in steps_of_each_pass(flow, loop, {Opcode.ADD}):
        for index in range(len(step.decoded.sources)):
            found = _counter(flow, loop, step, others, index)
            if found is not None:
                yield found


def _counter(
    flow: RegisterFlow, loop: tuple[int, int], step: Step, others: list[Step], own: int
) -> StrideCounter | None:
    """The one to whose number, ``step``'s source ``own``, that adds its other one."""
    decoded, target, lanes = step.decoded, step.decoded.destination, step.decoded.execution_size
    if step.writes is None or target is None or decoded.saturate or len(decoded.sources) != 2:
        return None
    if target.type.size not in SIZES or decoded.predicate is not Predicate.NONE:
        return None
    amounts = _places(flow, decoded.sources[1 - own], target.type.size, step)
    if amounts is None:
        return None
    end = amounts.first + max(amounts.lanes - 1, 0) * amounts.stride + target.type.size
    taken = Span(amounts.first, end, 0)
    if any(flow.may_write(each, taken) for each in (step, *others)):
        return None
    changing = changing_steps(flow, loop, step, decoded.sources[own])
    writes = changing[0].writes if changing else None
    if writes is None:
        return None
    known = history(flow, writes, target.type.size, loop[0], lanes_of(decoded))
    if known is None or known[1]:
        return None
    is_shared = lanes == 1
    return StrideCounter(
        LanePlaces(
            writes.first,
            0 if is_shared else writes.stride,
            0 if is_shared else decoded.channel_offset,
            32 if is_shared else lanes,
        ),
        amounts,
        target.type.size,
        tuple(each for each in known[0] if each.offset != step.offset),
        step.offset,
        changing[0].offset,
    )


def _places(flow: RegisterFlow, source: Operand, size: int, step: Step) -> LanePlaces | None:
    """Where the numbers of ``size`` bytes are that a source has for the lanes of ``step``."""
    region, decoded = source.region, step.decoded
    if source.file is not RegisterFile.GRF or source.indirect or source.type.size != size:
        return None
    if source.negate or source.absolute or source.type.name not in _WHOLE:
        return None
    first = source.register_number * flow.grf_bytes + source.byte_offset
    is_shared = decoded.execution_size == 1
    if is_shared or (region.width <= 1 and not region.vertical and not region.horizontal):
        return LanePlaces(first, 0, 0, 32)
    is_single = region.width == 1 and region.vertical == 1
    if is_single or (region.horizontal == 1 and region.vertical == region.width):
        return LanePlaces(first, size, decoded.channel_offset, decoded.execution_size)
    return None
