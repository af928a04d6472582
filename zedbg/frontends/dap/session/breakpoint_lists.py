"""The breakpoints that a client asked for: each request replaces the list of its kind."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from zedbg.engine.breakpoints.breakpoint import Breakpoint, Disposition
from zedbg.engine.breakpoints.breakpoint_specs import BreakpointSpec
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.sessions.session import Session
from zedbg.user_error import UserError

_HIT_CONDITION = re.compile(r"\s*(>=|>|==|=)?\s*(\d+)\s*")


@dataclass(frozen=True)
class HitCount:
    """Which hits stop: those after the first ``ignored``; only the first of these with ``once``."""

    ignored: int = 0
    once: bool = False

    @classmethod
    def parse(cls, text: str | None) -> HitCount:
        """Reads ``5`` and ``>= 5`` (from the fifth on), ``> 5``, ``== 5``; BreakpointError."""
        if text is None or not text.strip():
            return cls()
        match = _HIT_CONDITION.fullmatch(text)
        if match is None or (int(match[2]) == 0 and match[1] != ">"):
            raise BreakpointError(f'"{text}" is no hit count: write 5, >= 5, > 5 or == 5.')
        number = int(match[2])
        return cls(number if match[1] == ">" else number - 1, match[1] in ("==", "="))


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
        hits = HitCount.parse(wanted.hit_condition)
        breakpoint_ = self._session.catch(
            wanted.text, wanted.spec, condition=wanted.condition or None, log=wanted.log or None
        )
        limit_hits(self._session, breakpoint_, hits)
        return breakpoint_


def limit_hits(session: Session, breakpoint_: Breakpoint, hits: HitCount) -> None:
    """Lets ``breakpoint_`` stop at ``hits`` only."""
    breakpoint_.ignore_count = hits.ignored
    if hits.once:
        session.breakpoints.limit(breakpoint_, 1, Disposition.DISABLE)
