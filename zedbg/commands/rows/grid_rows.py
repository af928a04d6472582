"""Memory as a grid of values."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from zedbg.commands.rows.row import JsonValue, Row


@dataclass(frozen=True)
class GridRow(Row):
    """``rows`` lines of ``columns`` values of ``type`` (``grid``); ``stride``: elements from the
    begin of a line to that of the next. ``values`` line by line, in order."""

    expression: str
    type: str
    columns: int
    rows: int
    stride: int
    values: tuple[tuple[JsonValue, ...], ...]
    texts: tuple[tuple[str, ...], ...] = dataclasses.field(metadata={"json": False}, default=())
    picture: bool = dataclasses.field(metadata={"json": False}, default=False)
    """Whether it is shown as a picture."""
