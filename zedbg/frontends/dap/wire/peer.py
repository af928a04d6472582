"""Who is at the other end of a connection on this machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def user_of_peer(connection: socket.socket) -> int | None:
    """The user id of the process at the other end of a loopback connection of IPv4; None where the
    system does not tell.

    Linux lists the sockets of all users with their ids in ``/proc/net/tcp`` (proc(5)).
    """
    address, port = connection.getpeername()[:2]
    word = int.from_bytes(socket.inet_aton(address), "little")
    wanted = f"{word:08X}:{port:04X}"
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return None
    for line in lines:
        fields = line.split()
        if fields[1] == wanted:
            return int(fields[7])
    return None


def may_connect(connection: socket.socket) -> bool:
    """Whether the peer is the owner of this process, or root, or the system does not tell."""
    user = user_of_peer(connection)
    return user in (None, 0, os.getuid())
