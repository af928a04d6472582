"""What an editor waits for: a stop's event, the list of threads, the first call stack."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from tests.support.dap.dap_client import CLIENT, DapClient
from zedbg.engine.events.stops import Stop
from zedbg.engine.sessions.session import Session
from zedbg.frontends.dap.server import Connection
from zedbg.frontends.dap.session.adapter import Adapter

from .measure import Cell, Table, Timing
from .programs import SOURCE_LINE, Debuggee, Programs, debuggee

THREADS = (1, 256, 4096)
REPETITIONS = 5
_SHOWN = 256  # threads that the list has without a setting, and one entry for the rest
_FILE, _LINE = SOURCE_LINE.split(":")


class _Watch:
    """Notes when the engine has a stop, and when its event is sent."""

    def __init__(self, outgoing: BinaryIO) -> None:
        self._outgoing = outgoing
        self.stop_at = self.sent_at = 0.0
        self.wanted = 0  # threads of a whole stop
        self.is_whole = False

    def write(self, data: bytes) -> int:
        if b'"event":"stopped"' in data:
            self.sent_at = time.perf_counter()
        return self._outgoing.write(data)

    def flush(self) -> None:
        self._outgoing.flush()

    def watch(self, session: Session) -> None:
        """Takes the time at which the session's ``continue_`` gives a stop."""
        continue_ = session.continue_

        def watched() -> object:
            outcome = continue_()
            self.stop_at = time.perf_counter()
            if isinstance(outcome, Stop):
                self.is_whole = len(session.stopped_threads()) == self.wanted
            return outcome

        session.continue_ = watched  # type: ignore[method-assign]


@contextmanager
def _editor(target: Debuggee) -> Iterator[tuple[DapClient, _Watch]]:
    """A client of an adapter in this process, attached to ``target``, with a breakpoint."""
    ours, theirs = socket.socketpair()
    watch = _Watch(theirs.makefile("wb"))
    watch.wanted = target.thread_count
    connection = Connection(theirs.makefile("rb"), watch)  # type: ignore[arg-type]
    thread = threading.Thread(target=connection.serve, daemon=True)
    thread.start()
    stream = ours.makefile("rwb")
    client = DapClient(stream, stream, checked=False)
    client.request("initialize", **CLIENT)
    arguments = {"pid": target.pid, "sim": "dg2", "stopOnEntry": True}
    number = client.send("attach", arguments)
    client.event("initialized")
    client.request("configurationDone")
    client.response(number)
    client.stopped()
    client.break_at(f"/{_FILE}", int(_LINE))
    adapter: Adapter = connection._adapter
    watch.watch(adapter.session)
    try:
        yield client, watch
    finally:
        client.leave()
        thread.join(10)
        ours.close()
        theirs.close()


def run(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    rows: list[list[Cell]] = []
    for threads in counts:
        with debuggee(programs, threads, 1) as target, _editor(target) as (client, watch):
            target.go()
            rows.append([threads, *_measured(client, watch, repetitions)])
    return Table(
        "editor",
        "zedbg dap: from the engine's Stop to the sent event; the list of threads (256 at most), "
        "the first stackTrace, scopes and locals; all threads, page by page",
        ("threads", "stopped event", "threads request", "stackTrace", "locals", "zedbg/threads"),
        rows,
    )


def _measured(client: DapClient, watch: _Watch, repetitions: int) -> list[Timing]:
    seconds: list[list[float]] = [[], [], [], [], []]
    while len(seconds[0]) < repetitions:
        client.request("continue", threadId=1)
        stop = client.stopped()
        if not watch.is_whole:
            continue
        seconds[0].append(watch.sent_at - watch.stop_at)
        begin = time.perf_counter()
        threads = client.request("threads")["threads"]
        listed = time.perf_counter()
        frame = client.frame(stop["threadId"])
        traced = time.perf_counter()
        scopes = client.scopes(frame["id"])
        client.variables(scopes["Locals"]["variablesReference"])
        shown = time.perf_counter()
        _all_threads(client, watch.wanted)
        listed_all = time.perf_counter()
        assert len(threads) == min(watch.wanted, _SHOWN + 1)
        seconds[1].append(listed - begin)
        seconds[2].append(traced - listed)
        seconds[3].append(shown - traced)
        seconds[4].append(listed_all - shown)
    return [Timing(tuple(each)) for each in seconds]


def _all_threads(client: DapClient, count: int) -> None:
    found = 0
    while found < count:
        found += len(client.request("zedbg/threads", start=found, count=1024)["threads"])
