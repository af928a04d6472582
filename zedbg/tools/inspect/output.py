"""The page of ``zedbg inspect`` as text and as JSON, in pieces: it can be many times the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from zedbg.commands.rows.row import Row
from zedbg.frontends.text import text_modules  # noqa: F401 - importing declares renderers
from zedbg.frontends.text.rendering import rendered
from zedbg.zebin.file_errors import printable

_ROWS_AT_ONCE = 1000  # of a table


def page_text(rows: Iterable[Row]) -> Iterator[str]:
    """The page as lines for people, each with its end."""
    empty = True
    for line in rendered(rows, _ROWS_AT_ONCE):
        if empty and not line:
            continue  # which would part it from what is before
        empty = False
        yield f"{printable(line)}\n"
    if empty:
        yield "nothing against its specification\n"


def page_json(rows: Iterable[Row]) -> Iterator[str]:
    """The page as one JSON object, in pieces."""
    encoder = json.JSONEncoder(allow_nan=False)
    yield '{"command": "inspect", "ok": true, "rows": ['
    for index, row in enumerate(rows):
        yield (", " if index else "") + encoder.encode(row.to_json())
    yield "]}\n"
