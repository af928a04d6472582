"""Travels in the recorded launch of the demonstration's kernel: SEED MOVES.

In a process of its own, since a process has one driver. Prints what the program wrote at its end.
"""

import random
import sys

from tests.support.places import REPOSITORY
from zedbg.engine import StopReason
from zedbg.engine.engine_errors import PastError
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.sessions import opening
from zedbg.xe.registers import RegisterKind

BLUR = REPOSITORY / "zedbg" / "tools" / "demo" / "blur.zebin"
PROGRAM = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(BLUR)]
PROGRAM += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
KINDS = (RegisterKind.GRF, RegisterKind.CR, RegisterKind.FLAG, RegisterKind.CE, RegisterKind.SR)


def state(session):
    """All registers of all threads, and the kernel's output."""
    threads = session.stopped_threads()
    out = session.devices[0].read_memory(0x410000003000, 256)
    return out, {each.id: [each.read_registers(kind) for kind in KINDS] for each in threads}


def hits(session, move):
    """Where ``move`` stops at breakpoints and changes, until there is no more."""
    found = []
    while (stop := move()).reason in (StopReason.BREAKPOINT, StopReason.WATCHPOINT):
        group = stop.group
        changes = sorted((each.lane, *sorted((each.old, each.new))) for each in group.changes)
        where = session.time.moment().time - (bool(changes) and move != session.time.continue_)
        found.append((stop.focus.thread.id, where, changes))
    assert stop.reason is StopReason.NO_HISTORY
    return found


def main():
    seed, moves = int(sys.argv[1]), int(sys.argv[2])
    chosen = random.Random(seed)
    with opening.launch(PROGRAM, sim="dg2") as session:
        session.break_at("blur.cl:18")
        session.continue_()
        travel = session.time
        present, before = travel.moment(), state(session)
        for _ in range(moves):
            lines, calls = chosen.randint(1, 3), chosen.random() < 0.5
            session.select(chosen.choice(session.stopped_threads()))
            session.settings.scheduler_locking = chosen.choice(list(SchedulerLocking))
            move = chosen.choice(
                [
                    lambda: travel.step_instruction(lines, calls),  # noqa: B023
                    lambda: travel.step_line(lines, calls),  # noqa: B023
                    lambda: session.step_line(lines, calls),  # noqa: B023
                    lambda: session.step_instruction(lines, calls),  # noqa: B023
                    travel.continue_,
                    lambda: travel.go_to(chosen.randint(1, present.time)),
                ]
            )
            if travel.is_in_past or getattr(move, "__self__", None) is travel:
                move()
            else:
                travel.step_line()
        here, then = travel.moment(), state(session)
        travel.go_to_present()
        assert travel.moment() == present and state(session) == before
        travel.go_to(here.time)
        assert state(session) == then, here
        session.settings.scheduler_locking = SchedulerLocking.STEP

        travel.go_to(present.time - 1)
        try:
            session.stopped_threads()[0].evaluate("$r10.ud[0] = 1")
        except PastError as error:
            assert "\n" not in str(error)
        else:
            raise AssertionError("the past was changed")

        travel.go_to_present()
        thread = next(each for each in session.stopped_threads() if each.number == 3)
        session.select(thread)
        session.watch("value", location=True)
        session.break_at("blur.cl:14")
        backward = hits(session, travel.continue_)
        forward = hits(session, session.continue_)
        assert forward == backward[::-1] and len(forward) > 8, (forward, backward)
        assert not travel.is_in_past and state(session)[0] == before[0]

        travel.go_to_first()
        session.detach()


if __name__ == "__main__":
    main()
