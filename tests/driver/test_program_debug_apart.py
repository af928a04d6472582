"""The GPU goes on while its program is stopped, and ends with it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.driver.device_processes import (
    device_process,
    device_processes,
    stop_by_signal,
    tasks,
)
from tests.support.driver.program_debug_hosts import (
    ALL,
    ANSWER_SECONDS,
    CONTROL,
    SUCCESS,
    Bench,
    Event,
    LineProgram,
    breakpoint_bytes,
    host_program,
    zebin,
)
from tests.support.native_programs import native_program

DEVICES = EACH_PLATFORM


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("device", DEVICES)
def test_stopped_program_is_debugged_all_the_same(tmp_path: Path, device: str) -> None:
    bench = Bench(tmp_path, device)
    with bench.target() as target, bench.client() as client:
        stop_by_signal(target.pid)
        client.attach(target)
        os.kill(target.pid, signal.SIGCONT)
        module = client.load_module(target, zebin("vadd", device))
        stop_by_signal(target.pid)
        entry, code = module.kernel_address("vadd"), module.kernel_code("vadd")
        client.write(ALL, entry, breakpoint_bytes(code))
        client.acknowledge()
        os.kill(target.pid, signal.SIGCONT)
        assert target.line() == "ok"
        target.do("vadd 1")
        assert client.event().type == Event.PROCESS_ENTRY
        threads = [client.event().thread for _ in range(64 // module.lanes("vadd"))]

        stop_by_signal(target.pid)
        first = threads[0]
        before = client.registers(first, CONTROL)[2]
        assert all(at > before for at in client.steps(first, 3))
        client.write(ALL, entry, code[:16])
        for thread in threads:
            client.prepare(thread)
        client.call("resume all")
        assert client.result("interrupt all") == SUCCESS
        assert client.event().type in (Event.THREAD_STOPPED, Event.THREAD_UNAVAILABLE)
        client.call("detach")
        os.kill(target.pid, signal.SIGCONT)
        target.do("wait")


class HostDebugger(LineProgram):
    """The processor's GDB, which knows nothing of a GPU, with the target as its program."""

    def __init__(self, bench: Bench, fifo: Path) -> None:
        os.mkfifo(fifo)
        found = shutil.which("gdb")
        assert found is not None
        options = ("--quiet", "-nx", "--interpreter=mi3", str(host_program("debug_target")))
        super().__init__(Path(found), bench.environment, arguments=options)
        self._fifo = fifo
        self.command("set debuginfod enabled off")
        self.command("set breakpoint pending on")

    def command(self, text: str) -> list[str]:
        """Has a command carried out; what it wrote to the console."""
        self.send(text)
        return self._until("^done", "^running")

    def stop(self) -> str:
        """The next stop's record."""
        while not (line := self.line()).startswith("*stopped"):
            pass
        return line

    def run(self) -> None:
        self.command(f"run < {self._fifo}")

    def pid(self) -> int:
        [line] = [line for line in self.command("info inferiors") if " process " in line]
        return int(line.split(" process ")[1].split()[0])

    def _until(self, *ends: str) -> list[str]:
        lines = []
        while not (line := self.line()).startswith(ends):
            assert not line.startswith("^error"), line
            lines.append(line)
        return lines


@contextlib.contextmanager
def input_of(fifo: Path) -> Iterator[int]:
    """The writing end of the program's standard input, which ends with this."""
    descriptor = os.open(fifo, os.O_RDWR)  # opening it does not wait
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def test_debugger_of_the_processor_does_not_stop_the_device(bench: Bench, tmp_path: Path) -> None:
    fifo = tmp_path / "input"
    with HostDebugger(bench, fifo) as debugger, bench.client() as client:
        debugger.command("tbreak zeContextCreate")
        with input_of(fifo):
            debugger.run()
            assert 'reason="breakpoint-hit"' in debugger.stop()
            pid = debugger.pid()
            client.call(f"attach {pid}")  # while it holds every thread of the program
            assert client.result("interrupt all") == SUCCESS
            assert client.event().type == Event.THREAD_UNAVAILABLE
            listed = re.findall(r"LWP (\d+)", "".join(debugger.command("info threads")))
            assert sorted(listed) == sorted(task.name for task in tasks(pid))
            debugger.command("continue")
        assert 'reason="exited-normally"' in debugger.stop()
        assert client.event().type == Event.DETACHED


def test_debugger_of_the_processor_may_leave_the_drivers_threads_stopped(
    bench: Bench, tmp_path: Path
) -> None:
    # As Intel's GDB does for long, after it has attached to the device.
    fifo = tmp_path / "input"
    with HostDebugger(bench, fifo) as debugger:
        debugger.command("tbreak zeContextCreate")
        with input_of(fifo) as steps:
            debugger.run()
            debugger.stop()
            os.write(steps, f"module {zebin('vadd')}\nvadd 1\nwait\nqueue\n".encode())
            debugger.command("set scheduler-locking on")
            debugger.command("tbreak zeCommandQueueCreate")
            debugger.command("continue")
            assert "zeCommandQueueCreate" in debugger.stop()  # the kernel has run, and was right


def test_breakpoint_of_the_processor_in_code_of_the_device_only_delays_it(
    bench: Bench, tmp_path: Path
) -> None:
    fifo = tmp_path / "input"
    with HostDebugger(bench, fifo) as debugger, bench.client() as client:
        debugger.command("tbreak zeEventPoolCreate")
        with input_of(fifo):
            debugger.run()
            debugger.stop()
            client.call(f"attach {debugger.pid()}")
            debugger.command("break poll")  # where the GPU's thread waits for its debugger
            debugger.command("tbreak _exit")
            debugger.command("continue")
            for _ in range(2):  # after the first one at the latest it is at the breakpoint
                client.send("interrupt all")
                time.sleep(0.05)
        assert "_exit" in debugger.stop()  # and takes its breakpoints out
        assert [client.line() for _ in range(2)] == ["0", "0"]
        kinds = [client.event().type for _ in range(2)]
        assert kinds == [Event.THREAD_UNAVAILABLE] * 2
        debugger.command("continue")
        assert 'reason="exited-normally"' in debugger.stop()


def ended_soon(pid: int) -> bool:
    """Whether the process is gone, or a zombie of another process, within the usual time."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.005)
    return False


@pytest.mark.parametrize("end", ["exit", "exec", "kill", "input"])
def test_process_of_the_device_ends_with_the_program(bench: Bench, end: str) -> None:
    with bench.target() as target:
        device = device_process(target.pid)
        match end:
            case "kill":
                target.kill()
            case "input":
                target.finish()
            case _:
                target.send(end)
        assert ended_soon(device)


@pytest.mark.native
def test_process_of_the_device_ends_with_a_program_that_is_killed_while_it_begins() -> None:
    command = [native_program("xesim_device_killed_programs"), "--programs", "500"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    words = done.stdout.split()
    numbers = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert numbers["programs"] == 500 and 0 < numbers["begun"] < 500
    assert numbers["left"] == 0


def test_program_ends_with_the_process_of_its_device(bench: Bench) -> None:
    with bench.target() as target:
        os.kill(device_process(target.pid), signal.SIGKILL)
        assert target.process.wait(ANSWER_SECONDS) == -signal.SIGKILL


def test_program_without_debugging_has_no_process_beside_it(bench: Bench) -> None:
    with bench.target(ZET_ENABLE_PROGRAM_DEBUGGING="0") as target:
        assert not device_processes(target.pid)
