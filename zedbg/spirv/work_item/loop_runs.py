"""Iterations of a loop by one work-item, many at once: by code of Python for an iteration.

They give what :mod:`zedbg.spirv.work_item.computed_values` gives, instruction by instruction:
where one of them is not known, or memory may change meanwhile, this gives nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.operations import Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, real
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import MOST_STEPS, Activation, Values
from zedbg.spirv.work_item.given_values import GivenValues
from zedbg.spirv.work_item.local_loads import LocalLoads
from zedbg.spirv.work_item.loop_code import LoopCode, class_of, loop_code
from zedbg.spirv.work_item.memory_pages import PAGE, Pages

FEWEST = 8  # iterations for which that is worth while
_NONE = object()  # there is no code of a loop
_PLACES = 40  # bits of the offset in a number that stands for a :class:`Place`
_MOST_VARIABLES = 1 << 22  # the greatest id that is put into one


class _Memory(Pages):
    """What the iterations of ``call`` load."""

    def __init__(
        self, given: GivenValues, load: Callable[[int, int], Value], known: dict[int, bytes]
    ) -> None:
        super().__init__(_Reader(given), known)
        #: Gives what the load that makes a result loads from local memory, at a number.
        self.load_local = load


class _Reader:
    def __init__(self, given: GivenValues) -> None:
        self._given = given

    def page(self, number: int) -> bytes:
        """See :class:`zedbg.spirv.work_item.memory_pages.PageReader`. Raises UnknownValue."""
        return self._given.memory(number * PAGE, PAGE)


class LoopRuns:
    """Those of the work-item that is ``given`` something, and computes ``values``."""

    def __init__(
        self, model: Model, values: Values, given: GivenValues, local: LocalLoads | None
    ) -> None:
        self._model = model
        self._values = values
        self._given = given
        self._local = local
        self._pages: dict[int, bytes] = {}
        self._in_vain: set[tuple[int, int, Iterations]] = set()  # calls, phis, loops around

    def carried(
        self, call: Activation, loop: Loop, phi: int, iterations: Iterations
    ) -> dict[int, Value | Place] | None:
        """What ``phi``, and others that it takes, are in the last of ``iterations``; None where
        this is not the way to find out."""
        *outer, number = iterations
        key = id(call), phi, tuple(outer)
        if number is None or key in self._in_vain:
            return None
        code = self._code(call, loop, phi)
        if code is not None and number * code.size < MOST_STEPS:
            try:
                return self._run(call, code, loop, iterations, number)
            except UnknownValue:
                pass
        self._in_vain.add(key)
        return None

    def _code(self, call: Activation, loop: Loop, phi: int) -> LoopCode | None:
        key = "loop code", call.function.result, phi
        found = self._model.objects.get(key)
        if found is None:
            found = loop_code(self._model, call.function, loop, phi) or _NONE
            self._model.objects[key] = found
        return found if isinstance(found, LoopCode) else None

    def _run(
        self, call: Activation, code: LoopCode, loop: Loop, iterations: Iterations, number: int
    ) -> dict[int, Value | Place]:
        """As :meth:`carried`. Raises UnknownValue."""
        for pointer in code.pointers:
            self._given.require_constant(call, pointer)
        begin = (*iterations[:-1], 0)
        numbers = [
            _as_number(kind, self._values.of(call, each, loop.header, begin))
            for each, kind in zip((*code.phis, *code.inputs), code.types, strict=True)
        ]
        made, kinds = self._model.made(call.function), self._model.code.type_of

        def load(result: int, address: int) -> Value:
            label, item = made[result]
            depth = len(self._model.flow(call.function).loops_around(label))
            inner = (None,) * (depth - len(begin) + 1)  # no iteration of the loop may change it
            if self._local is None:
                raise UnknownValue("it is loaded from local memory")
            source = _as_value(kinds[item.operands[0]], address)
            found = self._local(call, item, source, Visit(label, (*begin[:-1], *inner)))
            self._values.is_of_stop |= self._local.is_of_stop
            return found

        memory = _Memory(self._given, load, self._pages)
        states = len(code.phis)
        (row,) = code.run(number, [tuple(numbers[:states])], [tuple(numbers[states:])], memory)
        return {
            phi: _as_value(kind, value)
            for phi, kind, value in zip(code.phis, code.types[:states], row, strict=True)
        }


def _is_local(kind: Type) -> bool:
    return kind.kind is Kind.POINTER and kind.storage == Storage.WORKGROUP


def _as_number(kind: Type, value: Value | Place) -> Value:
    """``value``, of ``kind``, as code of iterations computes with it: addresses in variables of
    local memory are numbers that are greater than any other one there. Raises UnknownValue."""
    if isinstance(value, Place) and _is_local(kind) and value.variable < _MOST_VARIABLES:
        return ((value.variable + 1) << _PLACES) + value.offset
    if isinstance(value, Place) or type(value) is not class_of(kind):
        raise UnknownValue("it is not a number")
    if _is_local(kind) and isinstance(value, int) and value >> (_PLACES - 1):
        raise UnknownValue("an address in local memory that is not known")
    return real(value, kind.bits) if kind.kind is Kind.FLOAT else value


def _as_value(kind: Type, value: Value) -> Value | Place:
    """The reverse."""
    if not _is_local(kind) or not isinstance(value, int):
        return value
    half = 1 << (_PLACES - 1)
    variable = ((value + half) >> _PLACES) - 1
    if variable < 0:
        return value
    return Place(variable, value - ((variable + 1) << _PLACES))
