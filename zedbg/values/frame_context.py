"""A frame of a stopped thread as an expression sees it."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.unwind import Frame
from zedbg.dwarf.scopes.scopes import Scope
from zedbg.missing import Missing
from zedbg.values.context import ThreadContext
from zedbg.values.scope_variables import variables_in_scope
from zedbg.xe.registers import RegisterKind, RegisterLayout


class FrameContext:
    """``thread`` at ``frame``: a :class:`ThreadContext` whose registers and variables are those of
    the frame.

    Lanes that were not part of the call are inactive in a calling frame.
    """

    def __init__(self, thread: ThreadContext, frame: Frame) -> None:
        self.thread = thread
        self.frame = frame

    @property
    def pc(self) -> int:
        """Where the frame goes on."""
        return self.frame.pc

    @property
    def simd_width(self) -> int:
        return self.thread.simd_width

    @property
    def active_lanes(self) -> int:
        if self.frame.state.level == 0:
            return self.thread.active_lanes
        called = self.frame.call_lanes
        return self.thread.active_lanes if isinstance(called, Missing) else called

    @property
    def dispatch_lanes(self) -> int:
        return self.thread.dispatch_lanes

    @property
    def focused_lane(self) -> int:
        return self.thread.focused_lane

    @property
    def debug_info(self) -> DebugInfo | None:
        return self.thread.debug_info

    @property
    def register_layout(self) -> RegisterLayout:
        return self.thread.register_layout

    def read_registers(self, kind: RegisterKind) -> bytes:
        """The registers of the thread; ``frame_state`` has those of the frame."""
        return self.thread.read_registers(kind)

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        self.thread.write_registers(kind, start, data)

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        return self.thread.read_memory(space, address, size)

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        self.thread.write_memory(space, address, data)

    def global_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.thread.global_ids()

    def local_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.thread.local_ids()

    def kernel_argument(self, index: int) -> bytes | Missing:
        return self.thread.kernel_argument(index)

    @property
    def stop_cache(self) -> dict[object, object]:
        return self.thread.stop_cache

    @property
    def is_changed_by_hand(self) -> bool:
        return self.thread.is_changed_by_hand

    def convenience(self, name: str) -> object | Missing:
        return self.thread.convenience(name)

    def keep(self, name: str, value: object) -> None:
        self.thread.keep(name, value)


def frame_state(context: ThreadContext) -> FrameState:
    """The registers that ``context`` sees: those of its frame, or of the thread itself."""
    if isinstance(context, FrameContext):
        return context.frame.state
    return FrameState.of(context)


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
