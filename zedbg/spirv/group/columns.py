"""A value in each of several lanes, as what computes all lanes at once makes and takes it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place

_LETTERS: dict[frozenset[type], str] = {frozenset({int}): "Q", frozenset({float}): "d"}

LaneValue: TypeAlias = Value | Place | UnknownValue


@dataclass(eq=False)  # not frozen: very many are made
class Column:
    """A value in each of some lanes, or one for all of them (``is_uniform``). It stays as it is."""

    values: list[LaneValue]
    is_uniform: bool
    is_known: bool  # in every lane

    def of(self, index: int) -> LaneValue:
        """That of lane number ``index``."""
        return self.values[0 if self.is_uniform else index]

    def each(self, count: int) -> list[LaneValue]:
        """Those of all ``count`` lanes."""
        return self.values * count if self.is_uniform else self.values

    @cached_property
    def classes(self) -> frozenset[type]:
        """Those of the values."""
        return frozenset(map(type, self.values))

    @cached_property
    def key(self) -> object:
        """What is equal for columns with the same values only: zeros with a sign are equal to
        others."""
        letter = _LETTERS.get(self.classes)
        if letter is not None:
            try:
                return letter, struct.pack(f"<{len(self.values)}{letter}", *self.values)
            except struct.error:
                pass
        text = repr(self.values)
        return object() if "nan" in text else text  # NaNs that differ are written the same


#: Columns by the number of the step that made them.
Columns: TypeAlias = dict[int, Column]


def computed(compute: Callable[..., Value | Place], columns: list[Column], count: int) -> Column:
    """What ``compute`` makes of the values of each of ``count`` lanes. Where it raises
    UnknownValue, that is the value."""
    if all(each.is_uniform for each in columns):
        try:
            return Column([compute(*(each.values[0] for each in columns))], True, True)
        except UnknownValue as error:
            return Column([error], True, False)
    values = [each.each(count) for each in columns]
    try:
        return Column(list(map(compute, *values)), False, True)
    except UnknownValue:
        pass  # in some lane
    found: list[LaneValue] = []
    for each in zip(*values, strict=True):
        try:
            found.append(compute(*each))
        except UnknownValue as error:
            found.append(error)
    return Column(found, False, False)
