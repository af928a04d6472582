"""Programs that wait to be attached to."""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import struct
from collections.abc import Callable

from zedbg_in_gdb.threads import threads

_HOLD = struct.Struct("<4sII")  # native/launch/hold.cpp: magic, version, pid
_CREDENTIALS = struct.Struct("3i")  # unix(7), SO_PEERCRED: pid, uid, gid


class HeldPrograms:
    """The socket at which programs report that they begin to use Level Zero, and wait: see
    "Launching without missing a kernel" in docs/architecture.md."""

    def __init__(self, folder: str, arrived: Callable[[int, socket.socket], None]) -> None:
        self.path = os.path.join(folder, "hold")  # noqa: PTH118
        self._arrived = arrived
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(self.path)  # in a folder of this user's alone
        self._socket.listen()
        self._is_open = True
        threads.start(self._accept)

    def close(self) -> None:
        """No program is waited for any more."""
        self._is_open = False
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while self._is_open:
            try:
                connection, _ = self._socket.accept()
                data = connection.recv(_HOLD.size, socket.MSG_WAITALL)
                size = _CREDENTIALS.size
                peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
            except OSError:
                continue
            if len(data) == _HOLD.size and data[:4] == b"ZHLD":
                pid = _CREDENTIALS.unpack(peer)[0]
                threads.post(functools.partial(self._arrived, pid, connection))
            else:
                connection.close()  # it goes on
