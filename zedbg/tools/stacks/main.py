"""The command line of ``zedbg stacks``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from zedbg.commands.describe.stacks import stack_rows
from zedbg.commands.rows.row import JsonValue, Row
from zedbg.engine.engine_errors import NothingToDebug
from zedbg.engine.sessions.opening import open_session_for
from zedbg.frontends.text.rendering import render
from zedbg.levelzero.debug import process_exists
from zedbg.user_error import UserError
from zedbg.xe.devices import described_devices

_EPILOG = """\
The program must have been started with ZET_ENABLE_PROGRAM_DEBUGGING=1, and no debugger may be
attached. It stands still for as long as its threads are looked at, and then goes on. The exit
status is 0 when each program could be looked at, 1 otherwise.

examples:
  zedbg stacks 4711
  zedbg stacks --all
  zedbg stacks 4711 --json
"""
_ENABLED = b"ZET_ENABLE_PROGRAM_DEBUGGING="
_LOADER = "libze_loader.so"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"zedbg stacks: {message} (zedbg stacks --help explains)", file=sys.stderr)
        raise SystemExit(2)


@dataclass(frozen=True)
class Looked:
    """What a program's threads do, or why that cannot be said."""

    pid: int
    program: str
    rows: Sequence[Row] = ()
    error: str = ""
    debuggable: bool = True

    def text(self) -> Iterator[str]:
        """For people."""
        yield f"Process {self.pid} ({self.program}):"
        if self.error:
            yield f"  {self.error}"
            return
        for line in render(self.rows) or ["No thread of it is on a device."]:
            yield f"  {line}"

    def to_json(self) -> JsonValue:
        """For programs: an object."""
        record = {"command": "stacks", "ok": not self.error, "pid": self.pid}
        record |= {"program": self.program, "rows": [row.to_json() for row in self.rows]}
        return record | ({"error": self.error} if self.error else {})


def main(words: list[str]) -> int:
    """Runs ``zedbg stacks``; the exit status is in its help."""
    parser = _Parser(
        prog="zedbg stacks",
        description="Shows where every thread of a program is: those with the same call stack "
        "together, then the variables of one lane.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pid", nargs="*", type=int, metavar="PID", help="processes to look at")
    parser.add_argument(
        "--all", action="store_true", help="every process of yours that can be debugged on a device"
    )
    parser.add_argument(
        "--sim",
        metavar="DEVICE",
        help=f"the simulated device that the program uses: {described_devices()}; by default the "
        "driver that the program was started with",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object for each process")
    options = parser.parse_args(words)
    if bool(options.pid) == options.all:
        parser.error("give process ids, or --all")
    failed = False
    for pid in options.pid or debuggable_processes():
        looked = look_at(pid, options.sim)
        if options.all and not looked.debuggable:
            continue  # it has ended since, or is a process of its driver
        failed |= bool(looked.error)
        for line in [json.dumps(looked.to_json())] if options.json else looked.text():
            print(line, flush=True)
    return int(failed)


def look_at(pid: int, sim: str | None) -> Looked:
    """Attaches to ``pid``, sees where its threads are, and lets it go on."""
    program = _name(pid)
    try:
        session = open_session_for(pid, sim)
        with session:
            session.attach(pid)
            rows = stack_rows(session)
    except NothingToDebug as error:
        return Looked(pid, program, error=error.line, debuggable=False)
    except UserError as error:
        return Looked(pid, program, error=error.line, debuggable=process_exists(pid))
    return Looked(pid, program, rows)


def debuggable_processes() -> list[int]:
    """The processes of this user that were started with program debug and use Level Zero."""
    own = os.getpid()
    found = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return sorted(pid for pid in found if pid != own and _may_be_debugged(pid))


def _may_be_debugged(pid: int) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        values = [each[len(_ENABLED) :] for each in environment if each.startswith(_ENABLED)]
        if not values or values[0] in (b"", b"0"):
            return False
        return _LOADER in Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except OSError:
        return False


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"
