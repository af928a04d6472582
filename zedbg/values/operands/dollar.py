"""What ``$name`` means: registers, the pc, lanes and work-items, the engine's own names."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.types.program_types import (
    BF16,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    VOID,
    ArrayType,
    BaseType,
    PointerType,
    Type,
)
from zedbg.missing import Missing, MissingError
from zedbg.values.operands.operand import Operand
from zedbg.values.source.frame_context import frame_state
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import RegisterHome
from zedbg.values.typed.value import Value
from zedbg.xe.registers import ElementType, Register, RegisterKind, default_element

ELEMENT_TYPES: dict[ElementType, BaseType] = {
    ElementType.UB: UCHAR,
    ElementType.B: CHAR,
    ElementType.UW: USHORT,
    ElementType.W: SHORT,
    ElementType.UD: UINT,
    ElementType.D: INT,
    ElementType.UQ: ULONG,
    ElementType.Q: LONG,
    ElementType.HF: HALF,
    ElementType.F: FLOAT,
    ElementType.DF: DOUBLE,
}
# A register seen as elements: $r10.f, and bf16, which has no regions of its own.
_VIEWS = {each.suffix: element for each, element in ELEMENT_TYPES.items()} | {"bf": BF16}
_CODE_POINTER = PointerType(8, VOID)
# cr0.2: where a stopped thread goes on, from the instruction base.
INSTRUCTION_POINTER = RegisterHome(Register(RegisterKind.CR, 0), 64)
# What zedbg calls the names of Intel's distribution of GDB.
_SHORT_NAMES = {
    "_lane": "_simd_lane",
    "_local_id": "_workitem_local_id",
    "_global_id": "_workitem_global_id",
    "_local_size": "_workitem_local_size",
    "_global_size": "_workitem_global_size",
}
ID_TYPE = UINT
_TRIPLE = ArrayType(12, ID_TYPE, 3)


def is_users(name: str, context: ThreadContext) -> bool:
    """Whether ``$name`` is a name that users may give a value to: no register, none of zedbg's."""
    if not name[:1].isalpha() or name in ("pc", "ip"):
        return False
    register = Register.parse(name)
    return register is None or register.kind not in context.register_layout


def is_register(name: str, context: ThreadContext) -> bool:
    """Whether ``$name`` is a register of the thread."""
    register = Register.parse(name)
    return name in ("pc", "ip") or (
        register is not None and register.kind in context.register_layout
    )


def resolve(name: str, context: ThreadContext, lanes: Sequence[int]) -> Operand:
    """The value of ``$name`` in ``lanes``; EvaluationError when nothing is called so."""
    name = _SHORT_NAMES.get(name, name)
    if name == "pc":
        return Operand.of_numbers(_CODE_POINTER, [frame_state(context).pc] * len(lanes))
    if name == "ip":
        return _instruction_pointer(frame_state(context), lanes)
    if name == "_simd_lane":
        return Operand.of_numbers(INT, list(lanes))
    if name == "_simd_width":
        return Operand.of_numbers(INT, [context.simd_width] * len(lanes))
    every = ids_of(name, context)
    if every is not None:
        return _triples(every, lanes)
    register = Register.parse(name)
    if register is not None and register.kind in context.register_layout:
        return _register(register, context, frame_state(context), lanes)
    return _convenience(name, context.convenience(name), len(lanes))


def ids_of(name: str, context: ThreadContext) -> list[tuple[int, int, int]] | Missing | None:
    """The ids of all lanes' work-items, where ``$name`` is these; None where it is something else.
    The type of each number is that of :data:`ID_TYPE`."""
    match _SHORT_NAMES.get(name, name):
        case "_workitem_global_id":
            return context.global_ids()
        case "_workitem_local_id":
            return context.local_ids()
    return None


def _instruction_pointer(frame: FrameState, lanes: Sequence[int]) -> Operand:
    if frame.level == 0:
        return Operand(UINT, (INSTRUCTION_POINTER,) * len(lanes), True)
    try:
        offset = frame.pc - frame.isa_base
    except MissingError as error:
        return Operand(UINT, (error.missing,) * len(lanes))
    return Operand.of_numbers(UINT, [offset] * len(lanes))


def _register(
    register: Register, context: ThreadContext, frame: FrameState, lanes: Sequence[int]
) -> Operand:
    registers = context.register_layout.get(register.kind)
    assert registers is not None
    if register.index >= registers.count:
        raise EvaluationError(
            f"Register ${register.name} does not exist: this thread has {registers.count}."
        )
    element = ELEMENT_TYPES[default_element(register.kind)]
    if register.kind is RegisterKind.CR and frame.level > 0:
        raise EvaluationError("cr0 belongs to the thread: select frame 0.")
    value_type = register_type(registers.byte_size, element)
    return Operand(value_type, (RegisterHome(register),) * len(lanes), True)


def register_type(size: int, element: BaseType) -> Type:
    """The type of a register of ``size`` bytes that holds elements of a type."""
    if size <= element.size:
        return element
    count = size // element.size
    return ArrayType(count * element.size, element, count)


def viewed(operand: Operand, suffix: str) -> Operand | None:
    """A register seen as other elements, ``$r10.f``; None when this is no such view."""
    element = _VIEWS.get(suffix)
    homes = [home for home in operand.homes if not isinstance(home, Missing)]
    if element is None or not homes or not all(isinstance(home, RegisterHome) for home in homes):
        return None
    value_type = register_type(operand.type.size, element)
    return Operand(value_type, operand.homes, True)


def _triples(every: list[tuple[int, int, int]] | Missing, lanes: Sequence[int]) -> Operand:
    if isinstance(every, Missing):
        return Operand(_TRIPLE, (every,) * len(lanes))
    data: list[bytes | Missing] = []
    for lane in lanes:
        if lane >= len(every):
            data.append(Missing(f"lane {lane} holds no work-item"))
        else:
            data.append(b"".join(number.to_bytes(4, "little") for number in every[lane]))
    return Operand.of_data(_TRIPLE, data)


def _convenience(name: str, value: object, lane_count: int) -> Operand:
    """A name of the engine's or the user's: a value, a number, a sequence of numbers, or nothing,
    which is void."""
    if value is None:
        return Operand.of_data(VOID, [b""] * lane_count)
    if isinstance(value, Missing):
        return Operand(VOID, (value,) * lane_count)
    if isinstance(value, Value):
        return Operand.of_data(value.type, [value.data] * lane_count)
    if isinstance(value, bool | int):
        number_type = INT if -(1 << 31) <= value < 1 << 31 else LONG if value < 1 << 63 else ULONG
        return Operand.of_numbers(number_type, [int(value)] * lane_count)
    if isinstance(value, float):
        return Operand.of_numbers(DOUBLE, [value] * lane_count)
    if isinstance(value, tuple | list) and all(isinstance(each, int) for each in value):
        data = b"".join((each & 0xFFFFFFFF).to_bytes(4, "little") for each in value)
        return Operand.of_data(ArrayType(len(data), UINT, len(value)), [data] * lane_count)
    if isinstance(value, str):
        text = value.encode() + b"\0"
        return Operand.of_data(ArrayType(len(text), CHAR, len(text)), [text] * lane_count)
    raise EvaluationError(f"${name} has a value that expressions cannot use.")
