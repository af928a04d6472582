"""The side that survives goes on working: deaths, refusals and strangers around a debug session."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.driver.device_processes import device_process, stop_by_signal
from tests.support.driver.program_debug_hosts import (
    ALL,
    ANSWER_SECONDS,
    CONTROL,
    INSUFFICIENT_PERMISSIONS,
    INVALID_NULL_HANDLE,
    NOT_AVAILABLE,
    NOT_READY,
    SUCCESS,
    UNKNOWN,
    Bench,
    Client,
    Event,
    Target,
    breakpoint_bytes,
    zebin,
)

NOBODY, SOMEBODY = 65534, 65533  # user ids without a name or rights of their own
NO_REASON = 0  # what Intel's driver gives, whatever the cause


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def stop_at_entry(client: Client, target: Target) -> list[str]:
    """Attaches, and stops all 8 threads of a launch at the kernel's entry."""
    client.attach(target)
    module = client.load_module(target, zebin("vadd"))
    entry = module.kernel_address("vadd")
    client.write(ALL, entry, breakpoint_bytes(module.kernel_code("vadd")))
    client.acknowledge()
    assert target.line() == "ok"
    target.do("vadd 1")
    assert client.event().type == Event.PROCESS_ENTRY
    return [client.event().thread for _ in range(8)]


def assert_ended(client: Client, *expected: int) -> None:
    """The last events are those expected and DETACHED, and every call fails from then on."""
    kinds = []
    while not kinds or kinds[-1] != Event.DETACHED:
        event = client.event()
        kinds.append(event.type)
    assert kinds == [*expected, Event.DETACHED]
    assert event.reason == NO_REASON
    assert client.is_quiet()
    assert client.result(f"registers 0.0.0.0 {CONTROL} 0 1 16") == NOT_AVAILABLE
    assert client.result("read all 0 0x420000000000 4") == NOT_AVAILABLE
    assert client.result("resume all") == NOT_AVAILABLE
    assert client.result("interrupt all") == SUCCESS  # Intel's driver takes it, and stops nothing
    assert client.result("detach") == SUCCESS


def attach_soon(client: Client, target: Target) -> None:
    """Attaches to a target whose last debugger has just been killed."""
    deadline = time.monotonic() + 5
    while (result := client.result(f"attach {target.pid}")) != SUCCESS:
        assert result == NOT_AVAILABLE
        assert time.monotonic() < deadline


def test_killed_debugger_leaves_a_program_that_finishes(bench: Bench) -> None:
    with bench.target() as target:
        with bench.client() as client:
            stop_at_entry(client, target)
            client.kill()
        target.do("wait")
        with bench.client() as client:
            attach_soon(client, target)
            assert client.event().type == Event.PROCESS_ENTRY
            assert client.event().type == Event.MODULE_LOAD
        assert target.finish() == 0


