"""The engine over the simulated GPU: real kernels in another process, from launch to exit."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import zedbg
from tests.support.module_command import module_command
from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS
from zedbg.engine import Exited, SessionState, StopReason
from zedbg.engine.engine_errors import LaunchError, NoThreadError
from zedbg.engine.process.process import HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE
from zedbg.engine.sessions import opening
from zedbg.levelzero.selection import DRIVER_OVERRIDE, SIM_DRIVER_NAME, native_file
from zedbg.xe.coordinates import lanes_of

SIM_DRIVER = native_file(SIM_DRIVER_NAME, DRIVER_OVERRIDE)
pytestmark = pytest.mark.skipif(
    SIM_DRIVER is None or native_file(HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE) is None,
    reason="the simulated driver is not built",
)
IMPORT_PATH = os.pathsep.join(str(Path(folder).parent) for folder in zedbg.__path__)

VADD = ["vadd", "vadd", "4", "32", "buf:128:0", "buf:128:0", "buf:128:0", "i32:128"]
CALLS = ["calls", "calls", "1", "8", "buf:64:iota", "buf:64:0"]
RECURSE = ["recurse", "rec", "1", "8", "buf:8:5"]
REDUCE = ["reduce", "reduce_slm", "2", "32", "buf:64:0", "buf:64:0", "local:128", "i32:64"]
# 100 million turns: as good as endless.
ENDLESS = ["mandel", "mandel", "1", "8", "buf:64:0", "i32:8", "i32:8", "f32:0", "f32:0", "f32:0"]
ENDLESS += ["i32:100000000"]


def host_command(module, *rest, build="igc2-dg2-O0"):
    return module_command("engine.engine_host", ZEBINS / build / f"{module}.zebin", *rest)


def environment():
    return {"PYTHONPATH": IMPORT_PATH}


@pytest.fixture
def launched(request):
    session = opening.launch(host_command(*request.param), sim="dg2", environment=environment())
    yield session
    if session.state is not SessionState.NO_PROCESS:
        session.kill()


def program(*arguments):
    return pytest.mark.parametrize("launched", arguments, indirect=True)


def finish(session):
    for breakpoint_ in session.breakpoints:
        session.breakpoints.delete(breakpoint_)
    return session.continue_(timeout=60)


def in_its_kernel(session, kernel):
    """Stopped where the kernel begins, and no breakpoint left."""
    breakpoint_ = session.break_at(kernel)
    assert session.continue_(timeout=30).reason is StopReason.BREAKPOINT
    session.breakpoints.delete(breakpoint_)


@program(VADD)
def test_breakpoint_in_the_first_kernel_stops_every_work_item_once(launched):
    launched.break_at("vadd.cl:3")
    stop = launched.continue_(timeout=30)
    assert stop.reason is StopReason.BREAKPOINT
    assert (stop.location.line, stop.location.kernel) == (3, "vadd")
    items = [hit.thread.global_ids()[lane] for hit in stop for lane in lanes_of(hit.lanes)]
    assert sorted(items) == [(n, 0, 0) for n in range(128)]
    assert sorted(group.workgroup for group in stop.groups) == [(n, 0, 0) for n in range(4)]
    assert finish(launched) == Exited(code=7)
    assert launched.state is SessionState.NO_PROCESS


@program(VADD)
def test_work_item_is_found_and_selected(launched):
    launched.break_at("vadd.cl:3")
    launched.continue_(timeout=30)
    item = launched.find_work_item((77, 0, 0))
    assert item.local_id == (13, 0, 0)
    assert item.thread.workgroup == (2, 0, 0)
    launched.select(item.thread, item.lane)
    assert launched.focus.thread.focused_lane == item.lane == 5
    assert item.thread.convenience("_workitem_global_id") == (77, 0, 0)
    with pytest.raises(NoThreadError):
        launched.find_work_item((128, 0, 0))


@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O0", "igc2-dg2-O2"])
@pytest.mark.parametrize(("groups", "size"), [(4, 32), (3, 20), (2, 64), (5, 7)])
def test_work_coordinates_hold_for_every_compiler_and_group_size(build, groups, size):
    """At the kernel's first instruction after its prologue, every work-item is there once."""
    module, kernel, _, _, *arguments = VADD
    command = host_command(module, kernel, str(groups), str(size), *arguments, build=build)
    session = opening.launch(command, sim="dg2", environment=environment())
    session.break_at("vadd")
    stop = session.continue_(timeout=30)
    items = []
    for hit in stop:
        thread = hit.thread
        assert thread.work.group_size == (size, 1, 1)
        items += [thread.global_ids()[lane][0] for lane in lanes_of(thread.dispatch_lanes)]
    assert sorted(items) == list(range(groups * size))
    session.kill()


