"""An editor, as far as the protocol goes: requests and answers, and all events in order.

Every message in either direction is checked with the protocol's schema.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from tests.support.dap.dap_schema import check

SECONDS = 60.0
CLIENT = {
    "adapterID": "zedbg",
    "clientID": "tests",
    "linesStartAt1": True,
    "columnsStartAt1": True,
    "pathFormat": "path",
    "supportsVariableType": True,
    "supportsVariablePaging": True,
    "supportsMemoryReferences": True,
    "supportsProgressReporting": True,
    "supportsInvalidatedEvent": True,
    "supportsMemoryEvent": True,
}

Body = dict[str, Any]


class RequestFailed(Exception):
    """An answer that says that there is none."""

    def __init__(self, response: Body) -> None:
        super().__init__(response.get("message"))
        self.message = response.get("message")
        self.text = response.get("body", {}).get("error", {}).get("format")


class DapClient:
    """Speaks with an adapter over two streams; ``checked``: messages are checked."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, *, checked: bool = True) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._check = check if checked else lambda message: None
        self._changed = threading.Condition()
        self._responses: dict[int, Body] = {}
        self._seq = 0
        self._seen = 0  # of the events, how many were waited for
        self.events: list[Body] = []
        self.messages: list[Body] = []
        self.problem: Exception | None = None
        self.ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # --- messages --------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            while (message := self._next()) is not None:
                self._check(message)
                with self._changed:
                    self.messages.append(message)
                    assert message["seq"] == len(self.messages)
                    if message["type"] == "response":
                        self._responses[message["request_seq"]] = message
                    else:
                        self.events.append(message)
                    self._changed.notify_all()
        except Exception as error:
            self.problem = error
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _next(self) -> Body | None:
        length = None
        while (line := self._incoming.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            assert name == b"Content-Length", line
            length = int(value)
        if length is None:
            return None
        return json.loads(self._incoming.read(length))

    def send(self, command: str, arguments: Body | None = None) -> int:
        """Sends a request; its number."""
        self._seq += 1
        message = {"seq": self._seq, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self._check(message)
        self.send_bytes(json.dumps(message).encode())
        return self._seq

    def send_unchecked(self, command: str, arguments: Body) -> int:
        """The same for one that may be none of the protocol."""
        self._seq += 1
        message = {"seq": self._seq, "type": "request", "command": command, "arguments": arguments}
        self.send_bytes(json.dumps(message).encode())
        return self._seq

    def send_bytes(self, body: bytes) -> None:
        """Sends anything, with a header."""
        self._outgoing.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._outgoing.flush()

    def _wait(self, condition: Callable[[], Any], what: str) -> Any:
        deadline = time.monotonic() + SECONDS
        with self._changed:
            while not (found := condition()):
                if self.problem is not None:
                    raise AssertionError(f"a message is not of the protocol: {self.problem}")
                left = deadline - time.monotonic()
                assert left > 0 and not self.ended, f"no {what}:\n{self._last_messages()}"
                self._changed.wait(left)
        return found

    def _last_messages(self) -> str:
        return "\n".join(str(each)[:300] for each in self.messages[-25:])

    def response(self, number: int) -> Body:
        """The answer to request ``number``; RequestFailed when there is none."""
        found = self._wait(lambda: self._responses.get(number), f"response {number}")
        if not found["success"]:
            raise RequestFailed(found)
        return found.get("body", {})

    def request(self, command: str, **arguments: Any) -> Body:
        """Asks, and waits for the answer."""
        return self.response(self.send(command, arguments))

    def event(self, name: str, accept: Callable[[Body], bool] = lambda body: True) -> Body:
        """The body of the next event called ``name``, after the one that was waited for last."""

        def find() -> tuple[int, Body] | None:
            for position in range(self._seen, len(self.events)):
                one = self.events[position]
                if one["event"] == name and accept(one.get("body", {})):
                    return position, one
            return None

        position, found = self._wait(find, f"event {name}")
        self._seen = position + 1
        return found.get("body", {})

    def all_events(self, name: str) -> list[Body]:
        """The bodies of all events called ``name`` so far."""
        return [each.get("body", {}) for each in self.events if each["event"] == name]

    @property
    def output(self) -> str:
        """What the adapter and the program have written so far."""
        return "".join(each["output"] for each in self.all_events("output"))

    # --- sessions --------------------------------------------------------------------------------

    def initialize(self, **client: Any) -> Body:
        return self.request("initialize", **(CLIENT | client))

    def begin(
        self, program: Sequence[str], before: Callable[[], object] = lambda: None, **launch: Any
    ) -> None:
        """initialize to configurationDone; ``before`` sets breakpoints."""
        self.initialize()
        arguments = {"program": program[0], "args": list(program[1:]), "sim": "dg2"} | launch
        number = self.send("launch", arguments)
        self.event("initialized")
        before()
        self.request("configurationDone")
        self.response(number)

    def break_at(self, path: object, *lines: int | Body) -> list[Body]:
        """Sets the breakpoints of a file."""
        wanted = [{"line": each} if isinstance(each, int) else each for each in lines]
        found = self.request("setBreakpoints", source={"path": str(path)}, breakpoints=wanted)
        return found["breakpoints"]

    def stopped(self) -> Body:
        """The next stop."""
        return self.event("stopped")

    def stopped_or_ended(self) -> Body | None:
        """The next stop; None when the program ends first."""

        def find() -> tuple[int, Body] | None:
            for position in range(self._seen, len(self.events)):
                if self.events[position]["event"] in ("stopped", "terminated"):
                    return position, self.events[position]
            return None

        position, found = self._wait(find, "stop or end")
        self._seen = position + 1
        return found["body"] if found["event"] == "stopped" else None

    def frame(self, thread: int) -> Body:
        """The innermost frame of a thread."""
        return self.request("stackTrace", threadId=thread, startFrame=0, levels=1)["stackFrames"][0]

    def scopes(self, frame: int) -> dict[str, Body]:
        """The scopes of a frame by name."""
        return {each["name"]: each for each in self.request("scopes", frameId=frame)["scopes"]}

    def variables(self, reference: int, **page: Any) -> dict[str, Body]:
        """Variables by name."""
        found = self.request("variables", variablesReference=reference, **page)["variables"]
        return {each["name"]: each for each in found}

    def values(self, expressions: Sequence[str], frame: int) -> list[str]:
        """What expressions are in a frame."""
        return [
            self.request("evaluate", expression=e, frameId=frame)["result"] for e in expressions
        ]

    def console(self, line: str, **where: Any) -> str:
        """What the debug console shows for a line."""
        return self.request("evaluate", expression=line, context="repl", **where)["result"]

    def leave(self) -> None:
        """Disconnects, if the adapter is still there."""
        with contextlib.suppress(OSError, ValueError, AssertionError, RequestFailed):
            if not self.ended:
                self.request("disconnect")

    def finish(self) -> None:
        """Lets the program run to its end."""
        self.request("continue", threadId=1)
        self.event("terminated")


def started(process: subprocess.Popen) -> DapClient:
    """A client of an adapter that was started with pipes."""
    return DapClient(process.stdout, process.stdin)


def failing(call: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """The text of the error that a request gives."""
    try:
        call(*arguments, **named)
    except RequestFailed as error:
        return error.text
    raise AssertionError("the request was answered")
