"""Stacks, threads, names and memory as GDB users ask for them."""

import re
import struct

import pytest


@pytest.fixture
def mid(debugger, kernel_command):
    """Commands in the function mid of calls.cl, called by the kernel: 8 lanes of one thread."""
    sizes = ["--global", "8", "--local", "8"]
    program = kernel_command("calls", *sizes, "i32[64]=iota", "f32[64]=2")

    def run(*commands):
        return debugger.batch(["break calls.cl:9", "run", *commands], program)

    return run


def after_stop(done):
    """The lines after that of the stop."""
    at = next(n for n, line in enumerate(done.lines) if "hit Breakpoint 1" in line)
    return done.lines[at + 1 : -1]


def test_frames_are_shown_chosen_and_applied(mid):
    done = mid(
        *("bt full", "bt -1", "bt 1", "frame function calls", "up", "down", "up 7"),
        *("frame apply all p $pc", "frame apply level 1 -q p i", "faas p t", "frame level 0"),
        *("frame apply 1 -c p nothing", "select-frame 1", "p i", "frame apply", "frame apply 1"),
    )
    lines = after_stop(done)
    assert [line.split(" (")[0] for line in lines if line.startswith("#")][:6] == [
        *("#0  mid", "#1  calls", "#1  calls", "#0  mid", "#1  calls", "#0  mid")
    ]
    assert lines[1].startswith("        t = ") and lines[3] == "        i = 0"
    assert "(More stack frames follow...)" in lines
    assert done.err.splitlines() == [
        "Initial frame selected; you cannot go up.",
        "frame apply needs FRAMES (all, COUNT (the innermost), -COUNT (the outermost) or level "
        "LEVEL...; then [-q] [-c] [-s] COMMAND). Usage: frame apply FRAMES",
        "frame apply needs all, COUNT or level LEVEL, as in: frame apply all p i",
    ]
    assert 'No symbol "nothing" in current context.' in lines
    assert lines[-1].endswith(" = 0")


def test_functions_of_the_debugger_know_the_callers(mid):
    """mid is called by the kernel, calls; the numbers are those of GDB in such a stack."""
    done = mid(
        *('p $_caller_is("calls")', 'p $_caller_is("mid")', 'p $_caller_is("mid", 0)'),
        *('p $_caller_is("calls", 9)', 'p $_caller_matches("c")', 'p $_caller_matches("alls")'),
        *('p $_any_caller_is("mid")', 'p $_any_caller_is("calls")', 'p $_any_caller_is("nil", 9)'),
        *(
            'p $_any_caller_matches("m.d")',
            'p $_caller_matches("(")',
            "up",
            'p $_caller_is("calls", 0)',
        ),
        *('p $_caller_is("mid", -1)', "p $_caller_is(3)", "p $_caller_is()"),
        *("show convenience", "delete"),
        *('break calls.cl:5 if $_caller_is("calls")', "run", "info breakpoints"),
    )
    lines = after_stop(done)
    shown = [line.split(" = ")[1] for line in lines if re.match(r"\$\d+ = ", line)]
    assert shown == ["1", "0", "1", "0", "1", "0", "1", "1", "0", "1", "1"]
    assert "leaf (a=0, b=2)" in lines[-5]  # of the calls of leaf that of the kernel
    assert "$_caller_is = <internal function _caller_is>" in lines
    assert done.err.splitlines() == [
        "Bad regular expression: missing ), unterminated subpattern at position 0.",
        "$_caller_is takes 0 to 999 frames further out.",
        "$_caller_is takes a string.",
        "$_caller_is takes a string, and how many frames further out.",
    ]


def test_functions_are_addresses_and_names_are_listed(mid):
    done = mid(
        *("p leaf", "p *leaf", "p &leaf", "x/2i leaf", "info symbol leaf", "info address leaf"),
        *("info address a", "info functions ^(leaf|mid)$", "info sources", "info variables"),
        *("disassemble leaf,+32", "p/a $pc", "info program", "x/-1i leaf+32", "break *leaf"),
    )
    assert done.err == ""
    lines = ["", *after_stop(done)]
    shown = re.fullmatch(r"\$1 = \{int \(int, int\)\} (0x\w+) <leaf>", lines[1])
    assert shown and lines[2] == lines[1].replace("$1", "$2")
    address = int(shown[1], 0)
    assert lines[4].startswith(f"   {address:#018x} <+0>:")
    assert "leaf in kernel calls of module 1" in lines
    assert f'Symbol "leaf" is a function at address {address:#x}.' in lines
    listed = lines.index("File calls.cl:")
    assert lines[listed + 1 : listed + 3] == ["1:\tint leaf(int, int);", "7:\tint mid(int *, int);"]
    assert any(re.fullmatch(r"\$\d = 0x\w+ <mid\+\d+>", line) for line in lines)
    assert f"   {address + 16:#018x} <+16>:" in "\n".join(lines)
    assert f"Breakpoint 2 at {address:#x}" in lines[-1]


