"""The command line of ``zedbg`` as data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from zedbg.commands.framework.batch_status import BatchStatus
from zedbg.frontends.shared.scheduling import add_scheduling_arguments
from zedbg.xe.devices import DEFAULT_DEVICE, described_devices

_MOST_SECONDS = 1e9
_STATUSES = ", ".join(f"{int(each)} {each.meaning}" for each in BatchStatus)
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
  zedbg gdb-plugin       where GDB's plugin is: gdb -x "$(zedbg gdb-plugin)" --args ./program
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


def _process_id(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if not number:
        raise argparse.ArgumentTypeError(f'"{text}" is no process id')
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of seconds')
    return seconds


def split_program(words: list[str]) -> tuple[list[str], list[str]]:
    """The options of zedbg in ``words``, and the program with its arguments, which belong to it
    whatever they look like: what follows ``--``, or ``--args`` and the options after it."""
    for position, word in enumerate(words):
        if word == "--":
            return words[:position], words[position + 1 :]
        if word in ("--args", "-args"):
            rest = words[position + 1 :]
            rest = rest[1:] if rest[:1] == ["--"] else rest
            return words[:position], rest
    return words, []


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
    result.add_argument("-p", "--pid", type=_process_id, help="attach to a process")
    result.add_argument("-c", "--core", metavar="FILE", help="look at a core file")
    result.add_argument(
        "--core-on-fault",
        default="",
        metavar="DIR",
        help="save a core file there when a thread faults",
    )
    for letters, destination, metavar, text in (
        (("-ex", "-eval-command", "--eval-command"), "ex", "CMD", "run a command"),
        (("-x", "-command", "--command"), "x", "FILE", "run a file's commands"),
        (("-iex", "-init-eval-command", "--init-eval-command"), "iex", "CMD", "as -ex, but first"),
        (("-ix", "-init-command", "--init-command"), "ix", "FILE", "as -x, but first"),
    ):
        result.add_argument(*letters, dest=destination, action=_Command, metavar=metavar, help=text)
    result.add_argument(
        "--args",
        "-args",
        action="store_true",
        help="what follows the options is the program and its arguments, as after --",
    )
    result.add_argument(
        "-nx", "-n", "--nx", action="store_true", help="load no plugins and no resource files"
    )
    result.add_argument(
        "-q", "-quiet", "--quiet", "-silent", "--silent", action="store_true", help="greet nobody"
    )
    result.add_argument(
        "--batch", "-batch", action="store_true", help=f"run the commands, then exit: {_STATUSES}"
    )
    result.add_argument(
        "--return-child-result",
        "-return-child-result",
        action="store_true",
        help="with --batch: exit with the program's exit status",
    )
    result.add_argument(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help=f"with --batch: end after so long, with exit status {int(BatchStatus.TIMEOUT)}",
    )
    result.add_argument("--json", action="store_true", help="one JSON object a line")
    result.add_argument("--version", action="store_true", help="print the version")
    result.add_argument("--socket", metavar="PATH", help="where zedbg serve listens")
    result.add_argument(
        "--while-input", action="store_true", help="zedbg serve ends with its standard input"
    )
    result.add_argument("program", nargs="*", metavar="-- PROGRAM ARGUMENTS", help="what to debug")
    result.set_defaults(commands=[])
    return result
