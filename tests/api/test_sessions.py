"""The Python API over real programs: what the documented examples leave out."""

import asyncio
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import zedbg
from tests.support.packed_modules import ZEBINS


def kernel_program(name, *arguments, build="igc2-dg2-O0"):
    module = str(ZEBINS / build / f"{name}.zebin")
    return [sys.executable, "-m", "zedbg.frontends.main", "kernel", module, *arguments]


VADD = kernel_program(
    "vadd", "--global", "64", "--local", "32", "f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"
)
ENDLESS = kernel_program(
    "endless", "--global", "16", "--local", "16", "i32[1]=0", "i32[16]", build="igc2-dg2-O2"
)


def silent(_stream, _text):
    pass


@pytest.fixture
def launched():
    """Launches programs; what is left of them in the end is killed."""
    sessions = []

    def launch(program=VADD, **options):
        session = zedbg.launch(program, sim="dg2", output=silent, **options)
        sessions.append(session)
        return session

    yield launch
    for session in sessions:
        session.kill()


def test_callbacks_decide_whether_the_program_goes_on(launched):
    session = launched()
    seen = []

    def note(stop):
        seen.append(sorted(thread["a[i]"].lanes[0] for thread in stop))
        return False

    session.breakpoints.add("vadd.cl:3", callback=note)
    asked = session.breakpoints.add("vadd.cl:4", callback=lambda stop: stop.breakpoint.hits > 1)
    lines = [stop.thread.frames[0].line for stop in session.run()]
    assert (lines, asked.hits, asked.thread_hits) == ([], 1, 8)
    assert seen == [[float(8 * number) for number in range(8)]]
    assert session.exited == zedbg.Exited(code=0)


