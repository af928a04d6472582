"""Copies of one instruction whose order the data says: each takes what another one gave.

Compilers that unroll a loop may order independent instructions of its iterations as they like. But
where an instruction takes, by whatever ways, what another one gave, it is executed after that in
the source as well. So where there are as many of a kind as iterations, and each takes what was made
of the one before, each is that of one iteration, in their order.

One iteration must not have two of them, and another one none. Other code that each iteration has
shows that; or that the source makes one number there in each iteration, by an operation that is one
instruction. Sums of sums, and the like, compilers may order anew, those of several iterations
together. So something else must have been done to what one gives before the next one takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import pairwise
from typing import NamedTuple

from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.steps import Span, Step, operation, with_accumulators
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.names import Condition, Predicate
from zedbg.xe.isa.opcodes import Opcode

_FIRST_ACCUMULATOR = 512  # counted as a general register
_REGISTERS = 1024
_MOVES = {Opcode.MOV, Opcode.SEL}
_LOGIC = {Opcode.AND, Opcode.OR, Opcode.XOR, Opcode.NOT, Opcode.BFN}
# Instructions of which several in a row may be ordered anew.
_ORDERED_ANEW = (
    frozenset({*_MOVES, *_LOGIC, Opcode.SHL, Opcode.SHR, Opcode.ASR}),
    frozenset({*_MOVES, Opcode.ADD, Opcode.ADD3, Opcode.MUL, Opcode.MAD, Opcode.SHL}),
)


class Place(NamedTuple):
    """A place of the source, in an inlined call."""

    line: int
    column: int
    calls: tuple[object, ...]

    def is_of_line(self, other: Place) -> bool:
        return (self.line, self.calls) == (other.line, other.calls)


#: What an instruction does, and in which lanes; what it compares; and its place.
_Kind = tuple[tuple[object, int, int], object, Place]


def copy_in_order(
    flow: CodeFlow,
    at: int,
    place: Callable[[int], Place | None],
    turns: Container[int] | None,
    single: Container[Opcode] = (),
) -> LineRun | None:
    """Which one the instruction at offset ``at`` is of those of the same operation, lanes and
    place, all of which are in the same loops; None where the data does not say their order, or one
    iteration may have two of them. ``turns``: lines of which each iteration has code, too;
    ``single``: instructions that do all of what the source does at the place of that one."""
    index = flow.index_at(at)
    here = place(at)
    if index == len(flow.steps) or flow.steps[index].offset != at or here is None:
        return None
    loops = flow.loops_around(at)
    low, high = flow.innermost(at)
    kinds: dict[_Kind, list[int]] = {}
    lanes: dict[_Kind, int] = {}
    for step in flow.steps:
        there = place(step.offset) if low <= step.offset <= high else None
        if there is not None and flow.loops_around(step.offset) == loops:
            kind = _kind(step, there)
            kinds.setdefault(kind, []).append(step.offset)
            lanes[kind] = step.decoded.execution_size
        elif there is not None and there == here:
            return None
    kind = _kind(flow.steps[index], here)
    same = kinds[kind]
    is_even = turns is None and all(
        len(each) % len(same) == 0
        for kind, each in kinds.items()
        if kind[-1].is_of_line(here) and lanes[kind] > 1
    )
    is_one = is_even or any(
        _take_turns(same, each)
        for (*_, there), each in kinds.items()
        if there != here and (turns is None or (there.line in turns and there.calls == here.calls))
    )
    opcode = flow.steps[index].decoded.opcode
    if not is_one and opcode not in single:
        return None
    if not all(_is_made_of(flow, a, b) for a, b in pairwise(same)):
        return None
    alike = [each for each in _ORDERED_ANEW if opcode in each]
    if not is_one and any(_is_made_of(flow, *both, by) for both in pairwise(same) for by in alike):
        return None
    return LineRun(same.index(at), len(same))


def _kind(step: Step, place: Place) -> _Kind:
    """That of ``step``, at ``place``. A condition that is made of others is compared, too."""
    decoded, compared = step.decoded, None
    if decoded.opcode is Opcode.CMP:
        compared = decoded.condition, decoded.sources[0].type.is_floating
    return operation(step), compared, place


def _take_turns(same: Sequence[int], others: Sequence[int]) -> bool:
    """Whether there is one of ``others`` between any two of ``same``, and the other way round."""
    merged = sorted([*same, *others])
    return len(same) == len(others) and set(merged[::2]) in (set(same), set(others))


def _is_made_of(
    flow: CodeFlow, first: int, second: int, by: Container[Opcode] | None = None
) -> bool:
    """Whether the instruction at offset ``second``, a later one, takes what was made of the result
    of that at ``first``; by those of ``by`` only, if that is given."""
    made = bytearray(_REGISTERS * flow.grf_bytes)
    flags: set[int] = set()
    begin, end = flow.index_at(first), flow.index_at(second)
    for step in flow.steps[begin : end + 1]:
        named = with_accumulators(step, _FIRST_ACCUMULATOR, flow.grf_bytes)
        decoded = named.decoded
        bits = _flag_bits(decoded)
        takes = any(any(made[each.first : each.end]) for each in named.reads) or (
            decoded.predicate is not Predicate.NONE and not flags.isdisjoint(bits)
        )
        if step.offset == second:
            return takes
        written, target = named.writes, decoded.destination
        gives = step.offset == first or (takes and (by is None or decoded.opcode in by))
        if decoded.condition is not Condition.NONE and decoded.opcode is not Opcode.SEL:
            (flags.update if gives else flags.difference_update)(bits)
        if written is None:
            if target is not None and target.file is RegisterFile.GRF:
                return False  # it may write anywhere
        elif gives:
            _mark(made, written)
        elif not step.is_conditional:
            made[written.first : written.end] = bytes(written.end - written.first)
    return False


def _flag_bits(decoded: Decoded) -> range:
    """Those of the flag registers that an instruction names, one for each of its lanes."""
    first = 32 * decoded.flag_register + 16 * decoded.flag_subregister + decoded.channel_offset
    return range(first, first + decoded.execution_size)


def _mark(made: bytearray, written: Span) -> None:
    size = written.element or written.end - written.first
    for first in range(written.first, written.end, max(written.stride, size)):
        made[first : first + size] = b"\1" * size
