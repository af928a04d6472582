"""From where kernels are launched, and where host threads are: compared with what GDB says."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.support.frontends.debugger_process import Debugger
from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS
from zedbg.host.image import HostImage

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"

# What GDB says of a thread: address, line and symbol of each frame that is on the stack.
GDB = """
import gdb, json
def symbol(pc):
    text = gdb.execute(f"info symbol {pc:#x}", to_string=True)
    return text.split(" in section")[0] if " in section" in text else None
def frames(thread=None):
    for each in gdb.selected_inferior().threads():
        if each.ptid[1] == thread:
            each.switch()
    found, frame, calls = [], gdb.newest_frame(), 0
    while frame is not None:
        if frame.type() != gdb.TAILCALL_FRAME:
            place = frame.find_sal()
            name = place.symtab and place.symtab.filename.rpartition("/")[2]
            is_inlined = frame.type() == gdb.INLINE_FRAME
            known = frame.name() if is_inlined else symbol(frame.pc())
            found.append([frame.pc(), name, place.line if name else None, known])
        frame = frame.older()
    return found
"""


LINE = "python print(json.dumps(frames()))"
OF_THREAD = "python print(json.dumps(frames(THREAD)))"


def gdb_command(*arguments, commands):
    """A call of GDB that runs ``commands``, with the functions above."""
    options = ["-nx", "-batch", "-iex", "set debuginfod enabled off"]
    words = [f"python exec({GDB!r})", *commands]
    return ["gdb", *options, *(word for each in words for word in ("-ex", each)), *arguments]


def last_json(text):
    (*_, line) = (each for each in text.splitlines() if each.startswith("[["))
    return json.loads(line)


@pytest.fixture(scope="module")
def submitters(tmp_path_factory):
    """A C++ program that launches from four threads."""
    program = tmp_path_factory.mktemp("submitters") / "submitters"
    options = ["-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
    source = HOSTS / "submitters.cpp"
    subprocess.run(["g++", *options, source, "-o", program, "-lze_loader"], check=True)
    return program


STOPPED = """
import json, subprocess, sys
import zedbg
with zedbg.launch(sys.argv[2:], sim="dg2") as session:
    session.breakpoints.add("vadd")
    session.continue_()
    launched = session.rows("host-backtrace")
    launches = session.rows("info launches")
    waiting = launches[-1]["thread"]
    now = session.rows(f"host-backtrace thread {waiting}")
    pc = launched[1]["pc"]
    words = [word.replace("THREAD", str(waiting)) for word in json.loads(sys.argv[1])]
    gdb = subprocess.run(words, capture_output=True, text=True).stdout
    facts = {
        "launched": launched, "launches": launches, "now": now, "gdb": gdb,
        "after": session.rows(f"host-backtrace thread {waiting}"),
        "threads": session.rows("info host-threads"),
        "libraries": session.rows("info sharedlibrary"),
        "allocations": session.rows("info allocations"),
        "process": session.rows("info proc"),
        "pid": session.pid,
        "code": session.rows(f"x/8i {pc:#x}"),
        "function": session.rows(f"disassemble *{pc:#x}"),
        "pointers": [session.execute(f"print {each}") for each in ("a", "&a[4]", "&c[128]")],
        "symbols": [session.execute(f"info symbol {each}") for each in ("&a[4]", "c", f"{pc:#x}")],
    }
    session.kill()
