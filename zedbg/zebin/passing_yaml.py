"""YAML as it passes by: nodes whose contents are read once, in order, and are not kept.

A tree of a document takes thirty times its text. A check looks at everything once, so that of a
``.ze_info`` of megabytes no more than the path to the current line has to be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from zedbg.zebin.shared_texts import SharedTexts
from zedbg.zebin.zeinfo import Plain
from zedbg.zebin.zeinfo_limits import MOST_KEYS

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_OPENING = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


@dataclass
class Scalar:
    """A text, at ``line`` (from 1)."""

    line: int
    value: str


@dataclass
class Sequence:
    """A list that begins at ``line``; ``items`` can be read once."""

    line: int
    items: Iterator[Node]


@dataclass
class Mapping:
    """A mapping that begins at ``line``; ``pairs`` of keys and values can be read once."""

    line: int
    pairs: Iterator[tuple[Node, Node]]


Node = Scalar | Sequence | Mapping


def documents(text: str) -> Iterator[Node]:
    """The root of each document in ``text``.

    Going on to the next one passes over what has not been read. Raises yaml.YAMLError where the
    text is not YAML. Aliases count as that, as nothing is kept that they could stand for.
    """
    reader = _Reader(text)
    for event in reader.events:
        if isinstance(event, yaml.DocumentStartEvent):
            yield from reader.nodes(0)


def tree(node: Node, shared: SharedTexts) -> Plain:
    """All of ``node``, read to its end; equal texts are one of ``shared``.

    Raises yaml.YAMLError for keys that are no texts.
    """
    if isinstance(node, Scalar):
        return shared.one(node.value)
    if isinstance(node, Sequence):
        return [tree(item, shared) for item in node.items]
    found: dict[str, Plain] = {}
    for key, value in node.pairs:
        if not isinstance(key, Scalar):
            raise yaml.MarkedYAMLError(problem=f"line {key.line}: a key that is no text")
        if len(found) == MOST_KEYS:
            problem = f"more than {MOST_KEYS} keys, which no table of zeinfo has"
            mark = yaml.Mark("", 0, key.line - 1, 0, None, 0)
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
        found[shared.one(key.value)] = tree(value, shared)
    return found


class _Reader:
    """The events of one text, and how many lists and mappings are open behind the last one."""

    def __init__(self, text: str) -> None:
        self.events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
        self._depth = 0

    def _next(self) -> yaml.Event:
        event = next(self.events)
        self._depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        return event

    def nodes(self, depth: int) -> Iterator[Node]:
        """What lies ``depth`` levels deep, up to the end of the list or mapping around it."""
        while True:
            event = self._next()
            if self._depth < depth or isinstance(event, yaml.DocumentEndEvent):
                return
            mark = event.start_mark
            yield self._node(event, 1 if mark is None else mark.line + 1)
            while self._depth > depth:
                self._next()

    def _node(self, event: yaml.Event, line: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(line, event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            return Sequence(line, self.nodes(self._depth))
        if isinstance(event, yaml.MappingStartEvent):
            return Mapping(line, self._pairs(self._depth))
        raise yaml.MarkedYAMLError(problem=f"line {line}: an alias, which zeinfo has none of")

    def _pairs(self, depth: int) -> Iterator[tuple[Node, Node]]:
        nodes = self.nodes(depth)
        for key in nodes:
            value = next(nodes, None)
            if value is not None:
                yield key, value
