"""The answers of commands about the program on the processor that a core file has."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows import host_rows
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.process.core_process import CoreProcess

NOT_NOTED = "zedbg did not start this program: what it made and launched is not known."
_ROWS: dict[str, type[Row]] = {
    each.__name__: each
    for each in (
        Text,
        host_rows.UsmAllocationRow,
        host_rows.HostFrameRow,
        host_rows.HostThreadRow,
        host_rows.LaunchRow,
        host_rows.ProcessRow,
        host_rows.SharedLibraryRow,
    )
}
_MOST_ROWS = 1 << 16


def core_rows(context: CommandContext, command: str) -> Sequence[Row] | None:
    """What the core file under debug has as the answer of ``command``; None when a program is
    debugged. Raises CommandError when the file has none."""
    process = context.process
    if not isinstance(process, CoreProcess):
        return None
    said = process.host.get(command)
    if not isinstance(said, list):
        raise CommandError(f"The core file has no answer to that. When it was made: {NOT_NOTED}")
    return [row for each in said[:_MOST_ROWS] if (row := _row(each)) is not None]


def _row(said: object) -> Row | None:
    """The row that was saved as ``said``; None when it is damaged."""
    if not isinstance(said, dict):
        return None
    row_type = _ROWS.get(str(said.get("row")))
    if row_type is None:
        return None
    fields = {name: value for name, value in said.items() if name != "row"}
    with contextlib.suppress(msgspec.ValidationError):
        return msgspec.convert(fields, row_type)
    return None
