"""What a launched program writes, taken from pipes and passed on line by line."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable

OutputCallback = Callable[[str, str], None]
"""Takes ``stdout`` or ``stderr``, and text: whole lines, or what stands without a line's end."""

# A line that does not end is passed on in pieces of this many characters.
_LONGEST_LINE = 1 << 16


class _Stream:
    """One pipe: its read end, and what has arrived of a line that is not whole."""

    def __init__(self, name: str, callback: OutputCallback) -> None:
        self.name = name
        self.read_end, self.write_end = os.pipe()
        self._callback = callback
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._partial = ""

    def take_available(self) -> bool:
        """Passes on the whole lines that are in the pipe now; False when no process can write more.

        Never waits, and takes no more than was there at the beginning: a program that writes
        without end does not hold up its debugger.
        """
        (available,) = struct.unpack("i", fcntl.ioctl(self.read_end, termios.FIONREAD, bytes(4)))
        while available > 0:
            data = os.read(self.read_end, available)
            available -= len(data)
            self._add(self._decoder.decode(data))
        # Nothing there: either the writers are silent, or there are none any more.
        ready = select.poll()
        ready.register(self.read_end, select.POLLIN)
        events = dict(ready.poll(0)).get(self.read_end, 0)
        return not (events & select.POLLHUP and not events & select.POLLIN)

    def flush(self) -> None:
        """Passes on the line that is not whole."""
        if self._partial:
            self._callback(self.name, self._partial)
            self._partial = ""

    def _add(self, text: str) -> None:
        self._partial += text
        *lines, self._partial = self._partial.split("\n")
        for line in lines:
            self._callback(self.name, line + "\n")
        if len(self._partial) >= _LONGEST_LINE:
            self.flush()


class ProgramOutput:
    """The standard output and error of one program; ``callback`` is called on several threads,
    but never on two at once.

    Give the program the :attr:`write_ends`, then call :meth:`start`.
    """

    def __init__(self, callback: OutputCallback) -> None:
        self._streams = [_Stream("stdout", callback), _Stream("stderr", callback)]
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._read, name="zedbg-output", daemon=True)

    @property
    def write_ends(self) -> tuple[int, int]:
        """The descriptors for the program's standard output and standard error."""
        stdout, stderr = (stream.write_end for stream in self._streams)
        return stdout, stderr

    def start(self) -> None:
        """The program has its ends: from now on what it writes is passed on."""
        self._close_write_ends()
        self._thread.start()

    def cancel(self) -> None:
        """There is no program after all."""
        self._close_write_ends()
        for stream in self._streams:
            os.close(stream.read_end)
        self._streams = []

    def take(self, partial: bool = True) -> None:
        """Passes on everything that has been written so far; ``partial``: also half a line."""
        with self._lock:
            for stream in self._streams:
                stream.take_available()
                if partial:
                    stream.flush()

    def hand_over(self) -> None:
        """The program goes on without its debugger: what it writes from now on goes, as it is, to
        the debugger's standard error, by way of a process that outlives the debugger."""
        self.take()
        with self._lock:
            for stream in self._streams:
                with contextlib.suppress(OSError):
                    subprocess.Popen(
                        ["cat"],
                        stdin=stream.read_end,
                        stdout=sys.__stderr__,
                        start_new_session=True,
                    )
                os.close(stream.read_end)
            self._streams = []

    def _close_write_ends(self) -> None:
        for stream in self._streams:
            os.close(stream.write_end)

    def _read(self) -> None:
        while True:
            waiting = select.poll()
            with self._lock:
                if not self._streams:
                    return
                for stream in self._streams:
                    waiting.register(stream.read_end, select.POLLIN)
            waiting.poll()
            with self._lock:
                for stream in list(self._streams):
                    if not stream.take_available():
                        stream.flush()
                        os.close(stream.read_end)
                        self._streams.remove(stream)
