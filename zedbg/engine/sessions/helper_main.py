"""Run as a program: the helper process that makes calls of Level Zero for another one.

See :mod:`zedbg.engine.sessions.helper_process`. Its argument is the number of the control socket.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from dataclasses import replace
from multiprocessing.connection import Connection
from operator import attrgetter
from typing import cast

from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.sessions.attaching import open_devices
from zedbg.engine.sessions.helper_process import NEW_CALLER
from zedbg.levelzero.debug import ProgramDebug
from zedbg.user_error import UserError


class Helper:
    """Carries out calls: ``open_devices`` once, then those of the sessions by their numbers."""

    def __init__(self) -> None:
        self._sessions: list[ProgramDebug] = []

    def serve(self, connection: Connection) -> None:
        """Answers one thread's calls until it hangs up."""
        with connection:
            while True:
                try:
                    name, arguments = connection.recv()
                except (EOFError, OSError):
                    return
                connection.send(self._answer(name, arguments))

    def _answer(self, name: str, arguments: tuple[object, ...]) -> tuple[bool, object]:
        try:
            if name == "open_devices":
                return True, self._open(*cast("tuple[int, float]", arguments))
            index, *rest = arguments
            return True, _call(self._sessions[cast("int", index)], name, rest)
        except UserError as error:
            return False, error

    def _open(self, pid: int, patience: float) -> list[OpenedDevice]:
        opened = open_devices(pid, patience)
        self._sessions = [each.debug for each in opened]
        # A session cannot be sent: its number takes its place there.
        return [replace(each, debug=cast("ProgramDebug", None)) for each in opened]


def _call(session: ProgramDebug, name: str, arguments: list[object]) -> object:
    """Of the session, its time or its watches: ``time.find``. Attributes answer by themselves."""
    if name == "offers_time":
        return session.time is not None
    if name == "offers_watches":
        return session.watches is not None
    found = attrgetter(name)(session)
    return found(*arguments) if callable(found) else found


def main() -> None:
    """Serves until the control socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    helper = Helper()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, len(NEW_CALLER), 1)
            if not message:
                break
            for each in descriptors:
                threading.Thread(target=helper.serve, args=(Connection(each),), daemon=True).start()
    os._exit(0)  # threads that wait for the driver must not keep it


if __name__ == "__main__":
    main()
