"""Values of work-items as files for other programs: CSV, and NumPy's .npy."""

from __future__ import annotations

import csv
import io
import struct

from zedbg.dwarf.types.program_types import (
    ArrayType,
    BaseType,
    Encoding,
    EnumType,
    PointerType,
    Type,
)
from zedbg.missing import Missing
from zedbg.values.tables.item_table import Item, ItemTable
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value


def csv_text(items: ItemTable) -> str:
    """A table with a header: where each work-item is, its value, and why it has none."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ids = [f"{name}_{axis}" for name in ("group", "global", "local") for axis in "xyz"]
    writer.writerow(["thread", "lane", *ids, "value", "missing"])
    for item in items:
        places = (item.workgroup, item.global_id, item.local_id)
        numbers = [number for place in places for number in (place or ("", "", ""))]
        missing = isinstance(item.value, Missing)
        value = "" if isinstance(item.value, Missing) else _plain(item)
        reason = item.value.reason if isinstance(item.value, Missing) else ""
        writer.writerow([item.thread, item.lane, *numbers, value, reason if missing else ""])
    return out.getvalue()


def _plain(item: Item) -> object:
    assert isinstance(item.value, Value)
    return item.value.plain() if item.value.is_scalar else item.text


def npy_bytes(items: ItemTable) -> bytes:
    """A .npy file (format version 1.0, NumPy enhancement proposal 1) with a record for each item:
    ``global_id`` (three), ``valid``, ``value``. EvaluationError for types that it cannot hold."""
    value_type = items.type
    element, shape = numpy_elements(value_type)
    value = f"('value', '{element}', {shape})"
    description = f"[('global_id', '<u4', (3,)), ('valid', '?'), {value}]"
    header = f"{{'descr': {description}, 'fortran_order': False, 'shape': ({len(items)},), }}"
    start = 10  # magic, version, and the header's length
    header = header.ljust(-(-(start + len(header) + 1) // 64) * 64 - start - 1) + "\n"
    records = []
    for item in items:
        data = item.value.data if isinstance(item.value, Value) else bytes(value_type.size)
        valid = isinstance(item.value, Value)
        records.append(struct.pack("<3I?", *(item.global_id or (0, 0, 0)), valid) + data)
    return (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(records)
    )


def numpy_elements(value_type: Type) -> tuple[str, tuple[int, ...]]:
    """NumPy's name of the elements of (nested) arrays, and their shape; ``()`` for a single value.
    EvaluationError for types that NumPy has not."""
    shape = []
    stripped = value_type.stripped()
    while isinstance(stripped, ArrayType):
        shape.append(stripped.size // stripped.element.size)  # a float3 has room for four
        stripped = stripped.element.stripped()
    return _description(stripped), tuple(shape)


def _description(element: Type) -> str:
    if isinstance(element, BaseType) and element.encoding is Encoding.FLOAT:
        return f"<f{element.size}"
    if isinstance(element, BaseType) and element.encoding is Encoding.BFLOAT:
        return "<u2"  # NumPy has no bf16: its bits
    if isinstance(element, BaseType) and element.encoding is Encoding.BOOLEAN:
        return "?"
    if isinstance(element, BaseType | EnumType):
        return f"<{'i' if element.is_signed else 'u'}{element.size}"
    if isinstance(element, PointerType):
        return f"<u{element.size}"
    raise EvaluationError(f"A NumPy array cannot hold values of type {element.name}.")
