"""A frame of a stopped thread whose code the module's SPIR-V has, and what the compiler's places of
its variables hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.unwind import Frame, calling_frame
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.missing import MissingError
from zedbg.spirv.analysis.model import Model
from zedbg.values.source.access import Access
from zedbg.values.source.frame_context import (
    FrameContext,
    frame_level,
    frame_state,
    lookup_address,
)
from zedbg.values.source.source_positions import SourcePosition, position_at, position_in_call
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.homes import Home
from zedbg.values.typed.locate import locate


@dataclass(frozen=True)
class SourceFrame:
    """The frame of ``context``, whose code is at ``position``."""

    context: ThreadContext
    info: DebugInfo
    model: Model
    position: SourcePosition

    @property
    def address(self) -> int:
        """The address of its code."""
        return lookup_address(self.context)

    @cached_property
    def loops_around(self) -> tuple[tuple[int, int], ...]:
        """The loops of the machine code around its code, the outermost first: addresses of the
        first instruction and of the jump back. Those of inlined calls in it are left out."""
        found = self._loops_at_address
        calls = self.info.inlined_calls_at(self.address)[::-1]
        further_in = calls[: len(self.position.calls) + 1]
        if len(further_in) > len(self.position.calls):
            found = [each for each in found if not self._is_of(each, further_in)]
        return tuple(found)

    @cached_property
    def is_in_loop_of_call(self) -> bool:
        """Whether an inlined call in it is in a loop there."""
        return len(self.loops_around) < len(self._loops_at_address)

    @property
    def _loops_at_address(self) -> list[tuple[int, int]]:
        at = self.address
        around = [each for each in self.info.code.loops(at) if each[0] <= at <= each[1]]
        return sorted(around, key=lambda each: each[0] - each[1])

    def _is_of(self, loop: tuple[int, int], calls: Sequence[InlinedCall]) -> bool:
        """Whether all code of ``loop`` is of the inlined ``calls``, the outermost first."""
        lines, (low, high) = self.info.lines, loop
        rows = [lines.row_at(low), *lines.rows_between(low, high + 1)]
        there = [self.info.inlined_calls_at(max(row.address, low)) for row in rows if row]
        return all(each[::-1][: len(calls)] == calls for each in there)

    @property
    def state(self) -> FrameState:
        """Its registers."""
        return frame_state(self.context)

    @property
    def has_called(self) -> bool:
        """Whether its function has called another one on the stack: then the thread's registers
        are those of that one."""
        return frame_level(self.context) > 0

    @property
    def caller(self) -> SourceFrame | None:
        """The frame that called its function, which is no kernel; None where that is not known."""
        context = self.context
        try:
            outer = calling_frame(self.info, self.state)
        except MissingError:
            return None
        thread = context.thread if isinstance(context, FrameContext) else context
        position = position_at(self.info, self.model, outer.lookup_address, outer.scope)
        if position is None:
            return None
        return SourceFrame(FrameContext(thread, outer), self.info, self.model, position)

    def in_call(self, depth: int) -> SourceFrame | None:
        """The frame of the call ``depth`` calls deep, of those that are a part of its code; None
        where the SPIR-V does not have it."""
        position = position_in_call(self.info, self.model, self.address, self.position, depth)
        if position is None:
            return None
        return in_code(self.context, self.info, self.model, position)

    def held(
        self, variable: Variable, lanes: Sequence[int], *kinds: type[Home]
    ) -> dict[int, bytes]:
        """By lane, what the compiler's place of ``variable`` holds; none where that is not of one
        of ``kinds`` in all of ``lanes``."""
        context = self.context
        try:
            homes = locate(
                self.info, variable, self.state, self.address, lanes, context.active_lanes
            )
        except (MissingError, DebugInfoError):
            return {}
        if not all(isinstance(each, kinds) for each in homes):
            return {}
        held = Access(context).load(homes, variable.type.size)
        return {
            lane: data for lane, data in zip(lanes, held, strict=True) if isinstance(data, bytes)
        }


def in_code(
    context: ThreadContext, info: DebugInfo, model: Model, position: SourcePosition
) -> SourceFrame:
    """The frame at ``position`` of the code that ``context`` is in: that of its function, or of a
    call which is a part of it."""
    address, function = lookup_address(context), info.function_at(lookup_address(context))
    scope = position.calls[-1][3] if position.calls else function
    frame = Frame(0, frame_state(context), function, scope, None, position.line, address)
    thread = context.thread if isinstance(context, FrameContext) else context
    return SourceFrame(FrameContext(thread, frame), info, model, position)
