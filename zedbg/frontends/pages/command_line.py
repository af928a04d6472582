"""The command line as pages need it: options and subcommands, from the parsers themselves."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from zedbg.frontends.options import parser

SUBCOMMANDS = {
    "kernel": "run one kernel of a module, without a host program",
    "inspect": "show what is in a file with device code",
    "doctor": "say what is wrong with this machine's set-up, and how to fix it",
    "demo": "a guided stop inside a kernel on the simulated GPU",
    "dap": "serve an editor over the Debug Adapter Protocol",
}
_FILE_OPTIONS = ("-x", "-ix")


@dataclass(frozen=True)
class Option:
    """An option of ``zedbg``: its ``names``, what it is given ("" for nothing), the words that may
    be given, and whether that is a file."""

    names: tuple[str, ...]
    argument: str
    help: str
    choices: tuple[str, ...]
    takes_file: bool

    @property
    def is_long(self) -> bool:
        """Whether it has a name with two dashes."""
        return self.names[-1].startswith("--")


def options() -> list[Option]:
    """All options, in the order of ``--help``."""
    found = []
    for action in parser()._actions:
        if not action.option_strings or action.help == argparse.SUPPRESS:
            continue
        argument = ""
        if action.nargs != 0:
            argument = str(action.metavar or action.dest.upper())
        found.append(
            Option(
                tuple(action.option_strings),
                f"[{argument}]" if action.nargs == "?" else argument,
                (action.help or "").replace("%%", "%"),
                tuple(str(each) for each in action.choices or ()),
                bool(set(action.option_strings) & set(_FILE_OPTIONS)),
            )
        )
    return found
