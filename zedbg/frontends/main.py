"""The command line of ``zedbg``: chooses the front end and runs it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import zedbg
from zedbg.commands.framework.permanence import permanent
from zedbg.frontends.shared.ending import (
    INTERRUPTED,
    discard_output,
    end_on_signals,
    keep_lost_signals,
)
from zedbg.frontends.shared.scheduling import add_scheduling_arguments, apply_scheduling
from zedbg.xe.devices import DEFAULT_DEVICE, described_devices

_EPILOG = """\
other commands:
  zedbg kernel ...       run one kernel of a module, without a host program (zedbg kernel --help)
  zedbg inspect FILE     what is in a file with device code (zedbg inspect --help)
  zedbg doctor [FILE]    what is wrong with this machine's set-up, and how to fix it
  zedbg demo             a guided stop inside a kernel on the simulated GPU

examples:
  zedbg --sim=dg2 -- ./program arguments
  zedbg -- zedbg kernel vadd.zebin:vadd --global 64 f32[64]=iota f32[64]=2 f32[64] i32=64
  zedbg -p 4711
  zedbg --batch -ex 'break vadd.cl:3' -ex run -ex 'print/l i' -- ./program
"""

# The modules whose ``main`` runs a subcommand.
_SUBCOMMANDS = {
    "kernel": "zedbg.tools.kernel.main",
    "inspect": "zedbg.tools.inspect.main",
    "doctor": "zedbg.tools.doctor.main",
    "demo": "zedbg.tools.demo.main",
}


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
    """The command line as data."""
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
    result.add_argument("-ex", dest="ex", action=_Command, metavar="CMD", help="run a command")
    result.add_argument(
        "-x", dest="x", action=_Command, metavar="FILE", help="run a file's commands"
    )
    result.add_argument("--batch", action="store_true", help="run the commands, then exit")
    result.add_argument("--json", action="store_true", help="one JSON object a line")
    result.add_argument("--version", action="store_true", help="print the version")
    result.add_argument("program", nargs="*", metavar="-- PROGRAM ARGUMENTS", help="what to debug")
    result.set_defaults(commands=[])
    return result


def main(arguments: list[str] | None = None) -> int:
    """Runs zedbg; the exit status is 0 when everything went well."""
    keep_lost_signals()
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()  # here, where it may fail: nobody may be reading
        return status
    except KeyboardInterrupt:
        # A terminal has begun a line with ^C.
        print("\nInterrupted." if sys.stderr.isatty() else "Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return 1


def _run(words: list[str]) -> int:
    if words and words[0] in _SUBCOMMANDS:
        with permanent():
            tool = import_module(_SUBCOMMANDS[words[0]])
        status: int = tool.main(words[1:])
        return status
    # What follows -- belongs to the program, whatever it looks like.
    split = words.index("--") if "--" in words else len(words)
    options = parser().parse_args(words[:split])
    options.program += words[split + 1 :]
    if options.version:
        print(f"zedbg {zedbg.__version__}")
        return 0
    end_on_signals()
    with permanent():
        from zedbg.frontends.session import run_session

    return run_session(
        program=options.program,
        simulated_device=apply_scheduling(options, options.sim),
        pid=options.pid,
        commands=[line for kind, text in options.commands for line in _lines(kind, text)],
        batch=options.batch,
        as_json=options.json,
    )


def _lines(kind: str, text: str) -> list[str]:
    """A ``-ex`` command as it stands; ``-x`` as the command that runs the file."""
    return [text] if kind == "ex" else [f"source {text}"]


if __name__ == "__main__":
    sys.exit(main())
