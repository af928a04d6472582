"""No C++ unit includes itself in a circle. A unit is NAME.hpp with NAME.cpp beside it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.places import REPOSITORY

NATIVE = REPOSITORY / "native"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def _unit(path: Path) -> str:
    return path.relative_to(NATIVE).with_suffix("").as_posix()


def _includes() -> dict[str, set[str]]:
    """The units that each unit includes."""
    units: dict[str, set[str]] = {}
    for path in (each for each in NATIVE.rglob("*.*") if each.suffix in (".cpp", ".hpp", ".h")):
        if "tests" in path.relative_to(NATIVE).parts:
            continue
        included = units.setdefault(_unit(path), set())
        for name in INCLUDE.findall(path.read_text()):
            if (NATIVE / name).exists():
                included.add(_unit(NATIVE / name))
        included.discard(_unit(path))
    return units


def _reachable(units: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        for each in units[left.pop()] - found:
            found.add(each)
            left.append(each)
    return found


def circles(units: dict[str, set[str]]) -> set[frozenset[str]]:
    """Sets of units each of which includes all others of its set, directly or not."""
    reachable = {unit: _reachable(units, unit) for unit in units}
    return {
        frozenset({unit} | {each for each in reachable[unit] if unit in reachable[each]})
        for unit in units
        if unit in reachable[unit]
    }


def test_a_circle_is_found() -> None:
    units = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert circles(units) == {frozenset({"b", "c"})}


def test_units_include_each_other_in_no_circle() -> None:
    units = _includes()
    assert len(units) > 100
    assert circles(units) == set()