print(json.dumps(facts))
"""
LIBRARIES = "info sharedlibrary"
CODE = [
    "set disassembly-flavor intel",
    "frame function work::Submitter::submit",
    "x/8i $pc",
    "disassemble",
]


@pytest.fixture(scope="module")
def stopped(submitters, tmp_path_factory):
    """What zedbg and GDB say of the C++ program at one stop in its kernel."""
    folder = tmp_path_factory.mktemp("stopped")
    looks = gdb_command("-p", "THREAD", commands=[OF_THREAD, LIBRARIES, "info threads", *CODE])
    return Debugger(folder, dict(os.environ)).run_script(
        STOPPED, json.dumps(looks), submitters, str(VADD)
    )


def test_a_thread_is_where_gdb_says(stopped):
    frames = last_json(stopped["gdb"])
    rows = [row for row in stopped["now"] if "pc" in row]
    assert [row["pc"] for row in rows] == [pc for pc, *_ in frames]
    assert [[row["file"], row["line"]] for row in rows] == [[f, n] for _, f, n, _ in frames]
    # Some functions of libraries have several names, but their offsets are the same.
    own = [(row, name) for row, (*_, name) in zip(rows, frames, strict=True) if not row["inlined"]]
    offsets = [(name or "").rpartition(" + ")[2] for _, name in own]
    assert [str(row["offset"]) if row["function"] else "" for row, _ in own] == offsets
    assert len(rows) > 5


def test_looking_at_a_thread_leaves_it_as_it_was(stopped):
    assert stopped["after"] == stopped["now"]


def test_a_launch_came_from_where_gdb_stops_in_it(stopped, submitters, simulator_environment):
    commands = ["set breakpoint pending on", "break zeCommandListAppendLaunchKernel", "run"]
    done = subprocess.run(
        gdb_command("--args", submitters, VADD, commands=[*commands, LINE]),
        env=simulator_environment,
        capture_output=True,
        text=True,
    )
    _, *callers = last_json(done.stdout)  # the first one is the loader's function itself
    rows = [row for row in stopped["launched"] if "pc" in row]
    assert [[row["file"], row["line"]] for row in rows] == [[f, n] for _, f, n, _ in callers]
    assert rows[0]["function"] == "work::Submitter::submit(unsigned int)"
    inlined = [row for row in rows if row["inlined"]]
    assert len(inlined) > 2
    for row, (*_, name) in zip(rows, callers, strict=True):
        # Of what templates made, demanglers have different spaces and types of results.
        known = (name or "").partition(" + ")[0].partition("<")[0]
        assert known in (row["function"] or "") or not row["inlined"]


def test_libraries_lie_where_gdb_says(stopped):
    row = re.compile(r"^0x0*([0-9a-f]+)  0x0*([0-9a-f]+)  Yes( \(\*\))?\s+(/.*)$", re.MULTILINE)
    known = {(int(a, 16), int(b, 16)): (Path(path).resolve(), not marked)
             for a, b, marked, path in row.findall(stopped["gdb"])}  # fmt: skip
    ours = {
        (each["start"], each["end"]): (Path(each["path"]).resolve(), each["debug_info"])
        for each in stopped["libraries"]
    }
    assert len(known) > 4
    assert ours.items() >= known.items()
    assert len(ours) - len(known) <= 2  # the library that holds programs, and its C library


def test_threads_and_the_process_are_those_of_the_system(stopped):
    assert stopped["process"][0]["pid"] == stopped["pid"]
    threads = {each["thread"]: each for each in stopped["threads"]}
    in_gdb = set(map(int, re.findall(r"LWP (\d+)", stopped["gdb"])))
    assert in_gdb <= set(threads)
    assert stopped["process"][0]["threads"] == len(threads)
    launcher = stopped["launches"][0]["thread"]
    assert [each["launches"] for each in threads.values() if each["launches"]] == [1]
    assert threads[launcher]["launches"] == 1 and launcher != stopped["pid"]


def test_code_of_the_program_is_that_of_gdb(stopped):
    shown = re.findall(
        r"^(?:=>|  ) 0x0*([0-9a-f]+) ?<.*?(?:\+(\d+))?>:\t(\w+)", stopped["gdb"], re.MULTILINE
    )
    listed = [
        (row["address"], row["offset"], row["text"].split()[0])
        for row in stopped["code"] + stopped["function"]
    ]
    assert [(int(at, 16), int(offset or 0), word) for at, offset, word in shown] == listed
    assert len(stopped["code"]) == 8 < len(stopped["function"])


def test_addresses_are_named_as_the_host_knows_them(stopped):
    element, c, code = (each.partition(" is ")[2] for each in stopped["symbols"])
    assert element == "0x10 bytes after where argument a points, in shared USM allocation 1"
    assert c == "where argument c points, in shared USM allocation 3"
    assert re.match(r"<work::Submitter::submit\(unsigned int\)\+\d+> in /.*/submitters", code)


def test_pointers_in_values_name_the_memory_that_the_host_allocated(stopped):
    a, element, beyond = (each.partition("0x")[2].partition(" ")[2] for each in stopped["pointers"])
    assert a == "<shared USM allocation 1>"
    assert element == "<a+16 in shared USM allocation 1>"
    assert beyond == ""  # the first byte after it


def test_allocations_are_what_the_program_made(stopped):
    assert [(each["usm"], each["size"]) for each in stopped["allocations"]] == [("shared", 512)] * 3
    assert {each["function"] for each in stopped["allocations"]} == {"main"}


LAUNCHES = """
import json, sys
import zedbg
with zedbg.launch(sys.argv[1:], sim="dg2") as session:
    session.breakpoints.add_launch("vadd")
    found = []
    while not isinstance(session.continue_(), zedbg.Exited):
        rows = session.rows("info launches")
        (chosen,) = (row for row in rows if row["current"])
        texts = [session.execute(f"print/x {each}").split()[-1] for each in "abcn"]
        found.append([len(rows), chosen["number"], texts, chosen["arguments"]])
