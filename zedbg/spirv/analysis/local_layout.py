"""Where variables of local memory lie, of which compilers do not always say it.

A compiler puts those that a kernel uses one after the other, as the module declares them, each at
the next multiple of its alignment, and gives the kernel a multiple of 32 bytes. That is so in all
modules of the tests whose debug information has their places. Where the kernel has another size,
some variable was made away with, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage

_UNIT = 32  # bytes


@dataclass(frozen=True)
class LocalPlace:
    """``size`` bytes of the shared local memory of a work-group, from byte ``offset`` on."""

    offset: int
    size: int


def local_places(
    code: SpirvCode, sizes: Mapping[str, int]
) -> dict[tuple[str, int], LocalPlace | None]:
    """The places of variables in local memory by name and line, as far as they are known: None of
    those that several kernels have. ``sizes``: by name, how many bytes kernels have."""
    names = {found[0]: key for key, found in code.global_variables.items() if len(found) == 1}
    places: dict[tuple[str, int], LocalPlace | None] = {}
    for name, size in sizes.items():
        kernel = code.functions.get(code.kernels.get(name, 0))
        laid_out = {} if kernel is None or not size else _laid_out(code, kernel)
        end = max((each.offset + each.size for each in laid_out.values()), default=0)
        if -(-end // _UNIT) * _UNIT != size:
            continue
        for variable, place in laid_out.items():
            if variable in names:
                key = names[variable]
                places[key] = None if key in places else place
    return places


def _laid_out(code: SpirvCode, kernel: Function) -> dict[int, LocalPlace]:
    """The places of the variables that ``kernel`` uses, and what it calls."""
    used = {operand for each in called_functions(code, kernel) for operand in _operands(each)}
    found: dict[int, LocalPlace] = {}
    end = 0
    for variable, storage in code.storage.items():
        if storage == Storage.WORKGROUP and variable in used:
            kind = code.type_of[variable].members[0]
            begin = -(-end // kind.alignment) * kind.alignment
            found[variable] = LocalPlace(begin, kind.size)
            end = begin + kind.size
    return found


def called_functions(code: SpirvCode, kernel: Function) -> list[Function]:
    """``kernel`` and all functions that it may call."""
    found, seen = [kernel], {kernel.result}
    for function in found:
        for item in _instructions(function):
            if item.opcode != Op.FUNCTION_CALL:
                continue
            callee = code.functions.get(item.operands[0])
            if callee is not None and callee.result not in seen:
                seen.add(callee.result)
                found.append(callee)
    return found


def _operands(function: Function) -> Iterator[int]:
    for item in _instructions(function):
        yield from item.operands


def _instructions(function: Function) -> Iterator[Instruction]:
    for block in function.blocks.values():
        for item in block.items:
            if isinstance(item, Instruction):
                yield item
