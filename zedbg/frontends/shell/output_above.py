"""What is written while a line is edited appears above it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from prompt_toolkit.patch_stdout import StdoutProxy


class OutputAbove:
    """For one line after another. prompt_toolkit's ``patch_stdout`` would start a thread for each,
    and wait for it twice."""

    def __init__(self) -> None:
        self._proxy: _Proxy | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Standard output and errors of the block come out above the line; all, when it ends."""
        proxy = self._proxy or _Proxy()
        self._proxy = None
        try:
            with redirect_stdout(proxy), redirect_stderr(proxy):
                yield
        finally:
            if proxy.is_used:
                proxy.close()  # waits until it has written
            else:
                self._proxy = proxy


class _Proxy(StdoutProxy):
    is_used = False

    def write(self, data: str) -> int:
        self.is_used = True
        return super().write(data)
