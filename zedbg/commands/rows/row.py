"""The rows that commands return: typed, one class for each kind of thing that is shown.

A row knows nothing of how it is shown. As JSON it is its fields, in order (``to_json``); as text it
is what the front end's renderer for its type makes of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from zedbg.missing import Missing

JsonValue = Any
"""None, bool, int, float, str, or lists and string-keyed dicts of those."""


_PLAIN_TYPES = frozenset({type(None), bool, int, str})


def to_json(value: object) -> JsonValue:
    """A value as plain JSON data: numbers stay numbers, a missing value says why.

    Raises TypeError.
    """
    if type(value) in _PLAIN_TYPES:
        return value  # what most values of most rows are
    if isinstance(value, Missing):
        return to_json(value.to_json())
    if isinstance(value, Row):
        return value.to_json()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        # JSON has no NaN and no infinities; Python's would not be read by other parsers.
        return value if value - value == 0 else repr(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [to_json(each) for each in value]
    plain = getattr(value, "to_json", None)
    if plain is not None:
        return to_json(plain())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind: type = type(value)
        return {name: to_json(getattr(value, name)) for name in _all_fields(kind)}
    raise TypeError(f"a {type(value).__name__} has no JSON form")


@cache
def _all_fields(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in dataclasses.fields(kind))


@cache
def _public_fields(kind: type) -> tuple[str, ...]:
    assert dataclasses.is_dataclass(kind)
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if not each.name.startswith("_") and each.metadata.get("json", True)
    )


@cache
def optional_fields(kind: type) -> tuple[str, ...]:
    """The fields of a kind of rows that JSON has only where they are not None."""
    assert dataclasses.is_dataclass(kind)
    fields = dataclasses.fields(kind)
    return tuple(each.name for each in fields if each.metadata.get("json") == "if known")


class Row:
    """One row of a command's result; subclasses are frozen dataclasses."""

    def to_json(self) -> dict[str, JsonValue]:
        """The row as a JSON object: its public fields in order, but those that are None where their
        metadata has ``json`` as "if known"."""
        kind: type = type(self)
        found = {name: to_json(getattr(self, name)) for name in _public_fields(kind)}
        for name in optional_fields(kind):
            if found[name] is None:
                del found[name]
        return found

    def json_rows(self) -> Iterable[dict[str, JsonValue]]:
        """The JSON objects that a script sees for it: one, if it is not many rows in one."""
        return [self.to_json()]


@dataclass(frozen=True)
class Text(Row):
    """A line of prose: a confirmation, a paragraph of help."""

    text: str


@dataclass(frozen=True)
class Nothing(Row):
    """Said to people where there is nothing to list; scripts see that there are no rows."""

    text: str


@dataclass(frozen=True)
class Fields(Row):
    """A row of free form, as plugins return; shown as a table whose columns are the keys."""

    fields: Mapping[str, object]

    def to_json(self) -> dict[str, JsonValue]:
        return {str(key): to_json(value) for key, value in self.fields.items()}
