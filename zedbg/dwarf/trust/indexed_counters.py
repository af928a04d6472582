"""Registers that count a loop which writes to private arrays in registers, by an index.

As :mod:`zedbg.dwarf.trust.loop_counters`. The compilers index such arrays with the counter, so that
the code alone does not bound what the loop writes to. How often lanes go round the loop does: as
long as no pass up to one has written to the counter, it has in that one what it began with and what
was added since. So it counts if none of these numbers, as an index, makes the loop write to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zedbg.dwarf.trust.indirect_writes import Bounds, KnownIndex
from zedbg.dwarf.trust.loop_counters import LoopCounter, loop_counters
from zedbg.dwarf.trust.register_flow import RegisterFlow


def indexed_counters(flow: RegisterFlow, loop: tuple[int, int]) -> Iterator[LoopCounter]:
    """The registers that count ``loop``, offsets of its head and of its jump back, if that writes
    to other ones by its indices: those that all lanes share."""
    if flow.unbounded_writes(loop):
        for each in loop_counters(flow.without_indirect_writes(), loop):
            if not each.stride:
                yield each


def counts_within(
    flow: RegisterFlow, loop: tuple[int, int], counter: LoopCounter, begin: int, passes: int
) -> bool:
    """Whether ``counter``, one of :func:`indexed_counters`, counts ``loop`` in as many ``passes``,
    if it has the number ``begin`` in the first one."""
    last = begin + (passes - 1) * counter.step
    before = Bounds(min(begin, last), max(begin, last))
    after = Bounds(before.low + counter.step, before.high + counter.step)
    index = KnownIndex(counter.span, counter.stepped_at, before, after)
    bounded = flow.with_index(loop, index)
    if bounded is None:
        return False
    head = loop[0]
    first = min((each.offset for each in counter.origins), default=head)
    if first < head and bounded.unbounded_writes((first, head)):
        return False  # that may have changed what it begins with

    def own(each: LoopCounter) -> LoopCounter:
        return replace(each, bounds=())

    return own(counter) in map(own, loop_counters(bounded, loop))
