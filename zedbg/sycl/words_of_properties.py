"""The values of properties in words, for people."""

from __future__ import annotations

from enum import Enum, Flag

from zedbg.sycl.property_sets import Property
from zedbg.sycl.property_values import (
    DeviceGlobal,
    EliminatedArguments,
    HostPipe,
    JointMatrix,
    JointMatrixMad,
    PropertyValue,
    SpecializationConstantDescriptor,
    SpecializationConstantElement,
)
from zedbg.sycl.raw_property import PropertyType

_SHOWN_BYTES = 32


def property_words(found: Property) -> str:
    """The value of ``found`` in one line: typed, as stored when unknown, or what is wrong."""
    if found.problem is not None:
        return found.problem.what
    if found.value is not None:
        return value_words(found.value)
    if found.raw.type == PropertyType.UINT32:
        return str(found.raw.integer)
    return _bytes(found.raw.stored)


def value_words(value: PropertyValue) -> str:
    """``value`` in one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, bytes):
        return _bytes(value)
    if isinstance(value, Flag):
        return _flags(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return ", ".join(_item(item) for item in value) or "none"
    if isinstance(value, SpecializationConstantDescriptor):
        return ", ".join(_element(element) for element in value.elements)
    if isinstance(value, EliminatedArguments):
        return _eliminated(value)
    if isinstance(value, DeviceGlobal):
        scope = ", one in each image" if value.device_image_scope else ""
        return f"{value.size} bytes{scope}"
    if isinstance(value, HostPipe):
        return f"{value.size} bytes"
    return str(value)


def _flags(value: Flag) -> str:
    known = [(flag.name or "", flag.value) for flag in value]
    rest = value.value & ~sum(bit for _, bit in known)
    names = [name.lower() for name, _ in known] + ([f"{rest:#x}"] if rest else [])
    return ", ".join(names) or "none"


def _item(item: object) -> str:
    if isinstance(item, JointMatrix):
        return f"{item.use} {item.rows}x{item.columns} of {item.type}"
    if isinstance(item, JointMatrixMad):
        types = f"{item.type_d} = {item.type_a} * {item.type_b} + {item.type_c}"
        return f"{item.m}x{item.n}x{item.k} {types}"
    return str(item)


def _element(element: SpecializationConstantElement) -> str:
    if element.is_padding:
        return f"{element.size} bytes of padding"
    return f"id {element.id}: {element.size} bytes at {element.offset}"


def _eliminated(arguments: EliminatedArguments) -> str:
    if not arguments.mask:
        return f"none of {arguments.count} arguments removed"
    removed = ", ".join(map(str, arguments.eliminated))
    return f"removed {removed} of {arguments.count} arguments"


def _bytes(data: bytes) -> str:
    shown = data[:_SHOWN_BYTES].hex(" ")
    more = f" ... ({len(data)} bytes)" if len(data) > _SHOWN_BYTES else ""
    return (shown or "empty") + more
