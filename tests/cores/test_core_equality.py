"""A core file answers as the live session did from which it was made, when the program is gone."""

import itertools
import json
import subprocess

import pytest

QUESTIONS = [
    "info threads",
    "info devices",
    "info modules",
    "info kernels",
    "info lanes",
    "info locals",
    "info args",
    "backtrace",
    "info registers",
    "info registers cr0 ce0 sr0 f0",
    "disassemble",
    "x/64xb $pc",
    "print $_workitem_global_id",
    "print $_workitem_local_size",
    "host-backtrace",
    "info allocations",
    "info launches",
    "info sharedlibrary",
    "lane 3",
    "info locals",
]
NOT_COMPARED = (None, "break", "run", "delete", "core-file", "generate-core-file")
KERNELS = {
    "vadd": ("break vadd.cl:3", "--global 64 --local 32 f32[64]=iota f32[64]=2 f32[64] i32=64"),
    "calls": ("break calls", "--global 16 --local 8 i32[16]=iota i32[16]"),
    "reduce": (
        "break reduce.cl:6",
        "--global 64 --local 32 f32[64]=iota f32[64] local[128] i32=64",
    ),
    "recurse": ("break recurse.cl:7", "--global 8 --local 8 i32[8]=5"),
    "private": ("break private", "--global 64 --local 16 i32[512]=iota i32[64]"),
    "mandel": (
        "break mandel.cl:4",
        "--global 64 --local 16 u8[256] i32=8 i32=8 f32=-2 f32=-1 f32=0.4 i32=20",
    ),
}
CASES = [
    (kernel, device, level)
    for kernel, (device, level) in itertools.product(
        KERNELS, itertools.product(("dg2", "pvc", "bmg"), ("O0", "O2"))
    )
]


def _rows(output: str) -> list[object]:
    """What each command answered, errors too; the core's place in memory is not part of it."""
    answers = [json.loads(line) for line in output.splitlines()]
    return [
        {key: value for key, value in answer.items() if key != "line"}
        for answer in answers
        if answer.get("command") not in NOT_COMPARED
    ]


@pytest.mark.cases(1)
@pytest.mark.parametrize(("kernel", "device", "level"), CASES, ids=["-".join(c) for c in CASES])
def test_a_core_answers_as_the_program_did(debugger, kernel_command, kernel, device, level):
    place, words = KERNELS[kernel]
    program = kernel_command(kernel, *words.split(), build=f"igc2-{device}-{level}")
    questions = [*QUESTIONS, "x/32xb @slm 0"] if kernel == "reduce" else QUESTIONS
    commands = [place, "run", "delete", "thread 1.1:0", *questions, "generate-core-file -s core"]
    live = debugger.run(
        *("--batch", "--json", f"--sim={device}"),
        *itertools.chain.from_iterable(("-ex", each) for each in commands),
        *("--", *program),
    )
    core = debugger.run(
        *("core", "core", "--batch", "--json"),
        *itertools.chain.from_iterable(("-ex", each) for each in ["thread 1.1:0", *questions]),
        ZE_ENABLE_ALT_DRIVERS="/nowhere",  # no driver is needed
    )
    assert len(_rows(live.out)) > len(questions) // 2, live.out
    assert _rows(core.out) == _rows(live.out)


def test_breakpoints_come_without_their_commands(debugger, vadd):
    places = ["break vadd.cl:3 if i > 4", "break vadd workitem 3,0,0", "disable 2"]
    commands = ["commands 1", "echo hello", "end", "catch launch", "run", "info breakpoints"]
    live = debugger.json([*places, *commands, "generate-core-file core"], vadd)
    core = debugger.run("core", "core", "--batch", "--json", "-ex", "info breakpoints")
    (before,) = (each["rows"] for each in live.objects if each.get("command") == "info breakpoints")
    (after,) = (each["rows"] for each in core.objects if each.get("command") == "info breakpoints")
    kept = [each | {"commands": []} for each in before if each["type"] == "breakpoint"]
    assert after == kept
    assert core.err == ""


def test_it_is_an_elf_core_for_readelf(core_folder):
    text = subprocess.run(
        ["readelf", "-hlnW", "without"],
        cwd=core_folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CORE (Core file)" in text.stdout
    assert text.stdout.count(" LOAD ") >= 4
    assert text.stdout.count("zedbg") == 1 + 8  # the program, and each thread
    assert text.stderr == ""


def test_only_the_owner_may_read_it(core_folder):
    assert (core_folder / "without").stat().st_mode & 0o777 == 0o600


def test_nothing_runs_in_a_core(debugger, core_folder):
    moves = ["step", "continue", "finish", "kill"]
    done = debugger.run(
        *("core", str(core_folder / "without"), "--batch"),
        *itertools.chain.from_iterable(
            ("-ex", each) for each in (*moves, "set var i=1", "detach", "info threads")
        ),
    )
    refusal = "Nothing runs in a core file: it can only be looked at."
    assert sum(refusal in line for line in done.err.splitlines()) == len(moves)
    assert "a core file can only be read" in done.err
    assert "[Detached process" in done.out


def test_sources_come_with_it(debugger, core_folder, kernel_sources):
    shown = {
        name: debugger.run(
            *("core", str(core_folder / name), "--batch", "-ex", "list vadd.cl:3")
        ).out
        for name in ("with", "without")
    }
    line = (kernel_sources / "vadd.cl").read_text().splitlines()[2]
    assert line in shown["with"]
    assert line not in shown["without"]


def test_a_fault_leaves_a_core(debugger, kernel_command):
    wild = kernel_command("calls", "--global", "8", "--local", "8", "u64=16", "i32[8]")
    done = debugger.batch(["run"], wild, "--core-on-fault", ".")
    (line,) = (each for each in done.lines if each.startswith("Saved corefile "))
    core = line.removeprefix("Saved corefile ")
    found = debugger.run("core", core, "--batch", "-ex", "info threads", "-ex", "backtrace")
    stop = next(each for each in done.lines if "received page-fault" in each)
    assert stop in found.lines
