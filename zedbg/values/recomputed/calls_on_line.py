"""Which call of the source each is of the inlined calls of one function on one line.

Compilers say only the line of a call, and where its code is. Of several calls of a function on one
line, one may have passed each work-item other numbers. What the device has recorded of the code of
an inlined call are then numbers that the source computes in one of these calls, and in no other
one. That an inlined call is of that one is true of all work-items, and at all stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from zedbg.dwarf.scopes.scopes import InlinedCall, Scope
from zedbg.dwarf.trust.float_results import FloatWriters
from zedbg.missing import Missing
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.numbers.device_maths import is_left_to_device
from zedbg.spirv.work_item.activation import Activation, TooMuch
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.inputs.recorded_results import places_of, written_by
from zedbg.values.recomputed.lane_calls import LaneCalls
from zedbg.values.recomputed.passed_origins import sites_by_origins
from zedbg.values.source.places_alone import PlacesAlone
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import (
    calls_directly_in,
    calls_in_source,
    note_call,
)
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace
from zedbg.values.threads.work_items import WorkItems
from zedbg.xe.coordinates import lanes_of

_LANES = 8  # that are looked at
_FEWEST = 2  # of them, in which what is recorded is of one call only
_PLACES = 8  # of the source, in a function
_VISITS = 64  # of a call, and of the code in it
_NUMBER = 4  # bytes
_ONE = 0x3F800000
#: Numbers that many things are: zeros and ones.
_COMMON = {bits.to_bytes(_NUMBER, "little") for one in (0, _ONE) for bits in (one, one | 1 << 31)}

_Sites = Sequence[tuple[Instruction, int]]  # calls of the source, each with its block


def tell_calls_apart(
    frame: SourceFrame, items: WorkItems, around: Scope, call: InlinedCall
) -> bool:
    """Finds the call of the source that ``call`` is, which is directly in ``around``, the code of
    ``frame``; true if some are known now that were not, see
    :func:`zedbg.values.source.source_positions.note_call`."""
    sites = calls_in_source(frame.model, frame.position.function, frame.position.inlined, call)
    same = [
        each
        for each in calls_directly_in(around)
        if (each.name, each.call_line) == (call.name, call.call_line)
    ]
    if not 1 < len(sites) >= len(same) or len({item.operands[0] for item, _ in sites}) > 1:
        return False
    evidence = _Evidence(frame, items, sites)
    found = evidence.sites_of(same, Kind.FLOAT, 1) or evidence.sites_of(same, Kind.INTEGER, 2)
    if len(same) == len(sites):
        found = found or sites_by_origins(frame, same, [item for item, _ in sites])
    if len(found) == len(sites) - 1 and len(same) == len(sites):
        (left,) = set(range(len(sites))) - set(found.values())
        found |= {each: left for each in same if each not in found}
    for each, number in found.items():
        note_call(frame.model, each, sites[number][0])
    return bool(found)


class _Evidence:
    """What the thread of ``frame`` has recorded of calls, which are ``sites`` in the source."""

    def __init__(self, frame: SourceFrame, items: WorkItems, sites: _Sites) -> None:
        self._frame = frame
        self._model = frame.model
        self._sites = sites
        self._calls = LaneCalls(frame, items)
        self._outer = [*frame.position.inlined_calls()]
        self._callee = self._model.code.functions[sites[0][0].operands[0]]
        self._lanes = lanes_of(frame.context.dispatch_lanes)[:_LANES]
        self._given: dict[tuple[int, int, int], set[bytes]] = {}
        self._callers_of: dict[int, list[Activation]] = {}

    def _numbers(self, wanted: Kind) -> Iterator[tuple[Instruction, int]]:
        """What the source computes of ``wanted`` numbers in the callee, to the last bit, at places
        of the source of its own; and its block."""
        model = self._model
        alone = PlacesAlone.of(model, self._callee)
        places = alone.apart if wanted is Kind.FLOAT else alone.whole
        for label, item in instructions(model.flow(self._callee)):
            kind = model.code.type_of.get(item.result)
            if kind is None or kind.kind is not wanted or kind.size != _NUMBER:
                continue
            if (item.line, item.inlined) not in places or model.computation(item) is None:
                continue
            if not is_left_to_device(model.code, item) and item.result not in model.code.fast:
                yield item, label

    def sites_of(
        self, calls: Sequence[InlinedCall], wanted: Kind, fewest: int
    ) -> dict[InlinedCall, int]:
        """The numbers of the sites that some of ``calls`` are, by the ``wanted`` numbers that they
        compute at the ``fewest`` places; none where something speaks against it. Whole numbers may
        be the same by chance at one place, but hardly so in all calls."""
        items = list(self._numbers(wanted))[:_PLACES]
        code, address = self._frame.info.code, self._frame.address
        writers = [code.float_writers(address, [each, *self._outer]) for each in calls]
        places = tuple(dict.fromkeys(place for each in writers for place in places_of(each)))
        recorded = self._frame.context.recorded_writes(places)
        if isinstance(recorded, Missing):
            return {}
        found: dict[InlinedCall, int] = {}
        is_sure = True
        for call, own in zip(calls, writers, strict=True):
            sites = [site for each in items for site in self._only(*each, own, recorded)]
            if len(set(sites)) > 1:
                return {}
            if sites:
                found[call] = sites[0]
                is_sure &= len(sites) >= fewest
        is_each_one = len(set(found.values())) == len(found)
        return found if is_each_one and (is_sure or len(found) == len(calls)) else {}

    def _only(
        self,
        item: Instruction,
        label: int,
        writers: Mapping[tuple[int, int], FloatWriters],
        recorded: Mapping[WrittenPlace, Sequence[RecordedWrite]],
    ) -> list[int]:
        """The one site in which all that is recorded of ``item`` is given by it; none where there
        is none, or several."""
        assert item.line is not None
        own = writers.get((item.line.line, item.line.column))
        if own is None:
            return []
        left, count = set(range(len(self._sites))), 0
        for lane in self._lanes:
            written = written_by(own.last, recorded, lane)
            if not written:
                continue
            known = {site for site in left if written <= self._of_site(lane, site, item, label)}
            count += len(known) == 1 and not written <= _COMMON
            left = known
        return list(left) if len(left) == 1 and count >= _FEWEST else []

    def _of_site(self, lane: int, site: int, item: Instruction, label: int) -> set[bytes]:
        """What ``item`` of the callee, in block ``label``, gives a lane in all calls by a site."""
        key = lane, site, item.result
        if key not in self._given:
            found = self._given[key] = set[bytes]()
            try:
                found.update(self._numbers_in(lane, site, item, label))
            except UnknownValue:
                found.clear()
        return self._given[key]

    def _numbers_in(self, lane: int, site: int, item: Instruction, label: int) -> Iterator[bytes]:
        evaluation, _ = self._calls.innermost(lane, in_iteration=True)
        kind = self._model.code.type_of[item.result]
        call, block = self._sites[site]
        for callee in _called(evaluation, self._callers(lane), call, block):
            for visit in evaluation.visits_of(callee, label, _VISITS):
                number = evaluation.value(callee, item.result, label, visit.iterations)
                data = None if isinstance(number, Place) else kind.encode(number)
                if data is None:
                    raise UnknownValue("it is not set")
                yield data

    def _callers(self, lane: int) -> list[Activation]:
        """The calls of the function of the frame, up to the one that the lane is in, that are the
        same inlined call: what is recorded is of all of them. That one alone where others are not
        known."""
        if lane not in self._callers_of:
            evaluation, own = self._calls.innermost(lane, in_iteration=True)
            self._callers_of[lane] = [own]
            if not self._frame.position.is_called:
                with suppress(UnknownValue):
                    self._callers_of[lane] = _calls_until(evaluation, own)
        return self._callers_of[lane]


def _calls_until(evaluation: Evaluation, own: Activation) -> list[Activation]:
    """The calls that the same calls of the source led to, from the kernel's on, up to ``own``.
    Raises UnknownValue."""
    if own.caller is None:
        return [own]
    caller, call, now = own.caller
    *before, last = _calls_until(evaluation, caller)
    return [
        *_called(evaluation, before, call, now.block),
        *(
            evaluation.activation(last, call, now.block, each.iterations)
            for each in evaluation.visits_until(last, now, _VISITS)
        ),
    ]


def _called(
    evaluation: Evaluation, callers: Sequence[Activation], call: Instruction, block: int
) -> list[Activation]:
    """The calls that ``callers`` make by ``call`` of ``block``. Raises UnknownValue."""
    found = [
        evaluation.activation(caller, call, block, made.iterations)
        for caller in callers
        for made in evaluation.visits_of(caller, block, _VISITS)
    ]
    if len(found) > _VISITS:
        raise TooMuch
    return found
