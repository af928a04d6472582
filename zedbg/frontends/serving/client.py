"""The other end: a script that uses a session which ``zedbg serve`` or a shell serves."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
from pathlib import Path
from typing import Any, Self

from zedbg.commands.framework.command_errors import CommandError
from zedbg.frontends.serving.address import ServingError

_JsonObject = dict[str, Any]


class Client:
    """A session that another process has. ``hello`` is what it said first.

    Raises ServingError (an UserError) when nobody serves at ``path``, or no longer does, and
    CommandError for a command that fails.

    Example::

        with zedbg.connect("/tmp/session") as session:
            session.execute("break reduce.cl:31")
            session.execute("continue")
            stop = session.wait_for("stop")
            print(stop["line"], session.execute("print/l acc"))
    """

    def __init__(self, path: str | Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            raise ServingError(f"{path}: {error.strerror or error}: is zedbg there?") from error
        self._answers: queue.SimpleQueue[_JsonObject | None] = queue.SimpleQueue()
        self._events: queue.SimpleQueue[_JsonObject | None] = queue.SimpleQueue()
        self._id = 0
        self._asking = threading.Lock()
        threading.Thread(target=self._read, name="zedbg-connected", daemon=True).start()
        self.hello = self._taken(self._events)

    def execute(self, line: str) -> list[_JsonObject]:
        """Runs a command line; its rows. Raises CommandError and ServingError."""
        with self._asking:
            self._id += 1
            self.send({"id": self._id, "line": line})
            while True:
                answer = self._taken(self._answers)
                if answer.get("id") == self._id:
                    break
        if not answer["ok"]:
            raise CommandError(str(answer["error"]))
        rows: list[_JsonObject] = answer["rows"]
        return rows

    def interrupt(self) -> None:
        """Stops what runs, also while another client's command waits for it."""
        self.send({"line": "interrupt"})

    def wait_for(self, event: str, timeout: float | None = None) -> _JsonObject:
        """The next event of that kind, of any client's doing; those before it are dropped. Raises
        TimeoutError after ``timeout`` seconds without any event."""
        while True:
            found = self._taken(self._events, timeout)
            if found.get("event") == event:
                return found

    def events(self) -> list[_JsonObject]:
        """All that happened since the last time, oldest first."""
        found = []
        while not self._events.empty():
            one = self._events.get()
            if one is None:
                self._events.put(None)
                break
            found.append(one)
        return found

    def send(self, message: _JsonObject) -> None:
        """Sends a message as it is. Raises ServingError."""
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise ServingError("The session is served no longer.") from error

    def _taken(
        self, source: queue.SimpleQueue[_JsonObject | None], timeout: float | None = None
    ) -> _JsonObject:
        try:
            found = source.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"nothing happened for {timeout} s") from None
        if found is None:
            source.put(None)
            raise ServingError("The session is served no longer.")
        return found

    def _read(self) -> None:
        try:
            with self._socket.makefile("rb") as reader:
                for line in reader:
                    message = json.loads(line)
                    (self._events if "event" in message else self._answers).put(message)
        except (OSError, ValueError):
            pass
        self._answers.put(None)
        self._events.put(None)

    def close(self) -> None:
        """Leaves; the session goes on."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def connect(path: str | Path) -> Client:
    """Uses a session that ``zedbg serve`` or the shell's ``serve`` serves at ``path``; several may,
    at the same time. Raises ServingError."""
    return Client(path)
