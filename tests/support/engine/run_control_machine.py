"""Random sequences of run control, over a program on the simulated GPU that checks its own results.

run_control_machine.py DEVICE[,DEVICE] EXAMPLES STEPS [SECONDS [SEED]]: in a process of its own,
since a process has one driver. Runs so many examples of so many steps; with SECONDS, again with
another seed until the time is over. What it did last is printed when something does not hold.
"""

from __future__ import annotations

import faulthandler
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import StopTest
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.support.engine.run_control_program import (
    GROUPS,
    KERNELS,
    KINDS,
    SHORT_SECONDS,
    WAIT_SECONDS,
    KernelKind,
    ProgramRules,
)
from tests.support.engine.session_truth import (
    assert_memory_has_the_bits_of_enabled_breakpoints_and_shows_none,
    assert_threads_are_known_as_they_are,
)
from tests.support.engine.unchanging import Unchanging
from zedbg.engine import SessionState, Stop, StopReason
from zedbg.engine.breakpoints.breakpoint_specs import (
    BreakpointSpec,
    ExceptionSpec,
    LaunchSpec,
    ModuleChange,
    ModuleSpec,
)
from zedbg.engine.breakpoints.watch import Watch
from zedbg.engine.events import event_reader
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.coordinates import lanes_of

PATIENCE_SECONDS = 1.0
LOCKING = st.sampled_from(SchedulerLocking)
# What catchpoints wait for: names that some kernels of the program have, or none.
GLOBS = st.sampled_from(("*", "v*", "reduce_slm", "nothing*"))
CAUGHT = ("launch", "load", "unload", "page-fault", "assert", "illegal-opcode")


