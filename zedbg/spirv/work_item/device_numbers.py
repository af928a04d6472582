"""Floating-point numbers that cannot be computed to the last bit, found in what the device gave.

Quotients, roots and other functions are made as the device likes, and so is what compilers fuse or
reorder. What such a number is roughly can be computed from what it is made of. A register that is
proved to have it, or what the device has recorded of its code, says which number it is exactly:
the one that is near.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type, Undefined, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, signed
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.numbers.device_maths import (
    REARRANGING,
    Nearness,
    Rough,
    is_near,
    is_of_floats,
    keeps_zeros,
    largest_term,
    nearnesses,
    operands_of,
    roughly,
)
from zedbg.spirv.work_item.activation import Activation, NeedsIteration, Values, When
from zedbg.spirv.work_item.unknown_number import UnknownNumber, has_its_components
from zedbg.spirv.work_item.ways import Ways

_MOST_BEFORE = 32  # iterations that a number is compared with those of


class Held(Protocol):
    """Finds what an instruction gave."""

    def latest(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        count_of: Callable[[Activation, int, int, Iterations], int],
        /,
    ) -> bytes | None:
        """What a register has of it. None: it is in none. ``count_of`` gives how many iterations
        of a loop come to a block, as :meth:`zedbg.spirv.work_item.ways.Ways.count_of`."""

    def recorded(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        is_exact: bool,
        /,
    ) -> Iterator[set[bytes]]:
        """What the device has recorded that the code of ``item``, which makes floating-point
        numbers, gave, in whichever iterations; first of the code that gives it most likely. It may
        give what leads to the number, too; and much else where ``is_exact``: what the number is
        made of is known exactly."""

    def is_on_both_sides(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations, /
    ) -> bool:
        """Whether the code of ``item`` lies both in front of where the work-item is and after that,
        as copies for several iterations do: some of it may not be executed yet."""

    def loaded_once(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations, /
    ) -> bytes | None:
        """What the device has recorded that ``item`` loaded for the work-item, which comes to it
        once at most. None: it loads nothing, or that is not recorded."""


class DeviceNumbers:
    """Those of one work-item that goes its ``ways``. ``values`` computes what can be computed,
    ``held`` finds what the device gave. ``is_made``: all that is asked for, it has made already."""

    def __init__(
        self, model: Model, values: Values, ways: Ways, held: Held, is_made: bool = False
    ) -> None:
        self._model = model
        self._code = model.code
        self._values = values
        self._ways = ways
        self._held = held
        self._is_made = is_made
        self._asked_for: set[tuple[int, int, Iterations]] = set()  # now

    def of(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        error: UnknownValue,
    ) -> Value:
        """What ``item`` gave, of which :func:`zedbg.spirv.numbers.device_maths.is_of_floats` is
        true. Raises NeedsIteration, and ``error`` where nothing says it."""
        try:
            found = self._found(call, item, label, iterations)
        except NeedsIteration:
            raise
        except UnknownValue:
            raise error from None
        if found is None:
            raise error
        return found

    def _found(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | None:
        """The same; None where nothing says it. Raises UnknownValue."""
        guess = self._guess(call, item, label, iterations)
        if guess is None:
            return None
        for found in self._recorded(guess, call, item, label, iterations):
            numbers = [each for each in found if each is not None]
            if len(numbers) == len(found):
                return tuple(numbers) if guess.is_vector else numbers[0]
        if guess.is_vector:
            return None
        number = self.latest(call, item, label, iterations)
        is_it = isinstance(number, float) and guess.is_near(number)
        return number if is_it else None

    def _guess(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> _Guess | None:
        """About what ``item`` gave; None where that is not known. Raises UnknownValue."""
        operands = [self._exactly(call, each, label, iterations) for each in operands_of(item)]
        made_of = None if None in operands else operands
        rough = self._all(call, operands_of(item), label, iterations)
        made = None if rough is None else roughly(item, rough)
        if rough is None or made is None:
            return None
        largest = _parts(largest_term(item, rough, made))
        *_, near = nearnesses(self._code, item, made_of is not None)
        return _Guess(_parts(made), largest, near, made_of, isinstance(made, tuple))

    def _recorded(
        self,
        guess: _Guess,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
    ) -> Iterator[list[float | None]]:
        """What the code of ``item`` gave that may be it: each part of it, None where several may,
        or none; what is nearest first, of the code that gives it most likely."""
        for near in nearnesses(self._code, item, guess.is_exact):
            nearer = replace(guess, near=near)
            for recorded in self._held.recorded(call, item, label, iterations, guess.is_exact):
                found = self._parts_in(recorded, nearer, item)
                if any(each is not None for each in found):
                    if self._may_be_earlier(nearer, call, item, label, iterations):
                        break
                    yield found

    def _parts_in(
        self, recorded: set[bytes], guess: _Guess, item: Instruction
    ) -> list[float | None]:
        """Which of ``recorded`` each part of what ``item`` gave may be; None where several may, or
        none."""
        element = self._code.type_of[item.result].element
        has_zeros = keeps_zeros(self._code, item)

        def part(index: int, number: float) -> float | None:
            if guess.is_like_another(index, item):
                return None
            if not guess.is_exact or number != 0:
                return _nearest(recorded, element, number, guess.largest[index], guess.near)
            return number if has_zeros else _zero(recorded, element)

        found = [part(index, number) for index, number in enumerate(guess.parts)]
        if item.opcode == Op.EXT_INST:
            return found  # devices differ in the zeros of functions
        pairs = zip(found, guess.parts, strict=True)
        return [each if _may_be_zero(each, number) else None for each, number in pairs]

    def _may_be_earlier(
        self,
        guess: _Guess,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
    ) -> bool:
        """Whether one that is near may be that of an earlier iteration, since that of this one may
        not be made yet: unless what ``item`` gave in the iterations before, of each of the loops
        around, is known to be the same, or farther away than ``guess`` may be."""
        if call.is_first(iterations):
            return False
        when = self._values.when(call, label, iterations)
        is_made = when in (When.PAST, When.ELSEWHERE) or (when is When.UNKNOWN and self._is_made)
        if is_made and not self._held.is_on_both_sides(call, item, label, iterations):
            return False
        if not guess.is_exact:
            return True
        try:
            before = [
                self._guess(earlier, item, label, each)
                for earlier, each in self._before(call, label, iterations)
            ]
        except UnknownValue:
            return True
        return any(each is None or not guess.is_apart_from(each) for each in before)

    def _before(
        self, call: Activation, label: int, iterations: Iterations
    ) -> Iterator[tuple[Activation, Iterations]]:
        """For each of the loops around ``label``, also of those around the call, the iterations
        before in which the work-item came there, as far as that is known."""
        around = self._model.flow(call.function).loops_around(label)
        for index, header in enumerate(around[: len(iterations)]):
            outer, number = iterations[:index], iterations[index]
            for before in self._coming(call, label, header, outer, number):
                yield call, (*outer, before, *iterations[index + 1 :])
        if call.caller is not None:
            caller, instruction, visit = call.caller
            for earlier, each in self._before(caller, visit.block, visit.iterations):
                made = self._values.called(earlier, instruction, Visit(visit.block, each))
                yield made, iterations

    def _coming(
        self, call: Activation, label: int, header: int, outer: Iterations, number: int | None
    ) -> Iterator[int | None]:
        """The last iterations of a loop before iteration ``number`` in which the work-item came to
        block ``label``, or may have come there."""
        if number is None:
            yield None
            return
        for before in range(number - 1, max(-1, number - 1 - _MOST_BEFORE), -1):
            try:
                if self._ways.passes(call, label, header, (*outer, before)):
                    yield before
            except NeedsIteration:
                raise
            except UnknownValue:
                yield before

    def component(self, number: UnknownNumber, index: int) -> float | None:
        """One component of ``number``, a vector of this work-item: the device may not have made all
        of them yet, or ever. None where nothing says it. Raises UnknownValue."""
        item, code = number.item, self._code
        call, label, iterations = number.call, number.label, number.iterations
        if is_of_floats(code, item):
            guess = self._guess(call, item, label, iterations)
            if guess is None or not guess.is_vector:
                return None
            found = self._recorded(guess, call, item, label, iterations)
            return next((each[index] for each in found if each[index] is not None), None)
        match item.opcode:
            case Op.VECTOR_SHUFFLE:
                first, second, *chosen = item.operands
                at, count = chosen[index], code.type_of[first].count
                vector, at = (first, at) if at < count else (second, at - count)
                known = at < code.type_of[vector].count
                return self._component_of(vector, at, call, label, iterations) if known else None
            case Op.COMPOSITE_INSERT if len(item.operands) == 3:
                part, vector, at = item.operands
                if at != index:
                    return self._component_of(vector, index, call, label, iterations)
                return _float(self._exactly(call, part, label, iterations))
            case Op.COMPOSITE_CONSTRUCT if len(item.operands) == code.type_of[item.result].count:
                return _float(self._exactly(call, item.operands[index], label, iterations))
        return None

    def _component_of(
        self, vector: int, index: int, call: Activation, label: int, iterations: Iterations
    ) -> float | None:
        """One component of the result ``vector``; None where nothing says it. Raises
        UnknownValue."""
        try:
            value = self._values.of(call, vector, label, iterations)
        except NeedsIteration:
            raise
        except UnknownNumber as number:
            kinds = self._code.type_of
            is_same = has_its_components(kinds[vector], kinds[number.item.result])
            return number.component(index) if is_same else None
        except UnknownValue:
            return None
        return _float(value[index]) if isinstance(value, tuple) else None

    def latest(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | None:
        """What a register has of a result, or the device has recorded of one that is loaded once;
        None where nothing has it, or where it depends on that result whether a register has it, as
        where it says how often a loop is executed."""
        kind = self._code.type_of[item.result]
        key = id(call), item.result, iterations
        if key in self._asked_for:
            return None
        self._asked_for.add(key)
        try:
            data = self._held.latest(call, item, label, iterations, self._ways.count_of)
            if data is None and self._comes_once(call, label):
                data = self._held.loaded_once(call, item, label, iterations)
        finally:
            self._asked_for.remove(key)
        if data is None or kind.kind not in (Kind.INTEGER, Kind.FLOAT) or kind.size != len(data):
            return None
        return kind.decode(data)

    def _comes_once(self, call: Activation, label: int) -> bool:
        """Whether the work-item comes to block ``label`` of ``call`` once at most."""
        while not self._model.flow(call.function).loops_around(label):
            if call.caller is None:
                return True
            call, _, visit = call.caller
            label = visit.block
        return False

    def _exactly(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place | None:
        try:
            return self._values.of(call, result, block, iterations)
        except NeedsIteration:
            raise
        except UnknownValue:
            return None

    def _made(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Rough | None:
        """What ``item``, of floating-point numbers, makes roughly."""
        operands = self._all(call, operands_of(item), label, iterations)
        return None if operands is None else roughly(item, operands)

    def _all(
        self, call: Activation, results: Sequence[int], label: int, iterations: Iterations
    ) -> list[Rough] | None:
        found = []
        for each in results:
            number = self._roughly(call, each, label, iterations)
            if number is None:
                return None
            found.append(number)
        return found

    def _roughly(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Rough | None:
        """What a ``result`` of numbers is, used in ``block``, roughly. Raises UnknownValue."""
        self._values.step()
        kind = self._code.type_of[result]
        try:
            value = self._values.of(call, result, block, iterations)
            return _rough(_as_float(value, kind))
        except NeedsIteration:
            raise
        except UnknownNumber as number:
            if not has_its_components(kind, self._code.type_of[number.item.result]):
                return None
            rough = number.roughly_for(self._values)
            return rough[: kind.count] if isinstance(rough, tuple) else rough
        except UnknownValue:
            return None

    def of_unknown(self, number: UnknownNumber) -> Rough | None:
        """About what a ``number`` of this work-item is. Raises UnknownValue."""
        call, item, key = number.call, number.item, (number.item.result, number.iterations)
        if key not in call.rough:
            call.rough[key] = None  # while it is not known
            is_made = is_of_floats(self._code, item)
            roughly_by = self._made if is_made else self._rearranged
            call.rough[key] = roughly_by(call, item, number.label, number.iterations)
        return call.rough[key]

    def _rearranged(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Rough | None:
        """What an instruction makes that puts numbers together, or takes some of a vector."""
        if item.opcode not in REARRANGING:
            return None
        pure, kind = self._model.computation(item), self._code.type_of[item.result]
        if pure is None or kind.kind not in (Kind.VECTOR, Kind.FLOAT):
            return None
        parts = self._all(call, pure.operands, label, iterations)
        return None if parts is None else _rough(pure.compute(*parts))


@dataclass(frozen=True)
class _Guess:
    """About what a number is, or each part of a vector: sums of numbers up to the ``largest``, so
    ``near``. ``made_of``: what it is made of; None where that is not known exactly."""

    parts: tuple[float, ...]
    largest: tuple[float, ...]
    near: Nearness
    made_of: Sequence[Value | Place | None] | None
    is_vector: bool

    @property
    def is_exact(self) -> bool:
        """Whether what it is made of is known exactly."""
        return self.made_of is not None

    def is_like_another(self, index: int, item: Instruction) -> bool:
        """Whether part number ``index`` of what ``item`` makes may be taken for another one, which
        the device may have made already, where it has not made this one: but not where it makes
        both of the same numbers."""
        own, most = self.parts[index], self.largest[index]
        is_cross = item.opcode == Op.EXT_INST and item.operands[1] == Std.CROSS

        def is_same(number: int) -> bool:
            return (
                not is_cross
                and self.made_of is not None
                and all(
                    each[number] == each[index] for each in self.made_of if isinstance(each, tuple)
                )
            )

        return any(
            number != index and is_near(each, own, most, 2 * self.near.near) and not is_same(number)
            for number, each in enumerate(self.parts)
        )

    def is_apart_from(self, other: _Guess) -> bool:
        """Whether it is the same as ``other``, or none of its parts may be what that is."""
        if self.made_of is not None and self.made_of == other.made_of:
            return True
        parts = zip(self.parts, self.largest, other.parts, strict=True)
        return not any(is_near(each, own, most, 2 * self.near.near) for own, most, each in parts)

    def is_near(self, number: float) -> bool:
        """Whether it may be ``number``."""
        return is_near(number, self.parts[0], self.largest[0], self.near.near)


def _float(value: object) -> float | None:
    return value if isinstance(value, float) else None


def _as_float(value: Value | Place, kind: Type) -> Value | Place:
    """``value``, of type ``kind``; a whole number as one with a fraction."""
    return float(signed(value, kind.bits)) if isinstance(value, int) else value


def _rough(value: object) -> Rough | None:
    """``value``, of floating-point numbers; where a vector has none yet, nothing is near."""
    if isinstance(value, tuple):
        numbers = [math.nan if isinstance(each, Undefined) else each for each in value]
        known = [each for each in numbers if isinstance(each, float)]
        return tuple(known) if len(known) == len(value) else None
    return value if isinstance(value, float) else None


def _zero(recorded: set[bytes], kind: Type) -> float | None:
    """The zero that is one of ``recorded``; None where there are both."""
    zeros = [each for each in map(kind.decode, recorded) if isinstance(each, float) and each == 0]
    return zeros[0] if len(zeros) == 1 else None


def _may_be_zero(number: float | None, guess: float) -> bool:
    """Whether ``number``, if it is zero, has the sign of ``guess``: what only leads to it may have
    another one."""
    return number != 0 or math.copysign(1.0, number) == math.copysign(1.0, guess)


def _parts(value: Rough) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


def _nearest(
    recorded: set[bytes], kind: Type, guess: float, largest: float, distance: Nearness
) -> float | None:
    """The one of ``recorded`` that may be what is ``guess`` roughly, a sum of numbers up to
    ``largest``; None where several may."""
    numbers = [kind.decode(each) for each in recorded]
    near = [
        each
        for each in numbers
        if isinstance(each, float) and is_near(each, guess, largest, distance.apart)
    ]
    is_one = len(near) == 1 and is_near(near[0], guess, largest, distance.near)
    return near[0] if is_one else None
