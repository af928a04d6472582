"""The command line of ``zedbg doctor``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from zedbg.tools.doctor.drivers import (
    check_compiler,
    check_drivers,
    check_loader,
    check_simulated,
)
from zedbg.tools.doctor.environment import check_environment
from zedbg.tools.doctor.findings import Finding, State
from zedbg.tools.doctor.machine import Machine
from zedbg.tools.doctor.program import check_program
from zedbg.tools.doctor.system import check_attaching, check_device_files, check_eu_debug

_EPILOG = """\
The exit status is 0 when nothing is wrong and there is a device to debug on, simulated or real; 1
otherwise.

examples:
  zedbg doctor
  zedbg doctor vadd.zebin
  zedbg doctor --json
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"zedbg doctor: {message} (zedbg doctor --help explains)", file=sys.stderr)
        raise SystemExit(2)


def findings(machine: Machine, files: Sequence[Path] = ()) -> Iterator[Finding]:
    """Everything that is looked at, one row each, in the order of what needs what."""
    report = machine.probe(machine.environment)
    yield from check_loader(report)
    yield from check_drivers(machine, report)
    yield from check_eu_debug(machine)
    yield from check_device_files(machine)
    yield from check_attaching(machine)
    yield from check_environment(machine)
    yield from check_simulated(machine)
    yield from check_compiler(machine)
    for file in files:
        yield from check_program(file)


def is_healthy(rows: Sequence[Finding]) -> bool:
    """Whether nothing is wrong, and there is a device to debug on."""
    usable = any(row.check in ("device", "simulated GPU") and row.state is State.OK for row in rows)
    return usable and not any(row.state is State.WRONG for row in rows)


def text(rows: Sequence[Finding]) -> list[str]:
    """The rows for people: the fix stands below what is wrong."""
    width = max(len(row.check) for row in rows)
    lines = []
    for row in rows:
        lines.append(f"{row.state.value:<7}  {row.check:<{width}}  {row.found}")
        if row.fix:
            lines.append(f"{'':<7}  {'':<{width}}  -> {row.fix}")
    return lines


def main(arguments: list[str], machine: Machine | None = None) -> int:
    """Runs ``zedbg doctor``."""
    parser = _Parser(
        prog="zedbg doctor",
        description="Checks what debugging needs: says what is wrong, and how to fix it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="with device code")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(arguments)
    rows = list(findings(machine or Machine(), options.files))
    healthy = is_healthy(rows)
    if options.json:
        objects = [row.to_json() for row in rows]
        print(json.dumps({"command": "doctor", "ok": healthy, "rows": objects}))
    else:
        for line in text(rows):
            print(line)
    return 0 if healthy else 1
