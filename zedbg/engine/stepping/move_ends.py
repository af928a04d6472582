"""Where moves that are named end, forward or back: a place of the source, the call of a frame."""

from __future__ import annotations

from zedbg.engine.engine_errors import BreakpointError, NoThreadError
from zedbg.engine.modules.place_specs import parse_spec
from zedbg.engine.threads.frames import Frame, backtrace
from zedbg.engine.threads.thread import HardwareThread


def addresses_of(spec: str, thread: HardwareThread) -> set[int]:
    """The addresses that ``spec`` means in the module of ``thread``; BreakpointError when it means
    none."""
    module = thread.module
    found = [] if module is None else module.resolve(parse_spec(spec))
    if not found:
        raise BreakpointError(f'The module of thread {thread.id} has no place "{spec}".')
    return {place.pc for place in found}


def called_frames(thread: HardwareThread, level: int) -> list[Frame]:
    """The frames of ``thread``, of which ``level`` was called by another one; NoThreadError when it
    is the outermost frame, or its caller is not known."""
    chain = backtrace(thread)
    if level + 1 < len(chain.frames):
        return chain.frames
    if chain.stopped is not None:
        raise NoThreadError(f"The calling frame is not known: {chain.stopped.reason}.")
    raise NoThreadError('"finish" not meaningful in the outermost frame.')
