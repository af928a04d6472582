"""What single commands cost while a full device stands at a breakpoint: in the processor's time of
zedbg, and from Enter to the next prompt in a terminal, beside GDB in the same minutes."""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.driver import intel_gdb
from tests.support.packed_modules import ZEBINS
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.killing import kill_process
from zedbg.engine.sessions.opening import open_session
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import TextOutput

from .measure import Cell, Table, Timing
from .programs import Programs
from .prompt_terminal import PromptTerminal, gdb_in_terminal, zedbg_in_terminal

THREADS = 4096
REPETITIONS = 15
_DEVICE = "dg2"
_MODULE = ZEBINS / f"igc2-{_DEVICE}-O0" / "calls.zebin"
_LANES = 8  # of a thread
_LINE = "calls.cl:18"
_TWIN_LINE = "calls_twin.c:24"
# In a thread that stands in front of a call; and what is shown when the command has done its work.
_COMMANDS = {
    "print i": r" = ",
    "info locals": r"\bi = ",
    "backtrace": r"#0 ",
    "disassemble": r"=>",
    "step": r"\bmid \(",  # into the call
    "next": r"\d\t|:9\b",
    "stepi": r"\d\t|:9\b",
    "finish": r"Run till exit",
}


@dataclass(frozen=True)
class _Gdb:
    """A GDB at a breakpoint, what it is, and the commands that lead to the next thread there."""

    terminal: PromptTerminal
    what: str
    to_thread: Callable[[int], list[str]]


def run(programs: Programs, threads: int = THREADS, repetitions: int = REPETITIONS) -> Table:
    """Each command in another thread each time."""
    used = _processor_seconds(threads, repetitions)
    what, ours, keys, theirs = _prompt_seconds(programs, threads, repetitions)
    rows: list[list[Cell]] = []
    for command in _COMMANDS:
        zedbg, gdb = Timing(tuple(ours[command])), theirs[command]
        beside: list[Cell] = ["-", "-", "-"]
        if gdb:
            fastest = min(zedbg.seconds) / min(gdb)
            beside = [Timing(tuple(gdb)), zedbg.median / statistics.median(gdb), fastest]
        key = Timing(tuple(keys[command]))
        rows.append([command, Timing(tuple(used[command])), zedbg, key, *beside])
    return Table(
        "single_commands",
        f"{threads} threads stopped; time of the processor, from Enter to the prompt, and from a "
        f"key typed then until it is shown; {what}; ratios of the medians and of the fastest",
        ("command", "processor", "at the prompt", "key", "GDB", "ratio", "of the fastest"),
        rows,
    )


def _program(threads: int) -> list[str]:
    """Arguments of zedbg."""
    count = threads * _LANES
    sizes = ["--global", str(count), "--local", str(_LANES)]
    return ["kernel", str(_MODULE), *sizes, f"i32[{count}]=iota", f"f32[{4 * count}]=iota"]


# --- in this process -----------------------------------------------------------------------------


def _processor_seconds(threads: int, repetitions: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {command: [] for command in _COMMANDS}
    session, _ = open_session(_DEVICE)
    program = [str(Path(sys.executable).with_name("zedbg")), *_program(threads)]
    with session:
        context = CommandContext(lambda: session, catalogue(), program=program)
        interpreter = Interpreter(context, TextOutput(lambda line: None))

        def take(command: str) -> float:
            begin = time.process_time()
            if not interpreter.execute(command):
                raise RuntimeError(f"{command} failed")
            return time.process_time() - begin

        take(f"break {_LINE}")
        take("run")
        for number in range(repetitions + 1):
            take(f"thread 1.{number + 1}")
            for command, taken in seconds.items():
                second = take(command)
                if number:  # the first time reads what is kept
                    taken.append(second)
        kill_process(context)
    return seconds


# --- in terminals --------------------------------------------------------------------------------


def _prompt_seconds(
    programs: Programs, threads: int, repetitions: int
) -> tuple[str, dict[str, list[float]], dict[str, list[float]], dict[str, list[float]]]:
    """What GDB debugs; the seconds of each command in zedbg, and of a key after it; the seconds in
    GDB, none for what it cannot do there."""
    ours: dict[str, list[float]] = {command: [] for command in _COMMANDS}
    keys: dict[str, list[float]] = {command: [] for command in _COMMANDS}
    theirs: dict[str, list[float]] = {command: [] for command in _COMMANDS}
    program = [str(Path(sys.executable).with_name("zedbg")), *_program(threads)]
    begin = time.perf_counter()
    with (
        zedbg_in_terminal(f"--sim={_DEVICE}", "--", *program) as zedbg,
        _gdb(programs, threads) as gdb,
    ):
        zedbg.prompt(begin)
        for command in ("set pagination off", f"break {_LINE}", "run"):
            zedbg.enter(command)
        for number in range(repetitions + 1):
            zedbg.enter(f"thread 1.{number + 1}")
            for command in gdb.to_thread(number):
                gdb.terminal.enter(command)
            for command, expected in _COMMANDS.items():
                with gdb.terminal.halted():
                    own = zedbg.enter(command)
                with zedbg.halted():
                    other = gdb.terminal.enter(command)
                if command != "finish" and not re.search(expected, own.shown):
                    raise RuntimeError(f"{command} gave {own.shown[-300:]}")
                if number:
                    ours[command].append(own.seconds)
                    keys[command].append(own.key_seconds)
                    if re.search(expected, other.shown):
                        theirs[command].append(other.seconds)
    return gdb.what, ours, keys, theirs


@contextmanager
def _gdb(programs: Programs, threads: int) -> Iterator[_Gdb]:
    """Intel's GDB with the same kernel where it is named, else the system's with a twin of it."""
    if intel_gdb.GDB:
        command = intel_gdb.intel_gdb("-q", "--args", sys.executable, "-m")
        command += ["zedbg.frontends.main", *_program(threads)]
        setup = ["set breakpoint pending on", f"break {_LINE}", "run", "set scheduler-locking on"]
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as folder:
            driver = Path(os.environ["ZEDBG_SIM_DRIVER"])
            environment = intel_gdb.intel_gdb_environment(driver, _DEVICE, Path(folder))
            with gdb_in_terminal(command, environment) as terminal:
                _set_up(terminal, setup)
                # The first move reports the breakpoint once more.
                yield _Gdb(terminal, "Intel's GDB", lambda each: [f"thread 2.{each + 1}", "stepi"])
    else:
        command = ["gdb", "-nx", "-q", str(programs.path("calls_twin"))]
        with gdb_in_terminal(command, {}) as terminal:
            _set_up(terminal, [f"break {_TWIN_LINE}", "run"])
            yield _Gdb(terminal, "GDB with a twin in C", lambda each: ["continue"])


def _set_up(terminal: PromptTerminal, commands: list[str]) -> None:
    terminal.prompt(time.perf_counter())
    for command in ("set pagination off", "set confirm off", *commands):
        terminal.enter(command)
