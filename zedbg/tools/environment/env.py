"""The command line of ``zedbg env``."""

from __future__ import annotations

import shlex
import sys

from zedbg.tools.environment.simulated import Parser, simulated_environment
from zedbg.user_error import UserError

_DESCRIPTION = """\
Prints what a shell needs to run any program on the simulated GPU, as export commands. Programs that
are started so can be debugged with zedbg -p PID.
"""
_EPILOG = """\
examples:
  eval "$(zedbg env --sim=dg2)"
  eval "$(zedbg env --sim=dg2,pvc)"
"""


def main(arguments: list[str]) -> int:
    """Runs ``zedbg env``."""
    options = Parser("env", _DESCRIPTION, _EPILOG).parse_args(arguments)
    try:
        environment = simulated_environment(options.sim)
    except UserError as error:
        print(f"zedbg env: {error.line}", file=sys.stderr)
        return 1
    for name, value in environment.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0
