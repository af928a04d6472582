"""The command line of ``zedbg`` as data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from zedbg.frontends.shared.scheduling import add_scheduling_arguments
from zedbg.xe.devices import DEFAULT_DEVICE, described_devices

_EPILOG = """\
other commands:
  zedbg kernel ...       run one kernel of a module, without a host program (zedbg kernel --help)
  zedbg inspect FILE     what is in a file with device code (zedbg inspect --help)
  zedbg core FILE        look at a core file (generate-core-file makes one)
  zedbg doctor [FILE]    what is wrong with this machine's set-up, and how to fix it
  zedbg serve ...        share a session with other programs of yours (takes what zedbg takes)
  zedbg connect SOCKET   a shell in such a session
  zedbg stacks PID       where every thread of a program is; it goes on (zedbg stacks --help)
  zedbg demo             a guided stop inside a kernel on the simulated GPU
  zedbg dap              serves an editor: the Debug Adapter Protocol (docs/editors.md)
  zedbg env              what a shell needs to run programs on the simulated GPU
  zedbg run PROGRAM      runs one program there, without a debugger
  zedbg fetch            the newest loader and compiler, which SYCL programs need

examples:
  zedbg --sim=dg2 -- ./program arguments
  zedbg -- zedbg kernel vadd.zebin:vadd --global 64 f32[64]=iota f32[64]=2 f32[64] i32=64
  zedbg -p 4711
  zedbg --batch -ex 'break vadd.cl:3' -ex run -ex 'print/l i' -- ./program
"""


class _Command(argparse.Action):
    """Keeps ``-ex`` and ``-x`` in the order in which they were given."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        namespace.commands = [*(namespace.commands or []), (self.dest, str(values))]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"zedbg: {message} (zedbg --help explains)", file=sys.stderr)
        raise SystemExit(2)


def parser() -> argparse.ArgumentParser:
    """The parser of everything that is no subcommand."""
    result = _Parser(
        prog="zedbg",
        description="Debugs the code that runs on an Intel GPU, or on the simulated one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "--sim",
        nargs="?",
        const=DEFAULT_DEVICE,
        metavar="DEVICE",
        help=f"use the simulated GPU: {described_devices()}",
    )
    add_scheduling_arguments(result)
    result.add_argument("-p", "--pid", type=int, help="attach to a process")
    result.add_argument("-c", "--core", metavar="FILE", help="look at a core file")
    result.add_argument(
        "--core-on-fault",
        default="",
        metavar="DIR",
        help="save a core file there when a thread faults",
    )
    result.add_argument("-ex", dest="ex", action=_Command, metavar="CMD", help="run a command")
    result.add_argument(
        "-x", dest="x", action=_Command, metavar="FILE", help="run a file's commands"
    )
    result.add_argument("--batch", action="store_true", help="run the commands, then exit")
    result.add_argument("--json", action="store_true", help="one JSON object a line")
    result.add_argument("--version", action="store_true", help="print the version")
    result.add_argument("--socket", metavar="PATH", help="where zedbg serve listens")
    result.add_argument("program", nargs="*", metavar="-- PROGRAM ARGUMENTS", help="what to debug")
    result.set_defaults(commands=[])
    return result