print(json.dumps(found))
"""


@pytest.mark.cases(0)
def test_of_launches_that_wait_the_one_with_the_arguments_is_chosen(debugger, submitters):
    found = debugger.run_script(LAUNCHES, submitters, str(VADD), "together")
    assert [(noted, chosen) for noted, chosen, *_ in found] == [(3, 1), (3, 2), (3, 3)]
    assert [int(values[-1], 16) for *_, values, _ in found] == [5, 6, 7]
    for *_, values, arguments in found:
        noted = dict(each.split("=") for each in arguments)
        assert [int(each, 16) for each in values] == [int(noted[each], 0) for each in "abcn"]


BROUGHT = """
import json, sys
import zedbg
with zedbg.launch(sys.argv[1:], sim="dg2") as session:
    session.breakpoints.add_launch("vadd")
    found = []
    for _ in range(2):
        session.next_stop()
        (row,) = (row for row in session.rows("info launches") if row["current"])
        texts = [session.execute(f"print/x {each}").split()[-1] for each in "abcn"]
        found.append([row["arguments"], texts])
    session.kill()
print(json.dumps(found))
"""


def test_arguments_that_come_with_a_launch_are_noted(debugger, host_program):
    """The second launch has those that the first one brought."""
    for arguments, values in debugger.run_script(BROUGHT, host_program("later"), str(VADD)):
        noted = [each.partition("=") for each in arguments]
        assert [name for name, *_ in noted] == ["a", "b", "c", "n"]
        assert [int(value, 0) for *_, value in noted] == [int(each, 16) for each in values]
        assert noted[3][2] == "128"


def test_of_a_program_that_was_there_one_line_says_what_is_not_known(
    debugger, host_program, simulator_environment
):
    program = debugger.spawn(
        [host_program("vadd"), VADD, "wait"],
        env=simulator_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout.readline() == "ready\n"
    commands = ["info allocations", "info launches", f"host-backtrace thread {program.pid}"]
    done = debugger.run(
        *("--sim=dg2", "--batch", "-p", str(program.pid)),
        *(word for each in commands for word in ("-ex", each)),
    )
    unknown = "zedbg did not start this program: what it made and launched is not known."
    assert done.err.splitlines() == [unknown] * 2
    assert re.search(r"in wait_for_line \(\) at vadd.c:9|in main \(\) at vadd.c", done.out)
    assert program.communicate("\n\n")[0] == "vadd: ok\n"


PYTHON = """
import json, sys
import zedbg
program = [sys.executable, "-m", "zedbg.frontends.main", *sys.argv[1:]]
with zedbg.launch(program, sim="dg2") as session:
    session.breakpoints.add("vadd")
    session.continue_()
    thread = session.rows("info launches")[-1]["thread"]
    facts = [session.rows("host-backtrace"), session.rows(f"host-backtrace thread {thread}")]
    session.kill()
