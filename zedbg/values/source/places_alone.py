"""Places of the source, a line and column each, from which one instruction of a kind is made.

An instruction of the SPIR-V that is the only one of its kind with its line and column belongs to
those of the machine code with the same ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Function, Instruction, Line
from zedbg.spirv.module.operations import ATOMICS, Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.device_maths import REARRANGING, is_left_to_device


@dataclass(frozen=True)
class PlacesAlone:
    """Of one function: lines of one instruction that loads, of one that is left to the device, of
    one that makes floating-point numbers, of some of these that do not take each other's results,
    of one that changes the sign of a number only, of one that computes a ``whole`` number, and the
    loops around blocks."""

    loads: frozenset[tuple[Line, int]]
    maths: frozenset[tuple[Line, int]]
    floats: frozenset[tuple[Line, int]]
    apart: frozenset[tuple[Line, int]]
    signs: frozenset[tuple[Line, int]]
    whole: frozenset[tuple[Line, int]]
    around: dict[int, tuple[int, ...]]

    @classmethod
    def of(cls, model: Model, function: Function) -> PlacesAlone:
        """Those of ``function``, kept with ``model``."""
        key = cls, function.result
        found = model.notes.get(key)
        if not isinstance(found, cls):
            found = model.notes[key] = cls._find(model, function)
        return found

    @classmethod
    def _find(cls, model: Model, function: Function) -> PlacesAlone:
        flow = model.flow(function)
        loading: Counter[tuple[Line, int]] = Counter()
        maths: Counter[tuple[Line, int]] = Counter()
        floats: Counter[tuple[Line, int]] = Counter()
        whole: Counter[tuple[Line, int]] = Counter()
        places: dict[tuple[Line, int], list[Instruction]] = {}
        for _, item in instructions(flow):
            if item.line is not None:
                key = item.line, item.inlined
                loading[key] += loads(item)
                maths[key] += is_left_to_device(model.code, item)
                floats[key] += makes_floats(model, item)
                whole[key] += computes_whole(model, item)
                places.setdefault(key, []).append(item)
        apart = {key for key, items in places.items() if floats[key] and _are_apart(model, items)}
        signs = {key for key, items in places.items() if not floats[key] and _is_sign(items)}
        around = {label: flow.loops_around(label) for label in function.blocks}
        return cls(
            loads=_once(loading),
            maths=_once(maths),
            floats=_once(floats),
            apart=frozenset(apart),
            signs=frozenset(signs),
            whole=_once(whole),
            around=around,
        )


def _once(counts: Counter[tuple[Line, int]]) -> frozenset[tuple[Line, int]]:
    return frozenset(key for key, count in counts.items() if count == 1)


def _are_apart(model: Model, items: Sequence[Instruction]) -> bool:
    """Whether none of those of ``items``, all of a place, in their order, that make floating-point
    numbers takes what another one made, as sine and cosine of one angle."""
    made = set[int]()
    for item in items:
        taken = item.operands[2:] if item.opcode == Op.EXT_INST else item.operands
        is_float, takes = makes_floats(model, item), not made.isdisjoint(taken)
        if is_float and takes:
            return False
        if is_float or takes:
            made.add(item.result)
    return True


def _is_sign(items: Sequence[Instruction]) -> bool:
    """Whether one of ``items`` changes the sign of a number."""
    return [item.opcode for item in items].count(Op.F_NEGATE) == 1


def loads(item: Instruction) -> bool:
    """Whether it loads, or changes memory and gives what was there."""
    return item.opcode == Op.LOAD or item.opcode in ATOMICS


def computes_whole(model: Model, item: Instruction) -> bool:
    """Whether it computes a whole number of others, or of a floating-point number."""
    kind = model.code.type_of.get(item.result)
    return kind is not None and kind.kind is Kind.INTEGER and model.computation(item) is not None


def makes_floats(model: Model, item: Instruction) -> bool:
    """Whether it makes floating-point numbers, other than by taking them from something, putting
    them together, or by a sign: that is a part of the instruction that takes them."""
    kind = model.code.type_of.get(item.result)
    if kind is None or kind.kind not in (Kind.FLOAT, Kind.VECTOR):
        return False
    return item.opcode not in (Op.LOAD, Op.PHI, Op.F_NEGATE, *REARRANGING)
