"""Random moves in time in compiled kernels, as debugged_launches.py says.

Moments of the present are noted with the registers of all threads and the memory of all buffers;
then come moves forward and backward in the past. Each noted moment has to be found again as it was,
in any order, and breakpoints are hit as often backward as forward.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from tests.support.engine.debugged_launches import Walk, walk_launches
from zedbg.engine import Stop, StopReason
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.events.stops import Outcome
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.registers import RegisterKind

KINDS = (RegisterKind.GRF, RegisterKind.FLAG, RegisterKind.ADDR, RegisterKind.ACC)
FIRST_BUFFER, PAGE, MOST_PAGES = 0x410000000000, 4096, 64
MOST_HITS = 60
PRESENT_MOVES = 6


class Traveller:
    """Moves in time."""

    def __init__(self, walk: Walk) -> None:
        self.session = walk.session
        self.chosen = walk.chosen
        self.case = walk.case
        self.did = walk.did
        self.noted: dict[int, object] = {}

    def state(self) -> object:
        """The registers of every thread and where it is, and the memory of the buffers."""
        threads = {}
        for each in self.session.stopped_threads():
            held = b"".join(bytes(each.read_registers(kind)) for kind in KINDS)
            threads[each.id] = (each.pc, hashlib.sha256(held).hexdigest())
        return self.memory(), threads

    def memory(self) -> str:
        sizes = [each.nbytes for each in self.case.arguments if isinstance(each, np.ndarray)]
        pages = min(sum(-(-size // PAGE) for size in sizes) + 4, MOST_PAGES)
        found = hashlib.sha256()
        for number in range(pages):
            try:
                read = self.session.devices[0].read_memory(FIRST_BUFFER + PAGE * number, PAGE)
            except LevelZeroError:
                continue
            found.update(number.to_bytes(4, "little") + bytes(read))
        return found.hexdigest()

    def go_forward(self) -> None:
        """Moves the present on by a few instructions of single threads, so that the kernel does not
        end, and notes how it is at each stop."""
        session, chosen = self.session, self.chosen
        session.settings.scheduler_locking = SchedulerLocking.ON
        for _ in range(PRESENT_MOVES):
            self.noted[session.time.moment().time] = self.state()
            session.select(chosen.choice(session.stopped_threads()))
            session.step_instruction(chosen.randint(1, 6))

    def travel(self, moves: int) -> None:
        """Moves in the past; then, and now and then between, compares noted moments."""
        present, now = self.session.time.moment(), self.state()
        for _ in range(moves):
            self.move(present.time)
            if self.chosen.random() < 0.25:
                self.compare(self.chosen.choice(list(self.noted)))
        for time in self.chosen.sample(list(self.noted), len(self.noted)):
            self.compare(time)
        self.session.time.go_to_present()
        assert self.session.time.moment() == present and self.state() == now, "the present"

    def compare(self, time: int) -> None:
        self.did.append(f"goto {time}")
        self.session.time.go_to(time)
        assert self.state() == self.noted[time], f"time {time} is not as it was"

    def move(self, latest: int) -> None:
        """One command that does not leave the recorded launch."""
        session, travel, chosen = self.session, self.session.time, self.chosen
        if session.focus is None:
            travel.go_to(latest)
        if chosen.random() < 0.3:
            session.select(chosen.choice(session.stopped_threads()))
        session.settings.scheduler_locking = chosen.choice(list(SchedulerLocking))
        count, calls = chosen.randint(1, 4), chosen.random() < 0.5
        back: list[tuple[str, Callable[[], object]]] = [
            (f"reverse-stepi {count}", lambda: travel.step_instruction(count, calls)),
            (f"reverse-step {count}", lambda: travel.step_line(count, calls)),
            ("reverse-finish", travel.finish),
            ("goto", lambda: travel.go_to(chosen.randint(0, latest))),
        ]
        on: list[tuple[str, Callable[[], object]]] = [
            (f"stepi {count}", lambda: session.step_instruction(count, calls)),
            (f"step {count}", lambda: session.step_line(count, calls)),
            ("finish", session.finish),
        ]
        name, action = chosen.choice(back + on if travel.is_in_past else back)
        self.did.append(f"{name} at {travel.moment()}")
        try:
            action()
        except EngineError as error:
            assert str(error) and "\n" not in str(error)

    def count_hits(self) -> None:
        """Hits of a breakpoint on a line of the kernel, in both directions."""
        session, travel = self.session, self.session.time
        session.settings.scheduler_locking = SchedulerLocking.OFF
        for each in list(session.breakpoints):
            session.breakpoints.delete(each)
        if len(self.noted) < 2:
            return
        start = min(self.noted)
        travel.go_to(start)
        if session.focus is None:
            return
        breakpoint_ = session.break_at(f"*{session.focus.thread.pc:#x}")
        travel.go_to_present()
        backward = self.hits(breakpoint_, travel.continue_)
        if len(backward) < MOST_HITS:
            assert travel.moment().time == 0
            session.settings.scheduler_locking = SchedulerLocking.OFF
            present = travel.recording().end
            forward = self.hits(breakpoint_, session.continue_)
            # One that stands there in the present has come to it: forward that is seen.
            forward = [time for time in forward if time < present]
            assert forward == backward[::-1], (forward, backward)
        travel.go_to_present()

    def hits(self, expected: Breakpoint, move: Callable[[], Outcome]) -> list[int]:
        found: list[int] = []
        while len(found) < MOST_HITS:
            stop = move()
            assert isinstance(stop, Stop)
            if stop.reason is StopReason.NO_HISTORY:
                break
            assert stop.breakpoint is expected, stop
            found.append(self.session.time.moment().time)
        return found


def travel(walk: Walk) -> None:
    """Moves in the launch of the kernel in time."""
    traveller = Traveller(walk)
    traveller.go_forward()
    traveller.travel(walk.moves)
    traveller.count_hits()


if __name__ == "__main__":
    walk_launches("travelled", travel)
