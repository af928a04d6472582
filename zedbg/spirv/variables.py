"""Which value a variable of the source has at a place in the code of its function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.spirv.code import Assignment, Fragment, Instruction, SpirvCode
from zedbg.spirv.flow import Flow


@dataclass(frozen=True, slots=True)
class Point:
    """In front of item ``index`` of a block."""

    block: int
    index: int


@dataclass(frozen=True, slots=True)
class Given:
    """What gives a variable, or a part of it, its value: see :class:`Assignment`."""

    value: int | None
    in_memory: bool
    fragment: Fragment | None


State = frozenset[Given]  # what one of several ways here gave it
_NOTHING: State = frozenset({Given(None, False, None)})


class VariableValues:
    """The values of the variables of one function."""

    def __init__(self, code: SpirvCode, flow: Flow) -> None:
        self._code = code
        self._flow = flow
        self._points: dict[tuple[int, int, int], list[Point]] = {}
        self._declared: dict[int, list[int]] = {}
        self._entering: dict[tuple[int, int], dict[int, dict[Fragment | None, State]]] = {}

    def points(self, line: int, column: int, inlined: int = 0) -> list[Point]:
        """Where the code of ``line`` begins, in each block that has some; of several stretches in
        a block those which have code of ``column``, if any of the function has."""
        key = line, column, inlined
        if key not in self._points:
            self._points[key] = self._find_points(line, column, inlined)
        return self._points[key]

    def _find_points(self, line: int, column: int, inlined: int) -> list[Point]:
        found: dict[Point, bool] = {}
        for label, block in self._flow.function.blocks.items():
            start: Point | None = None
            for index, item in enumerate(block.items):
                if not isinstance(item, Instruction) or item.line is None:
                    continue
                if item.line.line != line or item.inlined != inlined:
                    start = None
                    continue
                start = start or Point(label, index)
                found[start] = found.get(start, False) or item.line.column == column
        exact = [point for point, matches in found.items() if matches]
        return exact or list(found)

    def declared(self, name: str, line: int, inlined: int = 0) -> list[int]:
        """The variables called ``name`` that are declared at ``line`` and have a value here."""
        if inlined not in self._declared:
            given = (
                item.variable
                for block in self._flow.function.blocks.values()
                for item in block.items
                if isinstance(item, Assignment) and item.inlined == inlined
            )
            self._declared[inlined] = list(dict.fromkeys(given))
        known = self._code.variables
        return [
            each
            for each in self._declared[inlined]
            if each in known and known[each].name == name and known[each].line == line
        ]

    def at(self, variable: int, point: Point, inlined: int = 0) -> list[State]:
        """What ``variable`` has at ``point``: a state for each part that is given apart. Empty
        where it has not been given anything."""
        entering = self._flowed(variable, inlined).get(point.block, {})
        state = dict(entering)
        for item in self._flow.function.blocks[point.block].items[: point.index]:
            if isinstance(item, Assignment):
                _apply(item, variable, inlined, state)
        return list(state.values())

    def at_end(
        self, variable: int, block: int, fragment: Fragment | None, inlined: int = 0
    ) -> State:
        """What ``variable``, or the part ``fragment`` of it, has when ``block`` ends."""
        state = dict(self._flowed(variable, inlined).get(block, {}))
        for item in self._flow.function.blocks[block].items:
            if isinstance(item, Assignment):
                _apply(item, variable, inlined, state)
        return state.get(fragment, _NOTHING)

    def _flowed(self, variable: int, inlined: int) -> dict[int, dict[Fragment | None, State]]:
        """What each block begins with, once known."""
        key = variable, inlined
        if key in self._entering:
            return self._entering[key]
        entering: dict[int, dict[Fragment | None, State]] = {self._flow.function.entry: {}}
        waiting = [self._flow.function.entry]
        while waiting:
            label = waiting.pop(0)
            state = dict(entering[label])
            for item in self._flow.function.blocks[label].items:
                if isinstance(item, Assignment):
                    _apply(item, variable, inlined, state)
            for each in dict.fromkeys(self._flow.after[label]):
                joined = state if each not in entering else _joined(entering[each], state)
                if each not in entering or joined != entering[each]:
                    entering[each] = dict(joined)
                    waiting.append(each)
        self._entering[key] = entering
        return entering


def _apply(
    item: Assignment, variable: int, inlined: int, state: dict[Fragment | None, State]
) -> None:
    if item.variable != variable or item.inlined != inlined:
        return
    if item.fragment is None:
        state.clear()
    else:
        state.pop(None, None)
    state[item.fragment] = frozenset({Given(item.value, item.in_memory, item.fragment)})


def _joined(
    some: dict[Fragment | None, State], others: dict[Fragment | None, State]
) -> dict[Fragment | None, State]:
    return {
        key: some.get(key, _NOTHING) | others.get(key, _NOTHING)
        for key in (*some, *(each for each in others if each not in some))
    }


def instructions(flow: Flow) -> Iterator[tuple[int, Instruction]]:
    """The instructions of a function with the labels of their blocks."""
    for label, block in flow.function.blocks.items():
        for item in block.items:
            if isinstance(item, Instruction):
                yield label, item
