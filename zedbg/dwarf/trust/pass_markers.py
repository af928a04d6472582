"""Instructions that are executed once in each pass of a loop: how often one was says which pass it
is, where the device records what it executes."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.steps import Step


@dataclass(frozen=True)
class PassMarker:
    """The instruction at ``offset``; ``is_executed``: in the pass that lanes are in, too;
    ``is_for_all``: for all lanes that are in the loop, and maybe others, whatever lanes it acts
    for."""

    offset: int
    is_executed: bool
    is_for_all: bool = False


def pass_marker(flow: CodeFlow, loop: tuple[int, int], at: int, lane: int) -> PassMarker | None:
    """One of ``loop`` that says in which pass ``lane`` is at offset ``at``, which is in that loop;
    None where there is none, or lanes get into the loop otherwise than to its first
    instruction."""
    head, tail = loop
    first, last = flow.index_at(head), flow.index_at(tail)
    for index in range(first + 1, last + 1):
        if not all(first <= each <= last for each in flow.before(index)):
            return None
    steps = flow.steps[first : last + 1]
    marking = [each for each in steps if _acts_for(each, lane)]
    # A loop whose lanes do the same has no others: all that are in it have entered it together.
    marking += [each for each in steps if each.decoded.no_mask and not each.is_conditional]
    for step in marking:
        if not flow.is_passed(loop, step.offset, by_leaving=False):
            continue
        is_for_all = step.decoded.no_mask
        if step.offset == at or (step.offset > at and not flow.leads_to(step.offset, at)):
            return PassMarker(step.offset, False, is_for_all)
        if step.offset < at and (step.offset == head or not flow.leads_to(head, at, step.offset)):
            return PassMarker(step.offset, True, is_for_all)
    return None


def _acts_for(step: Step, lane: int) -> bool:
    decoded = step.decoded
    lanes = range(decoded.channel_offset, decoded.channel_offset + decoded.execution_size)
    return lane in lanes and not decoded.no_mask and not step.is_conditional
