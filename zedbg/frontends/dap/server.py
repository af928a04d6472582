"""A connection: reads requests, has them carried out in order, sends answers and events."""

from __future__ import annotations

import itertools
import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import BinaryIO, TypeVar

import msgspec

from zedbg.frontends.dap.protocol.arguments import CancelArguments
from zedbg.frontends.dap.protocol.events import EventBody, OutputEvent
from zedbg.frontends.dap.protocol.message import (
    ErrorBody,
    ErrorMessage,
    Event,
    Message,
    Request,
    Response,
)
from zedbg.frontends.dap.requests import (  # noqa: F401 - importing declares the requests
    assembly,
    beginnings,
    breakpoints,
    completing,
    evaluating,
    exceptions,
    focusing,
    inspecting,
    jumping,
    listing,
    memory,
    moving,
    watching,
)
from zedbg.frontends.dap.session.adapter import Adapter, NotStoppedError
from zedbg.frontends.dap.session.errors import CancelledError, RequestError
from zedbg.frontends.dap.session.registry import HANDLERS, Handler, Needs, Then
from zedbg.frontends.dap.wire.framing import FramingError, framed, read_message
from zedbg.user_error import UserError, internal_error

_ENDING_REQUESTS = ("disconnect",)
_NO_ARGUMENTS = b"{}"
_Kind = TypeVar("_Kind", bound=Message)


@dataclass
class _Queued:
    """A request that waits or is carried out, and whether the client still wants it."""

    request: Request
    handler: Handler
    cancelled: threading.Event = field(default_factory=threading.Event)
    is_at_work: bool = False


