"""Kernels that use memory which the program has of its own (shared system memory), under debug."""

import re

from tests.support.packed_modules import ZEBINS

MODULES = [str(ZEBINS / "igc2-dg2-O0" / f"{name}.zebin") for name in ("vadd", "hist")]


def _commands(*commands: str) -> list[str]:
    return ["set environment EnableSharedSystemUsmSupport=1", *commands]


def test_such_memory_is_read_and_written(debugger, host_program):
    done = debugger.batch(
        _commands(
            "tbreak vadd.cl:4 workitem (3,0,0)",
            "run",
            "print a[i]",
            "print b[i]",
            "set var a[i] = 100",
            "print a[i]",
            "print a[i] + 1",
            "kill",
        ),
        [str(host_program("shared_system")), *MODULES, "all"],
    )
    assert re.findall(r"^\$\d+ = (.*)$", done.out, re.M) == ["3", "0.5", "100", "101"], done.out


def test_a_launch_that_uses_it_says_that_it_is_not_recorded(debugger, host_program):
    done = debugger.batch(
        _commands("tbreak vadd.cl:4", "run", "next", "reverse-stepi", "info record", "continue"),
        [str(host_program("shared_system")), *MODULES, "all"],
    )
    why = r"it uses memory that is no allocation but the program's own, at 0x[0-9a-f]+\."
    assert re.fullmatch(rf"Launch 1 cannot be recorded: {why}", done.err.strip())
    assert re.search(rf"^Device 1 does not record launch 1: {why}$", done.out, re.M)
    assert done.lines[-2:] == ["shared_system: ok", "[Process exited normally]"]
