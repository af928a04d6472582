"""From a stored value to a typed one: a function for each shape that properties have.

Each raises PropertyError, saying what was expected, for a value that does not have its shape.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import IntEnum
from typing import TypeVar

from zedbg.sycl.aspects import Aspect, AspectNumbering, aspect
from zedbg.sycl.property_values import (
    BundleState,
    DeviceGlobal,
    DeviceLibraries,
    EliminatedArguments,
    HostPipe,
    IrType,
    JointMatrix,
    JointMatrixMad,
    PropertyValue,
    RegisterAllocationMode,
    Sanitizer,
    SpecializationConstantDescriptor,
    SpecializationConstantElement,
)
from zedbg.sycl.raw_property import (
    PropertyError,
    PropertyType,
    RawProperty,
    payload,
    payload_bits,
)

_Member = TypeVar("_Member", bound=IntEnum)
Decoder = Callable[[RawProperty, AspectNumbering], PropertyValue]

_ELEMENT = struct.Struct("<III")
_UINT32 = struct.Struct("<I")
_DIMENSIONS = 3
_MAXIMUM_ARGUMENTS = 1 << 16  # no kernel has so many; bounds what a mask is expanded to


def integer(raw: RawProperty, _numbering: AspectNumbering) -> int:
    """A plain integer, in either of the two forms that compilers give it."""
    return _integer(raw)


def flag(raw: RawProperty, _numbering: AspectNumbering) -> bool:
    """1 for true; a property that is missing means false. Raises PropertyError."""
    value = _integer(raw)
    if value not in (0, 1):
        raise PropertyError(f"expected 0 or 1, found {value}")
    return value == 1


def raw_bytes(raw: RawProperty, _numbering: AspectNumbering) -> bytes:
    """Bytes whose meaning another property gives."""
    return payload(raw)


def text(raw: RawProperty, _numbering: AspectNumbering) -> str:
    """Characters, with or without a terminating zero."""
    return _text(raw)


def comma_list(raw: RawProperty, _numbering: AspectNumbering) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name for name in _text(raw).split(",") if name)


def specialization_constant(
    raw: RawProperty, _numbering: AspectNumbering
) -> SpecializationConstantDescriptor:
    """One or more {id, offset, size} of 32 bits each. Raises PropertyError."""
    data = payload(raw)
    if not data or len(data) % _ELEMENT.size:
        raise PropertyError(
            f"expected a multiple of {_ELEMENT.size} bytes (id, offset, size), found {len(data)}"
        )
    return SpecializationConstantDescriptor(
        tuple(SpecializationConstantElement(*fields) for fields in _ELEMENT.iter_unpack(data))
    )


def device_libraries(raw: RawProperty, _numbering: AspectNumbering) -> DeviceLibraries:
    """A mask; bits of libraries that came later are kept."""
    return DeviceLibraries(_integer(raw))


def eliminated_arguments(raw: RawProperty, _numbering: AspectNumbering) -> EliminatedArguments:
    """A bit for each argument; the bit count is the number of arguments. Raises PropertyError."""
    bits, data = payload_bits(raw)
    if bits > _MAXIMUM_ARGUMENTS:
        raise PropertyError(f"expected at most {_MAXIMUM_ARGUMENTS} arguments, found {bits}")
    mask = int.from_bytes(data, "little")
    if mask >> bits:
        raise PropertyError(f"expected {bits} bits, found mask {mask:#x}")
    return EliminatedArguments(bits, mask)


def sizes32(raw: RawProperty, _numbering: AspectNumbering) -> tuple[int, ...]:
    """One to three 32-bit numbers, one for each dimension."""
    return _dimensions(raw, "I")


def sizes64(raw: RawProperty, _numbering: AspectNumbering) -> tuple[int, ...]:
    """One to three 64-bit numbers, one for each dimension."""
    return _dimensions(raw, "Q")


def aspects(raw: RawProperty, numbering: AspectNumbering) -> tuple[Aspect, ...]:
    """32-bit numbers of aspects. Raises PropertyError."""
    data = payload(raw)
    if len(data) % _UINT32.size:
        raise PropertyError(f"expected 32-bit numbers, found {len(data)} bytes")
    return tuple(aspect(number, numbering) for (number,) in _UINT32.iter_unpack(data))


def joint_matrices(raw: RawProperty, _numbering: AspectNumbering) -> tuple[JointMatrix, ...]:
    """Descriptors `type,use,rows,columns`, separated by semicolons."""
    return tuple(
        JointMatrix(fields[0], fields[1], _number(fields[2]), _number(fields[3]))
        for fields in _descriptors(raw, 4, "type,use,rows,cols")
    )


def joint_matrix_mads(raw: RawProperty, _numbering: AspectNumbering) -> tuple[JointMatrixMad, ...]:
    """Descriptors `typeA,typeB,typeC,typeD,M,K,N`, separated by semicolons."""
    mads = []
    for fields in _descriptors(raw, 7, "typeA,typeB,typeC,typeD,M,K,N"):
        m, k, n = map(_number, fields[4:])
        mads.append(
            JointMatrixMad(
                type_a=fields[0],
                type_b=fields[1],
                type_c=fields[2],
                type_d=fields[3],
                m=m,
                k=k,
                n=n,
            )
        )
    return tuple(mads)


def device_global(raw: RawProperty, _numbering: AspectNumbering) -> DeviceGlobal:
    """{size, whether each image has its own}, 32 bits each. Raises PropertyError."""
    data = payload(raw)
    if len(data) != 8:
        raise PropertyError(f"expected 8 bytes (size, device image scope), found {len(data)}")
    size, scope = struct.unpack("<II", data)
    if scope not in (0, 1):
        raise PropertyError(f"expected a device image scope of 0 or 1, found {scope}")
    return DeviceGlobal(size, scope == 1)


def host_pipe(raw: RawProperty, _numbering: AspectNumbering) -> HostPipe:
    """{size}, 32 bits. Raises PropertyError."""
    data = payload(raw)
    if len(data) != _UINT32.size:
        raise PropertyError(f"expected 4 bytes (size), found {len(data)}")
    return HostPipe(*_UINT32.unpack(data))


def register_allocation_mode(
    raw: RawProperty, _numbering: AspectNumbering
) -> RegisterAllocationMode:
    """0 or 2."""
    return _member(RegisterAllocationMode, raw)


def sanitizer(raw: RawProperty, _numbering: AspectNumbering) -> Sanitizer:
    """The sanitizer's short name. Raises PropertyError."""
    name = _text(raw)
    try:
        return Sanitizer(name)
    except ValueError:
        known = ", ".join(member.value for member in Sanitizer)
        raise PropertyError(f"expected one of {known}, found {name!r}") from None


