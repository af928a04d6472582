"""Values of all lanes of a thread at once, where they do not depend on the way that a lane took.

What is the same for all lanes is computed once, all else lane by lane, but each instruction is
looked up once. Whatever takes more (loops, memory that is written, calls) is left to
:mod:`zedbg.spirv.evaluation`, which gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from zedbg.spirv.arithmetic import UnknownValue, whole
from zedbg.spirv.code import Function, Instruction
from zedbg.spirv.computations import Place, parts_of
from zedbg.spirv.model import Model
from zedbg.spirv.operations import BuiltIn, Op, Storage
from zedbg.spirv.types import Kind, Type, Value

_LONGEST = 400  # instructions
_THREE = (
    BuiltIn.WORKGROUP_SIZE,
    BuiltIn.WORKGROUP_ID,
    BuiltIn.LOCAL_INVOCATION_ID,
    BuiltIn.GLOBAL_INVOCATION_ID,
    BuiltIn.GLOBAL_SIZE,
    BuiltIn.ENQUEUED_WORKGROUP_SIZE,
)


class Lanes(Protocol):
    """What is known of the work-items of a thread. Each raises UnknownValue."""

    def argument(self, index: int, size: int) -> bytes:
        """The bytes that the host passed for a kernel's parameter."""

    def built_in(self, which: int) -> tuple[int, int, int] | list[tuple[int, int, int]]:
        """A :class:`BuiltIn`: one for all lanes, or one of each."""


LaneValue = Value | Place | UnknownValue


@dataclass(frozen=True)
class Column:
    """A value in each of some lanes, or one for all of them (``is_uniform``)."""

    values: list[LaneValue]
    is_uniform: bool
    is_known: bool  # in every lane

    def of(self, index: int) -> LaneValue:
        """That of lane number ``index``."""
        return self.values[0 if self.is_uniform else index]


#: Makes a column of those of earlier steps.
Step = Callable[[Lanes, Sequence[int], list[Column]], Column]
Program = tuple[Step, ...]


class NotAtOnce(Exception):
    """A value takes more than this."""


def program_of(
    model: Model, path: Sequence[tuple[Function, Instruction]], function: Function, result: int
) -> Program | None:
    """What computes ``result`` of ``function``; None where that takes more. ``path``: the calls
    that lead there from the kernel, the outermost first: their caller, and the instruction."""
    compiler = _Compiler(model, path, function)
    try:
        compiler.step(len(path), result)
    except NotAtOnce:
        return None
    return tuple(compiler.steps)


def run(program: Program, items: Lanes, lanes: Sequence[int]) -> Column:
    """The column of the last step, of ``lanes``."""
    columns: list[Column] = []
    for step in program:
        columns.append(step(items, lanes, columns))
    return columns[-1]