print(json.dumps(facts))
"""


@pytest.mark.cases(0)
def test_a_python_program_has_frames_of_python_too(debugger, vadd):
    launched, now = debugger.run_script(PYTHON, *vadd[1:])
    functions = [row.get("function") for row in launched]
    assert "_PyEval_EvalFrameDefault" in functions and functions[-1] == "_start"
    start = next(at for at, row in enumerate(now) if row.get("text") == "Python code, now:")
    python = [(row["function"], Path(row["file"]).name) for row in now[start + 1 :]]
    assert python[1] == ("_launch", "host.py")
    assert python[-1] == ("_run_module_as_main", "<frozen runpy>")


LARGE_UNIT = """
int spot(int x);
static inline __attribute__((always_inline)) int leaf(int x) { return spot(x) + 1; }
static inline __attribute__((always_inline)) int middle(int x) { return leaf(x) * 3; }
__attribute__((noinline)) int outer(int x) { return middle(x) + 2; }
int main(int argc, char **argv) { return outer(argc) + !argv; }
"""


@pytest.mark.cases(1)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_inlined_calls_of_a_unit_with_much_debug_information_are_those_of_gdb(tmp_path, compiler):
    member = "struct s%d { int a; long b; struct s%d *c; char d[%d]; float e, f, g, h; };\n"
    types = "".join(member % (each, each, each + 1) for each in range(40_000))
    (tmp_path / "large.c").write_text(types + LARGE_UNIT)
    (tmp_path / "spot.c").write_text("int spot(int x) { return x; }\n")
    options = ["-O1", "-g", "-fno-eliminate-unused-debug-types", "-o", "large"]
    subprocess.run([compiler, *options, "large.c", "spot.c"], cwd=tmp_path, check=True)
    with (tmp_path / "large").open("rb") as file:
        assert ELFFile(file).get_section_by_name(".debug_info")["sh_size"] > 4 << 20
    commands = ["break spot", "run", "python print(json.dumps(frames()))", "info proc mappings"]
    done = subprocess.run(
        gdb_command(tmp_path / "large", commands=commands), capture_output=True, text=True
    )
    _, *callers = last_json(done.stdout)
    (start, *_) = re.findall(rf"0x([0-9a-f]+) .*{tmp_path}/large$", done.stdout, re.MULTILINE)
    image = HostImage(tmp_path / "large", "large", int(start, 16))
    call = callers[0][0] - 1  # in the instruction that calls
    begin = time.process_time()
    found = image.calls_at(call)
    assert time.process_time() - begin < 3  # one that makes an object of each entry takes 10
    assert [each.function for each in found] == ["leaf", "middle"]
    lines = [image.line_at(call)[1], *(each.line for each in found)]
    assert lines == [line for _, _, line, _ in callers[:3]]


CHANGED = """
import json, sys
import zedbg
with zedbg.launch(sys.argv[1:], sim="dg2") as session:
    for name in ("launch_numbers", "vadd"):
        session.breakpoints.add_launch(name)
    found = []
    while not isinstance(session.continue_(), zedbg.Exited):
        found.append(len(session._engine.devices[0].noted_launches.now()))
print(json.dumps(found))
"""


@pytest.mark.cases(0)
def test_what_was_noted_counts_no_more_after_launches_in_lists_were_changed(debugger, host_program):
    numbers = VADD.with_name("launch_numbers.zebin")
    found = debugger.run_script(CHANGED, host_program("mutable"), str(numbers), str(VADD))
    assert found[0] == 1  # before anything was changed
    assert set(found[1:]) == {0}
