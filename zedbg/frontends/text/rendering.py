"""Rows as text: the renderer of each row type, and what renderers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby, islice
from typing import Any, TypeVar

from zedbg.commands.framework.permanence import permanent
from zedbg.commands.rows import row as row_types
from zedbg.commands.rows.row import Row
from zedbg.frontends.text import appearance
from zedbg.frontends.text.appearance import Style, styled
from zedbg.frontends.text.fitting import fitted
from zedbg.missing import Missing

_R = TypeVar("_R", bound=Row)
_RENDERERS: dict[type[Row], Callable[[list[Any]], Iterator[str]]] = {}
# The modules that declare renderers.
_MODULES = (
    "row_text",
    "text_values",
    "text_breakpoints",
    "text_devices",
    "text_origins",
    "text_code",
    "text_panes",
    "text_grids",
    "text_modules",
    "text_images",
    "text_stacks",
    "text_cores",
    "text_host",
    "text_time",
)
_SINGLE: set[type[Row]] = set()  # row types without columns, which are shown one by one


def render(rows: Iterable[Row]) -> list[str]:
    """The lines that show ``rows``; neighbours of one type become one table."""
    return list(rendered(rows))


def rendered(rows: Iterable[Row], at_once: int | None = None) -> Iterator[str]:
    """The same, line by line. No table has more than ``at_once`` rows: then another one begins,
    so that many rows need not be in memory together."""
    for row_type, group in groupby(rows, key=type):
        renderer = _renderer(row_type)  # before the next line: it declares _SINGLE, too
        while part := list(islice(group, 1 if row_type in _SINGLE else at_once)):
            yield from renderer(part)


def _renderer(row_type: type[Row]) -> Callable[[list[Any]], Iterator[str]]:
    """The renderer of a type, loaded when the first row of it is shown."""
    for module in _MODULES:
        if row_type in _RENDERERS:
            break
        with permanent():
            import_module(f"zedbg.frontends.text.{module}")
    return _RENDERERS.get(row_type, _fields)


def renders(
    row_type: type[_R], *, one_by_one: bool = False
) -> Callable[[Callable[[list[_R]], Iterator[str]]], Callable[[list[_R]], Iterator[str]]]:
    """Declares the function below as the renderer of a row type.

    ``one_by_one``: a row looks the same whatever its neighbours are.
    """
    if one_by_one:
        _SINGLE.add(row_type)

    def declare(
        renderer: Callable[[list[_R]], Iterator[str]],
    ) -> Callable[[list[_R]], Iterator[str]]:
        _RENDERERS[row_type] = renderer
        return renderer

    return declare


def table(header: Sequence[str], body: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as their widest cell, no trailing blanks; in a terminal each row has one
    line, for which the longest texts are shortened."""
    yield from fitted([header, *body], appearance.current.columns)


def triple(value: tuple[int, int, int] | Missing | None) -> str:
    """Work coordinates as ``(1,0,0)``, or why they are missing."""
    if value is None:
        return ""
    if isinstance(value, Missing):
        return f"<{value.reason}>"
    return "({},{},{})".format(*value)


def source_place(file: str | None, line: int | None) -> str:
    """``blur.cl:13``, or nothing."""
    return f"{styled(Style.FILE, file)}:{line}" if file and line else ""


def address_text(address: int) -> str:
    """An address of code: 16 digits."""
    return styled(Style.ADDRESS, f"{address:#018x}")


def plain(value: object) -> str:
    """A field of a row as text: what is missing with its reason, lists in braces."""
    if isinstance(value, Missing):
        return f"<{value.reason}>"
    if isinstance(value, dict) and "missing" in value:
        return f"<{value['missing']}>"
    if isinstance(value, list | tuple):
        return "{" + ", ".join(plain(each) for each in value) + "}"
    return str(value)


def _fields(rows: list[Row]) -> Iterator[str]:
    """Any row without a renderer of its own: a table of its fields."""
    records = [
        dict(row.fields) if isinstance(row, row_types.Fields) else row.to_json() for row in rows
    ]
    columns = list(dict.fromkeys(key for record in records for key in record))
    yield from table(
        columns, ([plain(record.get(column, "")) for column in columns] for record in records)
    )


_RENDERERS[row_types.Fields] = _fields
