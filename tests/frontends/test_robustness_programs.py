"""Programs of every kind under the debugger: each is debugged, or the reason is one clear line."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually

NO_CONTEXT = "the program ended without using a Level Zero device."


def test_breakpoint_hits_in_the_first_kernel_of_a_program_that_loads_level_zero_late(
    debugger, host_program, kernel_command
):
    module = kernel_command("vadd")[2]
    program = [str(host_program("vadd_dlopen")), module]
    done = debugger.batch(["break vadd", "run", "info breakpoints", "delete", "continue"], program)
    assert done.code == 0, done.err
    assert done.lines[2].startswith("Thread 1.1 hit Breakpoint 1")
    assert done.lines[-2:] == ["vadd_dlopen: ok", "[Process exited normally]"]


def test_breakpoint_hits_in_a_child_of_a_shell(debugger, vadd):
    program = ["sh", "-c", f"{shlex.join(vadd)}; exit 5"]
    done = debugger.batch(["break vadd.cl:3", "run", "print i", "delete", "continue"], program)
    assert done.code == 3 and not done.err  # the program failed
    assert "$1 = 0" in done.lines
    assert "crc32 23844f07" in done.lines[-2]
    assert done.lines[-1] == "[Process exited with code 5]"


PYTHON_HOST = """
import struct, sys
from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

driver = drivers()[0]
device = driver.devices[0]
context = Context(driver)
with open(sys.argv[1], "rb") as file:
    kernel = Module(context, device, file.read()).kernel("vadd")
kernel.set_group_size(16)
buffers = [context.allocate(MemoryKind.SHARED, 64, device) for _ in range(3)]
for index, buffer in enumerate(buffers):
    buffer.view()[:] = struct.pack("<16f", *[index + 1] * 16)
    kernel.set_argument_memory(index, buffer)