class _Compiler:
    def __init__(
        self, model: Model, path: Sequence[tuple[Function, Instruction]], function: Function
    ) -> None:
        self._model = model
        self._code = model.code
        self._functions = [*(each for each, _ in path), function]
        self._calls = [call for _, call in path]
        self._numbers: dict[tuple[int, int], int] = {}
        self.steps: list[Step] = []

    def step(self, depth: int, result: int) -> int:
        """The number of the step that makes ``result`` of the function ``depth`` calls deep. Raises
        NotAtOnce."""
        key = depth, result
        if key not in self._numbers:
            self._numbers[key] = _ASKED
            self._numbers[key] = self._made(depth, result)
        if self._numbers[key] == _ASKED or len(self.steps) > _LONGEST:
            raise NotAtOnce
        return self._numbers[key]

    def _add(self, make: Step) -> int:
        self.steps.append(make)
        return len(self.steps) - 1

    def _made(self, depth: int, result: int) -> int:
        constant = self._code.constants.get(result)
        if constant is not None:
            return self._uniform(constant)
        if result in self._code.storage:
            return self._uniform(Place(result))
        function = self._functions[depth]
        made = self._model.made(function).get(result)
        if made is None:
            if result not in function.parameters:
                raise NotAtOnce
            index = function.parameters.index(result)
            if depth:
                operands = self._calls[depth - 1].operands[1:]
                return self.step(depth - 1, operands[index])
            return self._argument(index, self._code.type_of[result])
        item = made[1]
        if item.opcode == Op.LOAD:
            return self._loaded(item)
        if item.opcode == Op.SELECT:
            return self._selected(*(self.step(depth, each) for each in item.operands[:3]))
        pure = self._model.computation(item)
        if pure is None or not (pure.of_addresses or self._are_numbers(pure.operands)):
            raise NotAtOnce
        numbers = [self.step(depth, each) for each in pure.operands]
        return self._computed(pure.compute, numbers)

    def _are_numbers(self, operands: Sequence[int]) -> bool:
        kinds = self._code.type_of
        return all(each in kinds and kinds[each].kind is not Kind.POINTER for each in operands)

    def _uniform(self, value: Value | Place) -> int:
        column = Column([value], True, True)
        return self._add(lambda items, lanes, columns: column)

    def _argument(self, index: int, kind: Type) -> int:
        if not kind.size or (
            kind.kind is Kind.POINTER
            and kind.storage not in (Storage.CROSS_WORKGROUP, Storage.UNIFORM_CONSTANT)
        ):
            raise NotAtOnce

        def make(items: Lanes, lanes: Sequence[int], columns: list[Column]) -> Column:
            try:
                return Column([kind.decode(items.argument(index, kind.size))], True, True)
            except UnknownValue as error:
                return Column([error], True, False)

        return self._add(make)

    def _loaded(self, item: Instruction) -> int:
        """A load of an id or size of the work-item."""
        which = self._code.built_ins.get(item.operands[0])
        kind = self._code.type_of[item.result]
        if which not in _THREE or kind.kind is not Kind.VECTOR or kind.count != 3:
            raise NotAtOnce

        def make(items: Lanes, lanes: Sequence[int], columns: list[Column]) -> Column:
            try:
                found = items.built_in(which)
            except UnknownValue as error:
                return Column([error], True, False)
            if isinstance(found, tuple):
                return Column([found], True, True)
            return Column([found[lane] for lane in lanes], False, True)

        return self._add(make)

    def _selected(self, condition: int, yes: int, no: int) -> int:
        def one(which: LaneValue, some: LaneValue, other: LaneValue) -> Value | Place:
            if isinstance(which, UnknownValue):
                raise which
            if isinstance(which, tuple):
                parts = zip(which, _parts(some), _parts(other), strict=True)
                return tuple(a if whole(c) else b for c, a, b in parts)
            chosen = some if whole(which) else other  # type: ignore[arg-type]
            if isinstance(chosen, UnknownValue):
                raise chosen
            return chosen

        def make(items: Lanes, lanes: Sequence[int], columns: list[Column]) -> Column:
            which = columns[condition]
            if which.is_uniform and isinstance(which.values[0], int):
                return columns[yes if which.values[0] else no]
            return _each(one, [which, columns[yes], columns[no]], len(lanes))

        return self._add(make)

    def _computed(self, compute: Callable[..., Value | Place], numbers: list[int]) -> int:
        def one(*values: LaneValue) -> Value | Place:
            for value in values:
                if isinstance(value, UnknownValue):
                    raise value
            return compute(*values)

        def make(items: Lanes, lanes: Sequence[int], columns: list[Column]) -> Column:
            needed = [columns[each] for each in numbers]
            return _each(
                compute if all(each.is_known for each in needed) else one, needed, len(lanes)
            )

        return self._add(make)


_ASKED = -1


def _parts(value: LaneValue) -> tuple[Value, ...]:
    if isinstance(value, UnknownValue):
        raise value
    return parts_of(value)  # type: ignore[arg-type]


def _each(compute: Callable[..., Value | Place], columns: list[Column], count: int) -> Column:
    """What ``compute`` makes of the values of each lane."""
    if all(each.is_uniform for each in columns):
        try:
            return Column([compute(*(each.values[0] for each in columns))], True, True)
        except UnknownValue as error:
            return Column([error], True, False)
    values = [each.values * count if each.is_uniform else each.values for each in columns]
    try:
        return Column(list(map(compute, *values)), False, True)
    except UnknownValue:
        pass  # in some lane
    found: list[LaneValue] = []
    for each in zip(*values, strict=True):
        try:
            found.append(compute(*each))
        except UnknownValue as error:
            found.append(error)
    return Column(found, False, False)
