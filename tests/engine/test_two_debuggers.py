"""Two programs under two debuggers at once do not disturb each other."""

import signal

from tests.support.frontends.debugger_process import Finished


def start(debugger, program, location):
    running = debugger.start(program)
    running(f"break {location}")
    running("run")
    return running


def test_sessions_interleave_without_a_trace_of_each_other(debugger, vadd, kernel_command):
    reduce = kernel_command(
        *["reduce:reduce_slm", "--global", "64", "--local", "32"],
        *["i32[64]=iota", "i32[2]", "local[128]", "i32=64"],
    )
    reduce[2] = reduce[2].replace("reduce:reduce_slm.zebin", "reduce.zebin:reduce_slm")
    first, second = start(debugger, vadd, "vadd.cl:3"), start(debugger, reduce, "reduce.cl:4")
    first.expect(r"hit Breakpoint 1, .* at vadd\.cl:3")
    second.expect(r"hit Breakpoint 1, .* at reduce\.cl:4")
    assert first.debuggee != second.debuggee
    first("thread 1.6:2")
    second("thread 1.2:3")
    for _ in range(3):
        first("stepi")
        second("next")
    first("print i")
    first.expect(r"^\$1 = 42$")
    second("print $_thread_workgroup")
    second.expect(r"^\$1 = ")
    first("info modules")
    first.expect(r"^1 .* vadd$")
    second("delete")
    second("continue")
    done = second.finish()
    assert done.lines[-1] == "[Process exited normally]"
    first("delete")
    first("continue")
    done: Finished = first.finish()
    assert "crc32 23844f07" in done.out
    assert done.err == ""


def test_one_that_dies_leaves_the_other_where_it_is(debugger, vadd, endless):
    first, second = start(debugger, vadd, "vadd.cl:3"), start(debugger, endless, "endless")
    first.expect("hit Breakpoint 1")
    second.expect("hit Breakpoint 1")
    second.send_signal(signal.SIGKILL)
    second.process.wait()
    first("next")
    first("print i")
    first.expect(r"^\$1 = 0$")
    first("delete")
    first("continue")
    assert "crc32 23844f07" in first.finish().out
