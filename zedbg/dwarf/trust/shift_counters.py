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
from zedbg.dwarf.trust.loop_counters import SIZES, is_same, steps_of_each_pass
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Step
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

_SHIFTS = frozenset({Opcode.SHL, Opcode.SHR, Opcode.ASR})


@dataclass(frozen=True)
class ShiftCounter:
    """``places``: where the counter of each lane is, a number of ``size`` bytes, which the
    instruction at offset ``shifted_at`` shifts by ``bits`` as ``opcode`` does. ``origins``: what
    may have set it in front of the loop."""

    places: LanePlaces
    size: int
    opcode: Opcode
    bits: int
    origins: tuple[Origin, ...]
    shifted_at: int


def shift_counters(flow: RegisterFlow, loop: tuple[int, int]) -> Iterator[ShiftCounter]:
    """Those of ``loop``: offsets of its head and of its jump back."""
    for step, others in steps_of_each_pass(flow, loop, _SHIFTS):
        found = _counter(flow, loop[0], step, others)
        if found is not None:
            yield found


def _counter(flow: RegisterFlow, head: int, step: Step, others: list[Step]) -> ShiftCounter | None:
    decoded, writes = step.decoded, step.writes
    target = decoded.destination
    if writes is None or target is None or target.type.size not in SIZES or decoded.saturate:
        return None
    is_shared = decoded.execution_size == 1
    bits = constant_of(decoded.sources[1])
    if not bits or decoded.predicate is not Predicate.NONE:
        return None
    if not is_same(target, decoded.sources[0], decoded.execution_size):
        return None
    if any(flow.may_write(each, writes) for each in others):
        return None
    known = history(flow, writes, target.type.size, head, lanes_of(decoded))
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
    )
