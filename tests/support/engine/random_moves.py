"""Random moves of single threads in compiled kernels: CONFIGURATION SEED MOVES [KERNELS].

In a process of its own, since a process has one driver. In KERNELS launches (all without) of
tests/kernels and its corpus, MOVES commands of a user: steps of every kind, ``advance``,
``continue``, another thread, another breakpoint, each with any scheduler locking. Each has to end,
with a stop of that thread or one that the user asked for; then the kernel runs on, and computes
what it does without a debugger. Prints a line for each launch; what does not hold ends it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.support.kernels.kernel_case import Case, Local
from tests.support.kernels.kernel_cases import ORDER_DEPENDENT
from tests.support.kernels.launches import Launchable, launches
from zedbg.engine import Session, Stop, StopReason
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions import opening

LIMIT_SECONDS = 60.0
MOST_INSTRUCTIONS = 30
MOST_LINES = 60
KINDS = "fiu"  # of numbers: floating point, signed, unsigned


def arguments(case: Case, directory: Path) -> list[str] | None:
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
        elif isinstance(argument, np.generic) and argument.dtype.kind in KINDS:
            found.append(f"{argument.dtype.kind}{8 * argument.itemsize}={argument}")
        else:
            return None
    return found


def command(launch: Launchable, directory: Path) -> list[str] | None:
    """The program that launches the kernel."""
    case = launch.case
    given = arguments(case, directory)
    if given is None:
        return None
    sizes = ["--global", ",".join(map(str, case.size)), "--local", ",".join(map(str, case.group))]
    module = f"{launch.module}:{case.kernel}"
    return [sys.executable, "-m", "zedbg.frontends.main", "kernel", module, *sizes, *given]


class Mover:
    """Moves at random in ``session``, which is stopped in a kernel."""

    def __init__(self, session: Session, chosen: random.Random) -> None:
        self.session = session
        self.chosen = chosen
        self.did: list[str] = []

    def move(self) -> None:
        """One command, if a thread is there."""
        session, chosen = self.session, self.chosen
        focus = session.focus if session.process is not None else None
        if focus is None:
            return
        thread = focus.thread
        locking = chosen.choice(list(SchedulerLocking))
        if thread.location.line is None and not locking.steps_alone:
            # A step goes through all of a function without lines; while others run, instruction by
            # instruction: that ends, but there are kernels of 100,000s of them.
            locking = SchedulerLocking.STEP
        session.settings.scheduler_locking = locking
        name, action = chosen.choice(self._moves(thread.location.file or ""))
        where = f"{thread.id} at line {thread.location.line}, {thread.pc:#x}"
        self.did.append(f"{name} of {where}, scheduler locking {locking.value}")
        hangs = threading.Event()

        def give_up() -> None:
            hangs.set()
            session.interrupt()

        limit = threading.Timer(LIMIT_SECONDS, give_up)
        limit.start()
        try:
            outcome = action()
        except EngineError as error:
            assert str(error) and "\n" not in str(error)
            return
        finally:
            limit.cancel()
        assert not hangs.is_set(), "it does not end"
        self.did.append(f"    -> {getattr(outcome, 'reason', outcome)}")
        if isinstance(outcome, Stop) and outcome.reason is StopReason.STEP:
            assert outcome.focus is not None and outcome.focus.thread is thread

    def run_to_the_end(self) -> None:
        """Lets the program go."""
        session = self.session
        for each in list(session.breakpoints):
            session.breakpoints.delete(each)
        session.settings.scheduler_locking = SchedulerLocking.OFF
        while session.process is not None:
            assert session.continue_(LIMIT_SECONDS) is not None, "it does not end"

    def _moves(self, file: str) -> list[tuple[str, Callable[[], object]]]:
        session, chosen = self.session, self.chosen
        count = chosen.randint(1, MOST_INSTRUCTIONS)
        place = f"{Path(file).name}:{chosen.randint(1, MOST_LINES)}"

        def select() -> None:
            session.select(chosen.choice(session.stopped_threads()))

        return [
            (f"stepi {count}", lambda: session.step_instruction(count)),
            (f"nexti {count}", lambda: session.step_instruction(count, over_calls=True)),
            ("step", session.step_line),
            ("next", lambda: session.step_line(over_calls=True)),
            ("until", session.until_line),
            ("finish", session.finish),
            (f"advance {place}", lambda: session.advance_to(place)),
            (f"tbreak {place}", lambda: session.break_at(place, temporary=True)),
            ("continue", session.continue_),
            ("another thread", select),
        ]


def output_alone(program: list[str], device: str) -> str:
    """What the program writes without a debugger."""
    done = subprocess.run(
        [*program, "--device", device], capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout


def depends_on_order(case: Case) -> bool:
    """Whether the kernel's results depend on the order of its threads, which moves change."""
    return bool(case.unordered or case.digest or case.kernel in ORDER_DEPENDENT)


def walk(program: list[str], case: Case, device: str, moves: int, seed: str) -> None:
    """Moves threads of the kernel, and lets it run to its end."""
    written: list[str] = []

    def write(_stream: object, text: str) -> None:
        written.append(text)

    with opening.launch(program, sim=device, output=write) as session:
        session.settings.watchdog_seconds = 0
        mover = Mover(session, random.Random(seed))
        try:
            session.break_at(case.kernel, temporary=True)
            session.continue_(LIMIT_SECONDS)
            for _ in range(moves):
                mover.move()
            mover.run_to_the_end()
        except BaseException:
            print(*mover.did, sep="\n", file=sys.stderr)
            raise
    watched = "".join(written)
    alone = output_alone(program, device)
    same = watched.count("\n") == alone.count("\n") if depends_on_order(case) else watched == alone
    if not same:
        raise AssertionError("\n".join([*mover.did, "with a debugger:", watched, "alone:", alone]))


def main() -> None:
    configuration, seed, moves = sys.argv[1], sys.argv[2], int(sys.argv[3])
    device = configuration.split("-")[1]
    with tempfile.TemporaryDirectory(prefix="zedbg-") as name:
        directory = Path(name)
        every = list(launches(configuration, directory))
        if len(sys.argv) > 4:
            every = random.Random(seed + configuration).sample(every, int(sys.argv[4]))
        for launch in every:
            program = command(launch, directory)
            if program is None:
                print(f"{launch.case.kernel}: has arguments of other kinds")
                continue
            kernel = launch.case.kernel
            walk(program, launch.case, device, moves, f"{seed} {configuration} {kernel}")
            print(f"{kernel}: moved", flush=True)


if __name__ == "__main__":
    main()
