"""Breakpoints of plugins, which decide themselves whether to stop."""

from __future__ import annotations

from typing import Unpack

from zedbg.commands.describe import places
from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin, PluginFailed
from zedbg.engine.breakpoints import breakpoint as engine
from zedbg.engine.threads.thread import HardwareThread


class PluginBreakpoint(Offering):
    """A breakpoint at a place, as ``break`` has it; a class may define ``stop``.

    Args:
        spec: ``FILE:LINE``, a function, ``*ADDRESS``.
        temporary: whether its first stop deletes it.
        options: ``condition``, ``thread``, ``lane``, ``work_item``, ``workgroup``.

    Raises:
        BreakpointError: ``spec`` is no place.
    """

    def __init__(
        self,
        spec: str,
        temporary: bool = False,
        **options: Unpack[engine.BreakpointOptions],
    ) -> None:
        self.spec = spec
        self.temporary = temporary
        self._options = options
        self._breakpoint: engine.Breakpoint | None = None
        self._offer(_BreakpointContribution(self))

    def stop(self, thread: HardwareThread, lanes: int) -> bool | int:
        """Whether to stop for a thread that came here with ``lanes`` (a mask), for which the
        restrictions and the condition hold; or the mask of those lanes to stop for."""
        return True

    def lanes_to_stop_for(self, thread: HardwareThread, lanes: int) -> object:
        """What ``stop`` says."""
        return self.stop(thread, lanes)

    @property
    def decides(self) -> bool:
        """Whether the class defines ``stop``."""
        return type(self).stop is not PluginBreakpoint.stop

    @property
    def number(self) -> int:
        """Its number."""
        return self.engine_breakpoint.number

    @property
    def hit_count(self) -> int:
        """How often it was hit: how many stops it made."""
        return self.engine_breakpoint.times

    @property
    def enabled(self) -> bool:
        """Whether it is on; may be set."""
        return self.engine_breakpoint.enabled

    @enabled.setter
    def enabled(self, wanted: bool) -> None:
        with self.context.session.condition:
            self.context.session.breakpoints.set_enabled(self.engine_breakpoint, wanted)

    @property
    def is_valid(self) -> bool:
        """Whether it is still there."""
        return self.is_there

    @property
    def is_there(self) -> bool:
        """The same, whatever a derived class makes of it."""
        made = self._breakpoint
        return made is not None and made in list(self.context.session.breakpoints)

    def delete(self) -> None:
        """It is gone."""
        for each in list(self._plugin.contributions):
            if each.made is self:
                self._plugin.drop(each)

    @property
    def engine_breakpoint(self) -> engine.Breakpoint:
        """The engine's."""
        assert self._breakpoint is not None
        return self._breakpoint


class _BreakpointContribution:
    def __init__(self, breakpoint_: PluginBreakpoint) -> None:
        self._made = breakpoint_
        self._decides = False

    @property
    def made(self) -> PluginBreakpoint:
        return self._made

    @property
    def description(self) -> str:
        return f"breakpoint {self._made.spec}"

    def attach(self, plugin: Plugin) -> None:
        made, context = self._made, plugin.context
        if made._breakpoint is not None and made.is_there:  # it stayed: see detach
            made._breakpoint.stop_lanes = self._lanes if made.decides else None
            return
        place = places.resolved(context, made.spec)
        found = context.session.break_at(place, temporary=made.temporary, **made._options)
        if made.decides:
            found.stop_lanes = self._lanes
        made._breakpoint = found

    def detach(self) -> None:
        session, found = self._made.context.session, self._made._breakpoint
        if found is not None and self._decides:
            found.stop_lanes = None  # the engine is about to judge its hit: it stays, and stops
            return
        with session.condition:
            if found is not None and found in list(session.breakpoints):
                session.breakpoints.delete(found)

    def _lanes(self, thread: HardwareThread, lanes: int) -> int:
        made = self._made

        def stop() -> int:
            found = made.lanes_to_stop_for(thread, lanes)
            if found is True:
                return lanes
            if not isinstance(found, int | None):
                raise PluginFailed(f"stop returned {type(found).__name__}")
            return int(found or 0) & lanes

        # What cannot decide stops, as a condition does that cannot be evaluated.
        self._decides = True
        try:
            return made._plugin.try_call(f"stop of breakpoint {made.number}", stop, lanes)
        finally:
            self._decides = False
