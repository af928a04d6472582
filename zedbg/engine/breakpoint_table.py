"""The breakpoints of a session: numbered, resolved in every module, inserted while enabled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zedbg.dwarf import DebugInfoError
from zedbg.engine.breakpoints import (
    Breakpoint,
    BreakpointLocation,
    Condition,
    LineSpec,
    Log,
    parse_spec,
)
from zedbg.engine.errors import BreakpointError
from zedbg.engine.modules import LoadedModule
from zedbg.engine.notifications import BreakpointChanged, Message, Severity
from zedbg.levelzero.errors import LevelZeroError

if TYPE_CHECKING:
    from zedbg.engine.device import Device
    from zedbg.engine.session import Session


class BreakpointTable:
    """All calls are made with the session's lock held."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._breakpoints: dict[int, Breakpoint] = {}
        self._next_number = 1
        self._modules = 0  # of this run, in all
        self._without_debug_info = 0

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(list(self._breakpoints.values()))

    def __len__(self) -> int:
        return len(self._breakpoints)

    def get(self, number: int) -> Breakpoint:
        """Breakpoint ``number``; BreakpointError when there is none."""
        found = self._breakpoints.get(number)
        if found is None:
            raise BreakpointError(f"No breakpoint number {number}.")
        return found

    def add(
        self,
        text: str,
        *,
        temporary: bool = False,
        condition_text: str | None = None,
        condition: Condition | None = None,
        thread: tuple[int, int] | None = None,
        lane: int | None = None,
        log_text: str | None = None,
        log: Log | None = None,
    ) -> Breakpoint:
        """A new breakpoint, resolved in what is loaded; BreakpointError when ``text`` is none."""
        breakpoint_ = Breakpoint(
            self._next_number,
            text,
            parse_spec(text),
            temporary=temporary,
            condition_text=condition_text,
            condition=condition,
            thread=thread,
            lane=lane,
            log_text=log_text,
            log=log,
        )
        self._next_number += 1
        self._breakpoints[breakpoint_.number] = breakpoint_
        for device in self._session.devices:
            for module in device.modules:
                self._resolve(breakpoint_, module)
        return breakpoint_

    def delete(self, breakpoint_: Breakpoint) -> None:
        self.get(breakpoint_.number)
        if breakpoint_.enabled:
            for place in breakpoint_.locations:
                self._remove(place)
        del self._breakpoints[breakpoint_.number]

    def set_enabled(self, breakpoint_: Breakpoint, enabled: bool) -> None:
        if breakpoint_.enabled == enabled:
            return
        breakpoint_.enabled = enabled
        for place in breakpoint_.locations:
            if enabled:
                self._insert(breakpoint_, place)
            else:
                self._remove(place)

    def at(self, device: Device, address: int) -> list[Breakpoint]:
        """The enabled breakpoints at ``address``, by number."""
        return [b for b in self if b.enabled and b.is_at(device, address)]

    def module_loaded(self, module: LoadedModule) -> None:
        """Resolves and inserts what was waiting for ``module``."""
        self._modules += 1
        self._without_debug_info += module.debug_info is None
        for breakpoint_ in self:
            if self._resolve(breakpoint_, module):
                self._session.notify(BreakpointChanged(breakpoint_))

    def module_unloaded(self, module: LoadedModule) -> None:
        """Its code is gone, and with it the bits in it."""
        for breakpoint_ in self:
            kept = [place for place in breakpoint_.locations if place.module is not module]
            if len(kept) != len(breakpoint_.locations):
                breakpoint_.locations = kept
                self._session.notify(BreakpointChanged(breakpoint_))

    def program_starts(self) -> None:
        """What :meth:`explain_pending` counts begins anew."""
        self._modules = self._without_debug_info = 0
        for breakpoint_ in self:
            breakpoint_.resolved = False

    def explain_pending(self, attached: bool) -> None:
        """At the end of the program: says of each breakpoint that never had a place why not.

        ``attached``: whether the program used a device that zedbg debugs.
        """
        for breakpoint_ in self:
            if breakpoint_.enabled and not breakpoint_.resolved:
                self._session.notify(
                    Message(
                        f"Breakpoint {breakpoint_.number} ({breakpoint_.text}) was never in place: "
                        f"{self._why_pending(breakpoint_, attached)}"
                    )
                )

    def _why_pending(self, breakpoint_: Breakpoint, attached: bool) -> str:
        if not attached:
            return "the program ended without using a Level Zero device."
        if not self._modules:
            return "the program loaded no module on the device."
        if isinstance(breakpoint_.spec, LineSpec) and self._without_debug_info == self._modules:
            return "no module of the program has debug info: compile with -g."
        return "no module of the program has such a place."

    def program_ended(self) -> None:
        """No module is loaded any more: every breakpoint waits again."""
        for breakpoint_ in self:
            breakpoint_.locations = []

    def _resolve(self, breakpoint_: Breakpoint, module: LoadedModule) -> bool:
        try:
            codes = module.resolve(breakpoint_.spec)
        except DebugInfoError as error:
            self._warn(f"Breakpoint {breakpoint_.number}: {error}")
            return False
        for code in codes:
            place = BreakpointLocation(module.device, module, code.pc, code)
            breakpoint_.locations.append(place)
            breakpoint_.resolved = True
            if breakpoint_.enabled:
                self._insert(breakpoint_, place)
        spec = breakpoint_.spec
        if codes and isinstance(spec, LineSpec) and codes[0].line != spec.line:
            breakpoint_.note = f"No code at line {spec.line}: moved to line {codes[0].line}."
        return bool(codes)

    def _insert(self, breakpoint_: Breakpoint, place: BreakpointLocation) -> None:
        try:
            place.device.code.insert(place.address)
        except (LevelZeroError, ValueError) as error:
            self._warn(f"Breakpoint {breakpoint_.number} is not in at {place.address:#x}: {error}")

    def _remove(self, place: BreakpointLocation) -> None:
        try:
            place.device.code.remove(place.address)
        except LevelZeroError as error:
            if self._session.device_is_gone(place.device):
                return  # the program has just died, and its code with it
            self._warn(f"A breakpoint stays in the code at {place.address:#x}: {error}")

    def _warn(self, text: str) -> None:
        self._session.notify(Message(text, Severity.WARNING))
