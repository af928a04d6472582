"""The schema of ``.ze_info``: typed views of the specification's tables, for any version of it.

The latest document gives no number of its own; its change notes end at 1.65.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

from zedbg.zebin.schema_tables import ATTRIBUTES, ENUMERATIONS, LISTS, REMOVED

SUPPORTED_MAJOR = 1
CONTAINER = "Container"
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})")


class Version(NamedTuple):
    """A version of zeinfo; minor versions add, major versions break."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Version | None:
        """``1.73`` as a version; None when it is not of that form."""
        match = _VERSION.fullmatch(text)
        return cls(int(match[1]), int(match[2])) if match else None

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


LATEST = Version(1, 65)  # the newest whose changes are known


class Presence(Enum):
    """Whether an attribute has to be there; tables without that column say nothing."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    UNSTATED = ""


@dataclass(frozen=True)
class Attribute:
    """One attribute of a table.

    ``type``: a literal's (``int32``, ``int32x3``), an enumeration's in ``<>``, or a table's name,
    of whose records there may be a list (``is_list``). ``default`` is written as YAML, "" for none.
    """

    name: str
    type: str
    presence: Presence
    default: str
    since: Version
    is_list: bool = False
    until: Version | None = None  # the version that removed it

    def is_in(self, version: Version) -> bool:
        """Whether files of ``version`` may have it."""
        return self.since <= version and (self.until is None or version < self.until)


@dataclass(frozen=True)
class Enumeration:
    """The values of an enumeration, with the version that brought (and removed) each."""

    name: str
    values: dict[str, tuple[Version, Version | None]]

    def is_in(self, value: str, version: Version) -> bool:
        """Whether files of ``version`` may say ``value``."""
        since, until = self.values.get(value, (Version(1 << 31, 0), None))
        return since <= version and (until is None or version < until)


@dataclass(frozen=True)
class Table:
    """The attributes of one kind of mapping, in the document's order."""

    name: str
    attributes: dict[str, Attribute]


@cache
def tables() -> dict[str, Table]:
    """Every table by name; ``Container`` is the whole document."""
    found = {}
    for name, rows in ATTRIBUTES.items():
        attributes = [
            Attribute(
                row_name,
                LISTS.get(kind, kind),
                Presence(presence),
                default,
                Version(SUPPORTED_MAJOR, minor),
                kind in LISTS,
            )
            for row_name, kind, presence, default, minor in rows
        ]
        attributes += [
            Attribute(
                row_name,
                kind,
                Presence.OPTIONAL,
                "",
                Version(SUPPORTED_MAJOR, since),
                until=Version(SUPPORTED_MAJOR, until),
            )
            for row_name, kind, since, until in REMOVED.get(name, ())
        ]
        found[name] = Table(name, {attribute.name: attribute for attribute in attributes})
    return found


@cache
def enumerations() -> dict[str, Enumeration]:
    """Every enumeration by its name in ``<>``."""
    found = {}
    for name, rows in ENUMERATIONS.items():
        values: dict[str, tuple[Version, Version | None]] = {
            value: (Version(SUPPORTED_MAJOR, minor), None) for value, minor in rows.items()
        }
        for value, _kind, since, until in REMOVED.get(name, ()):
            values[value] = (Version(SUPPORTED_MAJOR, since), Version(SUPPORTED_MAJOR, until))
        found[name] = Enumeration(name, values)
    return found


def unsupported_reason(version: str) -> str | None:
    """Why ``.ze_info`` of ``version`` cannot be read, None when it can.

    A file that gives no version, or none in the usual form, is read as far as it goes.
    """
    parsed = Version.parse(version)
    if parsed is None or parsed.major <= SUPPORTED_MAJOR:
        return None
    return (
        f".ze_info has version {parsed}; major versions above {SUPPORTED_MAJOR} are written "
        f"differently and need a newer zedbg"
    )