def bundle_state(raw: RawProperty, _numbering: AspectNumbering) -> BundleState:
    """The enumeration's number."""
    return _member(BundleState, raw)


def ir_type(raw: RawProperty, _numbering: AspectNumbering) -> IrType:
    """The enumeration's number."""
    return _member(IrType, raw)


def _integer(raw: RawProperty) -> int:
    if raw.type == PropertyType.UINT32:
        return raw.integer
    data = payload(raw)
    if len(data) not in (4, 8):
        raise PropertyError(f"expected a number of 4 or 8 bytes, found {len(data)}")
    return int.from_bytes(data, "little")


def _text(raw: RawProperty) -> str:
    data = raw.stored if raw.type == PropertyType.STRING else payload(raw)
    try:
        return data.removesuffix(b"\0").decode()
    except UnicodeDecodeError as error:
        raise PropertyError(f"expected UTF-8 text, found byte {data[error.start]:#x}") from None


def _dimensions(raw: RawProperty, letter: str) -> tuple[int, ...]:
    if raw.type == PropertyType.UINT32:
        return (raw.integer,)
    data = payload(raw)
    size = struct.calcsize(letter)
    count, rest = divmod(len(data), size)
    if rest or not 1 <= count <= _DIMENSIONS:
        raise PropertyError(
            f"expected one to three {size * 8}-bit numbers, found {len(data)} bytes"
        )
    return struct.unpack(f"<{count}{letter}", data)


def _descriptors(raw: RawProperty, count: int, form: str) -> list[list[str]]:
    found = [descriptor.split(",") for descriptor in _text(raw).split(";") if descriptor]
    for fields in found:
        if len(fields) != count:
            raise PropertyError(f"expected {form}, found {','.join(fields)!r}")
    return found


def _number(field: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) < 10):
        raise PropertyError(f"expected a decimal number, found {field!r}")
    return int(field)


def _member(kind: type[_Member], raw: RawProperty) -> _Member:
    value = _integer(raw)
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(f"{member.value} ({member.name.lower()})" for member in kind)
        raise PropertyError(f"expected one of {known}, found {value}") from None
