"""The functions that expressions may call: ``$_streq(a, "x")`` and the like, as GDB has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import (
    CHAR,
    INT,
    VOID,
    ArrayType,
    EnumType,
    PointerType,
)
from zedbg.missing import Missing
from zedbg.values.expressions.evaluator import LaneEvaluator
from zedbg.values.expressions.regular_expressions import compiled
from zedbg.values.formats.scalar_text import enumeration_text
from zedbg.values.operands.operand import Operand, lanewise
from zedbg.values.operands.pointers import decayed
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.partial_memory import readable_part

_LONGEST = 4096  # bytes of a string, or that are compared


def _bytes_at(operand: Operand, evaluator: LaneEvaluator, size: int) -> list[bytes | Missing]:
    """What lies at an array or pointer in each lane: at most ``size`` bytes."""
    if isinstance(operand.type.stripped(), ArrayType) and not operand.is_lvalue:
        return [
            data if isinstance(data, Missing) else data[:size]
            for data in operand.load(evaluator.access)
        ]
    pointer = decayed(operand)
    if not isinstance(pointer.type.stripped(), PointerType):
        raise EvaluationError("This function takes strings and pointers.")
    read = partial(evaluator.context.read_memory, MemorySpace.GLOBAL)
    return [
        number if isinstance(number, Missing) else readable_part(read, int(number), size)
        for number in pointer.numbers(evaluator.access)
    ]


def _strings(operand: Operand, evaluator: LaneEvaluator) -> list[bytes | Missing]:
    """The string at an array or pointer, without its zero."""
    return [
        data if isinstance(data, Missing) else data.partition(b"\0")[0]
        for data in _bytes_at(operand, evaluator, _LONGEST)
    ]


def _numbers(evaluator: LaneEvaluator, function: Callable[..., int], *columns: object) -> Operand:
    found = lanewise(function, *columns)  # type: ignore[arg-type]
    return Operand.of_numbers(INT, found)


def _streq(evaluator: LaneEvaluator, one: Operand, other: Operand) -> Operand:
    strings = _strings(one, evaluator), _strings(other, evaluator)
    return _numbers(evaluator, lambda a, b: int(a == b), *strings)


def _strlen(evaluator: LaneEvaluator, text: Operand) -> Operand:
    return _numbers(evaluator, len, _strings(text, evaluator))


def _memeq(evaluator: LaneEvaluator, one: Operand, other: Operand, count: Operand) -> Operand:
    sizes = [each for each in count.numbers(evaluator.access) if not isinstance(each, Missing)]
    size = int(max(sizes, default=0))
    if not 0 <= size <= _LONGEST:
        raise EvaluationError(f"$_memeq compares {_LONGEST} bytes at most.")
    both = _bytes_at(one, evaluator, size), _bytes_at(other, evaluator, size)
    return _numbers(evaluator, lambda a, b: int(a == b and len(a) == size), *both)


def _regex(evaluator: LaneEvaluator, text: Operand, pattern: Operand) -> Operand:
    def matches(a: bytes, b: bytes) -> int:
        try:
            return int(compiled(b).match(a) is not None)
        except re.error as error:
            raise EvaluationError(f"Bad regular expression: {error}.") from None

    return _numbers(evaluator, matches, _strings(text, evaluator), _strings(pattern, evaluator))


def _isvoid(evaluator: LaneEvaluator, value: Operand) -> Operand:
    return Operand.of_numbers(INT, [int(value.type.stripped() is VOID)] * len(evaluator.lanes))


def _as_string(evaluator: LaneEvaluator, value: Operand) -> Operand:
    kind = value.type.stripped()
    if not isinstance(kind, EnumType):
        raise EvaluationError("$_as_string takes an enumerator.")
    texts = [
        each if isinstance(each, Missing) else enumeration_text(kind, int(each)).encode() + b"\0"
        for each in value.numbers(evaluator.access)
    ]
    size = max((len(each) for each in texts if isinstance(each, bytes)), default=1)
    padded = [each.ljust(size, b"\0") if isinstance(each, bytes) else each for each in texts]
    return Operand.of_data(ArrayType(size, CHAR, size), padded)


#: The functions by name, with how many arguments they take.
FUNCTIONS: dict[str, tuple[int, Callable[..., Operand]]] = {
    "_streq": (2, _streq),
    "_strlen": (1, _strlen),
    "_memeq": (3, _memeq),
    "_regex": (2, _regex),
    "_isvoid": (1, _isvoid),
    "_as_string": (1, _as_string),
}


def called(name: str, arguments: Sequence[Operand], evaluator: LaneEvaluator) -> Operand:
    """What ``$name``, one of :data:`FUNCTIONS`, gives. Raises EvaluationError."""
    count, function = FUNCTIONS[name]
    if len(arguments) != count:
        plural = "s" if count > 1 else ""
        raise EvaluationError(f"${name} takes {count} argument{plural}.")
    return function(evaluator, *arguments)
