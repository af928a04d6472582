"""Every call that the driver may refuse, with every documented result, at every place of a session:
the user gets one typed error or a message, the program goes on, and the session can be used."""

import threading

import pytest

from tests.support.engine.debug_double import DebugDouble, opened
from tests.support.engine.failing_debug import DOCUMENTED, FailingDebug
from zedbg.engine import Exited, Session, SessionState, Stop
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.running import interruption
from zedbg.engine.threads import debuggee
from zedbg.levelzero.level_zero_errors import LevelZeroError

CASES = [
    (name, result, skip)
    for name, results in DOCUMENTED.items()
    for result in results
    for skip in (0, 3)
]

SHORT_SECONDS = 0.03  # for a stop that a refused call may have prevented


@pytest.fixture(autouse=True)
def short_waits(short_reads, monkeypatch):
    monkeypatch.setattr(interruption, "INTERRUPT_SECONDS", 0.3)
    monkeypatch.setattr(debuggee, "_DYING_SECONDS", 0.05)  # the program never dies here


def attempt(action):
    """What ``action`` gives; an error is one that says in one line what was attempted."""
    try:
        return action()
    except (EngineError, LevelZeroError) as error:
        assert str(error) and "\n" not in str(error)
        return None


@pytest.mark.parametrize(
    ("call", "result", "skip"), CASES, ids=[f"{n}-{r.name}-{s}" for n, r, s in CASES]
)
def test_a_refused_call_does_not_end_the_session(process, call, result, skip):
    double = DebugDouble()
    failing = FailingDebug(double)
    session = Session(lambda _pid, _patience: [*_with(failing, double)])
    double.load_module()
    session.break_at("vadd")
    attempt(lambda: session.attach(process.pid))
    failing.fail(call, result, skip)
    threading.Timer(SHORT_SECONDS / 10, double.dispatch).start()
    for action in (
        lambda: session.continue_(timeout=SHORT_SECONDS),
        lambda: [each.location for each in session.stopped_threads()],
        lambda: session.step_instruction(2),
        lambda: session.step_line(),
        lambda: session.break_at("vadd.cl:4"),
        lambda: session.continue_(timeout=SHORT_SECONDS),
        lambda: [session.breakpoints.delete(each) for each in session.breakpoints],
        lambda: session.detach(),
    ):
        outcome = attempt(action)
        assert outcome is None or isinstance(outcome, Stop | Exited | list) or outcome.number
        assert session.state in SessionState
    session.close()
    assert session.state is SessionState.NO_PROCESS
    assert double.acknowledged  # the program never waits for a debugger
    again = DebugDouble()
    fresh = Session(lambda _pid, _patience: opened(again))
    again.load_module()
    assert isinstance(fresh.attach(process.pid), Stop)
    fresh.close()


def _with(failing, double):
    (one,) = opened(double)
    yield type(one)(failing, one.properties, one.register_sets, one.pci_address)
