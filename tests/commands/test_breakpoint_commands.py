"""What follows a stop by itself, and for how many stops a breakpoint lasts."""

import pytest

DISABLED = "n"


def test_commands_are_carried_out_after_each_stop_and_end_with_what_resumes(debugger, vadd):
    script = ["break vadd", "commands", "silent", "print n", "continue", "print 99", "end", "run"]
    done = debugger.batch(script, vadd)
    assert "$1 = 64" in done.lines
    assert not any("hit Breakpoint" in line or line.endswith(" = 99") for line in done.lines)
    assert done.lines[-1] == "[Process exited normally]"


def test_commands_lead_from_stop_to_stop(debugger, vadd):
    script = ["break vadd", "break vadd.cl:4", "commands 1", "print 11", "continue", "end"]
    script += ["commands 2", "print 22", "end", "run", "print 33"]
    done = debugger.batch(script, vadd)
    values = [line.split(" = ")[1] for line in done.lines if line.startswith("$")]
    assert values == ["11", "22", "33"]
    assert sum("hit Breakpoint" in line for line in done.lines) == 2


def test_machines_get_a_silent_stop(debugger, vadd):
    done = debugger.json(["break vadd", "commands 1", "silent", "end", "run"], vadd)
    assert [each["reason"] for each in done.objects if each.get("event") == "stop"] == [
        "breakpoint"
    ]


def test_commands_come_from_scripts_and_can_hold_commands(debugger, vadd, tmp_path):
    script = tmp_path / "script.gdb"
    script.write_text(
        "break vadd\n# a remark\nbreak vadd.cl:4\n"
        "commands 1\n  commands 2\n    print 22\n  end\n  continue\nend\nrun\n"
    )
    done = debugger.run("--batch", "--sim=dg2", "-x", str(script), "-ex", "info b", "--", *vadd)
    assert "$1 = 22" in done.lines
    assert "        commands 2" in done.lines and "          print 22" in done.lines


def test_a_command_that_fails_ends_the_list_and_the_batch_fails(debugger, vadd):
    done = debugger.batch(["break vadd", "commands", "print zzz", "print 1", "end", "run"], vadd)
    assert done.err.count("\n") == 1 and "zzz" in done.err
    assert not any(line.startswith("$1") for line in done.lines)
    assert done.code == 1


def test_an_end_that_is_missing_is_one_line(debugger, tmp_path):
    done = debugger.batch(["break vadd", "commands 1", "print 1"], ["true"])
    assert (done.err, done.code) == ("commands: missing line: end\n", 1)
    script = tmp_path / "script.gdb"
    script.write_text("break vadd\ncommands\nprint 1\n")
    done = debugger.batch([f"source {script}", "info b"], ["true"])
    assert "missing line: end" in done.err
    assert any(line.startswith("1 ") for line in done.lines)  # what follows works


def test_commands_without_lines_take_the_commands_away(debugger, vadd):
    script = ["break vadd", "commands", "print 1", "end", "commands 1", "end", "run"]
    assert not any(line.startswith("$1") for line in debugger.batch(script, vadd).lines)


def test_commands_for_no_breakpoint_are_refused(debugger):
    done = debugger.batch(["commands", "commands 7"], ["true"])
    assert done.err.splitlines() == ["No breakpoints specified.", "No breakpoint number 7."]


def rows(finished):
    return [each for each in finished.objects if each.get("command") == "info breakpoints"]


@pytest.mark.parametrize(
    ("enabling", "stops", "enabled"),
    [("enable once 1", 1, [False]), ("enable count 2 1", 2, [False]), ("enable delete 1", 1, [])],
)
def test_a_breakpoint_lasts_for_as_many_stops_as_it_was_enabled_for(
    debugger, kernel_command, enabling, stops, enabled
):
    loop = kernel_command(
        "reduce", "--global", "8", "--local", "8", "f32[8]=1", "f32[8]", "local[32]", "i32=8"
    )
    commands = ["break reduce.cl:8", enabling, "run", "c", "c", "c", "info b"]
    done = debugger.json(commands, loop)
    assert sum(each.get("event") == "stop" for each in done.objects) == stops
    assert [row["enabled"] for row in rows(done)[0]["rows"]] == enabled


def test_enabling_again_is_for_good(debugger, vadd):
    script = ["break vadd", "enable once 1", "run", "enable 1", "info b"]
    (row,) = rows(debugger.json(script, vadd))[0]["rows"]
    assert (row["disposition"], row["enabled"], row["stops_left"]) == ("keep", True, None)


def test_breakpoints_for_one_work_item_and_one_work_group(debugger, vadd):
    script = ["break vadd.cl:4 workitem 37,0,0", "break vadd.cl:4 workgroup (1,0,0) if i > 60"]
    done = debugger.json([*script, "run", "info b"], vadd)
    (stop,) = [each for each in done.objects if each.get("event") == "stop"]
    groups = [stop, *stop["others"]]
    assert [(g["breakpoint"], g["threads"][0]["lanes"]) for g in groups] == [
        (1, [5]),
        (2, [5, 6, 7]),
    ]
    restrictions = [row["restriction"] for row in rows(done)[0]["rows"]]
    assert restrictions == ["work-item (37,0,0)", "work-group (1,0,0)"]


@pytest.mark.parametrize(
    "text",
    ["vadd workitem x", "vadd workgroup 1,2,3,4", "vadd thread 1-2", "vadd thread 1 thread 2"],
)
def test_restrictions_that_mean_nothing_are_one_line(debugger, text):
    done = debugger.batch([f"break {text}"], ["true"])
    assert done.err.count("\n") == 1 and done.code == 1
