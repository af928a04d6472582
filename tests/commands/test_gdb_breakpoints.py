"""Breakpoints as GDB users make them, look at them and keep them."""

import re

import pytest


@pytest.fixture
def calls(kernel_command):
    sizes = ["--global", "8", "--local", "8"]
    return kernel_command("calls", *sizes, "i32[64]=iota", "f32[64]=2")


def test_places_and_conditions_are_checked_when_set(debugger, calls):
    done = debugger.batch(
        [
            *("break mid if count >", "break calls.cl:mid if nosuch > 3", "run", "delete 1"),
            *("break leaf if nosuch > 3", "break leaf if b >", "break leaf thread 9.9"),
            *("break calls.cl:999", "break calls.cl:nosuch", "condition 9 1", "break +1"),
            *("break -100", "clear nosuch", "condition 3 nosuch", "condition 3 t == 1"),
            "info breakpoints",
        ],
        calls,
    )
    wrong = "Cannot evaluate condition "
    none = 'No symbol "nosuch" in current context.'
    assert done.err.splitlines() == [
        f"{wrong}'count >': A syntax error in expression, near `'.",
        f"{wrong}'nosuch > 3': {none}",
        f"{wrong}'b >': A syntax error in expression, near `'.",
        "Unknown thread 9.9.",
        "No place calls.cl:999: calls.cl has no code at or after line 999; its last is line 21. "
        "To wait for a module that has it: set breakpoint pending on",
        "No breakpoint number 9.",
        "There is no line -92 of calls.cl.",
        "No breakpoint at nosuch.",
        f"{wrong}'nosuch': {none}",
    ]
    assert f"warning: Breakpoint 1: {wrong}'nosuch > 3': {none}" in done.lines
    assert "Breakpoint 2 (calls.cl:nosuch) pending: no module has it yet." in done.lines
    assert re.search(r"^Breakpoint 3 at 0x\w+: file calls\.cl, line 9\.$", done.out, re.M)
    assert '\tpending: no module of the program has a function or kernel "nosuch"' in done.out


def test_addresses_of_functions_wait_for_the_module_that_has_them(debugger, calls, tmp_path):
    kept = tmp_path / "kept.zdb"
    done = debugger.batch(
        [
            *("break *&leaf", "break *mid+0x10", "tbreak *nosuch", "info breakpoints", "run"),
            *("print $pc == &leaf || $pc == (long)&mid + 16", "info breakpoints", "delete 3"),
            *(f"save breakpoints {kept}", "run", "print $pc == (long)&mid + 16", "disas *leaf,+16"),
        ],
        calls,
    )
    assert "Breakpoint 1 (*&leaf) pending: no module has it yet." in done.lines
    assert done.out.count("\tpending: no module is loaded yet.") == 3
    assert '\tpending: no module of the program has a function or kernel "nosuch"' in done.out
    assert [line for line in done.lines if line.startswith("$")] == ["$1 = 1", "$2 = 1"]
    assert kept.read_text().splitlines() == ["break *&leaf", "break *mid+0x10"]
    assert done.err == ""


def test_hits_are_stops_and_a_remark_is_said_once(debugger, vadd, calls):
    done = debugger.batch(
        ["break vadd", "break vadd.cl:2", "tbreak vadd.cl:4", "run", "continue", "info b 1", "c"],
        vadd,
    )
    assert "\tbreakpoint already hit 1 time, by 8 threads" in done.lines
    done = debugger.batch(["break calls.cl:6", "run", "delete 1", "continue"], calls)
    assert done.lines.count("No code at line 6: moved to line 8.") == 1


def test_breakpoints_are_saved_and_read_again(debugger, vadd, tmp_path):
    kept = tmp_path / "kept.zdb"
    done = debugger.batch(
        [
            *("save breakpoints " + str(kept), "break vadd.cl:3 if i == 17", "commands", "p i"),
            *("end", "tbreak vadd workitem 3,0,0", 'dprintf vadd.cl:4,"i=%d\\n",i', "disable 3"),
            *("catch launch v*", "ignore 4 2", f"save breakpoints {kept}", "delete"),
            *(f"source {kept}", "info breakpoints"),
        ],
        vadd,
    )
    assert done.err == "Nothing to save.\n"
    assert kept.read_text().splitlines() == [
        *("break vadd.cl:3 if i == 17", "commands", "  p i", "end"),
        *("tbreak vadd workitem 3,0,0", 'dprintf vadd.cl:4,"i=%d\\n",i', "disable $bpnum"),
        *("catch launch v*", "ignore $bpnum 2"),
    ]
    heads = [number for number, line in enumerate(done.lines) if line.startswith("Num ")]
    table = done.lines[heads[-1] :]
    assert [line.split()[:4] for line in table if line[:1].isdigit()] == [
        ["5", "breakpoint", "keep", "y"],
        ["6", "breakpoint", "del", "y"],
        ["7", "dprintf", "keep", "n"],
        ["8", "catchpoint", "keep", "y"],
    ]
    assert "\tignore next 2 hits" in table and "        p i" in table


def test_many_functions_and_those_at_a_place(debugger, calls):
    done = debugger.batch(
        [
            *("break calls", "run", "rbreak ^(leaf|vecf)$", "clear leaf", "clear", "hbreak mid"),
            *("info breakpoints", "disable breakpoints 3", "delete breakpoints 3-9", "info b"),
        ],
        calls,
    )
    assert done.err == ""
    assert (
        re.findall(r"^Breakpoint (\d) at .*line (\d+)\.$", done.out, re.M)
        == [
            ("2", "1"),
            ("3", "14"),
            ("4", "8"),
        ]
        or len(re.findall(r"^Breakpoint \d at ", done.out, re.M)) == 3
    )
    assert "Deleted breakpoint 2" in done.lines and "Deleted breakpoint 1" in done.lines
    assert done.lines[-2] == "No breakpoints."


def test_conditions_may_ask_where_a_work_item_is_as_kernels_do(debugger, vadd):
    condition = "get_global_id(0) == 37 && get_local_id(0) == 5 && get_group_id(0) == 1"
    commands = [f"break vadd.cl:3 if {condition}", "run", "print get_local_size(0)"]
    finished = debugger.json([*commands, "print vadd(1)", "break 3 if >", "break 4 if f(2)"], vadd)
    (stop,) = [each for each in finished.objects if each.get("event") == "stop"]
    assert [(each["workgroup"], each["lanes"]) for each in stop["threads"]] == [([1, 0, 0], [5])]
    size, call, *wrong = [each for each in finished.objects if each.get("command") in
                          ("print", "break")][1:]  # fmt: skip
    assert size["rows"][0]["value"] == 32
    assert "vadd cannot be called" in call["error"]
    assert ["near `>'" in wrong[0]["error"], "f cannot be called" in wrong[1]["error"]] == [
        True
    ] * 2


def test_a_condition_without_a_value_is_explained_once(debugger, vadd):
    """The kernel does not use its global size, so that no thread has it."""
    commands = ["break vadd.cl:3 if get_global_size(0) == 64", "run", "print get_global_size(0)"]
    finished = debugger.batch(commands, vadd)
    reason = "the kernel does not use the global size"
    assert finished.err.count(reason) + finished.out.count(reason) == 2
    assert "8 threads" in finished.out
