"""Registers that each iteration of a loop shifts, proved by the machine code.

As :mod:`zedbg.dwarf.trust.loop_counters`, for loops that halve or double what they count by: one
instruction, which every iteration executes once, shifts a register by a constant, and nothing else
in the loop writes to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.trust.counter_history import Origin, constant_of, history, lanes_of
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.loop_counters import SIZES, changing_steps, steps_of_each_pass
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Step
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

_SHIFTS = frozenset({Opcode.SHL, Opcode.SHR, Opcode.ASR})


@dataclass(frozen=True)
class ShiftCounter:
    """``places``: where the counter of each lane is, a number of ``size`` bytes, which the
    instruction at offset ``shifted_at`` shifts by ``bits`` as ``opcode`` does; from that at
    ``stepped_at`` on it is that of the next iteration. ``origins``: what may have set it in front
    of the loop."""

    places: LanePlaces
    size: int
    opcode: Opcode
    bits: int
    origins: tuple[Origin, ...]
    shifted_at: int
    stepped_at: int


def shift_counters(flow: RegisterFlow, loop: tuple[int, int]) -> Iterator[ShiftCounter]:
    """Those of ``loop``: offsets of its head and of its jump back."""
    for step, _ in steps_of_each_pass(flow, loop, _SHIFTS):
        found = _counter(flow, loop, step)
        if found is not None:
            yield found


def _counter(flow: RegisterFlow, loop: tuple[int, int], step: Step) -> ShiftCounter | None:
    decoded, target = step.decoded, step.decoded.destination
    if step.writes is None or target is None or target.type.size not in SIZES or decoded.saturate:
        return None
    is_shared = decoded.execution_size == 1
    bits = constant_of(decoded.sources[1])
    if not bits or decoded.predicate is not Predicate.NONE:
        return None
    changing = changing_steps(flow, loop, step)
    writes = changing[0].writes if changing else None
    if writes is None:
        return None
    known = history(flow, writes, target.type.size, loop[0], lanes_of(decoded))
    if known is None or known[1]:
        return None
    stride = 0 if is_shared else writes.stride
    lanes = 32 if is_shared else decoded.execution_size
    return ShiftCounter(
        LanePlaces(writes.first, stride, 0 if is_shared else decoded.channel_offset, lanes),
        target.type.size,
        decoded.opcode,
        bits,
        tuple(each for each in known[0] if each.offset != step.offset),
        step.offset,
        changing[0].offset,
    )
