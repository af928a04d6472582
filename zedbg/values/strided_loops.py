"""The iteration of a loop whose step is no constant, from a register that it adds the step to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zedbg.dwarf import DebugInfo
from zedbg.spirv.arithmetic import signed
from zedbg.spirv.model import Model
from zedbg.values.proved_counters import LoopPlace, is_ahead, is_set_to


def strided_iterations(
    info: DebugInfo,
    model: Model,
    place: LoopPlace,
    lane: int,
    first: Callable[[int], int | None],
    held: Callable[[int, int], int | None],
) -> Iterator[int]:
    """What registers to which the loop at ``place`` adds others say of the iteration that ``lane``
    is in. ``first`` gives what a result is in the first iteration, ``held`` the number at a byte of
    the general registers, of a size in bytes; None: it is not known."""
    function = info.function_at(place.address)
    low = 0 if function is None else function.low
    for striding in model.stridings(place.function, place.loop):
        line, mask = striding.line, (1 << striding.bits) - 1
        for counter in info.code.stride_counters(
            place.address, line.line, line.column, place.calls
        ):
            places = counter.places.place(lane), counter.amounts.place(lane)
            now, amount = (None if at is None else held(at, counter.size) for at in places)
            begin, step = first(striding.result), first(striding.amount)
            if now is None or begin is None or step is None or amount is None:
                continue
            step &= mask
            if not step or step != amount:
                continue
            if 8 * counter.size != striding.bits:
                continue
            if not all(
                is_set_to(info, model, place, each, striding.start, begin)
                for each in counter.origins
            ):
                continue
            distance = signed((now - begin) & mask, striding.bits)
            number, rest = divmod(distance, signed(step, striding.bits))
            if not rest:
                yield number - is_ahead(model, place, low + counter.added_at)
