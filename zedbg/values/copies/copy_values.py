"""Which copies of loops' bodies code is, by what instructions make and take, and places hold.

What becomes of what the next instruction gives is compared with what the source makes at the line
in each copy, what it takes with what the source uses there, and the compiler's places of variables
with what these have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.spirv.module.types import UNDEFINED
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.values.copies.code_ahead import computed_ahead
from zedbg.values.copies.code_operands import (
    SourceNumber,
    flowing_values,
    made_values,
    taken_operands,
    used_values,
)
from zedbg.values.copies.copy_levels import Copy, LaneLevels
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import states_of
from zedbg.values.typed.homes import DataHome, RegisterHome

_LANES = 4  # tell copies apart


@dataclass(frozen=True)
class Told:
    """The copies in which a value of the source is what registers have: ``fitting``; and ``near``,
    with those in which it differs from that by an amount that all lanes share. What compilers
    compute instead of a value often differs by a constant from it, or from that of another
    iteration; but not by another amount in each lane. ``values``: those that fit."""

    near: set[Copy]
    fitting: set[Copy]
    is_alone: bool  # near is less than all copies
    values: frozenset[SourceNumber]


class CopyValues:
    """Those of the code of ``frame`` in ``block``, in its innermost call."""

    def __init__(self, frame: SourceFrame, block: int) -> None:
        self._frame = frame
        self._model = frame.model
        self._flow = self._model.flow(frame.position.function)
        self._around = self._flow.loops_around(block)
        self._columns: dict[tuple[Copy, SourceNumber], list[bytes] | None] = {}

    def by_results(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> Told | None:
        """By what becomes of what the next instruction gives."""
        if len(lanes) < _LANES:
            return None
        frame, around = self._frame, self._around
        made = made_values(frame, around)
        flowing = flowing_values(frame, around)
        of_line: Told | None = None
        of_constant: Told | None = None
        all_told: list[Told] = []
        for each in computed_ahead(frame, [one.lane for one in lanes]):
            told = None
            if each.line is not None:
                told = self._told(lanes, copies, flowing.get(each.line, ()), each.result)
            elif of_line is None:
                # Of more than one, the later ones may be those of another copy.
                told = self._told(lanes, copies, made, each.result)
                if told is not None and told.is_alone:
                    of_line = told
                of_constant = of_constant or told
            if told is not None and told.is_alone:
                all_told.append(told)
                if len(told.near) == 1:
                    break
        if not all_told:
            return of_constant
        near = set(copies).intersection(*(one.near for one in all_told))
        if not near:
            return None
        fitting = near.intersection(*(one.fitting for one in all_told))
        values = frozenset[SourceNumber]().union(*(one.values for one in all_told))
        return Told(near, fitting, True, values)

    def _told(
        self,
        lanes: Sequence[LaneLevels],
        copies: Sequence[Copy],
        values: Sequence[SourceNumber],
        held: dict[int, bytes],
    ) -> Told | None:
        """What ``held`` by lane says, if that is one of ``values``."""
        if len(held) < _LANES:
            return None
        near: set[Copy] = set()
        fitting: set[Copy] = set()
        fitting_values: set[SourceNumber] = set()
        for known in self._numbers(lanes, copies, values):
            if fitting:
                break
            for number in known:
                distances = {}
                for copy in copies:
                    distances[copy] = self._distances(lanes, copy, number, held)
                    if distances[copy] is None:
                        return None
                fits = {copy for copy, each in distances.items() if each == {0}}
                if fits:
                    fitting |= fits
                    fitting_values.add(number)
                    near |= {copy for copy, each in distances.items() if each and len(each) == 1}
        if not fitting or len(fitting) == len(copies):
            return None
        return Told(near, fitting, len(near) < len(copies), frozenset(fitting_values))

    def _distances(
        self,
        lanes: Sequence[LaneLevels],
        copy: Copy,
        number: SourceNumber,
        held: dict[int, bytes],
    ) -> set[int] | None:
        """By how much what is ``held`` in lanes is more than ``number``, as whole numbers that
        wrap; None where that is not known."""
        column = self._column(lanes, copy, number)
        if column is None:
            return None
        found = set()
        for each, data in zip(lanes, column, strict=True):
            own = held.get(each.lane)
            if own is not None:
                size = min(len(data), len(own))
                numbers = (int.from_bytes(b[:size], "little") for b in (own, data))
                found.add((next(numbers) - next(numbers)) % (1 << 8 * size))
        return found

    def _column(
        self, lanes: Sequence[LaneLevels], copy: Copy, number: SourceNumber
    ) -> list[bytes] | None:
        """What ``number`` is in each of ``lanes``; None where that is not known of all."""
        key = copy, number
        if key not in self._columns:
            try:
                found = [self._data(each, copy, number) for each in lanes]
            except UnknownValue:
                found = [None]
            self._columns[key] = [each for each in found if each is not None]
            if None in found:
                self._columns[key] = None
        return self._columns[key]

    def by_operands(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> set[Copy] | None:
        """By what the next instructions take; empty where that contradicts itself."""
        said: set[Copy] | None = None
        used = used_values(self._frame, self._around)
        for taken in taken_operands(self._frame, [each.lane for each in lanes]):
            fitting = self._fitting(lanes, copies, used, taken)
            if fitting and len(fitting) < len(copies):
                said = fitting if said is None else said & fitting
        return said or None

    def by_places(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> set[Copy] | None:
        """By what the compiler's places of variables hold; None where that contradicts itself."""
        frame = self._frame
        said: set[Copy] | None = None
        function = frame.info.function_at(frame.address)
        calls = frame.position.calls
        for _, variable in frame.info.variables_at(
            frame.address, calls[-1][3] if calls else function
        ):
            given = {
                (each.value, point.block)
                for point, parts in states_of(self._model, frame.position, variable) or ()
                for part in parts
                for each in part
                if not each.in_memory and each.fragment is None
            }
            if len(given) != 1:
                continue
            ((result, block),) = given
            if result is None or result in self._model.code.constants:
                continue
            held = frame.held(variable, [each.lane for each in lanes], RegisterHome, DataHome)
            if not held:
                continue
            fitting = self._fitting(lanes, copies, [SourceNumber(result, block)], held)
            if fitting and len(fitting) < len(copies):
                said = fitting if said is None else said & fitting
        return said or None

    def _fitting(
        self,
        lanes: Sequence[LaneLevels],
        copies: Sequence[Copy],
        values: Sequence[SourceNumber],
        held: dict[int, bytes],
    ) -> set[Copy]:
        """The copies in which one of ``values`` is what ``held`` is by lane."""
        for known in self._numbers(lanes, copies, values):
            found = {
                copy
                for copy in copies
                if any(self._agree(lanes, copy, number, held) for number in known)
            }
            if found:
                return found
        return set()

    def _numbers(
        self, lanes: Sequence[LaneLevels], copies: Sequence[Copy], values: Sequence[SourceNumber]
    ) -> Iterator[list[SourceNumber]]:
        """Those of ``values`` that are whole, and then the components of vectors, which count where
        none of those fits: as far as they are known in each of ``copies``."""
        yield [each for each in values if each.part is None]
        yield [
            each
            for each in values
            if each.part is not None
            and all(self._column(lanes, copy, each) is not None for copy in copies)
        ]

    def _agree(
        self,
        lanes: Sequence[LaneLevels],
        copy: Copy,
        number: SourceNumber,
        held: dict[int, bytes],
    ) -> bool:
        """Whether ``held`` is what ``number`` is if the code is ``copy``, as far as that is
        known."""
        around = self._flow.loops_around(number.block)
        if around != self._around[: len(around)]:
            return False
        for each in lanes:
            if each.lane not in held:
                continue
            try:
                data = self._data(each, copy, number)
            except UnknownValue:
                continue
            if data is None:
                return False
            size = min(len(data), len(held[each.lane]))
            if data[:size] != held[each.lane][:size]:
                return False
        return True

    def _data(self, lane: LaneLevels, copy: Copy, number: SourceNumber) -> bytes | None:
        """The bytes of ``number``, whose block is in some of the loops, if the code is ``copy``;
        None where it has none. Raises UnknownValue."""
        shared = len(self._flow.loops_around(number.block))
        iterations = lane.iterations(copy)[:shared]
        value = lane.evaluation.value(lane.activation, number.result, number.block, iterations)
        kind = self._model.code.type_of[number.result]
        if isinstance(value, Place):
            return None
        if number.part is not None:
            value = value[number.part] if isinstance(value, tuple) else UNDEFINED
            kind = kind.part(number.part)
        return kind.encode(value)
