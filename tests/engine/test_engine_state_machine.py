"""Random sequences of run control: whatever the order, no stop is lost, no breakpoint is left."""

import subprocess

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.support.engine.debug_double import DebugDouble, opened
from zedbg.engine import Session, SessionState, Stop, StopReason
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.running import interruption

LINES = ("vadd", "vadd.cl:3", "vadd.cl:4", "nosuch")


class RunControlMachine(RuleBasedStateMachine):
    """One program of four threads; the rules are what a user and the program may do."""

    process: subprocess.Popen

    def __init__(self):
        super().__init__()
        self.double = DebugDouble()
        self.clean = bytes(self.double.code)
        self.session = Session(lambda _pid, _patience: opened(self.double))
        self.loaded = self.dispatched = False

    @property
    def attached(self):
        return self.session.state is not SessionState.NO_PROCESS

    @property
    def stopped(self):
        return self.session.state is SessionState.STOPPED and self.session.focus is not None

    # --- the program -------------------------------------------------------------------------

    @precondition(lambda self: not self.loaded)
    @rule()
    def load_module(self):
        self.double.load_module()
        self.loaded = True

    @precondition(lambda self: self.loaded and not self.dispatched)
    @rule()
    def dispatch(self):
        if self.attached:  # the module's code is there once its load was acknowledged
            self.session.continue_(timeout=0.05)
        if self.double.acknowledged:
            self.double.dispatch()
            self.dispatched = True

    # --- the user ----------------------------------------------------------------------------

    @precondition(lambda self: not self.attached)
    @rule()
    def attach(self):
        if self.loaded:  # a new session gets events of what is loaded already
            while self.double.events.qsize():
                self.double.events.get()
            self.double.load_module()
        self.session.attach(self.process.pid)

    @rule(place=st.sampled_from(LINES), temporary=st.booleans())
    def break_at(self, place, temporary):
        self.session.break_at(place, temporary=temporary)

    @precondition(lambda self: len(self.session.breakpoints) > 0)
    @rule(data=st.data())
    def change_breakpoint(self, data):
        one = data.draw(st.sampled_from([each.number for each in self.session.breakpoints]))
        breakpoint_ = self.session.breakpoints.get(one)
        if data.draw(st.booleans()):
            self.session.breakpoints.delete(breakpoint_)
        else:
            self.session.breakpoints.set_enabled(breakpoint_, not breakpoint_.enabled)

    @rule(locking=st.sampled_from(SchedulerLocking))
    def lock(self, locking):
        self.session.settings.scheduler_locking = locking

    @precondition(lambda self: self.attached)
    @rule()
    def continue_(self):
        self.session.continue_(timeout=0.05)

    @precondition(lambda self: self.attached)
    @rule()
    def interrupt(self):
        self.session.interrupt()
        assert isinstance(self.session.continue_(timeout=5), Stop)

    @precondition(lambda self: self.stopped)
    @rule(count=st.integers(1, 40), lines=st.booleans())
    def step(self, count, lines):
        before = self.session.focus.thread
        moved = self.session.step_line() if lines else self.session.step_instruction(count)
        if moved.reason is StopReason.STEP:
            assert self.session.focus.thread is before

    @precondition(lambda self: self.attached)
    @rule()
    def detach(self):
        self.session.detach()
        assert bytes(self.double.code) == self.clean
        assert not any(thread.state == "stopped" for thread in self.double.threads)

    # --- what always holds ---------------------------------------------------------------------

    @invariant()
    def threads_are_known_as_they_are(self):
        if self.session.state is not SessionState.STOPPED:
            return
        known = {thread.place.fields for thread in self.session.stopped_threads()}
        real = {thread.place for thread in self.double.threads if thread.state == "stopped"}
        assert known == real

    @invariant()
    def code_has_the_bits_of_enabled_breakpoints_and_no_others(self):
        start = self.double.section.address
        traps = {
            start + offset
            for offset, (now, was) in enumerate(zip(self.double.code, self.clean, strict=True))
            if now != was
        }
        wanted = {
            place.address
            for each in self.session.breakpoints
            if each.enabled
            for place in each.locations
        }
        assert len(traps) == len(wanted)
        assert all(any(0 <= trap - place < 16 for place in wanted) for trap in traps)

    @invariant()
    def memory_is_shown_as_the_program_has_it(self):
        for device in self.session.devices:
            for module in device.modules:
                section = module.image.code_sections[0]
                assert device.read_memory(section.address, section.size) == self.clean

    def teardown(self):
        self.session.close()
        assert bytes(self.double.code) == self.clean


def test_any_order_of_run_control_keeps_the_session_true(process, short_reads, monkeypatch):
    monkeypatch.setattr(interruption, "INTERRUPT_SECONDS", 2)
    machine = type("Machine", (RunControlMachine,), {"process": process})
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=15,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
