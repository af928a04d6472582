"""Rows about core files as text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows.core_rows import CoreRow
from zedbg.frontends.text.rendering import renders
from zedbg.frontends.text.text_modules import size_text


@renders(CoreRow, one_by_one=True)
def _core(rows: list[CoreRow]) -> Iterator[str]:
    for row in rows:
        left_out = f", {size_text(row.left_out)} left out" if row.left_out else ""
        threads = f"{row.threads} thread{'s' if row.threads != 1 else ''}"
        held = f"{threads}, {size_text(row.memory)} of memory{left_out}"
        if row.action == "saved":
            yield f"Saved corefile {row.path} ({held})"
        else:
            yield f"Core file {row.path}, made {row.made}: {held}"