def test_debugger_killed_before_its_acknowledge_releases_the_module(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.load_module(target, zebin("vadd"))
        assert not target.has_line(0.1)
        client.kill()
        assert target.line() == "ok"
        target.do("vadd 2")
        target.do("wait")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_program_ended_by_a_signal_ends_the_session_once(bench: Bench, end: signal.Signals) -> None:
    with bench.target() as target, bench.client() as client:
        stop_at_entry(client, target)
        os.kill(target.pid, end)
        assert target.process.wait(ANSWER_SECONDS) == -end
        assert_ended(client, Event.MODULE_UNLOAD, Event.PROCESS_EXIT)


def test_program_killed_while_a_child_of_it_lives_ends_the_session(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        target.do("fork")  # the child has copies of all descriptors
        target.kill()
        assert_ended(client)


def test_child_that_exits_leaves_the_session_alone(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        target.do("fork")
        children = Path(f"/proc/{target.pid}/task/{target.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        stop_at_entry(client, target)
        client.call("detach")
        target.do("wait")


def test_reader_that_waits_for_ever_hears_of_the_end(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        client.send(f"event {2**64 - 1}")
        time.sleep(0.1)
        target.kill()
        assert client.line().split()[:2] == ["0", str(Event.DETACHED)]


def test_detach_under_a_reader_that_waits_for_ever_ends_its_wait(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        for _ in range(20):
            client.attach(target)
            detached, read, after = (int(word, 0) for word in client.ask("abandon").split())
            assert detached == SUCCESS
            assert read in (SUCCESS, NOT_READY, INVALID_NULL_HANDLE)  # the end, or no session
            assert after == INVALID_NULL_HANDLE
        client.attach(target)
        client.call("detach")
        for call in ("detach", "interrupt all", "resume all", "read all 0 0 4", "event 0"):
            assert client.result(call) == INVALID_NULL_HANDLE
        target.do("queue")


def test_detach_from_a_program_stopped_by_a_signal_does_not_hang(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        stop_at_entry(client, target)
        stop_by_signal(target.pid)
        start = time.monotonic()
        assert client.result("detach") == SUCCESS
        assert time.monotonic() - start < 10
        os.kill(target.pid, signal.SIGCONT)
        target.do("wait")


def test_blocked_debugger_and_debuggee_use_no_processor(bench: Bench) -> None:
    def ticks(pid: int) -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])  # utime, stime

    with bench.target() as target, bench.client() as client:
        stop_at_entry(client, target)
        client.send(f"event {2**64 - 1}")
        pids = (target.pid, device_process(target.pid), client.process.pid)
        before = [ticks(pid) for pid in pids]
        time.sleep(1)
        after = [ticks(pid) for pid in pids]
        assert [new - old for old, new in zip(before, after, strict=True)] == [0, 0, 0]


def test_second_debugger_is_refused(bench: Bench) -> None:
    with bench.target() as target, bench.client() as first, bench.client() as second:
        first.attach(target)
        assert second.result(f"attach {target.pid}") == NOT_AVAILABLE
        first.call("detach")
        second.attach(target)


def test_two_programs_under_two_debuggers(bench: Bench) -> None:
    with (
        bench.target() as one,
        bench.target() as two,
        bench.client() as of_one,
        bench.client() as of_two,
    ):
        assert len(stop_at_entry(of_one, one)) == 8
        assert len(stop_at_entry(of_two, two)) == 8
        one.kill()
        assert_ended(of_one, Event.MODULE_UNLOAD, Event.PROCESS_EXIT)
        assert of_two.is_quiet()
        of_two.call("detach")
        two.do("wait")
        assert two.finish() == 0


def test_attach_says_what_is_wrong_with_the_process(bench: Bench) -> None:
    with bench.client() as client, subprocess.Popen(["sleep", "60"]) as bystander:
        try:
            assert client.result(f"attach {bystander.pid}") == NOT_READY
        finally:
            bystander.kill()
        assert client.result("attach 0") == UNKNOWN
        assert client.result(f"attach {2**32 - 1}") == UNKNOWN
        assert client.result("attach 4194305") == UNKNOWN  # above the largest pid
        with bench.target(ZET_ENABLE_PROGRAM_DEBUGGING="0") as target:
            assert client.result(f"attach {target.pid}") == NOT_READY


def test_socket_is_private_and_goes_with_its_process(bench: Bench) -> None:
    with bench.target() as target:
        [socket] = bench.sockets()
        assert socket.name == f"{target.pid}.sock"
        assert stat.S_IMODE(socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert target.finish() == 0
        assert bench.sockets() == []
        with bench.target() as killed:
            killed.kill()
        assert len(bench.sockets()) == 1  # no process was left to remove it
        with bench.target() as next_one:
            assert [path.name for path in bench.sockets()] == [f"{next_one.pid}.sock"]


@pytest.mark.parametrize("trap", ["symbolic link", "open to others"])
def test_directory_that_is_not_private_is_not_used(bench: Bench, trap: str) -> None:
    elsewhere = bench.runtime_directory / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    sockets = bench.runtime_directory / "xesim-debug"
    if trap == "symbolic link":
        sockets.symlink_to(elsewhere)
    else:
        sockets.mkdir()
        sockets.chmod(0o755)
    with bench.target() as target, bench.client() as client:
        assert list(elsewhere.iterdir()) == bench.sockets() == []
        client.attach(target)  # both sides fell back to the directory in /tmp
        assert target.finish() == 0


@pytest.fixture
def shared_directory() -> Iterator[Path]:
    """A directory that every user can reach; unlike those that pytest makes."""
    directory = Path(tempfile.mkdtemp(prefix="zedbg-users-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root to be two users")
def test_other_users_are_kept_out_and_root_is_not(shared_directory: Path) -> None:
    home = shared_directory / "home"
    home.mkdir()
    bench = Bench(home)
    os.chown(home, NOBODY, NOBODY)
    driver = shutil.copy(bench.environment["ZE_ENABLE_ALT_DRIVERS"], shared_directory)
    bench.environment["ZE_ENABLE_ALT_DRIVERS"] = str(driver)
    with bench.target(user=NOBODY) as target:
        with bench.client(user=SOMEBODY) as stranger:
            assert stranger.result(f"attach {target.pid}") == INSUFFICIENT_PERMISSIONS
        with bench.client(user=NOBODY) as client:
            client.attach(target)
        with bench.client() as root:
            attach_soon(root, target)
