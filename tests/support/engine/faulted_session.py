"""A debugger whose driver refuses calls, and a program that must not suffer from it.

faulted_session.py DEVICE DIRECTORY: runs in a process of its own, since a process has one driver.
Each line of standard input names calls that fail, as ``CALL RESULT SKIP`` for each; a line of none
is a session in which all succeed. Answers with one line of JSON: ``calls``, how many were made of
every kind meanwhile; ``errors``, the lines that a user would have seen; ``problem``, the
traceback of what went wrong, or null.
"""

from __future__ import annotations

import ctypes
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.support.driver.documented_results import CALLS
from tests.support.driver.program_debug_hosts import Bench, zebin
from tests.support.engine.session_truth import (
    assert_memory_has_the_bits_of_enabled_breakpoints_and_shows_none,
    assert_threads_are_known_as_they_are,
)
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine import SessionState, Stop, StopReason
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.events import event_reader
from zedbg.engine.ground.notifier import Message
from zedbg.engine.sessions import opening
from zedbg.engine.sessions import session as session_module
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.levelzero.selection import native_file

THREADS_OF_VADD = {"dg2": 8, "pvc": 4, "bmg": 4}  # 64 work-items
WAIT_SECONDS = 30.0
SHORT_SECONDS = 0.05  # for a stop that a refused call may have prevented


class FaultyDriver:
    """The library of faulty_driver.c that the loader has opened."""

    def __init__(self) -> None:
        path = native_file("", "ZEDBG_SIM_DRIVER")
        self._library = ctypes.CDLL(str(path))

    def plan(self, call: str, result: int, skip: int) -> None:
        self._library.faulty_plan(call.encode(), ctypes.c_uint(result), skip)

    def clear(self) -> None:
        self._library.faulty_clear()

    def calls(self, call: str) -> int:
        """How many were made since the plan for it."""
        return int(self._library.faulty_calls(call.encode()))


class Scene:
    """One debugger and one program, through all cases."""

    def __init__(self, device: str, directory: Path) -> None:
        self.device = device
        self.target = Bench(directory, device).target()
        self.module = zebin("vadd", device)
        self.session, _ = opening.open_session(device)
        self.session.settings.watchdog_seconds = 0
        self.driver = FaultyDriver()
        event_reader._BLOCK_MILLISECONDS = 5  # a detach waits for a blocked reader
        session_module._DYING_SECONDS = 0.05  # for an end that explained a refused call
        self.errors: list[str] = []

    def attempt(self, action: Callable[[], object]) -> object:
        """What ``action`` gives; None when it was refused with one clear line."""
        try:
            return action()
        except (EngineError, LevelZeroError) as error:
            self.errors.append(str(error))
            return None

    def faulted(self) -> None:
        """A whole session but for its end, in which any call may be refused."""
        session, attempt = self.session, self.attempt
        attempt(lambda: session.attach(self.target.pid))
        if session.state is SessionState.NO_PROCESS:
            attempt(lambda: session.attach(self.target.pid))
        attempt(lambda: session.break_at("vadd"))
        self.target.do(f"module {self.module}")  # whatever is refused, it is acknowledged
        self.target.do("vadd 1")
        attempt(lambda: session.continue_(timeout=1.0))
        for action in (
            lambda: [each.location for each in session.stopped_threads()],
            lambda: [each.register_layout for each in session.stopped_threads()],
            self._read_memory,
            lambda: session.step_instruction(2),
            self._write_register,
            lambda: session.break_at("vadd.cl:3"),
            lambda: session.step_line(),
            lambda: session.continue_(timeout=SHORT_SECONDS),
        ):
            attempt(action)

    def _read_memory(self) -> None:
        thread = self.session.require_focus().thread
        assert len(thread.read_memory(MemorySpace.GLOBAL, thread.pc, 64)) == 64

    def _write_register(self) -> None:
        thread = self.session.require_focus().thread
        thread.pc = thread.pc  # through the registers, and back

    def still_usable(self) -> None:
        """Nothing is refused any more: what is known is true, and the program goes on."""
        session = self.session
        if session.state is not SessionState.NO_PROCESS and session.devices[0].attached:
            session.interrupt()
            assert isinstance(session.continue_(timeout=WAIT_SECONDS), Stop)
            assert_threads_are_known_as_they_are(session)
            for each in session.breakpoints:
                session.breakpoints.delete(each)
            assert_memory_has_the_bits_of_enabled_breakpoints_and_shows_none(session)
        session.close()
        self.target.do("wait")  # and computed what it should
        self.target.do("unload")

    def clean(self) -> None:
        """The same session, and the same program, as if nothing had been."""
        session = self.session
        for each in session.breakpoints:
            session.breakpoints.delete(each)
        session.attach(self.target.pid)
        session.break_at("vadd")
        self.target.do(f"module {self.module}")
        self.target.do("vadd 1")
        stop = session.continue_(timeout=WAIT_SECONDS)
        assert isinstance(stop, Stop)
        assert stop.reason is StopReason.BREAKPOINT
        assert len(stop.threads) == THREADS_OF_VADD[self.device]
        assert_threads_are_known_as_they_are(session)
        step = session.step_instruction()
        assert isinstance(step, Stop)
        assert step.reason is StopReason.STEP
        session.detach()
        self.target.do("wait")
        self.target.do("unload")

    def run(self, faults: list[tuple[str, int, int]]) -> dict[str, object]:
        """One case; see the module."""
        self.errors.clear()
        subscription = self.session.subscribe()
        self.driver.clear()
        for fault in faults:
            self.driver.plan(*fault)
        problem, calls = None, {}
        try:
            self.faulted()
            if "zetDebugDetach" in [call for call, _, _ in faults]:
                self.attempt(self.session.detach)
            calls = {name: self.driver.calls(name) for name in CALLS}
            self.driver.clear()
            self.still_usable()
            self.clean()
        except Exception:
            problem = traceback.format_exc()
        self.session.unsubscribe(subscription)
        messages = [each.text for each in subscription.drain() if isinstance(each, Message)]
        return {"calls": calls, "errors": self.errors + messages, "problem": problem}


def main() -> None:
    device, directory = sys.argv[1:]
    scene = Scene(device, Path(directory))
    for line in sys.stdin:
        words = line.split()
        faults = [
            (words[at], int(words[at + 1], 0), int(words[at + 2])) for at in range(0, len(words), 3)
        ]
        print(json.dumps(scene.run(faults)), flush=True)
    scene.target.finish()


main()
