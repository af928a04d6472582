"""What single commands cost while a full device stands at a breakpoint: in the processor's time of
zedbg, and from Enter to the next prompt in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.support.packed_modules import ZEBINS
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.killing import kill_process
from zedbg.engine.sessions.opening import open_session
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import TextOutput

from .measure import Cell, Table, Timing
from .prompt_terminal import zedbg_in_terminal

THREADS = 4096
REPETITIONS = 15
_MODULE = ZEBINS / "igc2-dg2-O0" / "calls.zebin"
_LANES = 8  # of a thread
_LINE = "calls.cl:18"
# In a thread that stands in front of a call; and what Intel's GDB took, in seconds.
_COMMANDS = {
    "print i": 5e-3,
    "info locals": 1.8e-3,
    "backtrace": None,
    "disassemble": 27e-3,
    "step": 12e-3,  # into the call
    "next": 8.3e-3,
    "stepi": 5.5e-3,
    "finish": 10e-3,
}


def run(threads: int = THREADS, repetitions: int = REPETITIONS) -> Table:
    """Each command in another thread each time."""
    used = _measured(threads, repetitions, _in_this_process)
    typed = _measured(threads, repetitions, _in_a_terminal)
    rows: list[list[Cell]] = []
    for command, theirs in _COMMANDS.items():
        ours = Timing(tuple(used[command]))
        at_prompt = Timing(tuple(typed[command]))
        ratio: Cell = "-" if theirs is None else ours.median / theirs
        rows.append([command, ours, at_prompt, "-" if theirs is None else theirs * 1e3, ratio])
    return Table(
        "single_commands",
        f"{threads} threads stopped; time of the processor, and from Enter to the prompt; Intel's "
        "GDB as it was measured once, on another day",
        ("command", "processor", "at the prompt", "GDB, ms", "processor / GDB"),
        rows,
    )


#: Carries out a command, and says how many seconds it took.
Take = Callable[[str], float]


def _measured(
    threads: int, repetitions: int, opened: Callable[[int], AbstractContextManager[Take]]
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {command: [] for command in _COMMANDS}
    with opened(threads) as take:
        take(f"break {_LINE}")
        take("run")
        for number in range(repetitions + 1):
            take(f"thread 1.{number + 1}")
            for command, taken in seconds.items():
                second = take(command)
                if number:  # the first time reads what is kept
                    taken.append(second)
    return seconds


def _program(threads: int) -> list[str]:
    count = threads * _LANES
    sizes = ["--global", str(count), "--local", str(_LANES)]
    return [
        str(Path(sys.executable).with_name("zedbg")),
        *("kernel", str(_MODULE), *sizes, f"i32[{count}]=iota", f"f32[{4 * count}]=iota"),
    ]


@contextmanager
def _in_this_process(threads: int) -> Iterator[Take]:
    session, _ = open_session("dg2")
    with session:
        context = CommandContext(lambda: session, catalogue(), program=_program(threads))
        interpreter = Interpreter(context, TextOutput(lambda line: None))

        def take(command: str) -> float:
            begin = time.process_time()
            if not interpreter.execute(command):
                raise RuntimeError(f"{command} failed")
            return time.process_time() - begin

        yield take
        kill_process(context)


@contextmanager
def _in_a_terminal(threads: int) -> Iterator[Take]:
    begin = time.perf_counter()
    with zedbg_in_terminal("--sim=dg2", "--", *_program(threads)) as terminal:
        terminal.prompt(begin)
        terminal.enter("set pagination off")
        yield lambda command: terminal.enter(command).seconds
