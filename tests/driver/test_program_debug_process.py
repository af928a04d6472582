"""Debuggees that change their process under the debugger: descriptors, root, user, program."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.driver.device_processes import device_process, tasks
from tests.support.driver.program_debug_hosts import (
    ALL,
    SUCCESS,
    Bench,
    Client,
    Event,
    Target,
    breakpoint_bytes,
    zebin,
)

NOBODY = 65534
NOWHERE = 0x1230  # no program has anything in its first page


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def debug_once(client: Client, target: Target) -> None:
    """A whole session: attach, load, stop at the kernel's entry, go on, detach."""
    client.attach(target)
    module = client.load_module(target, zebin("vadd"))
    entry = module.kernel_address("vadd")
    code = module.kernel_code("vadd")
    client.write(ALL, entry, breakpoint_bytes(code))
    client.acknowledge()
    assert target.line() == "ok"
    target.do("vadd 1")
    assert client.event().type == Event.PROCESS_ENTRY
    threads = [client.event().thread for _ in range(8)]
    client.write(ALL, entry, code[:16])
    for thread in threads:
        client.prepare(thread)
    client.call("resume all")
    target.do("wait")
    client.call("detach")


def descriptors(pid: int) -> dict[str, str]:
    """The process's descriptors, and what each refers to."""
    directory = Path(f"/proc/{pid}/fd")
    return {entry.name: str(entry.readlink()) for entry in directory.iterdir()}


def test_program_that_closes_all_descriptors_can_be_debugged(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        target.do("close")
        opened = descriptors(target.pid)
        debug_once(client, target)
        assert descriptors(target.pid) == opened  # nothing of it was used for a socket
        assert target.finish() == 0


def test_program_that_closes_all_descriptors_stays_in_its_session(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        target.do("close")
        client.load_module(target, zebin("vadd"))
        client.acknowledge()
        assert target.line() == "ok"
        client.call("detach")
        assert target.finish() == 0
        assert f"{target.pid}.sock" not in [path.name for path in bench.sockets()]


def test_program_without_free_descriptors_can_be_debugged(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        target.do(f"module {zebin('vadd')}")  # to read files it needs a descriptor itself
        target.do("exhaust")
        client.attach(target)
        assert client.event().type == Event.MODULE_LOAD
        assert target.ask("vadd 1") == "ok"
        assert client.event().type == Event.PROCESS_ENTRY
        target.do("wait")
        assert client.result("interrupt all") == SUCCESS
        assert client.event().type == Event.THREAD_UNAVAILABLE


def test_driver_keeps_no_pipe_of_the_program_open(bench: Bench) -> None:
    with bench.target() as target:
        pipe = descriptors(target.pid)["1"]
        of_threads = [
            {entry.name: str(entry.readlink()) for entry in (task / "fd").iterdir()}
            for task in tasks(device_process(target.pid))
        ]
        own = descriptors(target.pid)
        apart = [table for table in of_threads if table != own]
        assert len(apart) == 2  # the driver's two threads share a table of their own
        assert all(pipe not in table.values() for table in apart)


def test_program_that_becomes_another_ends_the_session(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        target.do("queue")
        assert client.event().type == Event.PROCESS_ENTRY
        target.do("exec")
        assert client.event().type == Event.PROCESS_EXIT
        assert client.event().type == Event.DETACHED


@pytest.fixture
def jail() -> Iterator[Path]:
    """A root directory with nothing in it but /tmp."""
    directory = Path(tempfile.mkdtemp(prefix="zedbg-root-"))
    directory.chmod(0o755)
    (directory / "tmp").mkdir(mode=0o1777)
    yield directory
    shutil.rmtree(directory)


def test_program_in_a_root_directory_of_its_own_can_be_debugged(bench: Bench, jail: Path) -> None:
    with bench.target_that_may_change_its_root() as target, bench.client() as client:
        shutil.copy(zebin("vadd"), jail / "vadd.zebin")
        target.do(f"chroot {jail}")
        client.attach(target)
        target.send("module /vadd.zebin")
        assert client.event().type == Event.MODULE_LOAD
        client.acknowledge()
        assert target.line() == "ok"


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root to be two users")
def test_program_that_gives_up_its_rights_can_be_debugged_by_root(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        target.do(f"user {NOBODY}")
        client.attach(target)
        target.do("queue")
        assert client.event().type == Event.PROCESS_ENTRY


def test_breakpoints_of_a_killed_debugger_do_not_stop_the_next_one(bench: Bench) -> None:
    with bench.target() as target:
        with bench.client() as first:
            first.attach(target)
            module = first.load_module(target, zebin("vadd"))
            entry, code = module.kernel_address("vadd"), module.kernel_code("vadd")
            first.write(ALL, entry, breakpoint_bytes(code))
            assert first.read(ALL, entry, 8) != code[:8]
            first.kill()
        assert target.line() == "ok"
        with bench.client() as second:
            deadline = time.monotonic() + 5
            while second.result(f"attach {target.pid}") != SUCCESS:
                assert time.monotonic() < deadline
            assert second.event().type == Event.MODULE_LOAD
            assert second.read(ALL, entry, len(code)) == code
            target.do("vadd 2")
            assert second.event().type == Event.PROCESS_ENTRY
            target.do("wait")
            assert second.is_quiet()


def test_breakpoints_that_a_debugger_leaves_at_detach_stay(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        module = client.load_module(target, zebin("vadd"))
        entry, code = module.kernel_address("vadd"), module.kernel_code("vadd")
        client.write(ALL, entry, breakpoint_bytes(code))
        client.call("detach")
        assert target.line() == "ok"
        client.attach(target)
        assert client.event().type == Event.MODULE_LOAD
        assert client.read(ALL, entry, 16) == (breakpoint_bytes(code) + code[8:16])[:16]


def test_fault_of_a_copy_is_an_event_of_no_thread(bench: Bench) -> None:
    with bench.target() as target, bench.client() as client:
        client.attach(target)
        target.do(f"copy {NOWHERE:#x}")
        assert client.event().type == Event.PROCESS_ENTRY
        fault = client.event()
        assert (fault.type, fault.flags) == (Event.PAGE_FAULT, 0)
        # As Intel's driver fills it: nothing but the address.
        assert (fault.address, fault.mask, fault.reason) == (NOWHERE, 0, 0)
        target.do("lost")
        assert client.is_quiet()
        assert client.result("interrupt all") == SUCCESS
        assert client.event().type == Event.THREAD_UNAVAILABLE
