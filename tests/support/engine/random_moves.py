"""Random moves of single threads in compiled kernels, as debugged_launches.py says.

Moves are commands of a user: steps of every kind, ``advance``, ``continue``, another thread,
another breakpoint, each with any scheduler locking. Each has to end, with a stop of that thread or
one that the user asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from tests.support.engine.debugged_launches import LIMIT_SECONDS, Walk, walk_launches
from zedbg.engine import Stop, StopReason
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.ground.scheduler_locking import SchedulerLocking

MOST_INSTRUCTIONS = 30
MOST_LINES = 60


class Mover:
    """Moves single threads at random."""

    def __init__(self, walk: Walk) -> None:
        self.session = walk.session
        self.chosen = walk.chosen
        self.did = walk.did

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


def move_threads(walk: Walk) -> None:
    """Moves threads of the kernel."""
    mover = Mover(walk)
    for _ in range(walk.moves):
        mover.move()


if __name__ == "__main__":
    walk_launches("moved", move_threads)