@pytest.mark.cases(0)
def test_an_error_in_a_callback_leaves_the_program_stopped(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3", callback=lambda stop: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        session.continue_(60)
    assert (session.state, session.stop.thread["i"].lanes[1]) == ("stopped", 1)


def test_values_over_work_items_have_the_shape_of_the_launch(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3", condition="i >= 40")
    stop = session.continue_(60)
    every = stop["a[i]"].over_work_items()
    assert every.dtype == numpy.float32
    assert numpy.array_equal(every, numpy.arange(64, dtype=numpy.float32))
    assert [thread.lanes.hit for thread in stop.threads] == [list(range(8))] * 3
    item, lane = session.work_item(42)
    session.kill()
    with pytest.raises(zedbg.StopOverError):
        item["i"]
    assert lane == 2


def test_work_items_that_are_not_stopped_are_masked(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3", work_group=(1, 0, 0))
    stop = session.continue_(60)
    stop.thread.step_instruction()
    values = stop["i"]
    assert values[37] == 37
    with pytest.raises(zedbg.NoThreadError, match="No stopped work-item"):
        values[64]
    with pytest.raises(zedbg.EvaluationError, match="nothing"):
        stop["nothing"]
    with pytest.raises(zedbg.EvaluationError, match="assign"):
        stop["i = 3"]


def test_a_stop_is_over_when_the_program_has_run(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3")
    session.breakpoints.add("vadd.cl:4")
    first = session.continue_(60)
    old = first.threads[0]
    assert old["i"].lanes[0] == 0
    session.continue_(60)
    for look in (lambda: old["i"], lambda: old.pc, lambda: first["i"], lambda: old.step()):
        with pytest.raises(zedbg.StopOverError, match="over"):
            look()


def test_what_is_written_is_read_back(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3")
    stop = session.continue_(60)
    values = [thread["a[i]"].lanes for thread in stop]  # reads ahead
    thread = stop.threads[5]
    thread["a[i]"] = [0.5] * 8
    assert (thread["a[i]"].lanes, values[5][0]) == ([0.5] * 8, 40.0)
    thread["b[i]"] = float("inf")
    assert thread["b[i]"].value == float("inf")
    address = thread["&a[40]"].value
    assert session.memory[address : address + 4] == b"\0\0\0\x3f"
    thread.memory[address : address + 4] = b"\0\0\x80\x3f"
    assert thread["a[i]"].lanes[0] == 1.0
    for place in (slice(None, 4), slice(0, None), slice(4, 0), slice(0, 8, 2)):
        with pytest.raises(zedbg.UserError, match="memory"):
            session.memory[place]
    with pytest.raises(zedbg.LevelZeroError):
        session.memory[16:32]
    with pytest.raises(zedbg.EvaluationError, match="differs"):
        _ = thread["i"].value


def test_each_space_of_memory_is_a_slice(launched):
    """Spilled are rows of ``p[16 * k + j] + i * k``, as spills.cl says."""
    arguments = ("--global", "32", "--local", "16", "i32[1024]=iota", "i32[1024]", "i32=0")
    session = launched(kernel_program("spills", *arguments, build="igc2-dg2-O2"))
    session.breakpoints.add("spills.cl:14", temporary=True)
    thread = session.next_stop(60).thread
    first = thread["i"].lanes[0]
    rows = [
        b"".join((word + lane * k).to_bytes(4, "little") for lane in range(first, first + 8))
        for k in range(1, 12)
        for word in range(16 * k, 16 * k + 16)
    ]
    scratch = thread.scratch_memory[0:6720]
    assert sum(row in scratch for row in rows) > 50
    with pytest.raises(zedbg.UserError, match="8192 bytes of scratch space a thread"):
        thread.scratch_memory[8190:8194]
    with pytest.raises(zedbg.UserError, match="spills has no shared local memory"):
        thread.shared_local_memory[0:4]


def test_private_memory_is_that_of_a_lane(launched):
    program = kernel_program(
        "private", "--global", "32", "--local", "16", "i32[512]=iota", "i32[64]"
    )
    program[4] += ":privsmall"
    session = launched(program)
    session.breakpoints.add("private.cl:25")
    thread = session.next_stop(60).thread
    for lane in (0, 5):
        (a,) = thread.evaluate("&a[0]", [lane]).lanes
        private = thread.private_memory[lane]
        expected = b"".join(each.to_bytes(4, "little") for each in thread["a"][lane])
        assert private[a : a + 32] == expected != thread.memory[a : a + 32]
        (second,) = thread.evaluate("&a[1]", [lane]).lanes
        assert second > a + 4 and private[second : second + 8] == expected[4:12]
        private[second : second + 8] = b"\x07\0\0\0\x08\0\0\0"
        assert thread["a"][lane][:4] == [lane * 8, 7, 8, lane * 8 + 3]
        with pytest.raises(zedbg.UserError, match="Only 32 bytes of an array"):
            private[a : a + 33]
        with pytest.raises(zedbg.UserError, match=f"an array of lane {lane + 1}, not of lane"):
            private[a + 4 : a + 8]
    buffer = thread["in"].value
    with pytest.raises(zedbg.UserError, match="is in buffer in, not in private memory"):
        private[buffer : buffer + 4]
    with pytest.raises(zedbg.LaneError, match="has lanes 0 to"):
        thread.private_memory[99]


def test_time_limit_kills_the_program_and_says_where_it_was(launched):
    session = launched(ENDLESS, time_limit=5)
    with pytest.raises(zedbg.TimeLimitError) as error:
        session.continue_()
    assert "16 lanes, work-group (0,0,0):\n  #0  endless at endless.cl:" in error.value.report
    assert (session.state, session.exited.signal) == ("no process", 9)
    with pytest.raises(zedbg.TimeLimitError):
        session.continue_()


@pytest.mark.cases(0)
def test_time_limit_holds_while_nobody_waits(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3")
    stop = session.continue_(60)
    session._run.limit(0.2)  # now: a launch may take long
    deadline = time.monotonic() + 30
    while session.state != "no process" and time.monotonic() < deadline:
        time.sleep(0.02)
    with pytest.raises(zedbg.TimeLimitError, match="8 threads, 64 lanes"):
        session.continue_()
    with pytest.raises(zedbg.StopOverError):
        stop.thread["i"]


def test_waiting_has_an_end_and_another_thread_interrupts(launched):
    session = launched(ENDLESS)
    assert session.continue_(0.5) is None
    assert session.state == "running"
    with pytest.raises(zedbg.NoThreadError):
        _ = session.threads
    threading.Timer(0.1, session.interrupt).start()
    stop = session.wait(60)
    assert stop.reason is zedbg.StopReason.INTERRUPT
    assert session.wait() is stop


def test_asyncio_runs_programs_side_by_side_and_cancels_them(launched):
    async def lines(session):
        return [stop.thread.frames[0].line async for stop in session.stops()]

    async def both():
        first, second, endless = launched(), launched(), launched(ENDLESS)
        for each in (first, second):
            each.breakpoints.add("vadd.cl:3")
        found = await asyncio.gather(lines(first), lines(second))
        waiting = asyncio.create_task(lines(endless))
        await asyncio.sleep(0.5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return found, endless.state

    assert asyncio.run(both()) == ([[3], [3]], "stopped")


def test_two_threads_drive_two_programs(launched):
    found = {}

    def drive(number):
        session = launched()
        session.breakpoints.add(f"vadd.cl:{3 + number}")
        found[number] = [stop.thread.frames[0].line for stop in session.run()]

    workers = [threading.Thread(target=drive, args=(number,)) for number in range(2)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(60)
    assert found == {0: [3], 1: [4]}


def test_breakpoint_that_is_never_in_place_is_a_warning(launched):
    session = launched()
    session.breakpoints.add("vad.cl:3")
    with pytest.warns(zedbg.ZedbgWarning, match=r"Breakpoint 1 .*never in place"):
        assert session.continue_(60).code == 0
    assert any("never in place" in each for each in session.messages)


@pytest.mark.cases(0)
def test_breakpoint_that_was_not_hit_for_its_condition_is_none(launched, recwarn):
    session = launched()
    session.breakpoints.add("vadd.cl:3", condition="i > 1000")
    session.breakpoints.add("vadd.cl:4", log="i is {i}", lane=3)
    assert list(session.run()) == []
    assert [str(each.message) for each in recwarn] == []
    assert "i is 3" in session.messages


def test_errors_are_typed_and_of_one_line(launched):
    for error in (
        lambda: zedbg.launch(["/no-such-program"], sim="dg2"),
        lambda: zedbg.launch(VADD, sim="nothing"),
        lambda: zedbg.attach(2**22 - 3, sim="dg2"),
        lambda: launched().breakpoints.add("vadd.cl:"),
        lambda: launched().breakpoints[7],
        lambda: launched().thread("x"),
        lambda: zedbg.open(b"no module"),
    ):
        with pytest.raises(zedbg.UserError) as caught:
            error()
        assert "\n" not in str(caught.value)
    session = launched()
    session.kill()
    with pytest.raises(zedbg.NotRunningError):
        session.continue_()
    with pytest.raises(zedbg.NotRunningError):
        _ = session.pid


@pytest.mark.cases(0)
def test_notebooks_show_tables(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3", condition="i < 8")
    stop = session.continue_(60)
    for shown, text in (
        (session, "<td>vadd.cl:3</td>"),
        (stop, "<td>vadd at vadd.cl:3</td>"),
        (stop.thread, "<td>n</td>"),
        (stop["i"], "<td>63,0,0</td>"),
        (stop.thread["i < 4"], "i &lt; 4"),
    ):
        assert text in shown._repr_html_()


CTRL_C = """
import sys, zedbg
session = zedbg.launch(sys.argv[1:], sim="dg2", output=lambda stream, text: None)
session.breakpoints.add_launch("endless")
print("launch", session.next_stop().thread.kernel, flush=True)
try:
    for stop in session.run():
        print("stopped", stop)
except KeyboardInterrupt:
    print(session.state, session.stop.thread["count"].lane_numbers == tuple(range(16)), flush=True)
session.kill()
"""


def test_ctrl_c_stops_the_program_and_ends_the_loop():
    script = subprocess.Popen(
        [sys.executable, "-c", CTRL_C, *ENDLESS], stdout=subprocess.PIPE, text=True
    )
    assert script.stdout.readline() == "launch endless\n"
    time.sleep(0.3)
    script.send_signal(signal.SIGINT)
    out, _ = script.communicate(timeout=60)
    assert (script.returncode, out) == (0, "stopped True\n")


def test_commands_of_the_shell_move_the_session_too(launched):
    session = launched()
    session.breakpoints.add("vadd.cl:3")
    first = session.next_stop(60)
    assert session.execute("thread 1.6:2").startswith("[Current thread is 1.6:2")
    assert session.rows("info threads")[0]["line"] == 3
    session.execute("next")
    assert session.stop.thread.id == "1.6" and session.stop.thread.frames[0].line == 4
    assert session.stop is not first
    with pytest.raises(zedbg.UserError, match="nonsense"):
        session.execute("nonsense")
    session.execute("delete")
    session.execute("continue")
    assert (session.state, session.exited) == ("no process", zedbg.Exited(code=0))


def test_in_non_stop_mode_threads_go_on_one_by_one(launched):
    session = launched(non_stop=True)
    session.breakpoints.add("vadd.cl:3", work_group=(1, 0, 0))
    session.next_stop(60)
    while len(session.threads) < 4:
        session.wait(60)
    first, second = session.threads[:2]
    assert first.step_instruction().thread.id == first.id
    assert second["i"].lanes[0] % 8 == 0  # it is where it was
    session.breakpoints.clear()
    session.continue_(1)  # the focused thread, to its end
    assert len(session.threads) == 3
    assert second["i"].lanes[0] % 8 == 0
    assert session.continue_(60, all_threads=True) == zedbg.Exited(code=0)
