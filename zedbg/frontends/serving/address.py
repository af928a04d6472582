"""Where a served session is found, and who may use it."""

from __future__ import annotations

import os
import socket
import stat
import struct
from pathlib import Path

from zedbg.user_error import UserError

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid (unix(7), SO_PEERCRED)


class ServingError(UserError):
    """A session that cannot be served, or reached."""


def default_address() -> Path:
    """The socket of this process, in a folder that is its owner's alone. Raises ServingError."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) / "zedbg" if runtime else Path(f"/tmp/zedbg-{os.geteuid()}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise ServingError(f"{folder}: {error.strerror}: name another place") from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise ServingError(f"{folder} is not a folder of yours alone: name another place.")
    return folder / f"{os.getpid()}.sock"


def listening_socket(path: Path) -> socket.socket:
    """A socket at ``path`` that only its owner can connect to; one that nobody serves any more is
    replaced. Raises ServingError."""
    if path.exists() and not _is_left_over(path):
        raise ServingError(f"{path} is there already: name another place.")
    # It is there once it can be connected to.
    beginning = path.with_name(f".{path.name}-{os.getpid()}")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(str(beginning))
        listening.listen()
        beginning.rename(path)
    except OSError as error:
        listening.close()
        raise ServingError(f"{path}: {error.strerror or error}") from error
    finally:
        os.umask(before)
    return listening


def _is_left_over(path: Path) -> bool:
    """Whether it is a socket of a process that is gone."""
    if not path.is_socket():
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def is_owner(client: socket.socket) -> bool:
    """Whether the process at the other end is of the user whose session it is."""
    data = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(data)
    return bool(user == os.geteuid())
