"""Programs that debug launches of tests/kernels and its corpus: CONFIGURATION SEED MOVES [KERNELS].

In a process of its own, since a process has one driver. In KERNELS launches (all without) a program
moves MOVES times at random; then the kernel runs on, and has to compute what it does without a
debugger. It prints a line for each launch; what does not hold ends it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.support.driver.program_debug_hosts import debugger_environment
from tests.support.kernels.kernel_case import Case, Local
from tests.support.kernels.kernel_cases import ORDER_DEPENDENT
from tests.support.kernels.launches import Launchable, launches
from tests.support.module_command import module_command
from tests.support.native_programs import native_program
from zedbg.engine import Session
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions import opening

LIMIT_SECONDS = 60.0
_KINDS = "fiu"  # of numbers: floating point, signed, unsigned


@dataclass
class Walk:
    """A launch that is debugged: ``session`` is stopped at the beginning of the kernel of ``case``.

    ``did``: what was done so far, for who reads why it failed.
    """

    session: Session
    case: Case
    chosen: random.Random
    moves: int
    did: list[str] = field(default_factory=list)


def run_walks(module: str, *arguments: str, timeout: float = 3000) -> str:
    """What the program ``module`` of tests/support/engine prints; AssertionError when it fails."""
    done = subprocess.run(
        module_command(f"engine.{module}", *arguments),
        env=debugger_environment(native_program("libze_sim_gpu.so").resolve()),
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    return done.stdout


def walk_launches(done: str, walk: Callable[[Walk], None]) -> None:
    """The program: ``walk`` moves in each launch; ``done`` says in a word what it did."""
    configuration, seed, moves = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory(prefix="zedbg-") as name:
        directory = Path(name)
        every = [
            (launch.case, program)
            for launch in launches(configuration, directory)
            if (program := _command(launch, directory)) is not None
        ]
        if len(sys.argv) > 4:
            every = random.Random(seed + configuration).sample(every, int(sys.argv[4]))
        for case, program in every:
            chosen = random.Random(f"{seed} {configuration} {case.kernel}")
            _walk(walk, program, case, configuration.split("-")[1], chosen, moves)
            print(f"{case.kernel}: {done}", flush=True)


def _walk(
    walk: Callable[[Walk], None],
    program: list[str],
    case: Case,
    device: str,
    chosen: random.Random,
    moves: int,
) -> None:
    written: list[str] = []

    def write(_stream: object, text: str) -> None:
        written.append(text)

    with opening.launch(program, sim=device, output=write) as session:
        session.settings.watchdog_seconds = 0
        walked = Walk(session, case, chosen, moves)
        try:
            session.break_at(case.kernel, temporary=True)
            session.continue_(LIMIT_SECONDS)
            walk(walked)
            _run_to_the_end(session)
        except BaseException:
            print(*walked.did, sep="\n", file=sys.stderr)
            raise
    watched, alone = "".join(written), _output_alone(program, device)
    same = watched.count("\n") == alone.count("\n") if _depends_on_order(case) else watched == alone
    if not same:
        raise AssertionError("\n".join([*walked.did, "debugged:", watched, "alone:", alone]))


def _run_to_the_end(session: Session) -> None:
    """Lets the program go."""
    for each in list(session.breakpoints):
        session.breakpoints.delete(each)
    session.settings.scheduler_locking = SchedulerLocking.OFF
    while session.process is not None:
        assert session.continue_(LIMIT_SECONDS) is not None, "it does not end"


def _output_alone(program: list[str], device: str) -> str:
    """What the program writes without a debugger."""
    done = subprocess.run(
        [*program, "--device", device], capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout


def _depends_on_order(case: Case) -> bool:
    """Whether the kernel's results depend on the order of its threads, which moves change."""
    return bool(case.unordered or case.digest or case.kernel in ORDER_DEPENDENT)


def _command(launch: Launchable, directory: Path) -> list[str] | None:
    """The program that launches the kernel; None where ``zedbg kernel`` cannot."""
    case = launch.case
    given = _arguments(case, directory)
    if given is None:
        return None
    sizes = ["--global", ",".join(map(str, case.size)), "--local", ",".join(map(str, case.group))]
    module = f"{launch.module}:{case.kernel}"
    return [sys.executable, "-m", "zedbg.frontends.main", "kernel", module, *sizes, *given]


def _arguments(case: Case, directory: Path) -> list[str] | None:
    """What ``zedbg kernel`` takes for the launch; None where it has no option for that."""
    if case.offset:
        return None
    found = []
    for number, argument in enumerate(case.arguments):
        if isinstance(argument, Local):
            found.append(f"local[{argument.size}]")
        elif isinstance(argument, np.ndarray):
            path = directory / f"{case.kernel}.{number}"
            argument.tofile(path)
            found.append(f"u8[{argument.nbytes}]=@{path}")
        elif isinstance(argument, np.generic) and argument.dtype.kind in _KINDS:
            found.append(f"{argument.dtype.kind}{8 * argument.itemsize}={argument}")
        else:
            return None
    return found
