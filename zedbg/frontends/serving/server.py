"""Serves a session: clients send command lines, and get what they give and all that happens.

Every message is one line of JSON, as ``zedbg --json`` writes it; see docs/machine-view.md.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self

from zedbg.commands.framework.context import EndOfSession
from zedbg.commands.rows.events import VERSION, CommandEvent, Event, HelloEvent
from zedbg.commands.rows.row import Row
from zedbg.frontends.serving.address import is_owner, listening_socket
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import CommandLine, JsonOutput, Output, TextOutput
from zedbg.frontends.text.rendering import render
from zedbg.frontends.text.text_events import render_event

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
        self._ending = threading.Lock()  # held while it is decided which command is interrupted
        self._own = interpreter.output
        interpreter.output = self
        self._closed = threading.Event()
        threading.Thread(target=self._accept, name="zedbg-serve", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
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
        """Reads what it sends: its commands wait for each other, ``interrupt`` for none."""
        worker = threading.Thread(
            target=self._work, args=(client,), name="zedbg-client-commands", daemon=True
        )
        worker.start()
        self._asking.client = client
        for line in client.lines():
            if line == "interrupt" and self._interrupts(client):
                client.output.result(CommandLine("interrupt", line), [])
            else:
                client.put(line)
        client.close()

    def _interrupts(self, client: _Client) -> bool:
        """Stops what runs, or what the client has asked for before; False when that is nothing."""
        busy = self._interpreter.busy
        with self._ending:
            if client.answered < client.asked:
                client.interrupted = client.asked
            elif busy.acquire(blocking=False):
                busy.release()
                return False
            self._interpreter.context.session.interrupt()
            return True

    def _work(self, client: _Client) -> None:
        self._asking.client = client
        with contextlib.suppress(EndOfSession):
            for number, line in client.commands():
                self._run(client, number, line)
        client.close()

    def _run(self, client: _Client, number: int, line: str) -> None:
        interpreter, session = self._interpreter, self._interpreter.context.session
        with interpreter.busy:
            for other in list(self._clients):
                if other is not client:
                    other.output.event(CommandEvent(client.number, line))
            context = interpreter.context
            asks, context.confirm = context.confirm, lambda _question: True
            if client.interrupted >= number:
                session.interrupt()  # what came before has taken it
            try:
                interpreter.execute(line)
            finally:
                context.confirm = asks
        with self._ending:
            client.answered = number
            if client.interrupted >= number:
                # Too late for this command, it is not for the next one.
                session.interrupt_requested = False


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
        self._current = threading.local()
        self._commands: queue.SimpleQueue[tuple[object, str] | None] = queue.SimpleQueue()
        self.asked = 0  # commands
        self.answered = 0
        self.interrupted = 0  # the newest command that an interrupt is for, counted from 1
        self.output: Output = _ClientOutput(self._send, self._identity)

    def put(self, line: str) -> None:
        """Keeps a command until :meth:`commands` gives it."""
        self.asked += 1
        self._commands.put((self._identity(), line))

    def commands(self) -> Iterator[tuple[int, str]]:
        """What it has asked for, one after another, with numbers from 1, until it is gone."""
        for number in itertools.count(1):
            command = self._commands.get()
            if command is None:
                return
            self._current.id, line = command
            yield number, line

    def _identity(self) -> object:
        """The ``id`` of what this thread answers."""
        return getattr(self._current, "id", None)

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
        self._current.id = None
        if not text.startswith("{"):
            return text
        try:
            request = json.loads(text)
        except ValueError:
            request = None
        if not isinstance(request, dict) or not isinstance(request.get("line", ""), str):
            self.output.error(CommandLine("", text[:80]), 'Send a command, or {"line": "COMMAND"}.')
            return ""
        self._current.id = request.get("id")
        if request.get("view") == "text":
            self.output = _TextOfClient(self._send)
        elif request.get("view") == "both":
            self.output = _BothOfClient(self._send, self._identity)
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
        self._commands.put(None)
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


class _BothOfClient(_ClientOutput):
    """Objects as ever, each with the lines that a person sees as ``text``."""

    def _shown(self, rows: Sequence[Row]) -> dict[str, object]:
        return {**super()._shown(rows), "text": render(rows)}

    def event(self, event: Event) -> None:
        known = isinstance(event, (CommandEvent, HelloEvent))
        self._object({**event.to_json(), "text": [] if known else render_event(event)})


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
