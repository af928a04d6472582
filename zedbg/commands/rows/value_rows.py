"""The rows of commands that show values: variables, registers, memory, types, work-items."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zedbg.commands.rows.row import JsonValue, Row
from zedbg.missing import Missing
from zedbg.values.threads.context import MemorySpace
from zedbg.values.typed.value import Value


def _if_known() -> Any:  # noqa: ANN401 - as dataclasses.field
    """A field that JSON has only where it has a value."""
    return dataclasses.field(metadata={"json": "if known"}, default=None)


def doubt_of(value: Value | Missing) -> str | None:
    """Why ``value`` is doubtful; None where it is not."""
    return value.doubt if isinstance(value, Value) else None


def source_name(value: Value | Missing) -> str | None:
    """Where ``value`` comes from, in one word; None of what lies nowhere."""
    source = value.source if isinstance(value, Value) else None
    return None if source is None else source.value


@dataclass(frozen=True)
class RegisterRow(Row):
    """A register (``info registers``): ``value`` is a number, a list of its elements, or why the
    frame does not have it. ``fields``: what its bits mean, where that is known; ``changed``:
    whether it differs from what was shown at an earlier stop."""

    register: str
    set: str
    value: JsonValue | tuple[int | float, ...]
    bytes: int
    note: str | None = None
    fields: Mapping[str, int | str] = field(default_factory=dict)
    changed: bool = False


@dataclass(frozen=True)
class VariableRow(Row):
    """A variable (``info locals``, ``info args``) in the focused lane.

    ``source``: where the value comes from (``register``, ``memory``, ``recomputed`` from the
    module's SPIR-V, ``constant``); ``doubtful``: why it may be another value, None where it is not.

    ``passed``: what the host passed for a kernel's argument that has no value here; None where it
    has one, or that is not known either. ``changed``: whether it differs from what was shown at an
    earlier stop.
    """

    name: str
    type: str
    value: JsonValue
    text: str
    passed: JsonValue = None
    changed: bool = False
    source: str | None = _if_known()
    doubtful: str | None = _if_known()


@dataclass(frozen=True, kw_only=True)
class ArgumentRow(Row):
    """A kernel argument as zeinfo declares it (``info args`` where there is no debug info).

    ``source_index``: which argument of a SYCL kernel's source it is, as unused ones are left out.
    """

    index: int
    name: str | None
    type: str | None
    kind: str
    size: int
    value: JsonValue
    source_index: int | None = None


@dataclass(frozen=True)
class ValueRow(Row):
    """What ``print`` shows; ``history`` is the N of ``$N``. ``doubtful``: why it may be another
    value."""

    expression: str
    type: str
    value: JsonValue
    text: str
    history: int | None
    source: str | None = _if_known()
    doubtful: str | None = _if_known()


@dataclass(frozen=True)
class ReturnedRow(Row):
    """What a function returned (``finish``), in the focused lane."""

    type: str
    value: JsonValue
    text: str
    history: int | None


@dataclass(frozen=True)
class LaneValueRow(Row):
    """What ``print/l`` shows, one row a lane. ``doubtful``: why it may be another value."""

    lane: int
    global_id: tuple[int, int, int] | Missing
    value: JsonValue
    text: str = dataclasses.field(metadata={"json": False}, default="")
    doubtful: str | None = _if_known()


@dataclass(frozen=True, kw_only=True)
class WorkItemRow(Row):
    """What ``print/w`` shows, one row a work-item."""

    thread: str
    lane: int
    workgroup: tuple[int, int, int] | None
    global_id: tuple[int, int, int] | None
    local_id: tuple[int, int, int] | None
    value: JsonValue
    text: str = dataclasses.field(metadata={"json": False}, default="")
    doubtful: str | None = _if_known()


@dataclass(frozen=True, kw_only=True)
class WorkItemSummaryRow(Row):
    """The work-items of ``print/w`` in short; numbers are None when no value is a number.
    ``doubtful``: how many of the values are, None where none is.

    ``strip``: the focused work-group as a picture, by local id.
    """

    items: int
    missing: int
    min: int | float | None
    max: int | float | None
    mean: float | None
    nan: int
    distinct: int
    strip: tuple[str, ...] = dataclasses.field(metadata={"json": False}, default=())
    workgroup: tuple[int, int, int] | None = dataclasses.field(
        metadata={"json": False}, default=None
    )
    doubtful: int | None = _if_known()


@dataclass(frozen=True)
class DisplayRow(Row):
    """An expression that is shown after every stop while it is ``enabled``; ``rows`` is what it
    shows now."""

    number: int
    expression: str
    format: str
    rows: tuple[Row, ...]
    enabled: bool = True


@dataclass(frozen=True)
class TypeRow(Row):
    """A type in full (``ptype``); ``members`` of a structure: name, type, offset, size (bytes)."""

    type: str
    size: int
    members: tuple[Mapping[str, JsonValue], ...]
    lines: tuple[str, ...] = dataclasses.field(metadata={"json": False}, default=())


@dataclass(frozen=True, kw_only=True)
class ExplanationRow(Row):
    """Where a variable lies (``explain``): ``places`` for each range of code, ``value`` now.

    ``recomputed``: its value by the module's SPIR-V, or why that is not known; None without one.
    ``evidence``: why the value that is shown is believed, or doubted, in words.
    """

    name: str
    type: str
    kind: str
    function: str | None
    file: str | None
    line: int
    places: tuple[Mapping[str, JsonValue], ...]
    lane: int
    value: JsonValue
    text: str = dataclasses.field(metadata={"json": False}, default="")
    source: str | None = _if_known()
    doubtful: str | None = _if_known()
    recomputed: JsonValue = None
    evidence: str = ""


@dataclass(frozen=True)
class ScopeRow(Row):
    """A variable in scope at a place (``info scope``); ``size`` in bytes."""

    name: str
    type: str
    size: int
    parameter: bool
    function: str | None


@dataclass(frozen=True)
class MemoryRow(Row):
    """A line of ``x``: values from ``address`` on, in shared local memory from an offset."""

    space: MemorySpace
    address: int
    symbol: str | None
    values: tuple[JsonValue, ...]
    text: str
