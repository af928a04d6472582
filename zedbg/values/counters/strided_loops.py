"""The iteration of a loop whose step is no constant, from a register that it adds the step to."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.spirv.numbers.arithmetic import signed
from zedbg.values.counters.lane_numbers import LaneNumbers


def strided_iterations(of: LaneNumbers) -> Iterator[int]:
    """What registers to which the loop adds others say of the iteration that the lane is in."""
    place = of.place
    for striding in of.model.stridings(place.function, place.loop):
        line, mask = striding.line, (1 << striding.bits) - 1
        for counter in of.info.code.stride_counters(
            place.address, line.line, line.column, place.calls
        ):
            now, amount = (of.now(each, counter.size) for each in (counter.places, counter.amounts))
            begin, step = of.first(striding.result), of.first(striding.amount)
            if now is None or begin is None or step is None or amount is None:
                continue
            step &= mask
            if not step or step != amount:
                continue
            if 8 * counter.size != striding.bits:
                continue
            if not of.is_set_to(counter, striding.start, begin):
                continue
            if of.is_between_making_and_copy(counter.added_at, counter.stepped_at):
                continue
            distance = signed((now - begin) & mask, striding.bits)
            number, rest = divmod(distance, signed(step, striding.bits))
            if not rest:
                yield number - of.is_ahead(counter.stepped_at)