kernel.set_argument_bytes(3, struct.pack("<i", 16))
ImmediateCommandList(context, device).append_launch(kernel, (1, 1, 1))
print("sum", *struct.unpack("<2f", buffers[2].view()[:8]))
"""


def test_python_host_is_debugged_like_any_other(debugger, kernel_command, tmp_path):
    host = tmp_path / "host.py"
    host.write_text(PYTHON_HOST)
    program = [sys.executable, str(host), kernel_command("vadd")[2]]
    commands = ["break vadd.cl:4", "run", "print/l c[i]", "delete", "continue"]
    done = debugger.batch(commands, program)
    assert done.code == 0, done.err
    assert [line.split()[-1] for line in done.lines if line.startswith("7 ")] == ["3"]
    assert "sum 3.0 3.0" in done.lines


def test_module_without_debug_info_is_debugged_by_its_instructions(debugger, kernel_command):
    program = kernel_command(
        *["vadd", "--global", "16", "--local", "16", "f32[16]=1", "f32[16]=2", "f32[16]", "i32=16"],
        build="igc2-dg2-nodebug",
    )
    commands = ["break vadd", "break vadd.cl:3", "run", "info locals", "print/x $pc", "stepi"]
    commands += ["print/x $pc", "info modules", "disassemble", "info args", "backtrace", "list"]
    commands += ["break vadd.cl:4"]
    done = debugger.batch([*commands, "delete", "continue"], program)
    assert done.code == 1
    assert done.err.splitlines() == [
        "No debug info for this module: compile with -g.",
        "No current source line: name one, as in: list vadd.cl:1",
    ]
    before, after = (int(line.split()[-1], 16) for line in done.lines if line.startswith("$"))
    assert after == before + 16
    assert any(
        re.match(r"1 +0x[0-9a-f]+ +no \(compile with -g\) +- +vadd$", each) for each in done.lines
    )
    assert sum(line.startswith("=> ") for line in done.lines) == 1
    assert "n = 16 (int, 4 bytes)" in done.lines
    assert re.search(r"^#0 +0x[0-9a-f]+ in vadd \(\)$", done.out, re.MULTILINE)
    assert "f32[16] = 3 3 3" in done.out
    why = "no module of the program has debug info: compile with -g."
    assert "Breakpoint 2 (vadd.cl:3) pending: no module has it yet." in done.lines
    assert f"Breakpoint 3 (vadd.cl:4) pending: {why}" in done.lines


def test_breakpoint_that_no_module_had_says_why_at_the_end(debugger, kernel_command, vadd):
    without_lines = kernel_command(
        *["vadd", "--global", "16", "f32[16]", "f32[16]", "f32[16]", "i32=16"],
        build="igc2-dg2-nodebug",
    )
    done = debugger.batch(
        ["break vadd.cl:3", "break nosuch", "break vadd if 0", "run"], without_lines
    )
    assert [line for line in done.lines if "never" in line] == [
        "Breakpoint 1 (vadd.cl:3) was never in place: "
        "no module of the program has debug info: compile with -g.",
        "Breakpoint 2 (nosuch) was never in place: no module of the program has a function or "
        'kernel "nosuch" (some have no debug info: compile with -g); nearest: vadd.',
        "Breakpoint 3 (vadd) was never hit: threads came to it 1 time, but its condition never "
        "fitted.",
    ]
    done = debugger.batch(["break nosuch.cl:3", "run"], vadd)
    assert [line for line in done.lines if "never" in line] == [
        "Breakpoint 1 (nosuch.cl:3) was never in place: no module of the program was compiled from "
        '"nosuch.cl" (there are vadd.cl).'
    ]


@pytest.mark.parametrize(
    ("program", "end", "status"),
    [
        (["true"], "[Process exited normally]", 5),  # the breakpoint was never hit
        (["sh", "-c", "exit 3"], "[Process exited with code 3]", 3),  # the program failed
        (["sh", "-c", "kill -ABRT $$"], "[Process terminated with signal SIGABRT]", 3),
    ],
)
def test_program_that_never_uses_level_zero_just_ends(debugger, program, end, status):
    done = debugger.batch(["break vadd", "run"], program)
    assert done.lines == [
        "Breakpoint 1 (vadd) pending: no module has it yet.",
        f"Breakpoint 1 (vadd) was never in place: {NO_CONTEXT}",
        end,
    ]
    assert (done.code, done.err) == (status, "")


def test_program_that_loads_no_module_says_so(debugger, host_program):
    done = debugger.batch(["break vadd", "run"], [str(host_program("properties"))])
    assert (
        "Breakpoint 1 (vadd) was never in place: the program loaded no module on the device."
        in done.lines
    )
    assert done.lines[-1] == "[Process exited normally]"


@pytest.mark.parametrize("end", ["return", "exit", "quick"])
def test_program_may_leave_while_its_kernel_runs(debugger, host_program, kernel_command, end):
    program = [str(host_program("early_exit")), kernel_command("vadd")[2], end]
    done = debugger.batch(["tbreak vadd", "run", "continue"], program)
    assert "[Process exited normally]" in done.lines
    # Whether the kernel comes to its breakpoint first is between the two.
    assert done.err in ("", "The program is not being run.\n")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("/no/such/program", "cannot start /no/such/program: No such file or directory"),
        ("no-such-program", "cannot start no-such-program: No such file or directory"),
        ("{text}", "cannot start {text}: Permission denied"),
        ("/", "cannot start /: Permission denied"),
        ("{script}", "cannot start {script}: Exec format error"),
    ],
)
def test_program_that_cannot_be_started_is_one_line(debugger, tmp_path, program, message):
    script, text = tmp_path / "no-interpreter", tmp_path / "text"
    for file in (script, text):
        file.write_bytes(b"\x00\x01\x02\x03")
    script.chmod(0o755)
    done = debugger.batch(["run"], [program.format(script=script, text=text)])
    assert done.err == message.format(script=script, text=text) + "\n"
    assert (done.code, done.out) == (1, "")


def test_run_without_a_program_is_one_line(debugger):
    done = debugger.run("--batch", "--sim=dg2", "-ex", "run")
    assert done.err == (
        "No program. Name one: run PROGRAM ARGUMENTS, or zedbg -- PROGRAM ARGUMENTS\n"
    )


def attach_error(debugger, pid):
    """The one line in which attaching to ``pid`` fails."""
    done = debugger.run("--batch", "--sim=dg2", "-p", str(pid))
    assert done.code == 1 and done.out == ""
    (line,) = done.err.splitlines()
    return line


def test_attaching_to_no_process_is_one_line(debugger):
    assert attach_error(debugger, 2**22 - 7) == f"No such process: {2**22 - 7}."


def test_attaching_to_a_process_without_level_zero_is_one_line(debugger):
    without = debugger.spawn(["sleep", "60"])
    assert "ZET_ENABLE_PROGRAM_DEBUGGING=1" in attach_error(debugger, without.pid)
    asked = debugger.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"}
    asked = debugger.spawn(["sleep", "60"], env=asked)
    assert "has not initialised Level Zero yet" in attach_error(debugger, asked.pid)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_attaching_to_another_users_process_is_one_line(debugger, vadd):
    running = debugger.start(vadd)
    running("break vadd")
    running("run")
    running.expect("hit Breakpoint 1")
    done = subprocess.run(
        [sys.executable, "-c", ATTACH_AS_NOBODY, str(running.debuggee)],
        env=debugger.environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert done.stderr == ""
    assert done.stdout == (
        f"Cannot attach to process {running.debuggee}: permission denied; "
        "run zedbg as the user that owns it.\n"
    )
    running("delete")
    running("continue")
    assert "crc32 23844f07" in running.finish().out


# Opens everything that it needs before it becomes a user that may not read the installation.
ATTACH_AS_NOBODY = """
import os, sys
from zedbg.engine.sessions import opening
from zedbg.engine.engine_errors import AttachError
from zedbg.levelzero.core_driver import all_devices

opening.open_session("dg2")
all_devices()
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
try:
    opening.attach(int(sys.argv[1]), sim="dg2")
except AttachError as error:
    print(error)
"""


def test_second_debugger_is_refused_and_the_first_one_goes_on(debugger, vadd):
    first = debugger.start(vadd)
    first("break vadd.cl:3")
    first("run")
    first.expect("hit Breakpoint 1")
    assert "another debugger" in attach_error(debugger, first.debuggee)
    first("print i")
    first.expect(r"^\$1 = 0$")
    first("delete")
    first("continue")
    assert "crc32 23844f07" in first.finish().out


def test_program_without_program_debug_is_named_as_such(debugger, endless):
    environment = debugger.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "0"}
    program = debugger.spawn([*endless, "--device", "dg2"], env=environment)
    eventually(lambda: "libze_sim_gpu" in Path(f"/proc/{program.pid}/maps").read_text(), "it runs")
    assert "ZET_ENABLE_PROGRAM_DEBUGGING=1" in attach_error(debugger, program.pid)
