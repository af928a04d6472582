"""``zedbg dap``: serves editors over standard input and output, or over a port of this machine."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zedbg.commands.framework.permanence import permanent
from zedbg.engine.ground.signals import signals_held
from zedbg.frontends.dap.wire.peer import may_connect
from zedbg.frontends.shared.ending import end_on_signals

if TYPE_CHECKING:
    from zedbg.frontends.dap.server import Connection

_LOOPBACK = "127.0.0.1"
_END_SECONDS = 10.0
_EPILOG = """\
An editor starts it: zedbg's page on editors (docs/editors.md) has the settings of VS Code, Neovim
and Emacs. With --listen it serves one client after another, or several at once, each with a program
of its own; only the user who started it, and root, can connect.
"""


def main(words: Sequence[str]) -> int:
    """Serves until the client disconnects, or with a port until it is ended by a signal."""
    parser = argparse.ArgumentParser(
        prog="zedbg dap",
        description="Debugs for an editor: the Debug Adapter Protocol.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--listen",
        type=int,
        metavar="PORT",
        help="serve at this port of the loopback instead; 0 takes a free one, which is printed",
    )
    options = parser.parse_args(words)
    end_on_signals()
    with permanent(), signals_held():  # the engine is loaded when it is known that there is use
        from zedbg.frontends.dap.server import Connection
    if options.listen is None:
        _serve_standard_streams(Connection)
        return 0
    return _listen(options.listen, Connection)


def _serve_standard_streams(connect: type[Connection]) -> None:
    """Nothing else may write between the messages, or read them: programs that zedbg starts, and
    commands of the shell, get an empty input, and write to standard error."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    connect(incoming, outgoing).serve()


def _listen(port: int, connect: type[Connection]) -> int:
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((_LOOPBACK, port))
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "ports are 0 to 65535"
        print(f"zedbg dap: cannot listen at port {port}: {reason}", file=sys.stderr)
        return 1
    server.listen()
    print(f"zedbg dap: listening at {_LOOPBACK}:{server.getsockname()[1]}", flush=True)
    clients: list[tuple[socket.socket, threading.Thread]] = []
    try:
        with server:
            while True:
                connection, _ = server.accept()
                if not may_connect(connection):
                    connection.close()
                    continue
                thread = threading.Thread(target=_serve, args=(connection, connect), daemon=True)
                thread.start()
                clients = [each for each in clients if each[1].is_alive()]
                clients.append((connection, thread))
    finally:  # as if each of them had gone
        for connection, thread in clients:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            thread.join(_END_SECONDS)


def _serve(connection: socket.socket, connect: type[Connection]) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, contextlib.suppress(OSError):
        connect(connection.makefile("rb"), connection.makefile("wb")).serve()
        connection.shutdown(socket.SHUT_RDWR)  # also for what else still holds it