@program(VADD)
def test_stepping_lines_walks_through_the_kernel_to_its_end(launched):
    launched.break_at("vadd", temporary=True)
    stop = launched.continue_(timeout=30)
    lines = []
    while stop.reason is not StopReason.THREAD_ENDED:
        lines.append(stop.location.line)
        stop = launched.step_line()
    assert lines == [2, 3, 4, 5] or lines == [1, 2, 3, 4, 5] or lines == [2, 3, 4]
    assert finish(launched) == Exited(code=7)


@program(VADD)
def test_single_steps_agree_with_the_code(launched):
    """Without a jump, the pc moves by the size of the instruction that it was at."""
    launched.break_at("vadd")
    launched.continue_(timeout=30)
    thread = launched.focus.thread
    for _ in range(40):
        before = thread.pc
        size = thread.device.code.instruction(before).size
        launched.step_instruction()
        assert thread.pc == before + size or abs(thread.pc - before) > 16


@program(CALLS)
def test_step_enters_a_function_and_next_does_not(launched):
    launched.break_at("calls.cl:18")
    stop = launched.continue_(timeout=30)
    kernel_thread = stop.focus.thread
    stop = launched.step_line()
    assert stop.location.function == "mid"
    chain = [frame.location.function for frame in kernel_thread.backtrace().frames]
    assert chain == ["mid", "calls"]
    stop = launched.step_line(over_calls=True)
    assert (stop.location.function, stop.location.line) == ("mid", 9)
    while stop.location.function == "mid":
        stop = launched.step_line(over_calls=True)
    assert stop.location.function in ("calls", "leaf")
    assert finish(launched) == Exited(code=7)


@program(RECURSE)
def test_next_over_a_recursive_call_stays_in_its_frame(launched):
    breakpoint_ = launched.break_at("recurse.cl:11")
    stop = launched.continue_(timeout=30)
    thread = stop.focus.thread
    depths = [len(thread.backtrace().frames)]
    for _ in range(2):
        launched.continue_(timeout=30)
        depths.append(len(thread.backtrace().frames))
    assert depths == [2, 3, 4]  # rec and fib(5); fib(4); fib(3)
    launched.breakpoints.delete(breakpoint_)
    stop = launched.step_line(over_calls=True)
    assert stop.location.function == "fib"
    assert len(thread.backtrace().frames) <= 4
    assert finish(launched) == Exited(code=7)


@program(REDUCE)
def test_stepping_over_a_barrier_lets_the_work_group_arrive(launched):
    launched.break_at("reduce.cl:4", thread=(1, 1))
    stop = launched.continue_(timeout=30)
    assert stop.focus.thread.id == "1.1"
    lines = []
    for _ in range(4):
        stop = launched.step_line(over_calls=True)
        assert stop.reason is StopReason.STEP
        lines.append(stop.location.line)
    assert max(lines) >= 6
    assert finish(launched) == Exited(code=7)


@program(ENDLESS)
def test_endless_kernel_is_interrupted_read_and_killed(launched):
    in_its_kernel(launched, "mandel")
    assert launched.continue_(timeout=0.5) is None
    launched.interrupt()
    stop = launched.continue_(timeout=20)
    assert stop.reason is StopReason.INTERRUPT
    assert stop.location.kernel == "mandel"
    assert launched.step_instruction().reason is StopReason.STEP
    assert launched.continue_(timeout=0.5) is None
    assert launched.kill() == Exited(signal=signal.SIGKILL)


@program(ENDLESS)
def test_ctrl_c_while_waiting_interrupts_the_kernel_and_not_the_debugger(launched):
    in_its_kernel(launched, "mandel")
    killer = subprocess.Popen(
        [sys.executable, "-c", "import os,sys,time,signal; time.sleep(1);"
         "os.kill(int(sys.argv[1]), signal.SIGINT)", str(os.getpid())]
    )  # fmt: skip
    stop = launched.continue_(timeout=30)
    killer.wait()
    assert stop.reason is StopReason.INTERRUPT
    assert stop.threads


@program(VADD)
def test_killed_program_ends_the_session_in_one_outcome(launched):
    launched.break_at("vadd")
    launched.continue_(timeout=30)
    os.kill(launched.process.pid, signal.SIGKILL)
    assert launched.continue_(timeout=20) == Exited(signal=signal.SIGKILL)
    assert launched.breakpoints.get(1).pending


