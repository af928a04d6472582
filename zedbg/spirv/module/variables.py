"""Which value a variable of the source has at a place in the code of its function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Assignment, Fragment, Instruction
from zedbg.spirv.module.operations import Op


@dataclass(frozen=True, slots=True)
class Point:
    """In front of item ``index`` of a block."""

    block: int
    index: int


@dataclass(frozen=True, slots=True)
class Given:
    """What gives a variable, or a part of it, its value: see :class:`Assignment`. Without
    ``is_set``: nothing has given it one yet."""

    value: int | None
    in_memory: bool
    fragment: Fragment | None
    is_set: bool = True


State = frozenset[Given]  # what one of several ways here gave it
Items = list[tuple[int, Assignment]]  # of one block, with their places in it
_NOTHING: State = frozenset({Given(None, False, None, is_set=False)})
_UNKNOWN: State = frozenset({Given(None, False, None)})


class VariableValues:
    """The values of the variables of one function."""

    def __init__(self, code: SpirvCode, flow: Flow) -> None:
        self._code = code
        self._flow = flow
        self._points: dict[tuple[int, int, int], list[Point]] = {}
        self._declared: dict[int, defaultdict[tuple[str, int], list[int]]] = {}
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
        return [*exact, *self._declaring(line, column, inlined)] or list(found)

    def _declaring(self, line: int, column: int, inlined: int) -> list[Point]:
        """The ends of the blocks in front of loops whose first blocks alone have instructions of
        ``line`` and ``column``: those that take what a variable had that is declared there."""
        if not column:
            return []
        own = [
            (label, item.opcode)
            for label, item in instructions(self._flow)
            if item.line is not None and item.inlined == inlined
            if (item.line.line, item.line.column) == (line, column)
        ]
        if any(opcode != Op.PHI for _, opcode in own):
            return []
        return [
            Point(before, len(self._flow.function.blocks[before].items) - 1)
            for label, _ in own
            if (loop := self._flow.loops.get(label)) is not None
            for before in self._flow.before[label]
            if before not in loop.blocks
        ]

    def declared(self, name: str, line: int, inlined: int = 0) -> list[int]:
        """The variables called ``name`` that are declared at ``line`` and have a value here."""
        if inlined not in self._declared:
            known = self._code.variables
            found = self._declared[inlined] = defaultdict(list)
            for each, call in self._assignments:
                if call == inlined and each in known:
                    found[known[each].name, known[each].line].append(each)
        return self._declared[inlined].get((name, line), [])

    def at(self, variable: int, point: Point, inlined: int = 0) -> list[State]:
        """What ``variable`` has at ``point``: a state for each part that is given apart. Empty
        where it has not been given anything."""
        given = self._assignments.get((variable, inlined), {})
        before = [each for each in given.get(point.block, ()) if each[0] < point.index]
        if len(given) == 1 and self._is_given_before(*next(iter(given.items())), point):
            (items,) = given.values()  # most are given once
            found = _after(items, {})
        else:
            found = _after(before, self._flowed(variable, inlined).get(point.block, {}))
        if before and self._may_be_of_line(*before[-1], point):
            found = {**found, before[-1][1].fragment: _UNKNOWN}
        return list(found.values())

    def _may_be_of_line(self, index: int, item: Assignment, point: Point) -> bool:
        """Whether ``item``, with number ``index`` in the block, may be a part of the line whose
        code begins at ``point``, as in ``a[i] = x = 1``: nothing is executed between the two, the
        line stores the same or has no code but a jump, and it is not given what was made just
        before. Of assignments, no line is said."""
        items = self._flow.function.blocks[point.block].items
        if any(isinstance(each, Instruction) for each in items[index + 1 : point.index]):
            return False
        before = (each for each in reversed(items[:index]) if isinstance(each, Instruction))
        if (made := next(before, None)) is not None and made.result == item.value:
            return False
        if isinstance(items[point.index], Instruction) and point.index == len(items) - 1:
            return True  # a jump alone: it is what is left of the line
        line: int | None = None
        for each in items[point.index :]:
            if isinstance(each, Instruction):
                line = line or (each.line and each.line.line)
                if each.line is None or each.line.line != line:
                    break
                if each.opcode == Op.STORE and self._is_same(each.operands[1], item.value):
                    return True
        return False

    def _is_same(self, value: int, other: int | None) -> bool:
        constant = self._code.constants.get(value)
        is_same = constant is not None and constant == self._code.constants.get(other or 0)
        return value == other or is_same

    def _is_given_before(self, block: int, items: Items, point: Point) -> bool:
        """Whether all ways to ``point`` lead through all of ``items`` of ``block``, and nothing
        that was before them lasts."""
        if items[0][1].fragment is not None:
            return False
        if block == point.block:
            return items[-1][0] < point.index
        return self._flow.dominates(block, point.block)

    def at_end(
        self, variable: int, block: int, fragment: Fragment | None, inlined: int = 0
    ) -> State:
        """What ``variable``, or the part ``fragment`` of it, has when ``block`` ends."""
        given = self._assignments.get((variable, inlined), {}).get(block, [])
        entering = self._flowed(variable, inlined).get(block, {})
        return _after(given, entering).get(fragment, _NOTHING)

    @cached_property
    def _assignments(self) -> dict[tuple[int, int], dict[int, Items]]:
        """By variable and inlined call, and by block: what gives it, or a part of it, a value."""
        found: dict[tuple[int, int], dict[int, Items]] = {}
        for label, block in self._flow.function.blocks.items():
            for index, item in enumerate(block.items):
                if isinstance(item, Assignment):
                    given = found.setdefault((item.variable, item.inlined), {})
                    given.setdefault(label, []).append((index, item))
        return found

    def _flowed(self, variable: int, inlined: int) -> dict[int, dict[Fragment | None, State]]:
        """What each block begins with, once known."""
        key = variable, inlined
        if key in self._entering:
            return self._entering[key]
        given = self._assignments.get(key, {})
        entering: dict[int, dict[Fragment | None, State]] = {self._flow.function.entry: {}}
        waiting = [self._flow.function.entry]
        while waiting:
            label = waiting.pop(0)
            state = _after(given.get(label, []), entering[label])
            for each in dict.fromkeys(self._flow.after[label]):
                known = entering.get(each)
                joined = state if known is None or known == state else _joined(known, state)
                if known is None or joined != known:
                    entering[each] = joined
                    waiting.append(each)
        self._entering[key] = entering
        return entering


def _after(items: Items, state: dict[Fragment | None, State]) -> dict[Fragment | None, State]:
    """What ``items`` make of ``state``, which stays as it is."""
    if items:
        state = dict(state)
    for _, item in items:
        if item.fragment is None:
            state.clear()
        else:
            state.pop(None, None)
        state[item.fragment] = frozenset({Given(item.value, item.in_memory, item.fragment)})
    return state


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