class Connection:
    """Serves one client over two streams of bytes, until it disconnects or its stream ends."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._numbers = itertools.count(1)
        self._sending = threading.Lock()
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Request)
        self._queue: queue.SimpleQueue[_Queued | None] = queue.SimpleQueue()
        self._waiting: dict[int, _Queued] = {}  # by the request's number, also the one at work
        self._adapter = Adapter(self._send_event)
        self._worker = threading.Thread(target=self._work, name="zedbg-dap-worker", daemon=True)

    def serve(self) -> None:
        """Returns when the client is gone; a program that was launched has ended then."""
        self._worker.start()
        try:
            while (body := read_message(self._incoming)) is not None:
                if self._take(body) in _ENDING_REQUESTS:
                    break
        except FramingError as error:
            self._answer_bad(0, "", error.line)
        except OSError:
            pass  # the client is gone
        finally:
            self._queue.put(None)
            self._worker.join()
            self._end()

    def _end(self) -> None:
        try:
            beginnings.end(self._adapter)
        except UserError as error:
            self._send_event(OutputEvent(output=error.line + "\n", category="important"))
        finally:
            self._adapter.close()

    # --- requests --------------------------------------------------------------------------------

    def _take(self, body: bytes) -> str:
        """Takes a message from the client, on the thread that reads; what it asks for."""
        try:
            request = self._decoder.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._answer_bad(*_what_is_known(body), f"This is no request: {error}.")
            return ""
        if request.command == "cancel":
            self._cancel(request)
            return request.command
        handler = HANDLERS.get(request.command)
        if handler is None:
            text = f'zedbg has no request "{request.command}".'
            self._answer_bad(request.seq, request.command, text)
            return request.command
        queued = _Queued(request, handler)
        self._waiting[request.seq] = queued
        self._queue.put(queued)
        return request.command

    def _cancel(self, request: Request) -> None:
        """Takes a request back, or stops what a progress report is about."""
        try:
            arguments = self._arguments(request, CancelArguments)
        except RequestError as error:
            self._fail(request, error)
            return
        queued = self._waiting.get(arguments.request_id or 0)
        if queued is not None:
            queued.cancelled.set()
        if arguments.progress_id is not None or (queued is not None and queued.is_at_work):
            self._adapter.interrupt()
        self._succeed(request, None)

    def _work(self) -> None:
        while (queued := self._queue.get()) is not None:
            self._carry_out(queued)

    def _carry_out(self, queued: _Queued) -> None:
        request, handler, adapter = queued.request, queued.handler, self._adapter
        adapter.cancelled = queued.cancelled
        try:
            adapter.check_cancelled()
            queued.is_at_work = True
            arguments = self._arguments(request, handler.arguments)
            if handler.needs is not Needs.NOTHING:
                _ = adapter.session
            if handler.needs is Needs.STOPPED:
                adapter.require_stopped()
                with adapter.session.condition:
                    answer = handler.call(adapter, arguments)
            else:
                answer = handler.call(adapter, arguments)
        except Exception as error:
            self._waiting.pop(request.seq, None)
            self._fail(request, error)
            return
        if isinstance(answer, Future):
            answer.add_done_callback(lambda future: self._answer_later(request, future))
            return
        self._waiting.pop(request.seq, None)
        if isinstance(answer, Then):
            self._succeed(request, answer.body)
            answer.action()
        else:
            self._succeed(request, answer)

    def _answer_later(self, request: Request, future: Future[Message | None]) -> None:
        self._waiting.pop(request.seq, None)
        error = future.exception()
        if isinstance(error, Exception):
            self._fail(request, error)
        else:
            self._succeed(request, future.result())

    @staticmethod
    def _arguments(request: Request, kind: type[_Kind]) -> _Kind:
        try:
            return msgspec.json.decode(bytes(request.arguments) or _NO_ARGUMENTS, type=kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise RequestError(f"{request.command}: {error}") from None

    # --- answers and events ----------------------------------------------------------------------

    def _succeed(self, request: Request, body: Message | None) -> None:
        self._send_response(request.seq, request.command, body=body)

    def _fail(self, request: Request, error: Exception) -> None:
        if isinstance(error, CancelledError):
            self._send_response(request.seq, request.command, message=str(error))
            return
        text = error.line if isinstance(error, UserError) else internal_error(error)
        shown = isinstance(error, RequestError) and error.shown
        message = "notStopped" if isinstance(error, NotStoppedError) else text
        body = ErrorBody(error=ErrorMessage(id=1, format=_literal(text), show_user=shown))
        self._send_response(request.seq, request.command, message=message, body=body)

    def _answer_bad(self, number: int, command: str, text: str) -> None:
        body = ErrorBody(error=ErrorMessage(id=2, format=_literal(text), show_user=False))
        self._send_response(number, command, message=text, body=body)

    def _send_response(
        self, number: int, command: str, *, message: str | None = None, body: Message | None = None
    ) -> None:
        """Sends the answer to request ``number``; with a ``message`` it is an error."""
        with self._sending:
            response = Response(
                seq=next(self._numbers),
                request_seq=number,
                success=message is None,
                command=command,
                message=message,
                body=body,
            )
            self._write(response)

    def _send_event(self, body: EventBody) -> None:
        with self._sending:
            has_members = bool(msgspec.structs.fields(body))
            event = Event(
                seq=next(self._numbers), event=body.event, body=body if has_members else None
            )
            self._write(event)

    def _write(self, message: Message) -> None:
        try:
            self._outgoing.write(framed(self._encoder.encode(message)))
            self._outgoing.flush()
        except (OSError, ValueError):
            pass  # the client is gone: its stream of requests ends, too


def _what_is_known(body: bytes) -> tuple[int, str]:
    """Number and command of a message that is no request, as far as it has them."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0, ""
    if not isinstance(found, dict):
        return 0, ""
    number, command = found.get("seq"), found.get("command")
    if not isinstance(number, int) or isinstance(number, bool):
        number = 0
    return number, command if isinstance(command, str) else ""


def _literal(text: str) -> str:
    """``text`` as a format: in braces a client would look for variables."""
    return text.replace("{", "(").replace("}", ")")
