"""Whether what was loaded may be loaded again: nothing that the kernel executes writes to it."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.numbers.arithmetic import UnknownValue


def may_overlap(
    model: Model, kernel: Function, roots: frozenset[int] | None
) -> list[tuple[int, int]]:
    """``roots``: the parameters of ``kernel`` that a pointer may point into. The pairs of one of
    them and one that the kernel writes through: what is loaded stays where no two of a pair point
    into the same memory. Raises UnknownValue where it need not stay in any case."""
    written = model.provenance.written_parameters(kernel)
    if roots is None or written is None:
        raise UnknownValue("it is loaded from memory that the kernel may write to")
    if roots & written:
        raise UnknownValue("it is loaded from memory that the kernel writes to")
    return [(one, other) for one in sorted(roots) for other in sorted(written)]


def roots_in_kernel(
    model: Model,
    functions: Sequence[Function],
    calls: Sequence[Instruction],
    depth: int,
    pointer: int,
) -> frozenset[int] | None:
    """The parameters of the kernel that ``pointer`` of ``functions[depth]`` may point into; None:
    that is not known. The kernel is the first of ``functions``; each of ``calls`` is made by one of
    them, and calls the next one."""
    function = functions[depth]
    own = model.provenance.roots(function, pointer)
    found: set[int] = set()
    for root in own or ():
        if depth and root in function.parameters:
            passed = calls[depth - 1].operands[1 + function.parameters.index(root)]
            theirs = roots_in_kernel(model, functions, calls, depth - 1, passed)
        else:
            theirs = model.provenance.parameters(functions[0], [root])
        if theirs is None:
            return None
        found |= theirs
    return None if own is None else frozenset(found)
