"""Checking ``.ze_info`` against its specification: everything wrong, with its path and line.

Reading for debugging stays lenient; this is for compilers' and files' authors, and for finding out
why a module behaves oddly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import yaml

from zedbg.zebin.passing_yaml import Mapping, Node, Scalar, Sequence, documents
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

_MOST_FINDINGS = 1000  # of one document; a damaged one has something wrong in every line
_DEEPEST = 64  # levels of nesting; the specification has six
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
    findings: list[Finding] = []
    try:
        version, problem = _version(documents(text))
        if problem is not None:
            return [problem]
        roots = documents(text)
        root = next(roots, None)
        if root is None:
            return [_error("", 1, "empty")]
        for finding in _Checker(version).record(root, tables()[CONTAINER], ""):
            if len(findings) == _MOST_FINDINGS:
                findings.append(_error("", finding.line, "more is wrong, which is not listed"))
                return findings
            findings.append(finding)
        if next(roots, None) is not None:  # reads the rest, too
            return [_error("", 1, "not YAML: several documents in one")]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem_text = getattr(error, "problem", None) or str(error).splitlines()[0]
        return [_error("", 1 if mark is None else mark.line + 1, f"not YAML: {problem_text}")]
    except (RecursionError, ValueError) as error:
        return [_error("", 1, f"not YAML: {error}")]
    return findings


def _error(path: str, line: int, problem: str) -> Finding:
    return Finding(Severity.ERROR, path, line, problem)


def _version(found: Iterator[Node]) -> tuple[Version, Finding | None]:
    """The version that the document gives itself, and what keeps it from being checked."""
    root = next(found, None)
    if isinstance(root, Mapping):
        for key, value in root.pairs:
            if not isinstance(key, Scalar) or key.value != "version":
                continue
            version = Version.parse(value.value) if isinstance(value, Scalar) else None
            if version is None:
                return LATEST, _error("version", value.line, "not of the form MAJOR.MINOR")
            if version.major != SUPPORTED_MAJOR:
                problem = f"major version {version.major} where {SUPPORTED_MAJOR} is known"
                return LATEST, _error("version", value.line, problem)
            return version, None
    return LATEST, None


class _Checker:
    """Checks one document against one version of the specification."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._is_newer = version > LATEST

    def record(self, node: Node, table: Table, path: str, depth: int = 0) -> Iterator[Finding]:
        """What is wrong with the mapping ``node``, which should follow ``table``."""
        line = node.line
        if depth > _DEEPEST:
            yield _error(path, line, "nested too deeply")
            return
        if not isinstance(node, Mapping):
            yield _error(path, line, f"{_described(node)} where a mapping ({table.name}) belongs")
            return
        seen: set[str] = set()
        for key, value in node.pairs:
            name = key.value if isinstance(key, Scalar) else "?"
            inner = f"{path}.{name}" if path else name
            if name in seen:
                yield _error(inner, key.line, "given twice")
            seen.add(name)
            attribute = table.attributes.get(name)
            if attribute is None:
                yield self._unknown(inner, key, f"no attribute of {table.name}")
            elif not attribute.is_in(self._version):
                yield _error(inner, key.line, self._other_version(attribute))
            else:
                yield from self._value(value, attribute, inner, depth)
        for attribute in table.attributes.values():
            missing = attribute.name not in seen and attribute.is_in(self._version)
            if missing and attribute.presence is not Presence.OPTIONAL:
                yield _error(path, line, f"{attribute.name} is missing")

    def _unknown(self, path: str, node: Node, what: str) -> Finding:
        line = node.line
        if self._is_newer:
            problem = f"{what} up to version {LATEST}; the file has {self._version}"
            return Finding(Severity.NOTE, path, line, problem)
        return _error(path, line, what)

    def _other_version(self, attribute: Attribute) -> str:
        if attribute.since > self._version:
            return f"came with version {attribute.since}; the file has {self._version}"
        return f"was removed in version {attribute.until}; the file has {self._version}"

    def _value(self, node: Node, attribute: Attribute, path: str, depth: int) -> Iterator[Finding]:
        table = tables().get(attribute.type)
        if table is None:
            yield from self._literal(node, attribute.type, path)
        elif not attribute.is_list:
            yield from self.record(node, table, path, depth + 1)
        elif isinstance(node, Sequence):
            for index, item in enumerate(node.items):
                yield from self.record(item, table, f"{path}[{index}]", depth + 1)
        elif not _is_empty(node):
            problem = f"{_described(node)} where a list of {table.name} belongs"
            yield _error(path, node.line, problem)

    def _literal(self, node: Node, kind: str, path: str) -> Iterator[Finding]:
        line = node.line
        array = _ARRAY.fullmatch(kind)
        if array:
            yield from self._array(node, array[1], array[2], path)
        elif not isinstance(node, Scalar):
            yield _error(path, line, f"{_described(node)} where {_kind_name(kind)} belongs")
        elif kind.startswith("<"):
            enumeration = enumerations()[kind]
            if node.value not in enumeration.values:
                yield self._unknown(path, node, f"{node.value!r} is no {kind}")
            elif not enumeration.is_in(node.value, self._version):
                problem = f"{node.value!r} is no {kind} of version {self._version}"
                yield _error(path, line, problem)
        elif not _is_literal(node.value, kind):
            yield _error(path, line, f"{node.value!r} where {_kind_name(kind)} belongs")

    def _array(self, node: Node, kind: str, count: str, path: str) -> Iterator[Finding]:
        line = node.line
        if not isinstance(node, Sequence):
            yield _error(path, line, f"{_described(node)} where a list of {kind} belongs")
            return
        found = 0
        for index, item in enumerate(node.items):
            found += 1
            yield from self._literal(item, kind, f"{path}[{index}]")
        if count != "N" and found != int(count):
            yield _error(path, line, f"{found} values where {count} belong")


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


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value == ""


def _described(node: Node) -> str:
    if isinstance(node, Scalar):
        return repr(node.value[:40])
    return "a list" if isinstance(node, Sequence) else "a mapping"
