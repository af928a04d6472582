"""Registers that hold what the math unit gave, proved by the machine code.

As :mod:`zedbg.dwarf.trust.load_results`. A place of the source is made of an instruction of the
math unit, or of that and multiplications with what it gives: the last of them gives the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.dwarf.trust.float_results import float_writer
from zedbg.dwarf.trust.lane_places import LanePlaces, LaneWriter
from zedbg.dwarf.trust.load_results import held_results
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.isa.names import DataType, MathFunction
from zedbg.xe.isa.opcodes import Opcode

_FUNCTIONS = frozenset({MathFunction.INV, MathFunction.SQT, MathFunction.RSQT})


def math_results(
    flow: RegisterFlow, at: int, is_of: Callable[[int], bool], is_product: bool
) -> list[LanePlaces]:
    """What the instructions at offsets for which ``is_of`` is true gave to lanes that are at offset
    ``at`` now; ``is_product``: a multiplication gives it. Empty where they do something else, or
    where it cannot be said."""
    own = [step for step in flow.steps if is_of(step.offset) and step.decoded.destination]
    if not all(map(_is_simple, own)):
        return []
    last = [step for step in own if not any(_takes(each, step) for each in own)]
    if any((each.decoded.opcode is Opcode.MUL) != is_product for each in last):
        return []
    return held_results(flow, at, last)


def quotient_writers(flow: RegisterFlow) -> list[LaneWriter]:
    """The instructions that give reciprocals and roots, products with these, and what is chosen
    of such products: all that make what a quotient or a root is."""
    found, held = list[LaneWriter](), list[Span]()
    for step in flow.steps_with_accumulators:
        writes, is_one = step.writes, _makes_quotient(step, held)
        if writes is None:
            continue
        if not step.is_conditional:
            held = [each for each in held if not each.meets(writes)]
        if is_one:
            held.append(writes)
            writer = float_writer(step, flow.grf_bytes)
            found += [] if writer is None else [writer]
    return found


def _makes_quotient(step: Step, held: Sequence[Span]) -> bool:
    """Whether ``step`` gives one, or what leads to one; ``held`` have such numbers."""
    decoded = step.decoded
    if decoded.math in _FUNCTIONS:
        return True
    takes = any(each.meets(span) for each in step.reads for span in held)
    return takes and decoded.opcode in (Opcode.MUL, Opcode.SEL)


def _is_simple(step: Step) -> bool:
    decoded = step.decoded
    target = decoded.destination
    if target is None or target.type is not DataType.F or decoded.saturate:
        return False
    return decoded.math in _FUNCTIONS or decoded.opcode is Opcode.MUL


def _takes(step: Step, made: Step) -> bool:
    """Whether ``step`` takes what ``made``, another one, gives."""
    writes = made.writes
    return step is not made and writes is not None and any(map(writes.meets, step.reads))
