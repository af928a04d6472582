"""From trees of strings to typed records, by the types of the records' fields.

The kernels of a module of many repeat themselves: there equal parts of ``.ze_info`` become one
record, which is immutable and can be shared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from zedbg.zebin.block_yaml import Mapping, Plain
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.zeinfo import ArgumentInfo

_Record = TypeVar("_Record")
_Converter = Callable[[Plain], object]
_NUMBER = "a number"
_FEW = 16  # parts of a module, of which nothing is kept
_MOST_RECORDS = 16384
_KEEP = "extra"  # the field that keeps what the record does not know
_OF_THE_FILE = "type_size"  # a field that no key of the file has


class RecordReader:
    """Reads the records of one module."""

    def __init__(self, module: str, line_at: Callable[[int], int]) -> None:
        """``module`` is what errors call the module; ``line_at`` gives the line of a place in its
        ``.ze_info``."""
        self._module = module
        self._line_at = line_at
        self._what = ""
        self._place = 0
        self._parts = 0
        self._known: dict[tuple[object, ...], object] = {}

    def of(self, what: str, place: int) -> RecordReader:
        """Itself, for a part of the text that begins at ``place`` and that errors call ``what``."""
        self._what = what
        self._place = place
        self._parts += 1
        if len(self._known) > _MOST_RECORDS:
            self._known.clear()
        return self

    def one(self, record: type[_Record], tree: Plain) -> _Record:
        """One record. Some writers wrap a mapping into a list of one-key mappings.

        Raises ZebinError when a value has not the type of its field.
        """
        if isinstance(tree, list) and all(isinstance(part, dict) for part in tree):
            parts = cast(list[dict[str, Plain]], tree)
            tree = {key: value for part in parts for key, value in part.items()}
        if tree == "":
            tree = {}
        if not isinstance(tree, dict):
            raise self._error(f"{record.__name__} is not one", "a mapping")
        if self._parts <= _FEW:
            return self._make(record, tree)
        key = (record, *tree, *tree.values())
        try:
            known = self._known.get(key)
        except TypeError:  # lists inside, which have no hash
            return self._make(record, tree)
        if known is None:
            known = self._known[key] = self._make(record, tree)
        return cast(_Record, known)

    def many(self, record: type[_Record], tree: Plain) -> tuple[_Record, ...]:
        """A list of records, for which ``tree`` is used up; raises ZebinError as :meth:`one`."""
        if tree == "":
            return ()
        if not isinstance(tree, list):
            raise self._error(f"what should list {record.__name__} does not", "a list")
        made: list[_Record] = []
        tree.reverse()
        while tree:  # so that of a long list not all exists twice
            made.append(self.one(record, tree.pop()))
        return tuple(made)

    def _make(self, record: type[_Record], tree: dict[str, Plain]) -> _Record:
        converters = _converters(cast(type, record))
        fields: dict[str, Any] = {}
        extra: dict[str, Plain] = {}
        for key, value in tree.items():
            converter = converters.get(key)
            if converter is None:
                extra[key] = value
                continue
            try:
                fields[key] = converter(value)
            except (TypeError, ValueError) as error:
                expected = error.args[0] if type(error) is _WrongType else _NUMBER
                raise self._error(f"{key} is {value!r}", expected, tree, key) from error
        if extra:
            fields[_KEEP] = extra
        made = record(**fields)
        return cast(_Record, _split_type(made)) if isinstance(made, ArgumentInfo) else made

    def _error(
        self, problem: str, expected: str, tree: Plain | None = None, key: str = ""
    ) -> ZebinError:
        """An error; of ``key`` in ``tree``, which a list of one-key mappings has not kept."""
        where = ""
        if isinstance(tree, Mapping):
            where = f" line {self._line_at(self._place) + tree.line_of(key) - 1}:"
        part = f".ze_info:{where} {self._what}"
        return ZebinError(self._module, problem, part=part, expected=expected)


class _WrongType(ValueError):
    """A value of another type; the argument says which one was expected."""


@cache
def _converters(record: type) -> dict[str, _Converter]:
    """How each key of a record's mapping becomes the value of its field."""
    fields = [field for field in dataclasses.fields(record) if field.name != _OF_THE_FILE]
    return {field.name: _converter(str(field.type)) for field in fields if field.name != _KEEP}


def _converter(kind: str) -> _Converter:
    for start, converter in _CONVERTERS.items():
        if kind.startswith(start):
            return converter
    raise AssertionError(f"no field of a record may be {kind}")


def _integer(value: Plain) -> int:
    return int(cast(str, value), 0)


def _integers(value: Plain) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise _WrongType("a list of numbers")
    return tuple(map(_integer, value))


def _truth(value: Plain) -> bool:
    if value not in ("true", "false"):
        raise _WrongType("true or false")
    return value == "true"


def _text(value: Plain) -> str:
    if not isinstance(value, str):
        raise _WrongType("a text")
    return value


def _real(value: Plain) -> float:
    return float(cast(str, value))


_CONVERTERS: dict[str, _Converter] = {
    "tuple": _integers,
    "int": _integer,
    "bool": _truth,
    "str": _text,
    "float": _real,
}


def _split_type(argument: ArgumentInfo) -> ArgumentInfo:
    """Separates ``float*;8`` into the type's name and its size in bytes."""
    name, separator, size = argument.type_name.rpartition(";")
    if not separator or not size.isdecimal():
        return argument
    return dataclasses.replace(argument, type_name=name, type_size=int(size))
