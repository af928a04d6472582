"""Shows what happens while the front end waits for the next command line."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Self

from zedbg.frontends.shared.interpreter import Interpreter


class IdleEvents:
    """As a context: from its begin to its end, events are shown as they come, on another thread,
    and breakpoints' commands are carried out, whenever no command runs."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._subscription = interpreter.context.session.subscribe()
        self._closed = False
        self._thread = threading.Thread(target=self._show, name="zedbg-events-shown", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._closed = True
        self._interpreter.context.session.unsubscribe(self._subscription)

    def _show(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # nobody reads; commands will notice, too
            while self._subscription.get() is not None:
                self._subscription.drain()
                with self._interpreter.busy:
                    if not self._closed:
                        self._interpreter.tell_news()
