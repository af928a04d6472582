"""Carries out what lets the program run: one thing at a time, on a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


class Runner:
    """Calls of the engine that let the program run return at the next stop. They are made here,
    while requests are answered on another thread.

    ``finished`` is called after each, with what it raised.
    """

    def __init__(self, finished: Callable[[Exception | None], None]) -> None:
        self._finished = finished
        self._actions: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._settled = threading.Event()  # idle, and what is called then has been
        self._settled.set()
        self._thread = threading.Thread(target=self._run, name="zedbg-dap-runner", daemon=True)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether the program runs, or is about to."""
        return not self._idle.is_set()

    def start(self, action: Callable[[], object]) -> None:
        """Carries out ``action`` after those that were started before."""
        self._settled.clear()
        self._idle.clear()
        self._actions.put(action)

    def wait(self, seconds: float) -> bool:
        """Waits until nothing is left to do; False when ``seconds`` were over."""
        return self._settled.wait(seconds)

    def close(self) -> None:
        """Nothing more will be started."""
        self._actions.put(None)

    def _run(self) -> None:
        while (action := self._actions.get()) is not None:
            problem: Exception | None = None
            try:
                action()
            except Exception as error:
                problem = error
            # Before the client hears of the stop, and asks about it.
            is_last = self._actions.empty()
            if is_last:
                self._idle.set()
            self._finished(problem)
            if is_last:
                self._settled.set()