@program(VADD)
def test_detaching_while_stopped_lets_the_program_finish(launched):
    launched.break_at("vadd")
    launched.continue_(timeout=30)
    child = launched.process._child
    launched.detach()
    assert child.wait(timeout=30) == 7


def test_program_that_cannot_be_started_is_one_line():
    with pytest.raises(LaunchError, match="no-such-program") as error:
        opening.launch(["/no-such-program"], sim="dg2")
    assert "\n" not in str(error.value)


def test_program_that_uses_no_device_just_exits():
    session = opening.launch(["sh", "-c", "exit 3"], sim="dg2")
    session.break_at("vadd")
    assert session.continue_(timeout=20) == Exited(code=3)


def test_child_of_a_shell_is_debugged_and_a_second_one_after_it():
    one = " ".join(host_command(*VADD))
    session = opening.launch(["sh", "-c", f"{one}; {one}"], sim="dg2", environment=environment())
    session.break_at("vadd")
    for _ in range(2):
        stop = session.continue_(timeout=30)
        assert stop.reason is StopReason.BREAKPOINT
        assert len(stop.threads) == 16
    assert session.continue_(timeout=30) == Exited(code=7)


TWO = """
    import sys
    from zedbg.engine.sessions import opening
    session = opening.launch(sys.argv[2:], sim="dg2")
    session.break_at(sys.argv[1])
    stop = session.continue_(timeout=30)
    print(stop.location.line, len(stop.threads), flush=True)
    sys.stdin.readline()
    session.step_instruction()
    session.breakpoints.delete(stop.breakpoint)
    print(session.continue_(timeout=30).code)
"""


def test_two_debuggers_at_once_do_not_disturb_each_other():
    debuggers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(TWO), f"vadd.cl:{line}", *host_command(*VADD)],
            env=os.environ | environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in (3, 4)
    ]
    assert [each.stdout.readline() for each in debuggers] == ["3 16\n", "4 16\n"]
    for each in debuggers:
        output, _ = each.communicate("go on\n", timeout=30)
        assert output.splitlines()[-1] == "7"


def test_breakpoints_outlive_a_run():
    session = opening.launch(host_command(*VADD), sim="dg2", environment=environment())
    breakpoint_ = session.break_at("vadd")
    session.continue_(timeout=30)
    session.kill()
    from zedbg.engine import LaunchOptions

    session.launch(LaunchOptions(host_command(*VADD), environment=environment()))
    assert session.continue_(timeout=30).breakpoint is breakpoint_
    session.kill()


DEBUGGER = """
    import os, signal, sys
    from zedbg.engine.sessions import opening
    session = opening.launch(sys.argv[2:], sim="dg2")
    session.break_at("vadd")
    stop = session.continue_(timeout=30)
    print(session.process.pid, flush=True)
    {end}
"""


@pytest.mark.parametrize(
    ("end", "signalled"),
    [
        ("sys.exit(0)", None),
        ("raise RuntimeError('a bug')", None),
        ("signal.pause()", signal.SIGTERM),
        ("signal.pause()", signal.SIGKILL),
    ],
    ids=["exit", "crash", "SIGTERM", "SIGKILL"],
)
def test_debuggee_survives_the_end_of_the_debugger(tmp_path, end, signalled):
    result = tmp_path / "result"
    script = textwrap.dedent(DEBUGGER).format(end=end)
    command = f"{' '.join(host_command(*VADD))} > {result}; echo $? >> {result}"
    debugger = subprocess.Popen(
        [
            sys.executable,
            "-c",
            script,
            "x",
            "sh",
            "-c",
            command,
        ],
        env=os.environ | environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert debugger.stdout.readline().strip().isdigit()
    if signalled is not None:
        debugger.send_signal(signalled)
    debugger.wait(timeout=30)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (
        result.exists() and result.read_text().endswith("7\n")
    ):
        time.sleep(0.05)
    assert result.read_text().split() == ["0"] * 8 + ["7"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_program_that_loads_level_zero_at_run_time_is_not_missed(tmp_path):
    source = HOSTS / "vadd_dlopen.c"
    binary = tmp_path / "vadd_dlopen"
    subprocess.run(["cc", "-o", binary, source, "-ldl"], check=True)
    module = str(ZEBINS / "igc2-dg2-O0" / "vadd.zebin")
    session = opening.launch([str(binary), module], sim="dg2")
    session.break_at("vadd")
    assert session.continue_(timeout=30).reason is StopReason.BREAKPOINT
    assert finish(session) == Exited(code=0)
