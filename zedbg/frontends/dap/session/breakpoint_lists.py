"""The breakpoints that a client asked for: each request replaces the list of its kind."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import BreakpointSpec
from zedbg.engine.breakpoints.hit_condition import HitCondition
from zedbg.engine.sessions.session import Session
from zedbg.user_error import UserError


@dataclass(frozen=True)
class Wanted:
    """A breakpoint as a client asks for it. ``text`` is how the shell names the place."""

    text: str
    spec: BreakpointSpec
    condition: str | None = None
    hit_condition: str | None = None
    log: str | None = None


@dataclass
class _Made:
    """A breakpoint of the session that stands for what was wanted."""

    wanted: Wanted
    breakpoint: Breakpoint


class BreakpointLists:
    """The lists of a client, by kind: ``("source", path)``, ``"function"``, and so on. What is in
    the old list and the new one stays as it is, with its number and its hits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lists: dict[Hashable, list[_Made]] = {}

    def replace(self, kind: Hashable, wanted: Sequence[Wanted]) -> list[Breakpoint | UserError]:
        """Makes ``wanted`` the list of ``kind``: for each its breakpoint, or why there is none."""
        with self._session.condition:
            old = self._lists.pop(kind, [])
            kept = [each for each in old if each.wanted in wanted and self._exists(each)]
            for each in old:
                if each not in kept and self._exists(each):
                    self._session.breakpoints.delete(each.breakpoint)
            made = self._lists[kind] = []
            found: list[Breakpoint | UserError] = []
            for one in wanted:
                same = next((each for each in kept if each.wanted == one), None)
                try:
                    entry = same or _Made(one, self._make(one))
                except UserError as error:
                    found.append(error)
                    continue
                if entry not in made:
                    made.append(entry)
                found.append(entry.breakpoint)
            return found

    def kind_of(self, breakpoint_: Breakpoint) -> Hashable:
        """The list that ``breakpoint_`` is in; None for one that the console made."""
        for kind, made in self._lists.items():
            if any(each.breakpoint is breakpoint_ for each in made):
                return kind
        return None

    def adopt(self, kind: Hashable, breakpoints: Sequence[Breakpoint | UserError]) -> None:
        """Makes ``breakpoints``, which were made elsewhere, the list of ``kind``."""
        kept = [each for each in breakpoints if isinstance(each, Breakpoint)]
        with self._session.condition:
            for each in self._lists.pop(kind, []):
                if each.breakpoint not in kept and self._exists(each):
                    self._session.breakpoints.delete(each.breakpoint)
            self._lists[kind] = [_Made(Wanted(each.text, each.spec), each) for each in kept]

    def _exists(self, made: _Made) -> bool:
        return any(each is made.breakpoint for each in self._session.breakpoints)

    def _make(self, wanted: Wanted) -> Breakpoint:
        hits = parsed_hits(wanted.hit_condition)
        breakpoint_ = self._session.catch(
            wanted.text, wanted.spec, condition=wanted.condition or None, log=wanted.log or None
        )
        breakpoint_.hit_condition = hits
        return breakpoint_


def parsed_hits(text: str | None) -> HitCondition | None:
    """The hits that a client wants to stop at, None for all; BreakpointError."""
    return HitCondition.parse(text) if text is not None and text.strip() else None
