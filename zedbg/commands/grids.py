"""``grid``: memory as lines of typed values, or as a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import evaluate_lanes, format_options
from zedbg.commands.rows.grid_rows import GridRow
from zedbg.commands.rows.row import Row
from zedbg.dwarf.types.program_types import ArrayType
from zedbg.missing import Missing
from zedbg.values.formats.formatting import format_value, type_name
from zedbg.values.typed.value import Value

_REQUEST = re.compile(r"(.*\S)\s+(\d{1,4})x(\d{1,4})(?:\s+stride\s+(\d{1,9}))?")
_SPACE = re.compile(r"@(slm|global|private|constant)\s+(.+)")
_PICTURE_FLAG = "p"
_MOST_VALUES = 1 << 16


@builtin.command(
    "grid",
    Category.DATA,
    "Show memory as a grid of values, or as a picture",
    arguments=(
        Argument(
            "what",
            Kind.EXPRESSION,
            "POINTER COLUMNSxROWS [stride ELEMENTS]; the pointer's type is that of the values; "
            "@slm POINTER for shared local memory",
            rest=True,
        ),
    ),
    flags="FMT",
    requires=Requirement.STOPPED_THREAD,
    example="grid in 16x4",
    description="FMT is a format as for print, or p for a picture: light is low, dark is high (in "
    "a terminal with colours the other way round). A stride is given where lines are longer "
    "than what is shown of them: `grid &image[y0 * width + x0] 32x32 stride 1024`.",
)
def grid_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    match = _REQUEST.fullmatch(invocation.text(0).strip())
    if match is None:
        raise UsageError(
            "Give a pointer and a shape, as in: grid in 16x4, or grid in 16x4 stride 64"
        )
    pointer, columns, rows = match[1], int(match[2]), int(match[3])
    stride = int(match[4] or columns)
    if not 0 < columns * rows <= _MOST_VALUES:
        raise CommandError(f"A grid has 1 to {_MOST_VALUES} values.")
    picture = _PICTURE_FLAG in invocation.flags
    options = format_options(context, invocation.flags.replace(_PICTURE_FLAG, "", 1))
    values: list[tuple[Value, ...]] = []
    for row in range(rows):
        found = evaluate_lanes(context, _line(pointer, row * stride, columns)).first
        if isinstance(found, Missing):
            raise CommandError(f"Line {row} of the grid: {found.reason}.")
        stripped = found.type.stripped()
        assert isinstance(stripped, ArrayType)
        values.append(tuple(found.element(column) for column in range(columns)))
    if picture and not values[0][0].is_scalar:
        raise CommandError(f"{type_name(values[0][0].type)} is not a number: no picture of it.")
    shown = () if picture else values
    return [
        GridRow(
            pointer,
            type_name(values[0][0].type),
            columns,
            rows,
            stride,
            tuple(tuple(value.plain() for value in line) for line in values),
            tuple(tuple(format_value(value, options) for value in line) for line in shown),
            picture,
        )
    ]


def _line(pointer: str, offset: int, columns: int) -> str:
    """The expression of the array that a line of the grid is."""
    space = _SPACE.fullmatch(pointer)
    if space is not None:
        return f"*@{space[1]} (({space[2]}) + {offset})@{columns}"
    return f"*(({pointer}) + {offset})@{columns}"
