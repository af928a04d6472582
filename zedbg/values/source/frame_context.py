"""A frame of a stopped thread as an expression sees it."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf import Variable
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.unwind import Frame
from zedbg.dwarf.scopes.scopes import Scope
from zedbg.missing import Missing
from zedbg.values.source.scope_variables import variables_in_scope
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_view import ThreadView


class FrameContext(ThreadView):
    """``thread`` at ``frame``: a :class:`ThreadContext` whose registers and variables are those of
    the frame.

    ``read_registers`` gives the registers of the thread; ``frame_state`` has those of the frame.
    Lanes that were not part of the call are inactive in a calling frame.
    """

    def __init__(self, thread: ThreadContext, frame: Frame) -> None:
        super().__init__(thread)
        self.frame = frame

    @property
    def pc(self) -> int:
        """Where the frame goes on."""
        return self.frame.pc

    @property
    def active_lanes(self) -> int:
        if self.frame.state.level == 0:
            return self.thread.active_lanes
        called = self.frame.call_lanes
        return self.thread.active_lanes if isinstance(called, Missing) else called


def frame_state(context: ThreadContext) -> FrameState:
    """The registers that ``context`` sees: those of its frame, or of the thread itself."""
    if isinstance(context, FrameContext):
        return context.frame.state
    return FrameState.of(context)


def frame_level(context: ThreadContext) -> int:
    """The number of the frame that ``context`` sees: 0 for the innermost one."""
    return context.frame.state.level if isinstance(context, FrameContext) else 0


def lookup_address(context: ThreadContext) -> int:
    """The address that decides which variables are in scope."""
    return context.frame.lookup_address if isinstance(context, FrameContext) else context.pc


def visible_variables(context: ThreadContext) -> Sequence[tuple[Scope, Variable]]:
    """Variables in scope with their block, innermost first; none without debug information."""
    info = context.debug_info
    if info is None:
        return ()
    wanted = context.frame.scope if isinstance(context, FrameContext) else None
    return variables_in_scope(info, lookup_address(context), wanted)


def visible_variable(name: str, context: ThreadContext) -> Variable | None:
    """The variable that ``name`` means in the frame; None when it means none of its variables."""
    for _, variable in visible_variables(context):
        if variable.name == name:
            return variable
    return None
