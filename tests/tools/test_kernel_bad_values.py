"""Values for ``zedbg kernel`` that do not fit are refused in one line."""

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--global", "99999999968", "i32=64"],
            "'99999999968' is not X[,Y[,Z]] with numbers",
        ),
        (["--global", "64,many", "i32=64"], "'64,many' is not X[,Y[,Z]] with numbers"),
        (["--global", "64", "f32=64"], "argument 3 of vadd is of type int: f32 would be taken for"),
    ],
)
def test_a_value_that_does_not_fit_is_one_line(debugger, kernel_command, words, message):
    arguments = ["f32[64]=iota", "f32[64]=2", "f32[64]"]
    done = debugger.run(*kernel_command("vadd", *words[:2], *arguments, *words[2:])[1:])
    assert done.code == 1 and message in done.err and len(done.err.splitlines()) == 1


def test_options_for_the_compiler_may_begin_with_a_dash(debugger, kernel_command):
    command = kernel_command("vadd", "--global", "64", "--options", "-g", "f32[64]=iota")
    done = debugger.run(*command[1:], "f32[64]=2", "f32[64]", "i32=64")
    assert done.code == 0 and "crc32 23844f07" in done.out


def test_a_compiler_that_is_too_old_or_missing_is_said_with_what_to_do(debugger, tmp_path):
    source, old = tmp_path / "empty.cl", tmp_path / "old-ocloc"
    source.write_text("kernel void empty() {}")
    old.write_text("#!/bin/sh\necho Error: Cannot get HW Info for device bmg.; exit 1\n")
    old.chmod(0o755)
    wanted = {
        old: f"{old} does not know bmg: name a newer ocloc with XESIM_OCLOC, or give a compiled",
        tmp_path / "none": f"XESIM_OCLOC names {tmp_path / 'none'}, which is no program",
    }
    for compiler, message in wanted.items():
        debugger.environment["XESIM_OCLOC"] = str(compiler)
        done = debugger.run("kernel", str(source), "--device", "bmg", "--global", "1")
        assert done.code == 1 and message in done.err and len(done.err.splitlines()) == 1
