"""``zedbg demo``: a prompt that stands stopped inside a kernel on the simulated GPU.

Where standard input is no terminal, the same tour runs to its end.
"""

from __future__ import annotations

import argparse
import sys

from zedbg.commands.demonstration import DEVICE, FOLDER, PROGRAM
from zedbg.frontends.session import SessionOptions, run_session

OPENING = [f"directory {FOLDER}", "break blur.cl:15", "run"]

TOUR = [
    "info threads",
    "print right",
    "print/l in[i]",
    "thread 1.4:3",
    "next",
    "print value",
    "info registers r10-r11.f",
    "x/4xw in",
    "backtrace",
    "disassemble $pc,+64",
    "workitem 37",
    "print i",
    "delete",
    "continue",
]


def main(words: list[str] | None = None) -> int:
    """Runs the demonstration; 0 when all went well."""
    parser = argparse.ArgumentParser(prog="zedbg demo", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    options = parser.parse_args(sys.argv[1:] if words is None else words)
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    if interactive:
        print("A kernel that Intel's compiler made, stopped on the simulated GPU. Try:")
        print("  " + " | ".join(TOUR[:5]) + " | ... | continue | quit")
    return run_session(
        SessionOptions(
            program=PROGRAM,
            simulated_device=DEVICE,
            commands=OPENING if interactive else [*OPENING, *TOUR],
            batch=not interactive,
            as_json=options.json,
            echo=not interactive and not options.json,
        )
    )
