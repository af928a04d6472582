"""The private socket on which launched programs wait until the debugger is attached.

``libzedbg_hold.so`` (native/launch) connects when a process has made its first Level Zero context,
sends its pid, and waits for one byte, or for the end of the connection. It connects again before
each module to whose specialization constants the program gives values, sends them, and waits until
the debugger has them.
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

from zedbg.engine.modules.module_constants import ModuleConstants
from zedbg.engine.process import constants_message
from zedbg.engine.process.constants_message import HEAD, VERSION

HOLD_SOCKET_VARIABLE = "ZEDBG_HOLD_SOCKET"
_MAGIC = b"ZHLD"
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
    """Listens from its creation on; ``arrived`` is called on a thread of its own for each program
    that waits, ``built`` for each module whose constants a program gives values."""

    def __init__(
        self,
        arrived: Callable[[HeldProgram], None],
        built: Callable[[ModuleConstants], None] = lambda _constants: None,
    ) -> None:
        self._arrived = arrived
        self._built = built
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
            message = self._read(connection)
            if message is None:
                connection.close()
            elif isinstance(message, ModuleConstants):
                self._built(message)
                HeldProgram(message.pid, connection).release()
            else:
                threading.Thread(
                    target=self._arrived, args=(message,), name="zedbg-attach", daemon=True
                ).start()

    def _read(self, connection: socket.socket) -> HeldProgram | ModuleConstants | None:
        """What ``connection`` says, None when it is not what it should be."""
        try:
            connection.settimeout(_MESSAGE_SECONDS)
            data = connection.recv(HEAD.size, socket.MSG_WAITALL)
            peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            if len(data) != HEAD.size:
                return None
            magic, version, own_pid = HEAD.unpack(data)
            peer_pid, peer_user, _ = _CREDENTIALS.unpack(peer)
            if version != VERSION or peer_user != os.getuid():
                return None
            # The kernel's number counts: inside a container the program may know another one.
            pid = peer_pid or own_pid
            if magic == constants_message.MAGIC:
                return constants_message.read_constants(
                    lambda size: connection.recv(size, socket.MSG_WAITALL), pid
                )
            connection.settimeout(None)
        except OSError:
            return None
        return HeldProgram(pid, connection) if magic == _MAGIC else None
