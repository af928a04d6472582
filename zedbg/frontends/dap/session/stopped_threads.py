"""The stopped threads, in the order in which people look for them."""

from __future__ import annotations

from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.thread import HardwareThread


def threads_in_order(session: Session) -> list[HardwareThread]:
    """The focused thread, those that stopped with it (group by group), then all others."""
    every = session.stopped_threads()
    stop, focus = session.stop, session.focus
    first = [] if focus is None else [focus.thread]
    hits = [] if stop is None else [each.thread for each in stop]
    there = set(every)
    return list(dict.fromkeys(each for each in [*first, *hits, *every] if each in there))
