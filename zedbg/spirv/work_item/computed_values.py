"""What the instructions of the SPIR-V give one work-item, computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, NotReached, Visit
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import ATOMICS, Op, Storage
from zedbg.spirv.module.types import Kind, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue, whole
from zedbg.spirv.numbers.bounds import Bounded
from zedbg.spirv.numbers.computations import Place, known, parts_of
from zedbg.spirv.numbers.device_maths import Rough, is_of_floats
from zedbg.spirv.work_item.activation import (
    MOST_STEPS,
    Activation,
    KnownValues,
    NeedsIteration,
    TooMuch,
    When,
)
from zedbg.spirv.work_item.bounded_numbers import BoundedNumbers
from zedbg.spirv.work_item.changed_memory import ChangedMemory, MemoryBefore
from zedbg.spirv.work_item.device_numbers import DeviceNumbers, Held
from zedbg.spirv.work_item.given_values import GivenValues
from zedbg.spirv.work_item.local_loads import LocalLoads
from zedbg.spirv.work_item.loop_runs import FEWEST, LoopRuns
from zedbg.spirv.work_item.private_variables import PrivateVariables
from zedbg.spirv.work_item.unknown_number import UnknownNumber, has_its_components
from zedbg.spirv.work_item.ways import Ways

_OF_FLOATS = (Kind.FLOAT, Kind.VECTOR)
_DEEP = 150  # calls in each other


@dataclass
class Certainty:
    """``is_of_stop``: something was needed that is known at this stop only, or not of the work-item
    alone: what is computed since then is kept for this stop. Evaluations that need each other have
    one."""

    is_of_stop: bool = False


class ComputedValues:
    """Computes values, see :class:`zedbg.spirv.work_item.activation.Values`; the parts of an
    evaluation that need them have this."""

    def __init__(
        self,
        model: Model,
        given: GivenValues,
        held: Held | None,
        local: LocalLoads | None,
        before: MemoryBefore | None,
        certainty: Certainty,
        is_made: bool,
    ) -> None:
        self._model = model
        self._code = model.code
        self._given = given
        self._in_local_memory = local
        self.ways = Ways(model, self)
        self._device = (
            None if held is None else DeviceNumbers(model, self, self.ways, held, is_made)
        )
        self._runs = LoopRuns(model, self, given, local)
        self._bounded = BoundedNumbers(model, self)
        self.private = PrivateVariables(model, self, given, self.ways)
        self._changed = (
            None if before is None else ChangedMemory(model, self, given, self.ways, before)
        )
        self.steps = 0
        self._certainty = certainty
        self._now: dict[int, Visit] = {}  # where the work-item is, by what is known of the call

    @property
    def is_of_stop(self) -> bool:
        """See :class:`Certainty`."""
        return self._certainty.is_of_stop

    @is_of_stop.setter
    def is_of_stop(self, is_of_stop: bool) -> None:
        self._certainty.is_of_stop = is_of_stop

    def step(self) -> None:
        """Counts an instruction that is looked at. Raises TooMuch."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch

    def of(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place:
        """What ``result`` is where it is used in ``block``. Raises UnknownValue."""
        made = self._model.made(call.function).get(result)
        if made is None:
            return self._outside(call, result)
        label, instruction = made
        if label != block:
            iterations = self.ways.iterations_of(call, label, block, iterations)
        key = result, iterations
        known = call.known.values.get(key)
        if known is None:
            known = call.values.get(key)
        if known is not None:
            return known
        if key in call.unknown:
            raise call.unknown[key]
        self.step()
        try:
            found = self._computed(call, instruction, label, iterations)
        except UnknownValue as error:
            call.unknown[key] = error
            raise
        self._kept(call, label, iterations)[key] = found
        return found

    def _kept(
        self, call: Activation, label: int, iterations: Iterations
    ) -> dict[tuple[int, Iterations], Value | Place]:
        """What is known of the call, for as long as what was made in ``label`` is."""
        is_known = not self.is_of_stop or self.when(call, label, iterations) is When.PAST
        return call.known.values if is_known else call.values

    def is_now(self, call: Activation, visit: Visit) -> None:
        """See :meth:`zedbg.spirv.work_item.evaluation.Evaluation.is_now`."""
        now = self._now.get(id(call.known))
        is_known = now is not None and now.block == visit.block and None not in now.iterations
        if now != visit and not is_known:
            self._now[id(call.known)] = visit
            if now is not None:
                self._given.outermost.ask_anew()
        self._keep_past(call)

    def _keep_past(self, call: Activation) -> None:
        """Keeps what was computed for this stop, where it stays known."""
        made = self._model.made(call.function)
        for key, value in call.values.items():
            result, iterations = key
            if self.when(call, made[result][0], iterations) is When.PAST:
                call.known.values[key] = value
        for key, last in call.exits.items():
            if self.when(call, *key) is When.PAST:
                call.known.exits[key] = last
        for called in call.called.values():
            self._keep_past(called)

    def when(self, call: Activation, block: int, iterations: Iterations) -> When:
        """See :meth:`zedbg.spirv.work_item.activation.Values.when`."""
        now = self._now.get(id(call.known))
        if now is not None:
            flow = self._model.flow(call.function)
            here, there = flow.loops_around(now.block), flow.loops_around(block)
            is_in_common, is_known = False, True
            for one, other, a, b in zip(here, there, now.iterations, iterations, strict=False):
                if one != other:
                    break
                if a is None or b is None:
                    is_known = False
                elif a != b:
                    return When.PAST if is_known and b < a else When.UNKNOWN
                is_in_common = True
            if is_in_common:
                return When.NOW
        if call.caller is None:
            return When.UNKNOWN if now is None else When.ELSEWHERE
        caller, _, visit = call.caller
        return self.when(caller, visit.block, visit.iterations)

    def _outside(self, call: Activation, result: int) -> Value | Place:
        """What no instruction of the function makes."""
        constant = self._code.constants.get(result)
        if constant is not None:
            return constant
        if result in self._code.storage:
            return Place(result)
        if result in call.function.parameters:
            return call.arguments[call.function.parameters.index(result)]()
        raise UnknownValue("its value is not said")

    def activation(
        self, call: Activation, instruction: Instruction, block: int, iterations: Iterations
    ) -> Activation:
        """See :meth:`zedbg.spirv.work_item.evaluation.Evaluation.activation`. Raises
        UnknownValue."""
        callee = self._code.functions.get(instruction.operands[0])
        if callee is None:
            raise UnknownValue("it is returned by a function that is not in the module")
        if call.depth >= _DEEP:
            raise UnknownValue("too many calls are in each other")
        operands = list(instruction.operands[1:])

        def reader(operand: int, parameter: int) -> Callable[[], Value | Place]:
            if parameter in self._code.by_value:
                return lambda: Place(parameter)  # a copy
            return lambda: self.of(call, operand, block, iterations)

        roots = [self._given.roots(call, each) for each in operands]
        caller = call, instruction, Visit(block, iterations)
        arguments = list(map(reader, operands, callee.parameters))
        known = call.known.called.setdefault((instruction.result, caller[2]), KnownValues())
        return Activation(callee, arguments, roots, call.depth + 1, caller, known)

    def called(self, call: Activation, instruction: Instruction, visit: Visit) -> Activation:
        """See :meth:`zedbg.spirv.work_item.activation.Values.called`."""
        key = instruction.result, visit
        if key not in call.called:
            made = self.activation(call, instruction, visit.block, visit.iterations)
            call.called[key] = made
        return call.called[key]

    def bounds_of(self, number: UnknownNumber) -> Bounded | None:
        """See :class:`zedbg.spirv.work_item.unknown_number.NumbersOfItem`."""
        return self._bounded.of_unknown(number)

    def roughly(self, number: UnknownNumber) -> Rough | None:
        """See :class:`zedbg.spirv.work_item.unknown_number.NumbersOfItem`."""
        return None if self._device is None else self._device.of_unknown(number)

    def component(self, number: UnknownNumber, index: int) -> float | None:
        """See :class:`zedbg.spirv.work_item.unknown_number.NumbersOfItem`."""
        return None if self._device is None else self._device.component(number, index)

    def _computed(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | Place:
        pure = self._model.computation(item)
        if pure is not None:
            try:
                operands = [self.of(call, each, label, iterations) for each in pure.operands]
                if not pure.of_addresses:
                    operands = [known(each) for each in operands]
                return pure.compute(*operands)
            except (NeedsIteration, TooMuch, NotReached):
                raise
            except UnknownValue as error:
                return self._left_open(call, item, label, iterations, error)
        match item.opcode:
            case Op.PHI:
                return self._chosen(call, item, label, iterations)
            case Op.VARIABLE:
                return Place(item.result)
            case Op.LOAD:
                try:
                    return self._loaded(call, item, label, iterations)
                except NeedsIteration:
                    raise
                except UnknownValue as error:
                    unknown = self._loaded_unchanged(item, error)
                    return self._held(call, item, label, iterations, unknown)
            case Op.FUNCTION_CALL:
                return self._returned(self.called(call, item, Visit(label, iterations)))
            case Op.SELECT:
                return self._selected(call, item, label, iterations)
        if item.opcode in ATOMICS:
            unknown = UnknownValue("it was given by an atomic operation")
            return self._held(call, item, label, iterations, unknown)
        raise UnknownValue(f"instruction {item.opcode} of the SPIR-V is not computed")

    def _left_open(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        error: UnknownValue,
    ) -> Value:
        """What ``item`` gives, which its operands do not say, because of ``error``. Raises
        UnknownValue."""
        self.is_of_stop = True
        if item.opcode == Op.COMPOSITE_EXTRACT and isinstance(error, UnknownNumber):
            vector, *path = item.operands
            kinds = self._code.type_of
            if len(path) == 1 and has_its_components(kinds[vector], kinds[error.item.result]):
                component = error.component(path[0])
                if component is not None:
                    return component
        if item.opcode == Op.VECTOR_SHUFFLE:
            number = UnknownNumber(str(error), self, call, item, label, iterations)
            count = self._code.type_of[item.result].count
            parts = [number.component(index) for index in range(count)]
            if None not in parts:
                return tuple(each for each in parts if each is not None)
        certain = self._bounded.certain(call, item, label, iterations)
        if certain is not None:
            return certain
        if self._device is not None and is_of_floats(self._code, item):
            try:
                return self._device.of(call, item, label, iterations, error)
            except (NeedsIteration, TooMuch):
                raise
            except UnknownValue:
                pass
        if isinstance(error, UnsetValue):
            raise UnsetValue from None
        if self._code.type_of[item.result].element.kind is Kind.FLOAT:
            raise UnknownNumber(str(error), self, call, item, label, iterations) from None
        raise UnknownValue(str(error)) from None

    def _loaded_unchanged(self, item: Instruction, error: UnknownValue) -> UnknownValue:
        """``error`` of a load: the number that was stored only if all of it is loaded."""
        if not isinstance(error, UnknownNumber):
            return error
        kinds = self._code.type_of
        is_same = has_its_components(kinds[item.result], kinds[error.item.result])
        return error if is_same else UnknownValue(str(error))

    def _held(
        self,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
        error: UnknownValue,
    ) -> Value:
        """What a register has of a result, or a recording; raises ``error`` where none has."""
        self.is_of_stop = True
        found = None
        if self._device is not None:
            found = self._device.latest(call, item, label, iterations)
        if found is None:
            raise error
        return found

    def _selected(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value:
        def of(index: int) -> Value:
            return known(self.of(call, item.operands[index], label, iterations))

        condition = of(0)
        if isinstance(condition, tuple):
            parts = zip(condition, parts_of(of(1)), parts_of(of(2)), strict=True)
            return tuple(a if whole(c) else b for c, a, b in parts)
        return of(1) if whole(condition) else of(2)

    def _loaded(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | Place:
        pointer, kind = item.operands[0], self._code.type_of[item.result]
        source = self.of(call, pointer, label, iterations)
        storage = self._code.type_of[pointer].storage
        if storage == Storage.GENERIC and isinstance(source, Place):
            storage = self._code.storage.get(source.variable, storage)
        if storage == Storage.WORKGROUP:
            if self._in_local_memory is None:
                raise UnknownValue("it is loaded from local memory")
            found = self._in_local_memory(call, item, source, Visit(label, iterations))
            self.is_of_stop |= self._in_local_memory.is_of_stop
            return found
        if not isinstance(source, Place):
            return self._from_memory(call, item, whole(source), Visit(label, iterations))
        if source.variable in self._code.storage:
            return self._given.of_variable(source, kind)
        return self.private.loaded(call, item, source, kind, Visit(label, iterations))

    def _from_memory(
        self, call: Activation, item: Instruction, address: int, visit: Visit
    ) -> Value:
        """What a load of global memory gives. Raises UnknownValue."""
        kind = self._code.type_of[item.result]
        try:
            return self._given.loaded(call, item.operands[0], address, kind)
        except UnknownValue:
            if self._changed is None:
                raise
        self.is_of_stop = True
        try:
            return self._changed.loaded(call, item, address, visit)
        except NeedsIteration as error:
            return self._held(call, item, visit.block, visit.iterations, error)

    def _chosen(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | Place:
        """What an OpPhi of block ``label`` is, by the way that led there."""
        loop = self.ways.structured(call).loops.get(label)
        if loop is not None and iterations[-1]:
            *outer, current = iterations
            assert current is not None
            induction = self._model.inductions(call.function, loop).get(item.result)
            if induction is not None:
                first = self.of(call, item.result, label, (*outer, 0))
                added = current * induction.step
                return (whole(known(first)) + added) & (1 << induction.bits) - 1
            first = current - 1
            while first and not self._is_looked_at(call, item.result, (*outer, first - 1)):
                first -= 1
                if current - first > MOST_STEPS:  # each iteration takes one at least
                    raise TooMuch
            if current - first >= FEWEST:
                found = self._runs.carried(call, loop, item.result, iterations)
                if found is not None:
                    kept = self._kept(call, label, iterations)
                    for phi, value in found.items():
                        kept[phi, iterations] = value
                    return found[item.result]
            for earlier in range(first, current - 1):  # so that no computation gets deep
                self._prepare(call, item.result, label, (*outer, earlier))
        value, visit = self.incoming(call, item, label, iterations)
        return self.of(call, value, visit.block, visit.iterations)

    @staticmethod
    def _is_looked_at(call: Activation, result: int, iterations: Iterations) -> bool:
        key = result, iterations
        return key in call.known.values or key in call.values or key in call.unknown

    def _prepare(self, call: Activation, result: int, block: int, iterations: Iterations) -> None:
        """Computes what a later iteration is made of. Raises UnknownValue where that is hopeless
        then; a register may have what is made of floating-point numbers that are not known."""
        key = result, iterations
        if key in call.known.values or key in call.values:
            return
        try:
            self.of(call, result, block, iterations)
        except TooMuch:
            raise
        except UnknownValue:
            if self._device is None or self._code.type_of[result].kind not in _OF_FLOATS:
                raise

    def incoming(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> tuple[int, Visit]:
        """The result that an OpPhi of block ``label`` is, by the way that led there, and the block
        that it came from. Raises UnknownValue, NeedsIteration."""
        loop = self.ways.structured(call).loops.get(label)
        ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))

        def by(came: int, at: Iterations) -> tuple[int, Visit]:
            return ways[came], Visit(came, self.ways.iterations_of(call, came, label, at))

        if loop is None:
            return by(self.ways.came_from(call, label, iterations, set(ways)), iterations)
        *outer, current = iterations
        if current is None:
            if len(set(ways.values()) - {item.result}) > 1:
                raise NeedsIteration(label)
            current = 0
        if current == 0:
            entering = {each for each in ways if each not in loop.blocks}
            if len(entering) != 1:
                raise UnknownValue("a loop is entered in several ways")
            return by(entering.pop(), iterations)
        last = (*outer, current - 1)
        latches = [each for each in loop.latches if each in ways]
        came = latches[0] if len(latches) == 1 else self.ways.jumped_back(call, label, last)
        return by(came, last)

    def _returned(self, call: Activation) -> Value | Place:
        *_, last = self.ways.visits(call)
        jump = call.function.blocks[last.block].terminator
        if jump is None or jump.opcode != Op.RETURN_VALUE:
            raise UnknownValue("the function returns nothing")
        return self.of(call, jump.operands[0], last.block, last.iterations)