def test_the_program_says_that_its_breakpoint_is_gone(debugger, vadd):
    """As GDB does: a temporary one is deleted by its own stop."""
    done = debugger.batch(
        ["break vadd.cl:4", "run", "info program", "tbreak vadd.cl:5", "continue", "info program"],
        vadd,
    )
    lines = [line for line in done.out.splitlines() if line.startswith("It stopped at ")]
    assert lines == [
        "It stopped at breakpoint 1.",
        "It stopped at a breakpoint that has since been deleted.",
    ]


def test_threads_are_named_found_and_applied(debugger, vadd):
    done = debugger.batch(
        [
            *("break vadd.cl:4", "run", "thread name slow one", "thread find slow"),
            *("thread apply 1.3-4 p i", "thread apply all -q -ascending p $_thread", "p i"),
            *("taas p nothing", "thread apply 1.1 p nothing", "thread apply x", "thread find ("),
        ],
        vadd,
    )
    lines = after_stop(done)
    assert "Thread 1.1 has name 'slow one'" in lines
    at = lines.index("Thread 1.3 (ZE 0.0.0.2):") if "Thread 1.3 (ZE 0.0.0.2):" in lines else None
    headers = [line for line in lines if line.startswith("Thread 1.3 (")]
    assert len(headers) == 1 and lines[lines.index(headers[0]) + 1] == "$1 = 16", at
    numbers = [line.split(" = ")[1] for line in lines if line.startswith("$")]
    assert numbers == ["16", "24", *"12345678", "0"]
    assert len(done.err.splitlines()) == 3


def test_memory_is_written_to_files_read_again_and_searched(debugger, vadd, tmp_path):
    file = tmp_path / "a.bin"
    done = debugger.batch(
        [
            *("break vadd.cl:4", "run", f"dump memory {file} a a+4", f"append value {file} a[5]"),
            *(f"restore {file} binary b", "p b[0]@6", "find a, +256, 3.0f, 4.0f", "p $numfound"),
            *("find/b a, +16, 77", "x/-2fw a+2", f"dump memory {file} a+4 a", "call a[1]"),
            *(f"restore {tmp_path}/none b", "dump memory x", "find a"),
        ],
        vadd,
    )
    lines = after_stop(done)
    assert file.stat().st_size == 20
    assert "$1 = {0, 1, 2, 3, 5, 2}" in lines
    assert "1 pattern found." in lines and "$2 = 1" in lines and "Pattern not found." in lines
    assert any(line.endswith(":\t0\t1") for line in lines)
    assert lines[-1] == "$3 = 1"
    assert len(done.err.splitlines()) == 4


def test_shared_local_memory_is_shown_searched_and_kept_like_other_memory(
    debugger, kernel_command, tmp_path
):
    file = tmp_path / "local.bin"
    sizes = ["--global", "32", "--local", "16"]
    program = kernel_command("reduce", *sizes, "f32[32]=iota", "f32[2]", "local[64]", "i32=32")
    commands = [
        *("break reduce.cl:6", "run", "x/6fw tmp", "x/fw &tmp[3]", "x/fw", "p $_ == &tmp[4]"),
        *("find tmp, +64, 3.0f, 4.0f", "p *(float *)$_", f"dump memory {file} tmp &tmp[4]"),
        *(f"restore {file} binary &tmp[8]", "p *tmp@12", "find/w @slm 0, +64, 0x40400000"),
        *("info symbol &tmp[1]", "x/fw 0x10000004", "disassemble tmp"),
        f"dump memory {file} tmp in",
    ]
    done = debugger.batch(commands, program)
    lines = after_stop(done)
    assert file.read_bytes() == struct.pack("<4f", 0, 1, 2, 3)
    assert lines == [
        *("@slm 0x0:\t0\t1\t2\t3", "@slm 0x10:\t4\t5", "@slm 0xc:\t3", "@slm 0x10:\t4", "$1 = 1"),
        *("@slm 0xc", "1 pattern found.", "$2 = 3", f"Wrote 16 bytes to {file}."),
        f"Restored binary data of {file} into memory @slm 0x20-0x30.",
        "$3 = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3}",
        *("@slm 0xc", "@slm 0x2c", "2 patterns found."),
    ]
    assert done.err.splitlines() == [
        "No symbol matches @slm 0x4.",
        "Cannot access memory at address 0x10000004; in shared local memory it is @slm 0x4",
        'No function "tmp" in the loaded modules.',
        "The range begins in one memory and ends in another.",
    ]
