"""Tells a client that something takes long, how it gets on, and that it is over."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zedbg.frontends.dap.protocol.events import (
    EventBody,
    ProgressEndEvent,
    ProgressStartEvent,
    ProgressUpdateEvent,
)
from zedbg.frontends.shared.pace import Pace

_FIRST_SECONDS = 0.5  # what takes less needs no words
_EACH_SECONDS = 0.5


class ProgressReports:
    """Sends the events with ``send``; clients that show no progress get none: ``is_wanted``."""

    def __init__(self, send: Callable[[EventBody], None], is_wanted: Callable[[], bool]) -> None:
        self._send = send
        self._is_wanted = is_wanted
        self._numbers = itertools.count(1)

    @contextmanager
    def of(
        self, title: str, pace: Pace, is_quiet: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """While the block does what ``title`` says; ``pace`` says how it gets on.

        The client is told first when that takes long, and it is not ``is_quiet`` (a program that
        runs is no news); without ``is_quiet`` at once.
        """
        if not self._is_wanted():
            yield
            return
        over = threading.Event()
        reporter = threading.Thread(
            target=self._report, args=(title, pace, is_quiet, over), daemon=True
        )
        reporter.start()
        try:
            yield
        finally:
            over.set()
            reporter.join()

    def _report(
        self,
        title: str,
        pace: Pace,
        is_quiet: Callable[[], bool] | None,
        over: threading.Event,
    ) -> None:
        if is_quiet is not None:
            if over.wait(_FIRST_SECONDS):
                return
            while is_quiet():
                if over.wait(_EACH_SECONDS):
                    return
        number = f"zedbg-{next(self._numbers)}"
        self._send(ProgressStartEvent(progress_id=number, title=title, cancellable=True))
        while not over.wait(_EACH_SECONDS):
            self._send(ProgressUpdateEvent(progress_id=number, message=pace.text(title)))
        self._send(ProgressEndEvent(progress_id=number))
