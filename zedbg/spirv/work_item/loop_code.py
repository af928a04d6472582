"""An iteration of a loop as code of Python: what it makes of the values that the loop carries.

It is the same sequence of computations for each lane and each iteration. Floating-point numbers in
it are never ones that :func:`zedbg.spirv.numbers.arithmetic.real` refuses: where one comes up, all
is left to the evaluation of one lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zedbg.spirv.analysis.choices import Choice, Chosen, NotChosen, chosen
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import SMALLEST_NORMAL, UnknownValue, real, whole
from zedbg.spirv.numbers.computations import Computation
from zedbg.spirv.work_item.memory_pages import PAGE, PAGE_BITS, Cells, Pages

_LONGEST = 400  # instructions of an iteration
_MOST_CHOICES = 64  # in it
_HALF, _SINGLE, _ADDRESS = 16, 32, 64  # bits
_WHOLE = (Kind.INTEGER, Kind.BOOLEAN, Kind.POINTER)
_LOADED_FROM = (Storage.CROSS_WORKGROUP, Storage.UNIFORM_CONSTANT, Storage.GENERIC)

_LETTERS = {
    **{(kind, 1 << index): "BHIQ"[index] for kind in _WHOLE for index in range(4)},
    (Kind.FLOAT, 4): "f",
    (Kind.FLOAT, 8): "d",
}
# What gives floating-point numbers that are not to be looked at again.
_REAL = frozenset(
    {
        *(Op.F_ADD, Op.F_SUB, Op.F_MUL, Op.F_NEGATE, Op.F_CONVERT, Op.CONVERT_S_TO_F),
        *(Op.CONVERT_U_TO_F, Op.EXT_INST, Op.SELECT, Op.PHI),
    }
)

# What Python writes for an operation on whole numbers, or a comparison, of a and b. They have n
# bits, s is the sign's; m has all bits of the result.
_TEXTS: dict[int, str] = {
    Op.I_ADD: "({a} + {b}) & {m}",
    Op.I_SUB: "({a} - {b}) & {m}",
    Op.I_MUL: "({a} * {b}) & {m}",
    Op.BITWISE_OR: "{a} | {b}",
    Op.BITWISE_XOR: "{a} ^ {b}",
    Op.BITWISE_AND: "{a} & {b}",
    Op.LOGICAL_OR: "{a} | {b}",
    Op.LOGICAL_AND: "{a} & {b}",
    Op.NOT: "{a} ^ {m}",
    Op.S_NEGATE: "-{a} & {m}",
    Op.LOGICAL_NOT: "1 - {a}",
    Op.U_CONVERT: "{a} & {m}",
    Op.S_CONVERT: "(({a} ^ {s}) - {s}) & {m}",
}
# The same where b is a constant: less than the number of bits; not zero.
_BY_CONSTANTS: dict[int, str] = {
    Op.SHIFT_RIGHT_LOGICAL: "{a} >> {b}",
    Op.SHIFT_RIGHT_ARITHMETIC: "(({a} ^ {s}) - {s} >> {b}) & {m}",
    Op.SHIFT_LEFT_LOGICAL: "({a} << {b}) & {m}",
}
_BY_DIVISORS: dict[int, str] = {Op.U_DIV: "{a} // {b}", Op.U_MOD: "{a} % {b}"}
_COMPARED: dict[int, str] = {
    Op.I_EQUAL: "{a} == {b}",
    Op.I_NOT_EQUAL: "{a} != {b}",
    Op.LOGICAL_EQUAL: "{a} == {b}",
    Op.LOGICAL_NOT_EQUAL: "{a} != {b}",
    Op.U_GREATER_THAN: "{a} > {b}",
    Op.U_GREATER_THAN_EQUAL: "{a} >= {b}",
    Op.U_LESS_THAN: "{a} < {b}",
    Op.U_LESS_THAN_EQUAL: "{a} <= {b}",
    Op.S_GREATER_THAN: "{a} ^ {s} > {b} ^ {s}",
    Op.S_GREATER_THAN_EQUAL: "{a} ^ {s} >= {b} ^ {s}",
    Op.S_LESS_THAN: "{a} ^ {s} < {b} ^ {s}",
    Op.S_LESS_THAN_EQUAL: "{a} ^ {s} <= {b} ^ {s}",
    Op.F_ORD_EQUAL: "{a} == {b}",
    Op.F_UNORD_EQUAL: "{a} == {b}",
    Op.F_ORD_NOT_EQUAL: "{a} != {b}",
    Op.F_UNORD_NOT_EQUAL: "{a} != {b}",
    Op.F_ORD_LESS_THAN: "{a} < {b}",
    Op.F_UNORD_LESS_THAN: "{a} < {b}",
    Op.F_ORD_GREATER_THAN: "{a} > {b}",
    Op.F_UNORD_GREATER_THAN: "{a} > {b}",
    Op.F_ORD_LESS_THAN_EQUAL: "{a} <= {b}",
    Op.F_UNORD_LESS_THAN_EQUAL: "{a} <= {b}",
    Op.F_ORD_GREATER_THAN_EQUAL: "{a} >= {b}",
    Op.F_UNORD_GREATER_THAN_EQUAL: "{a} >= {b}",
}
_FLOATS: dict[int, str] = {Op.F_ADD: "+", Op.F_SUB: "-", Op.F_MUL: "*"}

Row = tuple[Value, ...]


class Run(Protocol):
    """Goes through iterations of the loop."""

    def __call__(
        self, count: int, states: Sequence[Row], inputs: Sequence[Row], pages: Pages
    ) -> list[Row]:
        """``count`` of them; of each lane the carried values in front of them and the inputs, which
        stay. Gives the carried values after them. Raises UnknownValue."""


@dataclass(frozen=True, eq=False)
class LoopCode:
    """``phis``: the values that the loop carries. ``inputs``: results of the code around it;
    ``types``: those of both. ``pointers``: what is loaded through from global memory;
    ``local_loads``: the loads from local memory, for which the pages that ``run`` gets need
    ``load_local``. ``size``: the most instructions and jumps that an evaluation looks at in an
    iteration."""

    phis: tuple[int, ...]
    inputs: tuple[int, ...]
    types: tuple[Type, ...]
    pointers: tuple[int, ...]
    local_loads: tuple[int, ...]
    size: int
    run: Run


def loop_code(model: Model, function: Function, loop: Loop, phi: int) -> LoopCode | None:
    """What gives ``phi``, and all that it takes, in each iteration of ``loop``; None where that is
    more than computations, choices and loads of global or local memory."""
    try:
        return _Writer(model, function, loop).written(phi)
    except NotChosen:
        return None


def class_of(kind: Type) -> type:
    """That of the values of ``kind`` which the code of this module computes with."""
    if kind.kind in _WHOLE:
        return int
    return float if kind.kind is Kind.FLOAT else tuple


class _Writer:
    """Writes the function for ``loop``."""

    def __init__(self, model: Model, function: Function, loop: Loop) -> None:
        self._model = model
        self._code = model.code
        self._function = function
        self._loop = loop
        self._flow = model.flow(function)
        self._made = model.made(function)
        self._lines: list[str] = []
        self._names: dict[int, str] = {}
        self._choices = 0
        self._phis: list[int] = []
        self._inputs: list[int] = []
        self._pointers: list[int] = []
        self._local_loads: list[int] = []
        self._letters: set[str] = set()
        self._rounds = False  # it computes with floating-point numbers of 32 bits
        self._namespace: dict[str, object] = {"whole": whole, "real": real, "Cells": Cells}

    def written(self, phi: int) -> LoopCode:
        """Raises NotChosen."""
        if not self._flow.is_structured or len(self._loop.latches) != 1:
            raise NotChosen
        (latch,) = self._loop.latches
        self._name(phi)
        following: list[str] = []
        while len(following) < len(self._phis):  # each may need more of them
            _, item = self._made[self._phis[len(following)]]
            ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
            following.append(self._name(ways[latch]))
        blocks = [self._function.blocks[each] for each in self._loop.blocks]
        items = sum(len(each.items) for each in blocks)
        phis = sum(
            isinstance(item, Instruction) and item.opcode == Op.PHI
            for each in blocks
            for item in each.items
        )
        return LoopCode(
            tuple(self._phis),
            tuple(self._inputs),
            tuple(self._code.type_of[each] for each in (*self._phis, *self._inputs)),
            tuple(self._pointers),
            tuple(self._local_loads),
            items + len(blocks) * (phis + 2),
            self._run(following),
        )

    def _run(self, following: Sequence[str]) -> Run:
        states, inputs = (
            "".join(f"v{each}, " for each in some) for some in (self._phis, self._inputs)
        )
        after = ", ".join(following) + ","
        begin = [f"c{letter} = Cells(pages, {letter!r})" for letter in sorted(self._letters)]
        begin += ["cell = memoryview(bytearray(4)).cast('f')"] * self._rounds
        begin += ["found = []"]
        each = f"for ({states}), ({inputs}) in zip(states, inputs):"
        lines = [
            "def once(states, inputs, pages):",
            *_indented(1, *begin, each),
            *_indented(2, *self._lines, f"found.append(({after}))"),
            "    return found",
            "def run(count, states, inputs, pages):",
            "    if count == 1:",
            "        return once(states, inputs, pages)",
            *_indented(1, *begin, each),
            "        for _ in range(count):",
            *_indented(3, *self._lines, f"{states}= {after}"),
            f"        found.append(({states}))",
            "    return found",
        ]
        exec("\n".join(lines), self._namespace)  # of numbers and names made here
        run: Run = self._namespace["run"]  # type: ignore[assignment]
        return run

    def _name(self, result: int) -> str:
        """What ``result`` is called, with the lines that make it. Raises NotChosen."""
        if result not in self._names:
            self._names[result] = f"v{result}"
            self._names[result] = self._place(result)
        return self._names[result]

    def _place(self, result: int) -> str:
        constant = self._code.constants.get(result)
        if constant is not None:
            return self._constant(result, constant)
        name = f"v{result}"
        label, item = self._made.get(result, (0, None))
        if item is None or label not in self._loop.blocks:
            self._inputs.append(result)
            return name
        if self._flow.loops_around(label)[-1] != self._loop.header:
            raise NotChosen  # of another loop in it
        if label == self._loop.header and item.opcode == Op.PHI:
            self._phis.append(result)
            return name
        if item.opcode == Op.LOAD and item.operands[0] in self._code.built_ins:
            self._inputs.append(result)  # the same in each iteration
            return name
        if len(self._lines) > _LONGEST:
            raise NotChosen
        self._lines.append(f"{name} = {self._expression(item, label)}")
        kind = self._code.type_of[result]
        if kind.kind is Kind.FLOAT and self._must_be_checked(item, kind):
            least = SMALLEST_NORMAL[kind.bits]
            is_real = f"{least!r} <= {name} or {name} <= {-least!r} or {name} == 0.0"
            self._lines.append(f"if not ({is_real}): real({name}, {kind.bits})")  # which raises
        return name

    def _must_be_checked(self, item: Instruction, kind: Type) -> bool:
        """Whether it may give a floating-point number that :func:`real` refuses."""
        return item.opcode not in _REAL or (item.opcode in _FLOATS and kind.bits != _HALF)

    def _constant(self, result: int, value: Value) -> str:
        kind = self._code.type_of[result]
        if type(value) is not class_of(kind):
            raise NotChosen
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            try:
                real(value, kind.bits)
            except UnknownValue as error:
                raise NotChosen from error
        self._namespace[f"c{result}"] = value
        return f"c{result}"

    def _expression(self, item: Instruction, label: int) -> str:
        kind = self._code.type_of[item.result]
        if item.opcode == Op.PHI:
            return self._chosen(chosen(self._flow, item, label))
        if item.opcode == Op.LOAD:
            return self._loaded(item, kind)
        if item.opcode == Op.SELECT:
            if self._code.type_of[item.operands[0]].kind is not Kind.BOOLEAN:
                raise NotChosen
            condition, yes, no = (self._name(each) for each in item.operands[:3])
            return f"{yes} if {condition} else {no}"
        pure = self._model.computation(item)
        if pure is None or pure.of_places:  # no address of local memory is known
            raise NotChosen
        self._must_be_numbers(pure)
        names = [self._name(each) for each in pure.operands]
        operation = self._operation(item, pure, names)
        if operation is not None:
            return operation
        self._namespace[f"f{item.result}"] = pure.compute
        text = f"f{item.result}({', '.join(names)})"
        return f"whole({text})" if kind.kind in _WHOLE else text

    def _operation(self, item: Instruction, pure: Computation, names: list[str]) -> str | None:
        """The text of an operation that Python has; None where it has none for it."""
        if pure.chain is not None:
            return self._address(pure, names)
        if not names or self._code.type_of[item.result].is_composite:
            return None
        kind, source = (self._code.type_of[each] for each in (item.result, pure.operands[0]))
        if pure.is_same or (item.opcode == Op.U_CONVERT and source.bits <= kind.bits):
            return names[0]
        if source.is_composite:
            return None
        if item.opcode in _FLOATS:
            text = f"{names[0]} {_FLOATS[item.opcode]} {names[1]}"
            if kind.bits == _SINGLE:
                self._rounds = True
                self._lines.append(f"cell[0] = {text}")  # which rounds it
                text = "cell[0]"
            return None if kind.bits == _HALF else text
        constant = self._code.constants.get(pure.operands[-1])
        form = _TEXTS.get(item.opcode) or _COMPARED.get(item.opcode)
        if isinstance(constant, int) and len(names) > 1:
            if item.opcode in _BY_CONSTANTS and constant < source.bits:
                form = _BY_CONSTANTS[item.opcode]
            elif item.opcode in _BY_DIVISORS and constant:
                form = _BY_DIVISORS[item.opcode]
        if form is None:
            return None
        if item.opcode in _COMPARED:
            form = f"1 if {form} else 0"
        numbers = {"m": (1 << kind.bits) - 1, "s": 1 << max(source.bits - 1, 0)}
        return form.format(a=names[0], b=names[-1], **numbers)

    def _address(self, pure: Computation, names: list[str]) -> str:
        """The address that an access chain makes of one."""
        assert pure.chain is not None
        text = names[0] if not pure.chain.offset else f"{names[0]} + {pure.chain.offset}"
        for name, (bits, size) in zip(names[1:], pure.chain.steps, strict=True):
            sign = 1 << bits - 1
            number = name if bits == _ADDRESS else f"(({name} ^ {sign}) - {sign})"
            text += f" + {number} * {size}"
        return f"({text}) & {(1 << _ADDRESS) - 1}"

    def _loaded(self, item: Instruction, kind: Type) -> str:
        """A load of memory. Those on all ways are made: where a lane does not come to one that is
        not possible, this is not the way to compute the others."""
        pointer = item.operands[0]
        if self._code.type_of[pointer].storage == Storage.WORKGROUP:
            self._local_loads.append(item.result)
            return f"pages.load_local({item.result}, {self._name(pointer)})"
        if self._code.type_of[pointer].storage not in _LOADED_FROM or not kind.size:
            raise NotChosen
        self._pointers.append(pointer)
        name = self._name(pointer)
        self._namespace[f"k{item.result}"] = kind
        text = f"pages.load({name}, k{item.result})"
        letter = _LETTERS.get((kind.kind, kind.size))
        if letter is None or kind.kind is Kind.BOOLEAN:
            return text
        self._letters.add(letter)
        place = f"({name} & {PAGE - 1}) >> {kind.size.bit_length() - 1}"
        found = f"c{letter}[{name} >> {PAGE_BITS}][{place}]"
        return f"{text} if {name} & {kind.size - 1} else {found}" if kind.size > 1 else found

    def _must_be_numbers(self, pure: Computation) -> None:
        kinds = self._code.type_of
        for each in pure.operands:
            if each not in kinds or (kinds[each].kind is Kind.POINTER and not pure.of_addresses):
                raise NotChosen

    def _chosen(self, what: Chosen) -> str:
        """The text of a choice. It takes the values on all ways: where one of them is not known,
        this is not the way to compute the others."""
        if what is None:
            self._namespace["nowhere"] = _nowhere
            return "nowhere()"
        if not isinstance(what, Choice):
            return self._name(what)
        self._choices += 1
        if self._choices > _MOST_CHOICES:
            raise NotChosen
        condition = self._name(what.condition)
        return f"({self._chosen(what.yes)} if {condition} else {self._chosen(what.no)})"


def _indented(depth: int, *lines: str) -> list[str]:
    return ["    " * depth + each for each in lines]


def _nowhere() -> Value:
    raise UnknownValue("a work-item does not come here")
