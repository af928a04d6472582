"""Instructions whose result depends on nothing but the values of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction, Line
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind, Type, Undefined, Value
from zedbg.spirv.numbers.arithmetic import (
    BINARY,
    CLASSES,
    FLOAT_COMPARISONS,
    UNARY,
    UnknownValue,
    UnsetValue,
    binary,
    binary_of,
    class_of_floats,
    cross,
    dot,
    float_comparison_of,
    signed,
    unary_of,
    whole,
)
from zedbg.spirv.numbers.conversions import SATURATING, Conversion
from zedbg.spirv.numbers.device_maths import exact_factor
from zedbg.spirv.numbers.functions import function

_ADDRESS_MASK = (1 << 64) - 1
#: What gives the value of its operand; so does a cast of the bits to a pointer.
SAME = frozenset({Op.COPY_OBJECT, Op.PTR_CAST_TO_GENERIC, Op.GENERIC_CAST_TO_PTR})
_OF_ELEMENTS = frozenset({Op.PTR_ACCESS_CHAIN, Op.IN_BOUNDS_PTR_ACCESS_CHAIN})
#: Access chains.
CHAINS = frozenset({Op.ACCESS_CHAIN, Op.IN_BOUNDS_ACCESS_CHAIN, *_OF_ELEMENTS})
_OF_LOCAL = frozenset({Op.COPY_OBJECT, Op.BITCAST, *CHAINS})  # of addresses in local memory
#: What takes vectors and structures apart, and puts them together.
OF_PARTS = frozenset(
    {
        *(Op.COMPOSITE_CONSTRUCT, Op.COMPOSITE_EXTRACT, Op.COMPOSITE_INSERT),
        *(Op.VECTOR_EXTRACT_DYNAMIC, Op.VECTOR_INSERT_DYNAMIC, Op.VECTOR_SHUFFLE),
        *(Op.ANY, Op.ALL),
    }
)


@dataclass(frozen=True)
class Place:
    """An address in a variable of the program that has none of its own yet."""

    variable: int
    offset: int = 0


@dataclass(frozen=True)
class Chain:
    """The address ``offset`` bytes from another one, and further on by numbers: of each, its bits
    and the bytes of one."""

    offset: int
    steps: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Computation:
    """A result that ``compute`` makes of the values of ``operands``. It raises UnknownValue.
    ``of_addresses``: operands, and the result, may be a :class:`Place`; ``of_places``: they must
    be. ``chain``: what it adds to the first operand, where it is an access chain. ``is_same``: it
    is its operand."""

    operands: tuple[int, ...]
    compute: Callable[..., Value | Place]
    of_addresses: bool = False
    chain: Chain | None = None
    is_same: bool = False
    of_places: bool = False


class MachineCode(Protocol):
    """What the machine code says of how it computes."""

    def is_fused(self, file: str, line: int, column: int) -> bool:
        """Whether a multiplication with an addition, at a place of the source, is one instruction,
        which rounds once."""

    def compares_nan(self, by_size: bool) -> bool:
        """See :class:`zedbg.spirv.numbers.arithmetic.ComparesNan`."""

    def computes_precisely(self) -> bool:
        """Whether each operation on floating-point numbers is as precise as OpenCL C asks for, and
        is computed in its order."""


class NoMachineCode:
    """Where nothing is known of it."""

    def is_fused(self, file: str, line: int, column: int) -> bool:
        """Says no."""
        return False

    def compares_nan(self, by_size: bool) -> bool:
        """Says no."""
        return False

    def computes_precisely(self) -> bool:
        """Says no."""
        return False


_NO_MACHINE_CODE = NoMachineCode()


def computation(
    code: SpirvCode, item: Instruction, machine_code: MachineCode = _NO_MACHINE_CODE
) -> Computation | None:
    """How ``item`` makes its result; None where that takes more than the values of operands. Raises
    LookupError and the like for damaged code."""
    kind, operands = code.type_of[item.result], tuple(item.operands)
    opcode = item.opcode
    if code.has_local_pointers and opcode not in _OF_LOCAL and _takes_local(code, item):
        # Which bits of an address the compiled code has is not known.
        is_cast = opcode == Op.PTR_CAST_TO_GENERIC
        return Computation(operands[:1], _of_variable, True, of_places=True) if is_cast else None
    if opcode in SAME or (opcode == Op.BITCAST and kind.kind is Kind.POINTER):
        return Computation(operands[:1], lambda value: value, True, is_same=True)
    if opcode in CHAINS:
        return _address(code, item)
    if opcode in OF_PARTS:
        return _of_parts(kind, item)
    if item.result in code.fast:
        return Computation((), _reordered)
    if opcode == Op.VECTOR_TIMES_SCALAR:
        element = kind.members[0]
        return Computation(
            operands[:2],
            lambda value, factor: tuple(
                binary(Op.F_MUL, element, each, factor, element) for each in parts_of(value)
            ),
        )
    if opcode == Op.DOT:
        return Computation(operands[:2], lambda a, b: dot(parts_of(a), parts_of(b), kind.bits))
    factor = exact_factor(code, item)
    if factor is not None:  # compilers multiply, too
        element = kind.members[0] if kind.kind is Kind.VECTOR else kind
        product = binary_of(Op.F_MUL, element, element)
        computed = _by_parts(product) if kind.kind is Kind.VECTOR else product
        return Computation(operands[:1], lambda dividend: computed(dividend, factor))
    if opcode in FLOAT_COMPARISONS or opcode in CLASSES:
        source, is_vector = code.type_of[operands[0]], kind.kind is Kind.VECTOR
        of = float_comparison_of if opcode in FLOAT_COMPARISONS else class_of_floats
        scalar = of(opcode, source.members[0] if is_vector else source, machine_code.compares_nan)
        return Computation(operands[:2], _by_parts(scalar) if is_vector else scalar)
    if opcode in BINARY:
        source = code.type_of[operands[0]]
        if kind.kind is Kind.VECTOR:
            scalar = binary_of(opcode, source.members[0], kind.members[0])
            return Computation(operands[:2], _by_parts(scalar))
        return Computation(operands[:2], binary_of(opcode, source, kind))
    if opcode in UNARY or opcode in SATURATING or opcode == Op.BITCAST:
        mode = code.rounding.get(item.result)
        saturates = item.result in code.saturated or opcode in SATURATING
        conversion = None if mode is None and not saturates else Conversion(mode, saturates)
        scalar = _unary(opcode, code.type_of[operands[0]], kind, conversion)
        return Computation(operands[:1], scalar)
    if opcode == Op.EXT_INST and operands[0] in code.maths:
        is_vector = kind.kind is Kind.VECTOR
        element = kind.members[0] if is_vector else kind
        if operands[1] == Std.CROSS and is_vector:
            bits = element.bits
            return Computation(operands[2:], lambda a, b: cross(parts_of(a), parts_of(b), bits))
        if operands[1] == Std.SELECT:
            chosen = code.type_of[operands[4]]
            scalar = _select(chosen.members[0].bits - 1 if is_vector else 0)
        else:
            source = code.type_of[operands[2]].element
            scalar = _function(operands[1], element, source, item.line, machine_code)
        return Computation(operands[2:], _by_parts(scalar) if is_vector else scalar)
    return None


def _of_parts(kind: Type, item: Instruction) -> Computation:
    """As :func:`computation`, of an opcode that is one of ``OF_PARTS``."""
    operands = tuple(item.operands)
    match item.opcode:
        case Op.COMPOSITE_CONSTRUCT:
            return Computation(operands, lambda *parts: _constructed(kind, parts))
        case Op.COMPOSITE_EXTRACT:
            return Computation(operands[:1], _part_at(operands[1:]))
        case Op.COMPOSITE_INSERT:
            path = operands[2:]
            return Computation(operands[:2], lambda part, value: _replaced(value, path, part))
        case Op.VECTOR_EXTRACT_DYNAMIC:
            return Computation(operands[:2], lambda value, at: _part(value, [whole(at)]))
        case Op.VECTOR_INSERT_DYNAMIC:
            return Computation(
                operands[:3], lambda value, part, at: _replaced(value, [whole(at)], part)
            )
        case Op.VECTOR_SHUFFLE:
            return Computation(operands[:2], lambda a, b: _shuffled(kind, a, b, operands[2:]))
        case Op.ANY:
            return Computation(operands[:1], lambda value: max(map(whole, parts_of(value))))
        case _:  # OpAll
            return Computation(operands[:1], lambda value: min(map(whole, parts_of(value))))


def _function(
    number: int, kind: Type, source: Type, line: Line | None, machine_code: MachineCode
) -> Callable[..., Value]:
    """The function ``number`` of OpenCL.std that makes a number of type ``kind`` of others, the
    first of which is of type ``source``."""

    def compute(*values: Value) -> Value:
        is_once = (
            number == Std.MAD and line and machine_code.is_fused(line.file, line.line, line.column)
        )
        return function(Std.FMA if is_once else number, kind, source, list(values))

    return compute


def _select(shift: int) -> Callable[..., Value]:
    """The function ``select``: in vectors the highest bit chooses, which ``shift`` leaves; of
    scalars any."""
    return lambda a, b, chosen: b if whole(chosen) >> shift else a


def _results(item: Instruction) -> Sequence[int]:
    """The operands of ``item`` that are results; the others are numbers."""
    match item.opcode:
        case Op.EXT_INST:
            return item.operands[2:]
        case Op.COMPOSITE_EXTRACT:
            return item.operands[:1]
        case Op.COMPOSITE_INSERT | Op.VECTOR_SHUFFLE:
            return item.operands[:2]
    return item.operands


def _takes_local(code: SpirvCode, item: Instruction) -> bool:
    """Whether an operand of ``item`` is an address in local memory."""
    kinds = (code.type_of.get(each) for each in _results(item))
    pointers = (each for each in kinds if each is not None and each.kind is Kind.POINTER)
    return any(each.storage == Storage.WORKGROUP for each in pointers)


def _of_variable(pointer: Value | Place) -> Place:
    """A pointer into a variable, of which no address is needed."""
    if isinstance(pointer, Place):
        return pointer
    raise UnknownValue("an address that is not known")


def _reordered() -> Value:
    raise UnknownValue("the compiler may compute it in another order")


def _unary(
    opcode: int, source: Type, kind: Type, conversion: Conversion | None
) -> Callable[..., Value]:
    if opcode == Op.BITCAST and (source.is_composite or kind.is_composite):
        return lambda value: _reinterpreted(source, kind, value)
    if kind.kind is Kind.VECTOR:
        return _by_parts(_unary(opcode, source.members[0], kind.members[0], conversion))
    if conversion is not None:
        return conversion.of(opcode, source, kind)
    return unary_of(opcode, source, kind)


def _by_parts(scalar: Callable[..., Value]) -> Callable[..., Value]:
    """``scalar`` on each component of vectors."""

    def compute(*values: Value) -> Value:
        columns = zip(*(parts_of(each) for each in values), strict=True)
        return tuple(scalar(*each) for each in columns)

    return compute


def parts_of(value: Value) -> tuple[Value, ...]:
    """The parts of a composite. Raises UnknownValue."""
    if isinstance(value, tuple):
        return value
    raise UnknownValue("it has no parts")


def _part_at(path: Sequence[int]) -> Callable[[Value], Value]:
    """What gives the part of a value at ``path``."""
    if len(path) != 1:
        return lambda value: _part(value, path)
    (index,) = path

    def part(value: Value) -> Value:
        if isinstance(value, tuple) and index < len(value):
            return value[index]
        return _part(value, path)  # which says why there is none

    return part


def _part(value: Value, path: Sequence[int]) -> Value:
    for index in path:
        parts = parts_of(value)
        if index >= len(parts):
            raise UnknownValue("the program reads a part that is not there")
        value = parts[index]
    return value


def _replaced(value: Value, path: Sequence[int], part: Value) -> Value:
    if not path:
        return part
    parts, (index, *rest) = parts_of(value), path
    if index >= len(parts):
        raise UnknownValue("the program writes a part that is not there")
    return (*parts[:index], _replaced(parts[index], rest, part), *parts[index + 1 :])


def _shuffled(kind: Type, a: Value, b: Value, which: Sequence[int]) -> Value:
    both = (*parts_of(a), *parts_of(b))
    undefined = kind.members[0].undefined()
    return tuple(both[each] if each < len(both) else undefined for each in which)


def _constructed(kind: Type, parts: Sequence[Value]) -> Value:
    if kind.kind is Kind.VECTOR:
        flat: list[Value] = []
        for each in parts:
            flat += each if isinstance(each, tuple) else [each]
        return tuple(flat)
    return tuple(parts)


def _reinterpreted(source: Type, kind: Type, value: Value) -> Value:
    found = kind.decode_parts(source.encode_parts(value))
    if isinstance(found, Undefined) or source.size != kind.size:
        raise UnsetValue
    return found


def known(value: Value | Place) -> Value:
    """A value that is no address of a variable. Raises UnknownValue."""
    if isinstance(value, Place):
        raise UnknownValue("an address that is not known")
    return value


def _address(code: SpirvCode, item: Instruction) -> Computation:
    """The address that an access chain makes of one, by the types on its way."""
    base, *indices = item.operands
    kind = code.type_of[base].members[0]
    factors: list[tuple[int, int]] = []  # of the indices that count: bits, and bytes of one step
    counted: list[int] = []
    offset = 0
    if item.opcode in _OF_ELEMENTS:
        counted.append(indices[0])
        factors.append((code.type_of[indices[0]].bits, kind.size))
        indices = indices[1:]
    for each in indices:
        if kind.kind is Kind.STRUCTURE:
            number = code.constants.get(each)
            member = signed(whole(number if number is not None else ()), code.type_of[each].bits)
            offset += kind.offset(member)
            kind = kind.part(member)
        elif kind.is_composite:
            kind = kind.members[0]
            counted.append(each)
            factors.append((code.type_of[each].bits, kind.size))
        else:
            return Computation((), _no_address)
    if not kind.size:
        return Computation((), _no_address)

    def compute(start: Value | Place, *numbers: Value | Place) -> Value | Place:
        at = offset
        for number, (bits, size) in zip(numbers, factors, strict=True):
            at += signed(whole(known(number)), bits) * size
        if isinstance(start, Place):
            return Place(start.variable, start.offset + at)
        return (whole(start) + at) & _ADDRESS_MASK

    return Computation((base, *counted), compute, True, Chain(offset, tuple(factors)))


def _no_address() -> Value:
    raise UnknownValue("an address that is not known")
