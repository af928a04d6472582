"""Values that a loop carries from one iteration to the next, as code of Python for all lanes.

What an iteration makes of them is the same sequence of computations each time. It is written once
as a function, which goes through the iterations of one lane after another.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zedbg.spirv.arithmetic import COMPARISONS, INTEGERS, UnknownValue, whole
from zedbg.spirv.choices import Choice, Chosen, NotChosen, chosen
from zedbg.spirv.code import Function, Instruction
from zedbg.spirv.computations import Computation
from zedbg.spirv.flow import Loop
from zedbg.spirv.model import Model
from zedbg.spirv.operations import Op
from zedbg.spirv.types import Kind, Type, Value

_LONGEST = 400  # instructions of an iteration
_MOST_CHOICES = 64  # in it
_MOST_KEPT = 8_192  # threads whose values are kept
_WHOLE = (Kind.INTEGER, Kind.BOOLEAN, Kind.POINTER)

# Of Python, for those of INTEGERS that are defined for all numbers.
_OPERATORS: dict[int, str] = {
    Op.I_ADD: "+",
    Op.I_SUB: "-",
    Op.I_MUL: "*",
    Op.BITWISE_OR: "|",
    Op.BITWISE_XOR: "^",
    Op.BITWISE_AND: "&",
}

Row = tuple[Value, ...]
#: The number of iterations; of each lane the carried values in the first one, and the inputs. Gives
#: the carried values in the iteration of that number. Raises UnknownValue.
Run = Callable[[int, Sequence[Row]], list[Row]]


class _Kept(NamedTuple):
    """An iteration, the values of lanes in the one before it and in it, and their inputs."""

    number: int
    before: list[Row]
    now: list[Row]
    inputs: list[Row]


@dataclass(frozen=True, eq=False)
class CarriedValues:
    """``phis`` of the first block of a loop, all that is made of them with ``inputs``, which are
    results of the code around it. ``size``: the most instructions and jumps that an evaluation
    looks at in an iteration. ``are_whole``: all of them are whole numbers."""

    phis: tuple[int, ...]
    inputs: tuple[int, ...]
    size: int
    are_whole: bool
    _run: Run
    _kept: dict[object, _Kept] = field(default_factory=dict)  # by what lanes begin with

    def at(self, iteration: int, rows: Sequence[Row]) -> list[Row]:
        """The values of the phis in ``iteration`` of lanes that begin with ``rows``: first values,
        then inputs. Raises UnknownValue where one is not known."""
        key = self._key(rows)
        kept = self._kept.get(key)
        if kept is None or kept.number > iteration + 1:
            count = len(self.phis)
            begin, inputs = [row[:count] for row in rows], [row[count:] for row in rows]
            kept = _Kept(0, begin, begin, inputs)
        if kept.number > iteration:
            return kept.before
        number, before, now, inputs = kept
        for steps in (iteration - number - 1, 1):  # the last one by itself
            if steps > 0 and number < iteration:
                pairs = zip(now, inputs, strict=True)
                before, now = now, self._run(steps, [(*row, *rest) for row, rest in pairs])
                number += steps
        if len(self._kept) >= _MOST_KEPT and key not in self._kept:
            self._kept.clear()
        self._kept[key] = _Kept(number, before, now, inputs)
        return now

    def _key(self, rows: Sequence[Row]) -> object:
        """What is equal for the same ``rows`` only; zeros with a sign are equal to others."""
        if self.are_whole:
            return tuple(rows)
        flat = [each for row in rows for each in row]
        forms = "".join("d" if isinstance(each, float) else "Q" for each in flat[: len(rows[0])])
        try:
            return struct.pack("<" + forms * len(rows), *flat)
        except struct.error:  # there are composites
            text = repr(rows)
            return object() if "nan" in text else text  # NaNs that differ are written the same


def carried_values(model: Model, function: Function, loop: Loop, phi: int) -> CarriedValues | None:
    """What gives ``phi``, and all that it takes, in each iteration of ``loop``; None where that is
    more than computations and choices."""
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
        self._namespace: dict[str, object] = {"whole": whole}

    def written(self, phi: int) -> CarriedValues:
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
        states = "".join(f"v{each}, " for each in self._phis)
        row = states + "".join(f"v{each}, " for each in self._inputs)
        body = "".join(f"            {line}\n" for line in self._lines)
        exec(  # of numbers and names made here
            "def run(count, rows):\n"
            "    found = []\n"
            f"    for {row}in rows:\n"
            "        for _ in range(count):\n"
            f"{body}"
            f"            {states}= {', '.join(following)},\n"
            f"        found.append(({states}))\n"
            "    return found\n",
            self._namespace,
        )
        blocks = [self._function.blocks[each] for each in self._loop.blocks]
        items = sum(len(each.items) for each in blocks)
        phis = sum(
            isinstance(item, Instruction) and item.opcode == Op.PHI
            for each in blocks
            for item in each.items
        )
        size = items + len(blocks) * (phis + 2)
        run: Run = self._namespace["run"]  # type: ignore[assignment]
        kinds = {self._code.type_of[each].kind for each in (*self._phis, *self._inputs)}
        are_whole = kinds.issubset(_WHOLE)
        return CarriedValues(tuple(self._phis), tuple(self._inputs), size, are_whole, run)

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
        if len(self._lines) > _LONGEST:
            raise NotChosen
        text = self._expression(item, label)
        self._lines.append(f"{name} = {text}")
        return name

    def _constant(self, result: int, value: Value) -> str:
        kind = self._code.type_of[result]
        if type(value) is not class_of(kind):
            raise NotChosen
        if isinstance(value, int):
            return str(value)
        self._namespace[f"c{result}"] = value
        return f"c{result}"

    def _expression(self, item: Instruction, label: int) -> str:
        kind = self._code.type_of[item.result]
        if item.opcode == Op.PHI:
            return self._chosen(chosen(self._flow, item, label))
        if item.opcode == Op.SELECT:
            if self._code.type_of[item.operands[0]].kind is not Kind.BOOLEAN:
                raise NotChosen
            condition, yes, no = (self._name(each) for each in item.operands[:3])
            return f"{yes} if {condition} else {no}"
        pure = self._model.computation(item)
        if pure is None:
            raise NotChosen
        self._must_be_numbers(pure)
        names = [self._name(each) for each in pure.operands]
        if item.opcode in INTEGERS and kind.kind in _WHOLE and names:
            mask = (1 << kind.bits) - 1
            if item.opcode in _OPERATORS:
                return f"({names[0]} {_OPERATORS[item.opcode]} {names[1]}) & {mask}"
            self._namespace[f"i{item.opcode}"] = INTEGERS[item.opcode]
            bits = self._code.type_of[pure.operands[0]].bits
            return f"i{item.opcode}({names[0]}, {names[1]}, {bits}) & {mask}"
        if item.opcode in COMPARISONS and kind.kind is Kind.BOOLEAN:
            self._namespace[f"i{item.opcode}"] = COMPARISONS[item.opcode]
            bits = self._code.type_of[pure.operands[0]].bits
            return f"int(i{item.opcode}({names[0]}, {names[1]}, {bits}))"
        self._namespace[f"f{item.result}"] = pure.compute
        text = f"f{item.result}({', '.join(names)})"
        return f"whole({text})" if kind.kind in _WHOLE else text

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


def _nowhere() -> Value:
    raise UnknownValue("a work-item does not come here")
