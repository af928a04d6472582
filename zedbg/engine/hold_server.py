"""The private socket on which launched programs wait until the debugger is attached.

``libzedbg_hold.so`` (native/launch) connects when a process has made its first Level Zero context,
sends its pid, and waits for one byte, or for the end of the connection.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

HOLD_SOCKET_VARIABLE = "ZEDBG_HOLD_SOCKET"
_MESSAGE = struct.Struct("<4sII")  # magic, version, pid
_MAGIC = b"ZHLD"
_VERSION = 1
_CREDENTIALS = struct.Struct("<3i")  # struct ucred: pid, uid, gid
_MESSAGE_SECONDS = 5.0


class HeldProgram:
    """A process that waits. Let go once, by :meth:`release`."""

    def __init__(self, pid: int, connection: socket.socket) -> None:
        self.pid = pid
        self._connection = connection

    def release(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.sendall(b"\x01")
        self._connection.close()


class HoldServer:
    """Listens from its creation on; ``arrived`` is called on a thread of its own for each."""

    def __init__(self, arrived: Callable[[HeldProgram], None]) -> None:
        self._arrived = arrived
        self._folder = Path(tempfile.mkdtemp(prefix="zedbg-"))  # mode 0700
        self.path = self._folder / "hold"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(self.path))
        self.path.chmod(0o600)
        self._socket.listen(8)
        self._thread = threading.Thread(target=self._accept, name="zedbg-hold", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops listening; programs that come later go on at once."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # closed
            program = self._read(connection)
            if program is None:
                connection.close()
            else:
                threading.Thread(
                    target=self._arrived, args=(program,), name="zedbg-attach", daemon=True
                ).start()

    def _read(self, connection: socket.socket) -> HeldProgram | None:
        """The process behind ``connection``, None when it is not what it should be."""
        try:
            connection.settimeout(_MESSAGE_SECONDS)
            data = connection.recv(_MESSAGE.size, socket.MSG_WAITALL)
            peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            connection.settimeout(None)
        except OSError:
            return None
        if len(data) != _MESSAGE.size:
            return None
        magic, version, pid = _MESSAGE.unpack(data)
        peer_pid, peer_user, _ = _CREDENTIALS.unpack(peer)
        if magic != _MAGIC or version != _VERSION or peer_user != os.getuid():
            return None
        # The kernel's word counts: inside a container the program may know itself by another pid.
        return HeldProgram(peer_pid or pid, connection)
