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


#: Columns by the number of the step that made them.
Columns = dict[int, Column]
#: Makes a column of those of earlier steps.
Step = Callable[[Lanes, Sequence[int], Columns], Column]


@dataclass(frozen=True, eq=False)
class Program:
    """``steps`` are those of all programs of one function; this one takes those with the numbers
    ``needed``, in their order."""

    steps: list[Step]
    needed: tuple[int, ...]


class NotAtOnce(Exception):
    """A value takes more than this."""


def run(program: Program, items: Lanes, lanes: Sequence[int], known: Columns) -> Column:
    """The column of the last step, of ``lanes``. ``known``: what programs with the same steps have
    computed of these lanes; what this one computes is added."""
    for number in program.needed:
        if number not in known:
            known[number] = program.steps[number](items, lanes, known)
    return known[program.needed[-1]]


class Programs:
    """Those of one function. What several need is made, and computed, once."""

    def __init__(
        self, model: Model, path: Sequence[tuple[Function, Instruction]], function: Function
    ) -> None:
        """``path``: the calls that lead to ``function`` from the kernel, the outermost first: their
        caller, and the instruction."""
        self._model = model
        self._code = model.code
        self._functions = [*(each for each, _ in path), function]
        self._calls = [call for _, call in path]
        self._numbers: dict[tuple[int, int], int] = {}
        self._steps: list[Step] = []
        self._inputs: list[Sequence[int]] = []  # of each step, the numbers of others
        self._begin = 0  # the first step of the program that is being made

    def of(self, result: int) -> Program | None:
        """What computes ``result`` of the function; None where that takes more."""
        self._begin = len(self._steps)
        try:
            last = self._step(len(self._calls), result)
        except NotAtOnce:
            return None
        needed, waiting = {last}, [last]
        while waiting:
            for each in self._inputs[waiting.pop()]:
                if each not in needed:
                    needed.add(each)
                    waiting.append(each)
        return Program(self._steps, tuple(sorted(needed)))

    def _step(self, depth: int, result: int) -> int:
        """The number of the step that makes ``result`` of the function ``depth`` calls deep. Raises
        NotAtOnce."""
        key = depth, result
        if key not in self._numbers:
            self._numbers[key] = _ASKED
            self._numbers[key] = self._made(depth, result)
        if self._numbers[key] == _ASKED or len(self._steps) - self._begin > _LONGEST:
            raise NotAtOnce
        return self._numbers[key]

    def _add(self, make: Step, inputs: Sequence[int] = ()) -> int:
        self._steps.append(make)
        self._inputs.append(inputs)
        return len(self._steps) - 1

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
                return self._step(depth - 1, operands[index])
            return self._argument(index, self._code.type_of[result])
        item = made[1]
        if item.opcode == Op.LOAD:
            return self._loaded(item)
        if item.opcode == Op.SELECT:
            return self._selected(*(self._step(depth, each) for each in item.operands[:3]))
        pure = self._model.computation(item)
        if pure is None or not (pure.of_addresses or self._are_numbers(pure.operands)):
            raise NotAtOnce
        numbers = [self._step(depth, each) for each in pure.operands]
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

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
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

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
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

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            which = columns[condition]
            if which.is_uniform and isinstance(which.values[0], int):
                return columns[yes if which.values[0] else no]
            return _each(one, [which, columns[yes], columns[no]], len(lanes))

        return self._add(make, (condition, yes, no))

    def _computed(self, compute: Callable[..., Value | Place], numbers: list[int]) -> int:
        def one(*values: LaneValue) -> Value | Place:
            for value in values:
                if isinstance(value, UnknownValue):
                    raise value
            return compute(*values)

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            needed = [columns[each] for each in numbers]
            return _each(
                compute if all(each.is_known for each in needed) else one, needed, len(lanes)
            )

        return self._add(make, numbers)


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
