"""Letting the focused thread run on to a place: out of a frame, past a loop, to a location."""

from __future__ import annotations

from zedbg.dwarf.frames.unwind import Frame as DwarfFrame
from zedbg.engine.events.stops import Outcome
from zedbg.engine.stepping.move_ends import addresses_of, called_frames
from zedbg.engine.stepping.stepping import Stepper, inlined_calls
from zedbg.engine.threads.frames import Frame, backtrace


class Advancer(Stepper):
    """Moves over more than lines."""

    def finish(self, level: int) -> Outcome | None:
        """Until frame ``level`` returns to the one that called it.

        None when it did; NoThreadError when it is the outermost frame, or its caller is not known.
        """
        frames = called_frames(self._thread, level)
        frame, caller = frames[level].unwound, frames[level + 1].unwound
        assert frame is not None and caller is not None
        if frame.is_inlined:
            return self._leave_inlined(frames, frame)
        return self.run_to((caller.pc,), _physical_depth(frames, level + 1))

    def _leave_inlined(self, frames: list[Frame], frame: DwarfFrame) -> Outcome | None:
        """Out of an inlined call: first back into the code that it was inlined into."""
        inner = [each.unwound for each in frames[: frame.level] if each.unwound is not None]
        if any(not each.is_inlined for each in inner):
            ended = self.run_to((frame.pc,), _physical_depth(frames, frame.level))
            if ended is not None:
                return ended
        while frame.scope in inlined_calls(self._thread):
            ended = self.over_one()
            if ended is not None:
                return ended
        return None

    def until_line(self) -> Outcome | None:
        """To the next line as ``next``, but not back to the start of a loop."""
        thread = self._thread
        start, calls, function = thread.pc, inlined_calls(thread), thread.location.function
        while True:
            ended = self.line(over_calls=True)
            if ended is not None:
                return ended
            back = thread.pc <= start and thread.location.function == function
            if not back or len(inlined_calls(thread)) < len(calls):
                return None

    def to_place(self, spec: str, within_frame: bool) -> Outcome | None:
        """To a place of the thread's module; BreakpointError when it has none there.

        ``within_frame``: or until the current frame returns.
        """
        targets = addresses_of(spec, self._thread)
        if within_frame:
            frames = [each.unwound for each in backtrace(self._thread).frames]
            physical = [each for each in frames if each is not None and not each.is_inlined]
            if len(physical) > 1:
                targets.add(physical[1].pc)
        return self.run_to(targets)


def _physical_depth(frames: list[Frame], level: int) -> int:
    """How many frames with code of their own there are from ``level`` outwards."""
    return sum(each.unwound is None or not each.unwound.is_inlined for each in frames[level:])
