"""The program under random run control: what it may do at any time, and what must come of it."""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
)

from tests.support.driver.program_debug_hosts import Bench, zebin
from zedbg.engine import Exited, Session, SessionState, Stop, StopReason
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange, ModuleSpec
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.events.stops import StoppedThread
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.memory.memory_access import MemoryAccess, access_at
from zedbg.engine.sessions import opening
from zedbg.xe.data_message import Access

WAIT_SECONDS = 60.0
SHORT_SECONDS = 0.02
RULE_SECONDS = 120  # for one of them, or it hangs
GROUPS = st.sampled_from((1, 2, 4))
TURNS = 40


@dataclass(frozen=True)
class KernelKind:
    """A kernel of the program: what launches it, and places in it. The first place is one that
    every thread comes to once."""

    module: str
    launch: str
    places: tuple[str, ...]


KERNELS = (
    KernelKind("vadd", "vadd {groups}", ("vadd", "vadd.cl:3", "vadd.cl:4")),
    KernelKind("reduce", "reduce {groups}", ("reduce_slm", "reduce.cl:5", "reduce.cl:8")),
    KernelKind("mandel", f"mandel {TURNS}", ("mandel", "mandel.cl:7", "mandel.cl:13")),
)
KINDS = st.sampled_from(KERNELS)
FAULT_WORDS = 4096  # more than the items of a launch


@dataclass
class Watched:
    """A breakpoint that is unchanged since before the launch: all threads must come to it."""

    breakpoint: Breakpoint
    arrivals: int


