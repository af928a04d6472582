"""``x = y``: into variables, memory, registers, bit-fields, the components of vectors, ``$names``,
and the instruction pointer."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.types.program_types import Type
from zedbg.missing import Missing, MissingError
from zedbg.values.operands import dollar
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.pointers import decayed
from zedbg.values.source.access import Access
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import encode, is_scalar
from zedbg.values.typed.value import Value


def assign(target: Operand, value: Operand, access: Access) -> None:
    """Writes ``value`` to ``target`` in every lane; EvaluationError for what cannot be written."""
    if not target.is_lvalue:
        raise EvaluationError("Left operand of assignment is not an lvalue.")
    target.store(access, assigned(target.type, value, access))


def assigned(target: Type, value: Operand, access: Access) -> list[bytes]:
    """The bytes that assigning ``value`` to a ``target`` writes, for each lane.

    Raises EvaluationError.
    """
    known: list[bytes] = []
    for data in _converted(target, value, access):
        if isinstance(data, Missing):
            raise EvaluationError(f"cannot assign: {data.reason}")
        known.append(data)
    return known


def _converted(target: Type, value: Operand, access: Access) -> Sequence[bytes | Missing]:
    if not is_scalar(target):
        if value.type.size != target.size:
            raise EvaluationError("Values of different sizes cannot be assigned.")
        return value.load(access)
    value = decayed(value)
    if not is_scalar(value.type):
        raise EvaluationError("Invalid cast.")
    return [
        number if isinstance(number, Missing) else encode(target, number)
        for number in value.numbers(access)
    ]


def keep(name: str, value: Operand, context: ThreadContext, access: Access) -> Operand:
    """``$name = value``: the value of the first lane, under a name of the user's.

    Raises EvaluationError.
    """
    data = value.load(access)[0]
    if isinstance(data, Missing):
        raise EvaluationError(f"It has no value: {data.reason}.")
    context.keep(name, Value(value.type, data))
    return Operand.of_data(value.type, [data] * len(value.homes))


def move_pc(value: Operand, frame: FrameState, access: Access) -> Operand:
    """``$pc = address``: the IP counts from the instruction base. Raises EvaluationError."""
    address = decayed(value)
    if not is_scalar(address.type):
        raise EvaluationError("Invalid cast.")
    number = address.numbers(access)[0]
    if isinstance(number, Missing):
        raise EvaluationError(f"cannot assign: {number.reason}")
    try:
        offset = int(number) - frame.isa_base
    except MissingError as error:
        raise EvaluationError(f"cannot assign: {error}") from error
    if not 0 <= offset < 1 << 32:
        raise EvaluationError(f"{int(number):#x} is not within 4 GiB of the instruction base.")
    access.store(dollar.INSTRUCTION_POINTER, offset.to_bytes(4, "little"))
    return address
