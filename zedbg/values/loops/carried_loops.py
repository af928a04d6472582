"""The iteration of a loop that nothing counts, from what it carries from one to the next.

A binary search, or a walk along links, has no counter. But the values that it carries can be
computed iteration by iteration, until they are what the registers hold which the compiler names for
them. That counts where the machine code shows that registers carry something: they have what they
had where the iteration began, and the loop writes to them after that; or the other way round.

What compilers say may still be off by a constant, which makes it that of another iteration. So one
value must agree in lanes in which no constant does that, or its changes must be no constants: those
of one value that the compiler names a register for, or of two that it computes from registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from zedbg.dwarf import Variable
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.trust.steps import Span
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import MissingError
from zedbg.spirv.analysis.inductions import loop_phis
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import TooMuch
from zedbg.values.counters.proved_counters import LoopPlace
from zedbg.values.loops.iterations import LaneLoop, comes_in
from zedbg.values.loops.left_lanes import is_of_its_pass, possible_iterations
from zedbg.values.loops.own_loops import own_loop
from zedbg.values.source.access import Access
from zedbg.values.source.frame_context import visible_variables
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import states_of
from zedbg.values.typed.homes import DataHome, RegisterHome
from zedbg.values.typed.locate import locate
from zedbg.xe.registers import Register, RegisterKind, dwarf_register

_MOST_ITERATIONS = 1_000
_MOST_LANES = 8  # that are compared
_LEAST_LANES = 4  # that tell what a register is
_MASK = (1 << 32) - 1

_Lanes = tuple[int, ...]  # the bytes of one value in each lane, as a number


class _Held(NamedTuple):
    """What registers hold; ``is_named``: as the compiler names them, without computing anything."""

    values: _Lanes
    is_named: bool


@dataclass(frozen=True)
class _Carried:
    """What registers hold, and how many bits of each; ``rows``: what that is in each iteration."""

    held: list[_Held]
    bits: list[int]
    rows: list[tuple[_Lanes, ...]]

    def iteration(self, possible: range) -> int | None:
        """The one of those ``possible`` that registers tell."""
        values = tuple(each.values for each in self.held)
        rows = self.rows[possible.start : possible.stop]
        found = [number for number, row in enumerate(rows) if row == values]
        are_named = [each.is_named for each in self.held]
        if len(found) != 1 or not is_sure(self.bits, rows, found[0], are_named):
            return None
        return possible.start + found[0]


def carried_iteration(
    frame: SourceFrame,
    there: Sequence[LaneLoop],
    others: Sequence[LaneLoop],
    blocks: Sequence[int],
) -> int | None:
    """The iteration of their loop in which the lanes ``there`` are, all that are active, and all of
    them in the same one; None where neither what it carries nor which lanes have left it tells
    that. ``others``: the other lanes of the thread; ``blocks``: those that have code of the line.
    """
    loop = own_loop(frame, there[0])
    if loop is None or there[0].activation.function is not frame.position.function:
        return None
    some = there[:: -(-len(there) // _MOST_LANES)]
    carried = _carried_values(frame, loop, some)
    number = None if carried is None else carried.iteration(range(len(carried.rows)))
    if number is None:
        possible = possible_iterations(frame, loop, there, others) or range(0)
        if carried is not None:
            number = carried.iteration(possible)
        elif len(possible) == 1 and is_of_its_pass(frame, loop):
            number = possible[0]
        if number is None:
            number = _by_first_numbers(frame, loop, some, possible)
    if number is None or not all(_comes_to_one(each, blocks, number) for each in some):
        return None
    return number


def _by_first_numbers(
    frame: SourceFrame, loop: tuple[int, int], there: Sequence[LaneLoop], possible: range
) -> int | None:
    """The iteration of those ``possible`` in which what ``loop`` carries from pass to pass is more
    than in the first one by as much as what the source carries; None where registers do not tell
    it. The compiler need not say what they are: what begins as a value of the source and is one of
    that later on, in lanes in which that does not change alike, is that value."""
    if len(there) < _LEAST_LANES:
        return None
    try:
        registers = frame.context.read_registers(RegisterKind.GRF)
    except LevelZeroError:
        return None
    code, address = frame.info.code, frame.address
    carried = _known_phis(frame.model, there)
    told, sure = {*possible}, set[int]()
    is_condition = there[0].place(address).is_condition(frame.model)
    # Where the loop has written to it in this pass already, it is that of the next iteration.
    for is_next in (True,) if is_condition else (False, True):
        ahead = is_next and not is_condition
        among = range(possible.start + ahead, possible.stop + ahead)
        for each in code.carried_registers(loop, address, is_next=is_next):
            held, first = [], []
            for one in there:
                place = each.places.place(one.lane)
                number = code.first_number(each, one.lane, address, registers)
                if place is not None and number is not None:
                    held.append(int.from_bytes(registers[place : place + 4], "little"))
                    first.append(number)
            if len(held) == len(there):
                fitting, alone = carried.fitting(tuple(first), tuple(held), among)
                told &= {number - ahead for number in fitting} or told
                sure |= {number - ahead for number in alone}
    return told.pop() if len(told) == 1 and told <= sure else None


@dataclass(frozen=True)
class _Phis:
    """Values of four bytes that a loop carries: of each what it is in each iteration, in some
    lanes; ``are_all``: of each such value that is known."""

    rows: list[list[_Lanes]]
    are_all: bool

    def fitting(self, first: _Lanes, held: _Lanes, among: range) -> tuple[set[int], set[int]]:
        """The iterations of those ``among`` in which a register that began with ``first`` may be
        what it has now, ``held``; and those which are the only ones for a value, and sure: no
        constant makes what that is in others of it, or the register began with the same."""
        fitting, sure = set[int](), set[int]()
        changes = _distances(held, first, _MASK)
        for rows in self.rows:
            if len(set(_distances(first, rows[0], _MASK))) > 1:
                continue  # it does not begin with that, nor with what differs by a constant
            within = rows[among.start : among.stop]
            found = [
                number
                for number, row in enumerate(within)
                if _distances(row, rows[0], _MASK) == changes
            ]
            fitting.update(among[number] for number in found)
            is_same = self.are_all and first == rows[0] and len(set(first)) > 1
            row_of_each = [(row,) for row in within]
            if len(found) == 1 and (is_same or is_sure([32], row_of_each, found[0], [False])):
                sure.add(among[found[0]])
        return fitting, sure


def _known_phis(model: Model, there: Sequence[LaneLoop]) -> _Phis:
    """Those of the loop that the lanes ``there`` are in, as far as they can be computed."""
    found, count = [], 0
    for each in loop_phis(there[0].activation.function, there[0].loop):
        if model.code.type_of[each.result].size == 4:
            count += 1
            try:
                rows = [values for (values,) in _iterations(model, there, [each.result])]
            except UnknownValue:
                continue
            found.append(rows)
    return _Phis(found, len(found) == count)


def _carried_values(
    frame: SourceFrame, loop: tuple[int, int], there: Sequence[LaneLoop]
) -> _Carried | None:
    """Those of the loop that the lanes ``there`` are in; None where no registers hold them, or they
    cannot be computed."""
    lanes = [each.lane for each in there]
    held = _held(frame, there[0].place(frame.address), loop, lanes)
    if not held:
        return None
    try:
        rows = list(_iterations(frame.model, there, tuple(held)))
    except UnknownValue:
        return None
    bits = [frame.model.code.type_of[each].bits for each in held]
    return _Carried([*held.values()], bits, rows)


def is_sure(
    bits: Sequence[int],
    rows: Sequence[tuple[_Lanes, ...]],
    found: int,
    are_named: Sequence[bool],
) -> bool:
    """Whether the values of iteration ``found`` are of no other one, though constants may have been
    added to them. ``rows``: of each iteration the values, each in all lanes; ``bits`` of each;
    ``are_named``: whether it is in a register that the compiler names."""
    masks = [(1 << each) - 1 for each in bits]
    columns = list(zip(*rows, strict=True))
    others = [number for number in range(len(rows)) if number != found]
    if all(
        any(
            len(set(_distances(each[found], each[other], mask))) > 1
            for each, mask in zip(columns, masks, strict=True)
        )
        for other in others
    ):
        return True
    telling = [
        is_named
        for each, mask, is_named in zip(columns, masks, are_named, strict=True)
        if each.count(each[found]) == 1
        and len({_distances(later, earlier, mask) for earlier, later in pairwise(each)}) > 1
    ]
    return any(telling) or len(telling) > 1


def _distances(later: Sequence[int], earlier: Sequence[int], mask: int) -> _Lanes:
    return tuple(a - b & mask for a, b in zip(later, earlier, strict=True))


def _iterations(
    model: Model, there: Sequence[LaneLoop], phis: Sequence[int]
) -> Iterator[tuple[_Lanes, ...]]:
    """What ``phis`` are in each iteration that all of ``there`` make; of an endless loop up to the
    one from which on nothing changes. Raises UnknownValue."""
    header = there[0].loop.header
    carried = loop_phis(there[0].activation.function, there[0].loop)
    others = [each.result for each in carried if each.result not in phis]
    before: object = None
    for number in range(_MOST_ITERATIONS):
        row = tuple(tuple(_number(model, each, phi, number) for each in there) for phi in phis)
        everything = row, [_numbers_if_known(model, there, phi, number) for phi in others]
        if everything == before:
            return
        yield row
        before = everything
        for each in there:
            iterations = (*each.outer, number)
            if not each.evaluation.goes_round(each.activation, header, iterations):
                return
    raise TooMuch


def _number(model: Model, here: LaneLoop, phi: int, number: int) -> int:
    """The bytes of ``phi`` in an iteration. Raises UnknownValue."""
    there = (*here.outer, number)
    value = here.evaluation.value(here.activation, phi, here.loop.header, there)
    data = None if isinstance(value, Place) else model.code.type_of[phi].encode(value)
    if data is None:
        raise UnknownValue("it has no bytes")
    return int.from_bytes(data, "little")


def _numbers_if_known(
    model: Model, there: Sequence[LaneLoop], phi: int, number: int
) -> tuple[int, ...] | object:
    """Those of all lanes; something that is like nothing else where one is not known."""
    try:
        return tuple(_number(model, each, phi, number) for each in there)
    except UnknownValue:
        return object()


def _comes_to_one(here: LaneLoop, blocks: Sequence[int], number: int) -> bool:
    """Whether the lane comes to one of ``blocks`` in that iteration, as far as can be computed:
    compilers let lanes of all ways execute short ones."""
    evaluation, call, header = here.evaluation, here.activation, here.loop.header
    iterations = (*here.outer, number)
    return any(comes_in(evaluation, call, each, header, iterations) is not False for each in blocks)


def _held(
    frame: SourceFrame, place: LoopPlace, loop: tuple[int, int], lanes: Sequence[int]
) -> dict[int, _Held]:
    """By OpPhi of the loop at ``place``, what ``lanes`` began the iteration with, where registers
    that ``loop`` of the machine code carries hold it. At the loop's condition that is the iteration
    after the one whose code comes before it."""
    phis = {each.result for each in loop_phis(place.function, place.loop)}
    found: dict[int, _Held] = {}
    for _, variable in visible_variables(frame.context):
        phi = _only_value(frame, place, variable)
        if phi in phis:
            parts = [_carried(frame, place, variable, loop, lane) for lane in lanes]
            known = [each for each in parts if each is not None]
            if len(known) < len(parts):
                continue
            numbers, are_named = zip(*known, strict=True)
            before = found.setdefault(phi, _Held(numbers, all(are_named)))
            if before.values != numbers:
                return {}  # what the compiler says of two variables contradicts itself
    return found


def _only_value(frame: SourceFrame, place: LoopPlace, variable: Variable) -> int:
    """The result of the SPIR-V that ``variable`` is at ``place``; 0 where it is not one alone."""
    found = set()
    for point, parts in states_of(frame.model, frame.position, variable) or ():
        if point.block == place.block:
            given = {each for state in parts for each in state}
            only = given.pop() if len(given) == len(parts) == 1 else None
            is_whole = only is not None and not only.in_memory and only.fragment is None
            found.add(only.value or 0 if only is not None and is_whole else 0)
    return found.pop() if len(found) == 1 else 0


def _carried(
    frame: SourceFrame, place: LoopPlace, variable: Variable, loop: tuple[int, int], lane: int
) -> tuple[int, bool] | None:
    """What it holds for ``lane``, and whether that is a register as the compiler names it."""
    context, size = frame.context, variable.type.size
    state = _WatchedState(**vars(frame.state))
    lanes, active = (lane,), context.active_lanes
    try:
        (home,) = locate(frame.info, variable, state, frame.address, lanes, active)
    except (MissingError, DebugInfoError):
        return None
    if isinstance(home, RegisterHome):
        state.read.append((home.register, home.bit_offset, 8 * size))
    elif not isinstance(home, DataHome):
        return None
    grf_bytes = context.register_layout.platform.grf_bytes
    places = []
    for register, offset, bits in state.read:
        if register is None or register.kind is not RegisterKind.GRF or not bits:
            return None
        first = register.index * grf_bytes + offset // 8
        places.append(Span(first, first + -(-bits // 8), 0))
    is_next = place.is_condition(frame.model)
    if not frame.info.code.loop_carries(places, loop, frame.address, is_next=is_next):
        return None
    (data,) = Access(context).load([home], size)
    if not isinstance(data, bytes):
        return None
    return int.from_bytes(data, "little"), isinstance(home, RegisterHome)


@dataclass(frozen=True)
class _WatchedState(FrameState):
    """Notes which bits of registers are ``read``: the register, the first bit and how many."""

    read: list[tuple[Register | None, int, int]] = field(default_factory=list)

    def register_bits(self, number: int, bit_offset: int, bit_size: int) -> int:
        self.read.append((dwarf_register(number), bit_offset, bit_size))
        return super().register_bits(number, bit_offset, bit_size)