class ProgramRules(RuleBasedStateMachine):
    """One program, one session, and what the program does. Which rules are possible must not depend
    on how fast the program is."""

    device = "dg2"  # or several, separated by commas
    directory = Path()

    def __init__(self) -> None:
        super().__init__()
        self.did: list[str] = []
        self.target = Bench(self.directory, self.device).target()
        self.session: Session = opening.open_session(self.device)[0]
        self.session.settings.watchdog_seconds = 0
        self.name = self.device.split(",")[0]  # of the device that the program uses
        self.loaded: KernelKind | None = None
        self.launched = 0  # work-groups, while the kernel is not known to be done
        self.counted: list[Watched] = []

    # --- what holds now --------------------------------------------------------------------------

    @property
    def attached(self) -> bool:
        return self.session.state is not SessionState.NO_PROCESS

    def begin(self, what: str) -> None:
        """Notes a rule, and that it ends in time."""
        self.did.append(what)
        faulthandler.dump_traceback_later(RULE_SECONDS, exit=True)

    def took(self, outcome: object) -> None:
        """What a stop says is so."""
        self.did.append(f"    -> {_described(outcome)}")
        assert not isinstance(outcome, Exited), "the program is there"
        if not isinstance(outcome, Stop):
            return
        for group in outcome.groups:
            for stopped in group.threads:
                # Where threads meet again there may be none, as long as nothing hits there.
                assert stopped.lanes or group.reason in (StopReason.STEP, StopReason.INTERRUPT)
                if not stopped.lanes and stopped.thread.is_at_rest:
                    assert not stopped.thread.active_lanes
                if group.reason is StopReason.BREAKPOINT and stopped.thread.is_at_rest:
                    assert group.breakpoint is not None
                    condition = group.breakpoint.condition
                    if condition is not None:
                        assert condition.lanes(stopped.thread, stopped.lanes) == stopped.lanes

    def _attempt(self, action: Callable[[], object]) -> object:
        """What ``action`` gives; a refusal is one clear line."""
        try:
            outcome = action()
        except EngineError as error:
            assert str(error) and "\n" not in str(error)
            self.did.append(f"    -> {error}")
            return None
        self.took(outcome)
        return outcome

    # --- the program -----------------------------------------------------------------------------

    @precondition(lambda self: self.loaded is None)
    @rule(number=st.integers(0, 3))
    def choose_device(self, number: int) -> None:
        names = self.device.split(",")
        self.begin(f"device {number % len(names)}")
        self.name = names[number % len(names)]
        self.target.do(f"device {number % len(names)}")

    @precondition(lambda self: self.loaded is None)
    @rule(kind=KINDS)
    def load(self, kind: KernelKind) -> None:
        self.begin(f"load {kind.module}")
        self._do_past_catchpoints(f"module {zebin(kind.module, self.name)}", ModuleChange.LOAD)
        self.loaded = kind

    def _do_past_catchpoints(self, line: str, change: ModuleChange) -> None:
        """Has the program do what ``line`` says. It waits where a catchpoint waits for it, until
        the user goes on; else it does not wait."""
        waits = self.attached and any(
            isinstance(each.spec, ModuleSpec) and each.spec.change is change and each.enabled
            for each in self.session.breakpoints
        )
        if not waits:
            self.target.do(line)
            return
        self.target.send(line)
        deadline = time.monotonic() + WAIT_SECONDS
        while not self.target.has_line(SHORT_SECONDS):
            assert time.monotonic() < deadline, f"{line} does not end"
            self._attempt(lambda: self.session.continue_(SHORT_SECONDS, all_threads=True))
        assert self.target.line() == "ok"

    @precondition(lambda self: self.loaded is not None and not self.launched)
    @rule(groups=GROUPS)
    def launch(self, groups: int) -> None:
        assert self.loaded is not None
        self.begin(f"launch {groups}")
        self.counted = [
            Watched(each, each.arrivals)
            for each in self.session.breakpoints
            if each.text == self.loaded.places[0] and self.attached and self._counts(each)
        ]
        self.target.do(self.loaded.launch.format(groups=groups))
        self.launched = 1 if self.loaded.module == "mandel" else groups

    @staticmethod
    def _counts(each: Breakpoint) -> bool:
        return each.enabled and not each.disabled and each.stops_left is None

    @precondition(lambda self: self.loaded is not None and not self.launched)
    @rule()
    def unload(self) -> None:
        self.begin("unload")
        self._do_past_catchpoints("unload", ModuleChange.UNLOAD)
        self.loaded = None
        with self.session.condition:
            forgotten = self.session.condition.wait_for(
                lambda: not any(device.modules for device in self.session.devices), WAIT_SECONDS
            )
        assert forgotten

    @precondition(lambda self: self.launched and self.attached)
    @rule(groups=GROUPS, reload=st.booleans())
    def run_to_end_and_launch_again(self, groups: int, reload: bool) -> None:
        """Goes on from each stop; nothing is deleted, so every thread comes to every place."""
        self.begin("run to the end")
        kind = self.loaded
        assert kind is not None
        deadline = time.monotonic() + WAIT_SECONDS
        self.session.settings.scheduler_locking = SchedulerLocking.STEP
        self._delete_watchpoints()
        while self.target.ask("poll") == "running":
            assert time.monotonic() < deadline
            all_threads = self.session.non_stop
            self.took(self.session.continue_(SHORT_SECONDS, all_threads=all_threads))
        self._done()
        if reload:
            self.unload()
            self.load(kind)
        self.launch(groups)

    def _done(self) -> None:
        """The kernel is: it computed what it should, and no thread passed a breakpoint unseen."""
        self.target.do("wait")
        threads = self._threads(self.launched)
        for each in self.counted:
            came = each.breakpoint.arrivals - each.arrivals
            assert came == threads, f"{came} of {threads} threads came to {each.breakpoint.text}"
        self.launched = 0
        self.counted = []

    def _threads(self, groups: int) -> int:
        return groups * 64 // (8 if self.name == "dg2" else 16)

    def _delete_watchpoints(self) -> None:
        """They make the program crawl."""
        with self.session.condition:
            for each in list(self.session.breakpoints):
                if each.watch is not None:
                    self.session.breakpoints.delete(each)

    @precondition(
        lambda self: (
            self.loaded is KERNELS[0]
            and not self.launched
            and self.attached
            and not self.session.non_stop
        )
    )
    @rule(groups=GROUPS)
    def fault(self, groups: int) -> None:
        """The program frees what its kernel reads: each thread stops once, where it reads; the user
        takes it after that."""
        self.begin(f"fault in {groups} groups")
        session = self.session
        session.settings.scheduler_locking = SchedulerLocking.STEP
        session.break_at("vadd", temporary=True)
        buffers = " ".join([f"b{4 * FAULT_WORDS}"] * 3)
        self.target.do(f"run vadd {groups} {buffers} i{FAULT_WORDS}")
        self.took(session.continue_(WAIT_SECONDS))
        self.target.do("free 0")
        faults = 0
        deadline = time.monotonic() + WAIT_SECONDS
        while self.target.ask("poll") == "running":
            assert time.monotonic() < deadline
            stop = session.continue_(SHORT_SECONDS)
            self.took(stop)
            for stopped in self._faulted(stop):
                faults += 1
                thread = stopped.thread
                instruction = thread.device.code.instruction(thread.pc)
                assert instruction is not None and instruction.decoded.send is not None
                access = access_at(thread)
                assert isinstance(access, MemoryAccess) and access.access is Access.READ
                assert len(access.ranges) == stopped.lanes.bit_count()
                thread.pc += instruction.size
        assert faults == self._threads(groups)
        self.target.do("wait")

    @staticmethod
    def _faulted(stop: object) -> list[StoppedThread]:
        groups = stop.groups if isinstance(stop, Stop) else ()
        return [
            stopped
            for group in groups
            if group.reason is StopReason.PAGE_FAULT
            for stopped in group.threads
        ]


def _described(outcome: object) -> str:
    if not isinstance(outcome, Stop):
        return repr(outcome)
    groups = [
        f"{group.reason.value} {group.location.kernel}:{group.location.line} "
        f"{[each.thread.id for each in group.threads]}"
        for group in outcome.groups
    ]
    return f"{outcome.reason.value}: {'; '.join(groups)} {outcome.detail}"
