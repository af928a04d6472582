"""``zedbg connect SOCKET``: a shell in a session that another zedbg serves."""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading

from zedbg.frontends.serving.address import ServingError
from zedbg.frontends.shared.output import PROMPT


def main(arguments: list[str]) -> int:
    """Runs lines from standard input; 1 when one failed."""
    parser = argparse.ArgumentParser(
        prog="zedbg connect", description="Shares a session that another zedbg serves."
    )
    parser.add_argument("socket", help="as zedbg serve, or the command serve, says it")
    parser.add_argument("-ex", dest="commands", action="append", default=[], metavar="CMD")
    options = parser.parse_args(arguments)
    try:
        return _Shell(options.socket).run(options.commands)
    except ServingError as error:
        print(f"zedbg: {error}", file=sys.stderr)
        return 2


class _Shell:
    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            raise ServingError(f"{path}: {error.strerror}: is zedbg there?") from error
        self._done = threading.Semaphore(0)
        self._ended = threading.Event()
        self._failed = False
        self._send({"view": "text"})
        threading.Thread(target=self._show, daemon=True).start()

    def run(self, commands: list[str]) -> int:
        for line in commands:
            self._execute(line)
        while not commands and not self._ended.is_set():
            try:
                line = input(PROMPT if sys.stdin.isatty() else "").strip()
            except EOFError:
                break
            if line in ("quit", "q", "exit"):
                break
            self._execute(line)
        self._socket.close()
        return int(self._failed)

    def _execute(self, line: str) -> None:
        if not line:
            return
        self._send({"line": line})
        try:
            self._done.acquire()
        except KeyboardInterrupt:
            self._send({"line": "interrupt"})
            self._done.acquire()
            self._done.acquire()

    def _send(self, message: dict[str, str]) -> None:
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise ServingError("the session is served no longer.") from error

    def _show(self) -> None:
        try:
            with self._socket.makefile("rb") as reader:
                for data in reader:
                    message = json.loads(data)
                    if "text" in message:
                        error = message.get("error")
                        print(message["text"], file=sys.stderr if error else sys.stdout, flush=True)
                    elif "done" in message:
                        self._failed |= not message["done"]
                        self._done.release()
        except (OSError, ValueError):
            pass
        self._ended.set()
        self._done.release(2)
