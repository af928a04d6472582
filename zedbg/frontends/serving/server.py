"""Serves a session: clients send command lines, and get what they give and all that happens.

Every message is one line of JSON, as ``zedbg --json`` writes it; see docs/machine-view.md.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from zedbg.commands.framework.context import EndOfSession
from zedbg.commands.rows.events import VERSION, CommandEvent, Event, HelloEvent
from zedbg.commands.rows.row import Row
from zedbg.frontends.serving.address import is_owner, listening_socket
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import CommandLine, JsonOutput, Output, TextOutput

_LONGEST_LINE = 1 << 20
_SEND_SECONDS = 5  # a client that does not read for so long is gone
_SEND_TIMEOUT = struct.pack("ll", _SEND_SECONDS, 0)


class Server:
    """As a context: clients that connect to ``path`` share the session of ``interpreter``, which
    other code may go on to use. Raises ServingError."""

    def __init__(self, interpreter: Interpreter, path: Path) -> None:
        self.path = path
        self._interpreter = interpreter
        self._listening = listening_socket(path)
        self._clients: list[_Client] = []
        self._count = 0
        self._asking = threading.local()
        self._own = interpreter.output
        interpreter.output = self
        self._closed = threading.Event()
        threading.Thread(target=self._accept, name="zedbg-serve", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """No client is served any more."""
        self._closed.set()
        self._interpreter.output = self._own
        # A shutdown, since another thread waits in accept().
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.path.unlink(missing_ok=True)
        for client in list(self._clients):
            client.close()

    # --- the output of the session ---------------------------------------------------------------

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        """To whoever asked."""
        self._output.result(asked, rows)

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        """To whoever asked."""
        self._output.error(asked, message, rows)

    def event(self, event: Event) -> None:
        """To all."""
        self._own.event(event)
        for client in list(self._clients):
            client.output.event(event)

    @property
    def _output(self) -> Output:
        client: _Client | None = getattr(self._asking, "client", None)
        return self._own if client is None else client.output

    # --- clients ---------------------------------------------------------------------------------

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            if not is_owner(connection):
                connection.close()
                continue
            self._count += 1
            client = _Client(self._count, connection, self._forget)
            self._clients.append(client)
            client.output.event(HelloEvent(VERSION, self._count))
            worker = threading.Thread(
                target=self._serve, args=(client,), name="zedbg-client", daemon=True
            )
            worker.start()

    def _forget(self, client: _Client) -> None:
        with contextlib.suppress(ValueError):
            self._clients.remove(client)

    def _serve(self, client: _Client) -> None:
        self._asking.client = client
        try:
            for line in client.lines():
                self._run(client, line)
        except EndOfSession:
            pass
        finally:
            client.close()

    def _run(self, client: _Client, line: str) -> None:
        interpreter = self._interpreter
        if line == "interrupt" and not interpreter.busy.acquire(blocking=False):
            # Another client's command runs, which this one is meant for.
            interpreter.context.session.interrupt()
            client.output.result(CommandLine("interrupt", line), [])
            return
        if line == "interrupt":
            interpreter.busy.release()
        with interpreter.busy:
            for other in list(self._clients):
                if other is not client:
                    other.output.event(CommandEvent(client.number, line))
            context = interpreter.context
            asks, context.confirm = context.confirm, lambda _question: True
            try:
                interpreter.execute(line)
            finally:
                context.confirm = asks


class _Client:
    """One connection; ``number`` counts from 1."""

    def __init__(
        self, number: int, connection: socket.socket, gone: Callable[[_Client], None]
    ) -> None:
        self.number = number
        self._connection = connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_TIMEOUT)
        self._gone = gone
        self._sending = threading.Lock()
        self._id: object = None
        self.output: Output = _ClientOutput(self._send, lambda: self._id)

    def lines(self) -> Iterator[str]:
        """The command lines that it sends, until it is gone."""
        with self._connection.makefile("rb") as reader:
            while True:
                try:
                    data = reader.readline(_LONGEST_LINE)
                except OSError:
                    return
                if not data.endswith(b"\n"):
                    return  # its end, or a line that nobody types
                line = self._line(data)
                if line:
                    yield line

    def _line(self, data: bytes) -> str:
        text = data.decode(errors="replace").strip()
        self._id = None
        if not text.startswith("{"):
            return text
        try:
            request = json.loads(text)
        except ValueError:
            request = None
        if not isinstance(request, dict) or not isinstance(request.get("line", ""), str):
            self.output.error(CommandLine("", text[:80]), 'Send a command, or {"line": "COMMAND"}.')
            return ""
        self._id = request.get("id")
        if request.get("view") == "text":
            self.output = _TextOfClient(self._send)
        return str(request.get("line", "")).strip()

    def _send(self, line: str) -> None:
        try:
            with self._sending:
                self._connection.sendall(line.encode() + b"\n")
        except OSError:
            self.close()

    def close(self) -> None:
        """It is not served any more."""
        self._gone(self)
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)


class _ClientOutput(JsonOutput):
    """Results with the ``id`` that they were asked for with, if any."""

    def __init__(self, write: Callable[[str], None], identity: Callable[[], object]) -> None:
        super().__init__(write)
        self._identity = identity

    def _answer(self, asked: CommandLine) -> dict[str, object]:
        identity = self._identity()
        answer = super()._answer(asked)
        return answer if identity is None else {"id": identity} | answer


class _TextOfClient:
    """What a person sees, line by line: ``{"text": ...}``; ``{"done": ...}`` after a command."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._text = TextOutput(lambda line: self._object({"text": line}), self._warn)

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        self._text.result(asked, rows)
        self._object({"done": True})

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        self._text.error(asked, message, rows)
        self._object({"done": False})

    def event(self, event: Event) -> None:
        if isinstance(event, CommandEvent):
            self._object({"text": f"[client {event.client}: {event.line}]"})
        elif not isinstance(event, HelloEvent):
            self._text.event(event)

    def _warn(self, line: str) -> None:
        self._object({"text": line, "error": True})

    def _object(self, value: object) -> None:
        self._send(json.dumps(value))
