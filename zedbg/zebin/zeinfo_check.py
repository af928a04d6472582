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
    try:
        root = yaml.compose(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        return [_error("", 1 if mark is None else mark.line + 1, f"not YAML: {problem}")]
    except (RecursionError, ValueError) as error:
        return [_error("", 1, f"not YAML: {error}")]
    if root is None:
        return [_error("", 1, "empty")]
    version, findings = _version(root)
    if findings:
        return findings
    return list(_Checker(version).record(root, tables()[CONTAINER], ""))


def _loader() -> type[yaml.BaseLoader]:
    """The base loader in C where there is one."""
    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _error(path: str, line: int, problem: str) -> Finding:
    return Finding(Severity.ERROR, path, line, problem)


def _version(root: yaml.Node) -> tuple[Version, list[Finding]]:
    """The version that the document gives itself, and what keeps it from being checked."""
    if isinstance(root, yaml.MappingNode):
        for key, value in root.value:
            if key.value != "version":
                continue
            line = value.start_mark.line + 1
            version = Version.parse(value.value) if isinstance(value, yaml.ScalarNode) else None
            if version is None:
                return LATEST, [_error("version", line, "not of the form MAJOR.MINOR")]
            if version.major != SUPPORTED_MAJOR:
                problem = f"major version {version.major} where {SUPPORTED_MAJOR} is known"
                return LATEST, [_error("version", line, problem)]
            return version, []
    return LATEST, []


class _Checker:
    """Checks one document against one version of the specification."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._is_newer = version > LATEST

    def record(self, node: yaml.Node, table: Table, path: str, depth: int = 0) -> Iterator[Finding]:
        """What is wrong with the mapping ``node``, which should follow ``table``."""
        line = node.start_mark.line + 1
        if depth > _DEEPEST:
            yield _error(path, line, "nested too deeply")
            return
        if not isinstance(node, yaml.MappingNode):
            yield _error(path, line, f"{_described(node)} where a mapping ({table.name}) belongs")
            return
        seen: set[str] = set()
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            inner = f"{path}.{name}" if path else name
            if name in seen:
                yield _error(inner, key.start_mark.line + 1, "given twice")
            seen.add(name)
            attribute = table.attributes.get(name)
            if attribute is None:
                yield self._unknown(inner, key, f"no attribute of {table.name}")
            elif not attribute.is_in(self._version):
                yield _error(inner, key.start_mark.line + 1, self._other_version(attribute))
            else:
                yield from self._value(value, attribute, inner, depth)
        for attribute in table.attributes.values():
            missing = attribute.name not in seen and attribute.is_in(self._version)
            if missing and attribute.presence is not Presence.OPTIONAL:
                yield _error(path, line, f"{attribute.name} is missing")

    def _unknown(self, path: str, node: yaml.Node, what: str) -> Finding:
        line = node.start_mark.line + 1
        if self._is_newer:
            problem = f"{what} up to version {LATEST}; the file has {self._version}"
            return Finding(Severity.NOTE, path, line, problem)
        return _error(path, line, what)

    def _other_version(self, attribute: Attribute) -> str:
        if attribute.since > self._version:
            return f"came with version {attribute.since}; the file has {self._version}"
        return f"was removed in version {attribute.until}; the file has {self._version}"

    def _value(
        self, node: yaml.Node, attribute: Attribute, path: str, depth: int
    ) -> Iterator[Finding]:
        table = tables().get(attribute.type)
        if table is None:
            yield from self._literal(node, attribute.type, path)
        elif not attribute.is_list:
            yield from self.record(node, table, path, depth + 1)
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                yield from self.record(item, table, f"{path}[{index}]", depth + 1)
        elif not _is_empty(node):
            problem = f"{_described(node)} where a list of {table.name} belongs"
            yield _error(path, node.start_mark.line + 1, problem)

    def _literal(self, node: yaml.Node, kind: str, path: str) -> Iterator[Finding]:
        line = node.start_mark.line + 1
        array = _ARRAY.fullmatch(kind)
        if array:
            yield from self._array(node, array[1], array[2], path)
        elif not isinstance(node, yaml.ScalarNode):
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

    def _array(self, node: yaml.Node, kind: str, count: str, path: str) -> Iterator[Finding]:
        line = node.start_mark.line + 1
        if not isinstance(node, yaml.SequenceNode):
            yield _error(path, line, f"{_described(node)} where a list of {kind} belongs")
            return
        if count != "N" and len(node.value) != int(count):
            yield _error(path, line, f"{len(node.value)} values where {count} belong")
        for index, item in enumerate(node.value):
            yield from self._literal(item, kind, f"{path}[{index}]")


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


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.value == ""


def _described(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return repr(node.value[:40])
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
