"""Whether a variable's place holds its value: what the compiler says, checked with the source.

The place that DWARF gives is compared, lane by lane, with what the value must be by the module's
SPIR-V (:mod:`zedbg.values.recomputed.recomputation`). Where both agree, the place is the
variable's home. Where they do not, the computed value counts. What cannot be computed is shown
from its place with a doubt, unless it lies in memory as in the SPIR-V.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from zedbg.dwarf import Variable
from zedbg.missing import Missing
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.access import Access
from zedbg.values.source.frame_context import frame_state, lookup_address, visible_variables
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.typed.homes import (
    ComputedHome,
    Home,
    InterleavedHome,
    MemoryHome,
    PartlyKnownHome,
)
from zedbg.values.typed.locate import locate
from zedbg.values.typed.partly_known_error import PartlyKnownError

_GONE = Missing("its module is not loaded any more")
_STAYS = "it lies in memory"
_UNCONFIRMED = "nothing confirms the compiler's place"
_NO_LINE = "the compiler gives this code no line of the source"
_CHANGED = "you changed registers or memory of the program, so that it is not checked"


class Verdict(NamedTuple):  # of which there are very many
    """One lane of a variable: ``home`` to show, why that is doubtful, and why its value could not
    be computed again (None: it could)."""

    home: Home | Missing
    doubt: str | None
    unknown: str | None
    agrees: bool = False  # the compiler's place holds what was computed


def judgement(context: ThreadContext, variable: Variable, lanes: Sequence[int]) -> list[Verdict]:
    """What is to be believed of ``variable``, which is in scope, in each of ``lanes``."""
    info = context.debug_info
    if info is None:  # the program has ended in this moment
        return [Verdict(_GONE, None, None)] * len(lanes)
    address = lookup_address(context)
    homes = locate(info, variable, frame_state(context), address, lanes, context.active_lanes)
    for _, each in visible_variables(context):
        if each is variable:
            return _judged(context, variable, lanes, homes)
    return [Verdict(home, None, None) for home in homes]  # a global one


def computed_again(
    context: ThreadContext, variable: Variable, lanes: Sequence[int]
) -> list[bytes] | None:
    """The bytes of ``variable`` in ``lanes``, where what the module's SPIR-V computes is believed,
    whatever the compiler's place holds; None where that is not so in some lane, or not for all
    lanes of a :class:`ThreadGroup` at once."""
    if context.is_changed_by_hand or not variable.type.size:
        return None
    recomputation = Recomputation.of(context)
    if not recomputation.has_source or _stays(recomputation, variable):
        return None
    if isinstance(context, ThreadGroup):
        found = recomputation.values_at_once(variable, lanes)
    else:
        found = recomputation.values(variable, lanes)
    if found is None:
        return None
    return cast("list[bytes]", found) if set(map(type, found)) == {bytes} else None


def _judged(
    context: ThreadContext,
    variable: Variable,
    lanes: Sequence[int],
    homes: Sequence[Home | Missing],
) -> list[Verdict]:
    """``homes``: where the compiler says ``variable`` to be in each of ``lanes``."""
    recomputation = Recomputation.of(context)
    if not variable.type.size or not recomputation.has_source:
        return [_without_line(recomputation, home) for home in homes]
    stays = _stays(recomputation, variable)
    if stays and all(_in_memory(home) for home in homes):
        return [Verdict(home, None, _STAYS) for home in homes]
    wanted = [
        lane for lane, home in zip(lanes, homes, strict=True) if not stays or not _in_memory(home)
    ]
    computed = dict(zip(wanted, recomputation.values(variable, wanted), strict=True))
    if context.is_changed_by_hand:
        return [
            _unchecked(home, computed[lane]) if lane in computed else Verdict(home, None, _STAYS)
            for lane, home in zip(lanes, homes, strict=True)
        ]
    held = Access(context).load(homes, variable.type.size)
    return [
        _verdict(home, data, computed[lane]) if lane in computed else Verdict(home, None, _STAYS)
        for lane, home, data in zip(lanes, homes, held, strict=True)
    ]


def _in_memory(home: Home | Missing) -> bool:
    return isinstance(home, MemoryHome | InterleavedHome)


def _stays(recomputation: Recomputation, variable: Variable) -> bool:
    """Whether it stays in memory: without optimisation, while its function has its frame; and in
    one place for the whole module, as local memory does."""
    if recomputation.is_unoptimised and recomputation.is_in_frame(variable):
        return True
    return variable.expression is not None and not recomputation.names(variable)


def _without_line(recomputation: Recomputation, home: Home | Missing) -> Verdict:
    """Of code that is nowhere in the source."""
    if not recomputation.has_model or isinstance(home, Missing) or _in_memory(home):
        return Verdict(home, None, None)
    return Verdict(home, f"{_UNCONFIRMED}: {_NO_LINE}", _NO_LINE)


def _unchecked(home: Home | Missing, computed: bytes | UnknownValue) -> Verdict:
    """Where the program need not have what its source says: what the user may have set counts."""
    if not isinstance(home, Missing):
        return Verdict(home, _CHANGED, _CHANGED)
    if isinstance(computed, UnknownValue):
        return Verdict(home, None, str(computed))
    return Verdict(ComputedHome(computed), _CHANGED, _CHANGED)


def _verdict(
    home: Home | Missing, data: bytes | Missing, computed: bytes | UnknownValue
) -> Verdict:
    if isinstance(computed, PartlyKnownError):
        partly = PartlyKnownHome(computed.data, computed.known, str(computed))
        return Verdict(partly, None, str(computed))
    if isinstance(computed, UnknownValue):
        reason = str(computed)
        if isinstance(home, Missing):
            is_unset = isinstance(computed, UnsetValue)
            return Verdict(Missing(reason) if is_unset else home, None, reason)
        return Verdict(home, f"{_UNCONFIRMED}: {reason}", reason)
    if data == computed:
        return Verdict(home, None, None, True)
    return Verdict(ComputedHome(computed), None, None)
