"""Products of whole numbers of 32 bits, which take two instructions: the first one leaves a part of
the product in the accumulator, and the second one, of the same numbers, gives the lower half."""

from __future__ import annotations

from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.names import Arf
from zedbg.xe.isa.opcodes import Opcode, Trait
from zedbg.xe.isa.platform import Platform

_CARRIES = frozenset({Opcode.ADDC, Opcode.SUBB})  # to accumulators


def first_of_product(flow: CodeFlow, step: Step, platform: Platform) -> Step | None:
    """The instruction that begins the product of which ``step`` gives the lower half; None where it
    does not."""
    if not _is_low_half(step.decoded, platform):
        return None
    first = next(filter(accumulates, flow.block_before(step.offset)), None)
    lanes = step.decoded.execution_size, step.decoded.channel_offset
    if first is None or operation(first) != (Opcode.MUL, *lanes):
        return None
    is_of_same = all(
        (a.file, a.register_number, a.byte_offset, a.negate)
        == (b.file, b.register_number, b.byte_offset, b.negate)
        for a, b in zip(first.decoded.sources, step.decoded.sources, strict=True)
    )
    return first if is_of_same else None


def _is_low_half(decoded: Decoded, platform: Platform) -> bool:
    """Whether an instruction may give the lower half of a product: that was ``mach`` before
    ``macl`` came, where it leaves the accumulator."""
    if platform in Opcode.MACL.row.platforms:
        return decoded.opcode is Opcode.MACL
    return decoded.opcode is Opcode.MACH and not decoded.accumulator_write


def accumulates(step: Step) -> bool:
    """Whether ``step`` writes to accumulators."""
    decoded, target = step.decoded, step.decoded.destination
    is_named = (
        target is not None and target.file is RegisterFile.ARF and target.arf is Arf.ACCUMULATOR
    )
    return (
        is_named
        or decoded.accumulator_write
        or decoded.opcode in _CARRIES
        or decoded.opcode.has_trait(Trait.ACCUMULATES)
    )
