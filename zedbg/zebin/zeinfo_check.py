"""Checking ``.ze_info`` against its specification: everything wrong, with its path and line.

Reading for debugging stays lenient; this is for compilers' and files' authors, and for finding out
why a module behaves oddly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from zedbg.zebin.block_yaml import BlockReader, Mapping, Plain, YamlError
from zedbg.zebin.schema import (
    CONTAINER,
    LATEST,
    SUPPORTED_MAJOR,
    Attribute,
    Presence,
    Table,
    Version,
    enumerations,
    tables,
)
from zedbg.zebin.zeinfo_limits import too_dense

_MOST_FINDINGS = 1000  # of one document; a damaged one has something wrong in every line
_MOST_RIGHT = 2048  # values of attributes that are remembered
_INTEGER = re.compile(r"[-+]?(?:\d{1,20}|0x[0-9A-Fa-f]{1,16})")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_BITS = {"int32": 32, "int64": 64}
_ARRAY = re.compile(r"(int32|int64)x(\d+|N)")


class Severity(Enum):
    """How bad a finding is."""

    ERROR = "error"  # against the specification
    NOTE = "note"  # not known to the specification, which may be older than the file


@dataclass(frozen=True)
class Finding:
    """One thing that is not as the specification says; ``line`` counts from 1."""

    severity: Severity
    path: str  # kernels[2].execution_env.simd_size
    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.path or '.ze_info'}: {self.problem}"


def check(text: str) -> list[Finding]:
    """Everything in ``text``, a whole ``.ze_info``, that its own version does not allow.

    Attributes and values that no known version has are notes where the file is newer than the
    newest known version, errors otherwise. Never raises.
    """
    problem = too_dense(text)
    if problem is not None:
        return [_error("", 1, problem)]
    try:
        root = BlockReader().read(text)
    except YamlError as error:
        return [_error("", error.line, f"not YAML as compilers write it: {error.problem}")]
    if root == "":
        return [_error("", 1, "empty")]
    version, finding = _version(root)
    if finding is not None:
        return [finding]
    found = _Checker(version).record(root, tables()[CONTAINER], "", _first_line(root, 1))
    findings = list(islice(found, _MOST_FINDINGS))
    more = next(found, None)
    if more is not None:
        findings.append(_error("", more.line, "more is wrong, which is not listed"))
    return findings


def _error(path: str, line: int, problem: str) -> Finding:
    return Finding(Severity.ERROR, path, line, problem)


def _version(root: Plain) -> tuple[Version, Finding | None]:
    """The version that the document gives itself, and what keeps it from being checked."""
    if not isinstance(root, Mapping) or "version" not in root:
        return LATEST, None
    text, line = root["version"], root.line_of("version")
    version = Version.parse(text) if isinstance(text, str) else None
    if version is None:
        return LATEST, _error("version", line, "not of the form MAJOR.MINOR")
    if version.major != SUPPORTED_MAJOR:
        problem = f"major version {version.major}, only {SUPPORTED_MAJOR} is known"
        return LATEST, _error("version", line, problem)
    return version, None


class _Checker:
    """Checks one document against one version of the specification.

    ``line`` is that of the key whose value is checked. Kernels repeat themselves, so that values
    that are right are remembered.
    """

    def __init__(self, version: Version) -> None:
        self._version = version
        self._is_newer = version > LATEST
        self._right: set[tuple[str, str, str]] = set()  # tables, attributes and values
        self._required = {
            table.name: [
                attribute.name
                for attribute in table.attributes.values()
                if attribute.is_in(version) and attribute.presence is not Presence.OPTIONAL
            ]
            for table in tables().values()
        }

    def record(self, tree: Plain, table: Table, path: str, line: int) -> Iterator[Finding]:
        """What is wrong with the mapping ``tree``, which should follow ``table``."""
        if not isinstance(tree, Mapping):
            yield _error(path, line, f"{_described(tree)} where a mapping ({table.name}) belongs")
            return
        for (name, value), key_line in zip(tree.items(), tree.lines, strict=True):
            one = (table.name, name, value) if isinstance(value, str) else None
            if one in self._right:
                continue
            inner = f"{path}.{name}" if path else name
            wrong = list(self._attribute(table, name, value, inner, key_line))
            yield from wrong
            if one is not None and not wrong and len(self._right) < _MOST_RIGHT:
                self._right.add(one)
        for name, key_line in getattr(tree, "repeated", ()):
            yield _error(f"{path}.{name}" if path else name, key_line, "given twice")
        for name in self._required[table.name]:
            if name not in tree:
                yield _error(path, _first_line(tree, line), f"{name} is missing")

    def _attribute(
        self, table: Table, name: str, value: Plain, path: str, line: int
    ) -> Iterator[Finding]:
        attribute = table.attributes.get(name)
        if attribute is None:
            yield self._unknown(path, line, f"no attribute of {table.name}")
        elif not attribute.is_in(self._version):
            yield _error(path, line, self._other_version(attribute))
        else:
            yield from self._value(value, attribute, path, line)

    def _unknown(self, path: str, line: int, what: str) -> Finding:
        if self._is_newer:
            problem = f"{what} up to version {LATEST}; the file has {self._version}"
            return Finding(Severity.NOTE, path, line, problem)
        return _error(path, line, what)

    def _other_version(self, attribute: Attribute) -> str:
        if attribute.since > self._version:
            return f"came with version {attribute.since}; the file has {self._version}"
        return f"was removed in version {attribute.until}; the file has {self._version}"

    def _value(self, tree: Plain, attribute: Attribute, path: str, line: int) -> Iterator[Finding]:
        table = tables().get(attribute.type)
        if table is None:
            yield from self._literal(tree, attribute.type, path, line)
        elif not attribute.is_list:
            yield from self.record(tree, table, path, line)
        elif isinstance(tree, list):
            for index, item in enumerate(tree):
                yield from self.record(item, table, f"{path}[{index}]", line)
        elif tree != "":
            yield _error(path, line, f"{_described(tree)} where a list of {table.name} belongs")

    def _literal(self, tree: Plain, kind: str, path: str, line: int) -> Iterator[Finding]:
        array = _ARRAY.fullmatch(kind)
        if array:
            yield from self._array(tree, array[1], array[2], path, line)
        elif not isinstance(tree, str):
            yield _error(path, line, f"{_described(tree)} where {_kind_name(kind)} belongs")
        elif kind.startswith("<"):
            enumeration = enumerations()[kind]
            if tree not in enumeration.values:
                yield self._unknown(path, line, f"{tree!r} is no {kind}")
            elif not enumeration.is_in(tree, self._version):
                problem = f"{tree!r} is no {kind} of version {self._version}"
                yield _error(path, line, problem)
        elif not _is_literal(tree, kind):
            yield _error(path, line, f"{tree!r} where {_kind_name(kind)} belongs")

    def _array(self, tree: Plain, kind: str, count: str, path: str, line: int) -> Iterator[Finding]:
        if not isinstance(tree, list):
            yield _error(path, line, f"{_described(tree)} where a list of {kind} belongs")
            return
        for index, item in enumerate(tree):
            yield from self._literal(item, kind, f"{path}[{index}]", line)
        if count != "N" and len(tree) != int(count):
            yield _error(path, line, f"{len(tree)} values where {count} belong")


def _is_literal(text: str, kind: str) -> bool:
    if kind in _BITS:
        if not _INTEGER.fullmatch(text):
            return False
        limit = 1 << (_BITS[kind] - 1)
        # Sizes are written unsigned where they need the last bit.
        return -limit <= int(text, 16 if "x" in text else 10) < 2 * limit
    if kind == "bool":
        return text in ("true", "false")
    if kind == "float":
        return bool(_FLOAT.fullmatch(text))
    return True


def _kind_name(kind: str) -> str:
    return f"one of {kind}" if kind.startswith("<") else kind


def _first_line(tree: Plain, line: int) -> int:
    """The line of the first key of ``tree``; ``line`` where it has none."""
    return tree.lines[0] if isinstance(tree, Mapping) and tree.lines else line


def _described(tree: Plain) -> str:
    if isinstance(tree, str):
        return repr(tree[:40])
    return "a list" if isinstance(tree, list) else "a mapping"