class RunControlMachine(ProgramRules):
    """What the user may do, and what always holds."""

    @initialize(
        kind=KINDS, places=st.sets(st.integers(0, 2)), non_stop=st.booleans(), groups=GROUPS
    )
    def start(self, kind: KernelKind, places: set[int], non_stop: bool, groups: int) -> None:
        """Where most of what there is to see happens: stopped in a kernel."""
        self.attach(non_stop)
        for place in sorted(places):
            self.break_at(kind, place, "")
        self.load(kind)
        self.launch(groups)

    # --- the user: processes ---------------------------------------------------------------------

    @precondition(lambda self: not self.attached)
    @rule(non_stop=st.booleans())
    def attach(self, non_stop: bool) -> None:
        self.begin(f"attach, non-stop {non_stop}")
        self.session.non_stop = non_stop
        self.took(self.session.attach(self.target.pid))
        self.counted = []

    @precondition(lambda self: self.attached)
    @rule(again=st.sampled_from((True, True, False)), non_stop=st.booleans())
    def detach(self, again: bool, non_stop: bool) -> None:
        self.begin("detach")
        self.session.detach()
        self.counted = []
        if again:
            self.attach(non_stop)

    # --- the user: breakpoints -------------------------------------------------------------------

    @rule(
        kind=KINDS,
        place=st.integers(0, 2),
        option=st.sampled_from(("", "", "temporary", "condition", "thread", "lane", "ignore")),
    )
    def break_at(self, kind: KernelKind, place: int, option: str) -> None:
        self.begin(f"break {kind.places[place]} {option}")
        breakpoints, text = self.session, kind.places[place]
        match option:
            case "temporary":
                breakpoints.break_at(text, temporary=True)
            case "condition":
                breakpoints.break_at(text, condition="$_lane == 0 || $_lane == 2")
            case "thread":
                breakpoints.break_at(text, thread=(1, 2))
            case "lane":
                breakpoints.break_at(text, lane=3)
            case "ignore":
                breakpoints.break_at(text).ignore_count = 3
            case _:
                breakpoints.break_at(text)

    @rule(
        what=st.sampled_from(CAUGHT),
        pattern=GLOBS,
        temporary=st.booleans(),
    )
    def catch(self, what: str, pattern: str, temporary: bool) -> None:
        self.begin(f"catch {what} {pattern}{', temporary' if temporary else ''}")
        specs: dict[str, BreakpointSpec] = {
            "launch": LaunchSpec(pattern),
            "load": ModuleSpec(ModuleChange.LOAD, pattern),
            "unload": ModuleSpec(ModuleChange.UNLOAD, pattern),
            "page-fault": ExceptionSpec(StopReason.PAGE_FAULT),
            "assert": ExceptionSpec(StopReason.SOFTWARE_EXCEPTION),
            "illegal-opcode": ExceptionSpec(StopReason.ILLEGAL_INSTRUCTION),
        }
        self.session.catch(what, specs[what], temporary=temporary)

    @precondition(lambda self: self.session.focus is not None)
    @rule()
    def watch_line(self) -> None:
        """A value that changes soon: the line that the focused thread is at."""
        with self.session.condition:
            focus = self.session.focus
            if focus is None:
                return
            self.begin(f"watch the line of {focus.thread.id}")
            self.session.breakpoints.add_watch("line", Watch(focus.thread, LineOfEachLane()))

    @precondition(lambda self: len(self.session.breakpoints) > 0)
    @rule(
        which=st.integers(0, 9), what=st.sampled_from(("delete", "enable", "disable", "location"))
    )
    def change_breakpoint(self, which: int, what: str) -> None:
        table = self.session.breakpoints
        with self.session.condition:
            every = [each for each in table if what != "location" or each.locations]
            if not every:
                return
            chosen = every[which % len(every)]
            self.begin(f"{what} breakpoint {chosen.number} at {chosen.text}")
            self.counted = [each for each in self.counted if each.breakpoint is not chosen]
            if what == "delete":
                table.delete(chosen)
            elif what == "location" and chosen.locations:
                place = chosen.locations[which % len(chosen.locations)]
                table.set_location_enabled(chosen, place, place in chosen.disabled)
            else:
                table.set_enabled(chosen, what == "enable")

    # --- the user: running -----------------------------------------------------------------------

    @precondition(lambda self: self.attached)
    @rule(all_threads=st.booleans(), locking=LOCKING)
    def go_on(self, all_threads: bool, locking: SchedulerLocking) -> None:
        self.begin(f"continue, scheduler locking {locking.value}")
        self.session.settings.scheduler_locking = locking
        self._attempt(lambda: self.session.continue_(SHORT_SECONDS, all_threads=all_threads))

    @precondition(lambda self: self.attached and not self.session.non_stop)
    @rule()
    def interrupt(self) -> None:
        self.begin("interrupt")
        self.session.interrupt()
        stop = self.session.continue_(WAIT_SECONDS)
        assert isinstance(stop, Stop)
        self.took(stop)

    @precondition(lambda self: self.attached and self.session.non_stop)
    @rule(group=st.sampled_from((None, (0, 0, 0), (1, 0, 0))))
    def interrupt_some(self, group: tuple[int, int, int] | None) -> None:
        self.begin(f"interrupt group {group}")
        self._attempt(
            lambda: self.session.interrupt_threads(
                lambda thread: group is None or thread.workgroup == group
            )
        )

    @precondition(lambda self: self.attached and self.session.non_stop)
    @rule(number=st.integers(1, 6))
    def interrupt_one(self, number: int) -> None:
        self.begin(f"interrupt thread {number}")
        self._attempt(lambda: self.session.interrupt_thread(1, number))

    @precondition(lambda self: self.attached and self.session.non_stop)
    @rule()
    def wait(self) -> None:
        self.begin("wait")
        self._attempt(lambda: self.session.wait(SHORT_SECONDS))

    @precondition(lambda self: self.attached)
    @rule(which=st.integers(0, 99))
    def select(self, which: int) -> None:
        self.begin(f"select {which}")
        with self.session.condition:
            every = [] if self.session.state is SessionState.RUNNING else self._stopped()
            if every:
                self.session.select(every[which % len(every)])

    def _stopped(self) -> list[object]:
        return list(self.session.stopped_threads())

    @precondition(lambda self: self.attached)
    @rule(over_calls=st.booleans(), count=st.integers(1, 20), locking=LOCKING)
    def step_instructions(self, over_calls: bool, count: int, locking: SchedulerLocking) -> None:
        self._step(
            f"stepi {count}", locking, lambda: self.session.step_instruction(count, over_calls)
        )

    @precondition(lambda self: self.attached)
    @rule(over_calls=st.booleans(), count=st.integers(1, 3), locking=LOCKING)
    def step_lines(self, over_calls: bool, count: int, locking: SchedulerLocking) -> None:
        self._step(f"step {count}", locking, lambda: self.session.step_line(count, over_calls))

    @precondition(lambda self: self.attached)
    @rule(what=st.sampled_from(("until", "finish", "advance")), locking=LOCKING)
    def run_ahead(self, what: str, locking: SchedulerLocking) -> None:
        session, kind = self.session, self.loaded or KERNELS[0]
        actions: dict[str, Callable[[], object]] = {
            "until": session.until_line,
            "finish": session.finish,
            "advance": lambda: session.advance_to(kind.places[2]),
        }
        self._step(what, locking, actions[what])

    def _step(self, what: str, locking: SchedulerLocking, action: Callable[[], object]) -> None:
        session = self.session
        if session.focus is None and not session.non_stop:
            self.interrupt()
        with session.condition:  # in non-stop mode the stop of another thread may take the focus
            focus = session.focus
            if focus is None:
                return  # nothing runs
            self.begin(f"{what} of {focus.thread.id}, scheduler locking {locking.value}")
            session.settings.scheduler_locking = locking
            # A thread that waits for others, which the user has stopped one by one, waits for the
            # user.
            patience = threading.Timer(PATIENCE_SECONDS, session.interrupt)
            if session.non_stop:
                patience.start()
            moved = self._attempt(action)
            patience.cancel()
        if isinstance(moved, Stop) and moved.reason is StopReason.STEP:
            assert moved.focus is not None
            assert moved.focus.thread is focus.thread, "a step keeps to its thread"

    # --- what always holds -----------------------------------------------------------------------

    @invariant()
    def threads_are_known_as_they_are(self) -> None:
        """Threads come while we look, also while the session is stopped; in the end what is known
        is what is."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            with self.session.condition:
                try:
                    assert_threads_are_known_as_they_are(self.session)
                except AssertionError:
                    if time.monotonic() >= deadline:
                        raise
                else:
                    return
            time.sleep(0.001)

    @invariant()
    def memory_has_breakpoints_and_shows_none(self) -> None:
        with self.session.condition:
            assert_memory_has_the_bits_of_enabled_breakpoints_and_shows_none(self.session)

    def teardown(self) -> None:
        error = sys.exc_info()[1]
        failed = error is not None and not isinstance(error, StopTest)
        if failed:
            print(*self.did, sep="\n", file=sys.stderr)
            traceback.print_exception(error)  # what Hypothesis tries next may end otherwise
        try:
            self.session.close()
            if not failed:
                if self.launched:
                    self.target.do("wait")  # the program goes on, and computes what it should
                if self.loaded is not None:
                    self.target.do("unload")
                assert self.target.finish() == 0
        finally:
            faulthandler.cancel_dump_traceback_later()
            self.target.__exit__(None, None, None)


class LineOfEachLane(Unchanging):
    """The line that each lane is at."""

    def __call__(self, thread: HardwareThread) -> dict[int, str]:
        return {lane: str(thread.location.line) for lane in lanes_of(thread.active_lanes)}


def main() -> None:
    device, examples, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    number = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    event_reader._BLOCK_MILLISECONDS = 5
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="zedbg-") as directory:
        members = {"device": device, "directory": Path(directory)}
        machine = type("Machine", (RunControlMachine,), members)
        options = settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        while True:
            run_state_machine_as_test(seed(number)(machine), settings=options)
            print(f"{device}: {examples} examples of {steps} steps, seed {number}", flush=True)
            number += 1
            if time.monotonic() >= deadline:
                return


if __name__ == "__main__":
    main()
