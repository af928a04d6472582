"""Whose an address is: of code, of memory that the kernel was given, of nothing; and places in code
that are expressions."""

import re

import pytest

FAR = 0x12345678


@pytest.fixture(scope="module")
def places():
    """Where the arguments of the stopped kernel point, and its private memory."""
    return ["$pc", "a", "&b[3]", "c + 64", "&i", f"{FAR:#x}", "(char*)a - 0x100000", "1.5"]


def test_every_address_has_one_helpful_line(debugger, kernel_command, places):
    buffers = ["f32[64]=iota", "f32[64]", "f32[64]"]
    program = kernel_command("vadd", "--global", "64", *buffers, "i32=64")
    asked = [f"info symbol {place}" for place in places]
    kept = ["print/x (unsigned long)a", "print/x (unsigned long)c"]
    done = debugger.batch(["break vadd.cl:4", "run", *kept, *asked], program)
    a, c = (int(value, 16) for value in re.findall(r"^\$\d = (0x[0-9a-f]+)$", done.out, re.M))
    lines = done.lines
    mapped = r", in memory mapped at 0x[0-9a-f]+-0x[0-9a-f]+"
    usm = r", in (device|shared) USM allocation \d"
    private = r"(0x[0-9a-f]+ bytes after )?the base of the kernel's private memory"
    expected = [
        r"vadd \+ \d+ in kernel vadd of module 1",
        rf"{a:#x} is where argument a points{usm}",
        rf"0x[0-9a-f]+ is 0xc bytes after where argument b points{usm}",
        rf"{c + 256:#x} is 0x100 bytes after where argument c points{mapped}",
        rf"0x[0-9a-f]+ is {private}{mapped}",
    ]
    for pattern in expected:
        assert any(re.fullmatch(pattern, line) for line in lines), (pattern, lines)
    errors = done.err.splitlines()
    assert errors[0] == f"No symbol matches {FAR:#x}: nothing is mapped there."
    near = (
        f"No symbol matches {a - 0x100000:#x}: nothing is mapped there; it is 0x100000 bytes before"
    )
    assert errors[1] == f"{near} where argument a points."
    assert errors[2] == "1.5 is not an address."


def test_places_in_code_may_be_expressions(debugger, kernel_command):
    program = kernel_command("vadd", "--global", "8", "f32[8]", "f32[8]", "f32[8]", "i32=8")
    commands = ["break vadd", "run", "info line *$pc", "tbreak *$pc + 32", "continue"]
    done = debugger.batch([*commands, "break *nothing", "advance *n_o"], program)
    assert any(re.match(r'Line \d+ of "vadd.cl" starts at 0x', line) for line in done.lines)
    assert re.search(r"^Temporary breakpoint 2 at 0x[0-9a-f]+", done.out, re.MULTILINE)
    assert "hit Temporary breakpoint 2" in done.out
    assert done.err.splitlines() == [
        'No symbol "nothing" in current context.',
        'No symbol "n_o" in current context.',
    ]
