"""The command line of ``zedbg run``."""

from __future__ import annotations

import os
import sys

from zedbg.tools.environment.simulated import Parser, simulated_environment
from zedbg.user_error import UserError

_DESCRIPTION = """\
Runs a program on the simulated GPU, without a debugger. Its exit status is that of the program. It
can be debugged with zedbg -p PID.
"""
_EPILOG = """\
examples:
  zedbg run --sim=dg2 -- python program.py
  zedbg run --sim=pvc -- ./program arguments
"""
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126  # as shells have it


def main(arguments: list[str]) -> int:
    """Runs ``zedbg run``: becomes the program."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = Parser("run", _DESCRIPTION, _EPILOG)
    parser.add_argument("program", nargs="*", metavar="-- PROGRAM ARGUMENTS", help="what to run")
    options = parser.parse_args(arguments[:split])
    program = options.program + arguments[split + 1 :]
    if not program:
        parser.error("name a program: zedbg run --sim=dg2 -- PROGRAM")
    try:
        os.environ.update(simulated_environment(options.sim))
    except UserError as error:
        print(f"zedbg run: {error.line}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    try:
        os.execvp(program[0], program)
    except FileNotFoundError as error:
        print(f"zedbg run: {program[0]}: {error.strerror}", file=sys.stderr)
        return _NOT_FOUND
    except OSError as error:
        print(f"zedbg run: {program[0]}: {error.strerror}", file=sys.stderr)
        return _NOT_EXECUTABLE
