"""Values of the device as functions in expressions of GDB."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from zedbg_in_gdb.device import Device


class Value(gdb.Function):
    """The value of an expression of the device, in the focused lane: $zedbg("in[i]")."""

    def __init__(self, device: Device) -> None:
        super().__init__("zedbg")
        self._device = device

    def invoke(self, expression: gdb.Value) -> Any:  # noqa: ANN401 - what GDB makes a value of
        row = self._device.ask(f"output {expression.string()}")["rows"][0]
        value = row["value"]
        if row["type"].startswith("char ["):
            return bytes(each & 0xFF for each in value).partition(b"\0")[0].decode()
        return _in_gdb(value)


class Lanes(gdb.Function):
    """Its values in the active lanes of the focused thread, as an array: $zedbg_lanes("i")."""

    def __init__(self, device: Device) -> None:
        super().__init__("zedbg_lanes")
        self._device = device

    def invoke(self, expression: gdb.Value) -> Any:  # noqa: ANN401
        rows = self._device.ask(f"print/l {expression.string()}")["rows"]
        return _in_gdb([row["value"] for row in rows])


class Stopped(gdb.Function):
    """1 while threads of the device are stopped, 0 otherwise: $zedbg_stopped()."""

    def __init__(self, device: Device) -> None:
        super().__init__("zedbg_stopped")
        self._device = device

    def invoke(self) -> int:
        return int(self._device.has_stopped)


def _in_gdb(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A value of zedbg's as one of GDB's: a number, or an array of numbers. GdbError when it has
    none."""
    if value is None:
        raise gdb.GdbError("zedbg: it has no value.")
    if isinstance(value, dict) and "missing" in value:
        raise gdb.GdbError(f"zedbg: {value['missing']}")
    if isinstance(value, dict):
        raise gdb.GdbError("zedbg: a structure: name one of its members.")
    if not isinstance(value, list):
        return value
    numbers = [_in_gdb(each) for each in value]
    if not all(isinstance(each, (int, float)) for each in numbers):
        raise gdb.GdbError("zedbg: an array of arrays: name one of its elements.")
    fractional = any(isinstance(each, float) for each in numbers)
    kind = gdb.selected_inferior().architecture().integer_type(64)
    if fractional:
        kind = gdb.parse_and_eval("(double) 0").type
    data = struct.pack(f"<{len(numbers)}{'d' if fractional else 'q'}", *numbers)
    return gdb.Value(data, kind.array(len(numbers) - 1)) if numbers else None
