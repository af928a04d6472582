"""Call frames of a stopped thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from zedbg.dwarf import DebugInfo, DebugInfoError
from zedbg.dwarf.expressions.machine import Machine
from zedbg.dwarf.frames import unwind as dwarf
from zedbg.engine.modules.locations import CodeLocation
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled


class FramedThread(Machine, Protocol):
    """A stopped thread, as far as its call frames are found."""

    @property
    def location(self) -> CodeLocation:
        """What is known of the instruction at its pc."""

    @property
    def debug_info(self) -> DebugInfo | None:
        """The DWARF of the module that the pc is in."""

    @property
    def debug_info_advice(self) -> str:
        """What to do to have DWARF there, where there is none."""

    @property
    def selected_lane(self) -> int | None:
        """The focus of the session, if it is in this thread."""

    @property
    def stop_cache(self) -> dict[object, object]:
        """What was found out since it stopped, or was written to."""


@dataclass(frozen=True)
class Frame:
    """Frame ``level`` (0 is the innermost) of a thread.

    ``pc``: where it goes on; ``location``: the source of what it executes, in outer frames of the
    call. ``unwound``: the frame with its registers and scopes, None without debug information.
    """

    level: int
    pc: int
    location: CodeLocation
    unwound: dwarf.Frame | None = None


@dataclass(frozen=True)
class Backtrace:
    """The frames, innermost first; ``stopped`` says why there are not more, None at the kernel."""

    frames: list[Frame]
    stopped: Missing | None = None


def backtrace(thread: FramedThread, limit: int = 1000) -> Backtrace:
    """The call chain of ``thread``: its first ``limit`` frames."""
    if thread.selected_lane is None:
        return _read_backtrace(thread, limit)
    # One command may ask several times. The frames of all threads would be too many to keep.
    kept = thread.stop_cache.get((backtrace, limit))
    if not isinstance(kept, Backtrace):
        kept = thread.stop_cache[backtrace, limit] = _read_backtrace(thread, limit)
    return kept


def _read_backtrace(thread: FramedThread, limit: int) -> Backtrace:
    info = thread.debug_info
    outermost = Frame(0, thread.pc, thread.location)
    if info is None:
        location = thread.location
        if location.function == location.kernel:
            return Backtrace([outermost])
        return Backtrace([outermost], Missing(f"no debug info: {thread.debug_info_advice}"))
    try:
        found = dwarf.backtrace(info, thread, limit)
    except DebugInfoError as error:
        return Backtrace([outermost], Missing(str(error)))
    return Backtrace([_frame(thread, one) for one in found.frames], found.stopped)


def call_depth(thread: FramedThread) -> int | None:
    """How many calls deep ``thread`` is, inlined ones left out; None when the chain cannot be
    followed to the kernel."""
    found = backtrace(thread)
    if found.stopped is not None:
        return None
    return sum(each.unwound is None or not each.unwound.is_inlined for each in found.frames)


def _frame(thread: FramedThread, one: dwarf.Frame) -> Frame:
    if one.level == 0 and not one.is_inlined:
        location = thread.location
    else:
        kernel = thread.location.kernel
        path = one.file.path if one.file is not None else None
        name = None if one.name is None else demangled(one.name)
        location = CodeLocation(one.pc, kernel, name, path, one.line or None)
    return Frame(one.level, one.pc, location, one)
