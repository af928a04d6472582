"""``demo``: a program to try zedbg with, and what to type."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Category, Invocation, builtin
from zedbg.commands.rows.row import Row, Text

FOLDER = Path(__file__).resolve().parents[1] / "tools" / "demo"
DEVICE = "dg2"

#: What the debugger runs: a host program that is another process, zedbg's own `zedbg kernel`.
PROGRAM = [
    sys.executable,
    "-P",  # not what lies in the working directory: the zedbg that this one is
    "-m",
    "zedbg.frontends.main",
    "kernel",
    f"{FOLDER / 'blur.zebin'}:blur",
    "--global",
    "64",
    "--local",
    "16",
    "f32[64]=iota",
    "f32[64]",
    "i32=64",
]

_LINES = """\
The program is now a kernel that Intel's compiler made of blur.cl, for the simulated GPU. Try:
  break blur.cl:15      stop in a line of the kernel
  run                   all of its threads stop there
  info threads          where they are
  workitem 37           look at one work-item: its thread and its lane
  info locals           its variables
  print/l value         one of them in every lane of the thread
  next                  to the next line
  help                  what else there is"""


@builtin.command(
    "demo",
    Category.FILES,
    "Take a kernel of zedbg's own as the program to debug, and say what to try",
    example="demo",
    description="The simulated GPU executes it, so that no hardware is needed.",
)
def demo_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    if context.process is not None:
        raise CommandError("A program is being debugged: kill or detach it first.")
    context.program = PROGRAM[:1]
    context.settings.set("args", shlex.join(PROGRAM[1:]))
    context.simulated_device = context.simulated_device or DEVICE
    context.sources.directories.insert(0, FOLDER)
    return [Text(line) for line in _LINES.splitlines()]
