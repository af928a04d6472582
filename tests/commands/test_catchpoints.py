"""Catchpoints: launches, modules that come and go, exceptions; their numbers, counts and ends."""

import pytest

from tests.support.devices import EACH_PLATFORM


def events(finished, kind):
    return [each for each in finished.objects if each.get("event") == kind]


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_a_loaded_module_is_caught_before_anything_in_it_runs(
    debugger, kernel_command, device, tmp_path
):
    program = kernel_command(
        *["vadd", "--global", "64", "--local", "32", "f32[64]", "f32[64]", "f32[64]", "i32=64"],
        build=f"igc2-{device}-O0",
    )
    commands = ["catch load v*", "run", "break vadd", "continue", "delete", "continue"]
    words = [word for command in commands for word in ("-ex", command)]
    done = debugger.run("--batch", "--json", f"--sim={device}", *words, "--", *program)
    loaded, hit = events(done, "stop")
    assert (loaded["reason"], loaded["breakpoint"], loaded["threads"]) == ("module-load", 1, [])
    assert loaded["detail"] == "loaded module 1: vadd"
    assert (hit["reason"], hit["breakpoint"]) == ("breakpoint", 2)
    assert events(done, "exit")[0]["code"] == 0
    assert done.code == 0


def test_an_unloaded_module_is_caught(debugger, vadd):
    done = debugger.batch(["catch unload", "run", "info breakpoints", "info modules"], vadd)
    assert "Catchpoint 1 (unloaded module 1: vadd)" in done.lines
    assert "\tcatchpoint already hit 1 time" in done.lines
    assert "No modules loaded." in done.lines


def test_a_glob_that_does_not_fit_catches_nothing(debugger, vadd):
    done = debugger.json(["catch load w*", "catch unload w*", "run"], vadd)
    assert not events(done, "stop")
    assert events(done, "exit")[0]["code"] == 0


def test_a_temporary_catchpoint_is_gone_after_its_hit(debugger, vadd):
    done = debugger.json(["tcatch load", "tcatch launch", "run", "c", "info b", "c"], vadd)
    assert [stop["reason"] for stop in events(done, "stop")] == ["module-load", "launch"]
    (listed,) = [each for each in done.objects if each.get("command") == "info breakpoints"]
    assert listed["rows"] == []


def test_an_ignored_catch_counts_but_does_not_stop(debugger, vadd):
    done = debugger.json(["catch load", "ignore 1 1", "run", "info b"], vadd)
    assert not events(done, "stop")
    listed = next(each for each in done.objects if each.get("command") == "info breakpoints")
    (row,) = listed["rows"]
    assert (row["type"], row["hits"], row["ignore"], row["pending"]) == ("catchpoint", 1, 0, False)


def test_detaching_while_a_module_load_is_caught_lets_the_program_go_on(debugger, vadd):
    done = debugger.batch(["catch load", "run", "detach"], vadd)
    assert done.code == 0
    assert any(line.startswith("[Detached process") for line in done.lines)
    assert "argument 2: f32[64] = 2 3 4 5" in done.out + done.err


@pytest.fixture
def wild(kernel_command):
    """A kernel that reads through a pointer to nowhere."""
    return kernel_command("calls", "--global", "8", "--local", "8", "u64=16", "i32[8]")


def test_a_page_fault_is_caught_with_its_number(debugger, wild):
    done = debugger.json(["catch assert", "catch page-fault", "catch illegal-opcode", "run"], wild)
    (stop,) = events(done, "stop")
    assert (stop["reason"], stop["breakpoint"]) == ("page-fault", 2)
    caught = debugger.batch(["catch page-fault", "run"], wild)
    assert any("hit Catchpoint 1 (page-fault" in line for line in caught.lines)


def test_info_signals_lists_what_can_be_caught(debugger):
    commands = ["info signals", "info signals assert", "info signals SIGSEGV"]
    finished = debugger.json([*commands, *["catch page-fault", "catch illegal-opcode"]])
    every, one, none = (each for each in finished.objects if each.get("command") == "info signals")
    assert [row["name"] for row in every["rows"]] == ["page-fault", "assert", "illegal-opcode"]
    assert all(row["stops"] and not row["passed"] for row in every["rows"])
    assert [row["name"] for row in one["rows"]] == ["assert"]
    assert "use GDB" in none["error"]
