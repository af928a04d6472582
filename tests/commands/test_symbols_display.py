"""What is shown after every stop, and what the debug information says of names and places."""

import re

import pytest


@pytest.fixture
def shown(debugger, vadd, kernel_sources):
    """The lines of a human session at line 3 of vadd, or the objects of a JSON one."""

    def run(*commands, json=False):
        start = [f"directory {kernel_sources}", "break vadd.cl:3", "run"]
        if json:
            return debugger.json([*start, *commands], vadd).objects
        return debugger.batch([*start, *commands], vadd)

    return run


def test_displays_follow_every_stop_until_they_are_taken_back(shown):
    lines = shown("display n", "display/x i", "next", "undisplay 1", "next").lines
    assert [line for line in lines if re.match(r"\d: ", line)] == [
        "1: n = 64",
        "2: /x i = 0x0",
        "1: n = 64",
        "2: /x i = 0x0",
        "2: /x i = 0x0",
    ]


def test_displays_are_disabled_enabled_and_listed(shown):
    done = shown(
        *("display n", "display/x i", "disable display 1", "info display", "next"),
        *("enable display 1", "undisplay 2-3", "display", "disable display 8"),
    )
    lines = [line for line in done.lines if re.match(r"\d: ", line)]
    assert lines[2:] == ["1:  n  (disabled)", "2:  /x i", "2: /x i = 0x0", "1: n = 64"]
    assert done.err == "No display number 8.\n"


def test_edit_opens_the_line_that_was_listed(shown, user_environment):
    user_environment["VISUAL"] = "echo EDIT"
    done = shown(
        *("edit", "list 2,4", "edit", "edit vadd", "edit nosuch.cl:3"),
        *("set logging on", "show logging enabled", "set logging off", "show commands"),
    )
    edits = [line.split("/")[0] for line in done.lines if line.startswith("EDIT")]
    assert edits == ["EDIT +3 ", "EDIT +3 ", "EDIT +1 "]
    assert "nosuch.cl: source file not found." in done.err
    assert "No commands were typed at a prompt." in done.lines
    assert any(line.startswith("logging enabled is on") for line in done.lines)


def test_displays_are_events_for_scripts(shown):
    objects = shown("display/l i", "next", json=True)
    (event,) = [each for each in objects if each.get("event") == "display"]
    assert event["number"] == 1
    assert event["expression"] == "i"
    assert [row["value"] for row in event["rows"]] == list(range(8))
    assert not [each for each in objects if each.get("ok") is False]


def test_displays_show_code_and_memory_and_keep_no_history(shown):
    finished = shown("display/2i $pc", "display/2f b", "print n")
    assert sum(line.startswith(("=> 0x", "   0x")) for line in finished.lines) == 2
    assert any(re.fullmatch(r"0x[0-9a-f]+:\t2\t2", line) for line in finished.lines)
    assert "$1 = 64" in finished.lines


def test_displays_are_shown_where_their_variables_are_in_scope(debugger, kernel_command):
    program = kernel_command("calls", "--global", "8", "--local", "8", "i32[8]=iota", "i32[8]")
    # The caller has an argument of the same name: another one.
    commands = ["break leaf", "run", "display a", "display 7", "up", "display", "down", "display"]
    lines = debugger.batch(commands, program).lines
    found = [line[:2] for line in lines if re.match(r"\d: |#", line)]
    assert found == ["1:", "2:", "#1", "2:", "#0", "1:", "2:"]


def test_a_display_that_cannot_be_shown_says_why(shown):
    finished = shown("display nothing", "next", "undisplay 7")
    assert finished.lines.count('1: nothing = <No symbol "nothing" in current context>') == 2
    assert finished.err == "No display number 7.\n"


def test_an_explanation_gives_each_place_and_the_value(shown):
    objects = shown("explain i", "info locals", json=True)
    (row,) = next(each for each in objects if each.get("command") == "explain")["rows"]
    assert (row["kind"], row["type"], row["line"], row["value"]) == ("variable", "int", 2, 0)
    (place,) = row["places"]
    assert place["live"]
    assert 3 in place["lines"]
    assert "memory at 0x" in place["where"]


def test_an_explanation_says_where_an_optimised_variable_lives(debugger, kernel_command):
    program = kernel_command(
        "calls",
        *("--global", "8", "--local", "8", "i32[64]=iota", "f32[64]=2"),
        build="igc2-dg2-O2",
    )
    finished = debugger.json(["break vecf", "run", "explain s", "up", "explain i"], program)
    inner, outer = (
        each["rows"][0] for each in finished.objects if each.get("command") == "explain"
    )
    assert re.fullmatch(r"in r\d+ from bit \d+", inner["places"][0]["where"])
    assert inner["places"][0]["live"]
    assert inner["value"] > 0
    assert outer["value"] == 1  # in the focused lane; of the kernel, and so of its SPIR-V
    assert not outer["places"][0]["live"]
    assert outer["places"][0]["lines"]


def test_lines_symbols_scopes_and_sources_are_shown(shown):
    commands = ["info line 4", "info symbol $pc", "info scope vadd.cl:4", "info source"]
    lines = shown(*commands, "info types ^float$", "ptype a").lines
    text = "\n".join(lines)
    assert re.search(r'Line 4 of "vadd.cl" starts at 0x\w+ and ends at 0x\w+, in vadd\.', text)
    assert re.search(r"^vadd \+ \d+ in kernel vadd of module 1$", text, re.MULTILINE)
    assert "n: parameter of type int, 4 bytes, in vadd" in lines
    assert "i: variable of type int, 4 bytes, in vadd" in lines
    assert "Current source file is vadd.cl" in lines
    assert "float, 4 bytes" in lines
    assert "type = const float *" in lines


def test_what_is_not_there_is_one_line(shown):
    finished = shown(
        "explain nothing", "info symbol 0x10", "info line vadd.cl:4711", "info types ("
    )
    assert finished.err.splitlines() == [
        'No variable "nothing" in the selected frame.',
        "No symbol matches 0x10: nothing is mapped there.",
        'No line "vadd.cl:4711" in the loaded modules.',
        "Bad regular expression: missing ), unterminated subpattern at position 0.",
    ]


def test_what_a_regular_expression_may_mean_some_day_is_no_matter_of_the_user(debugger):
    endless = "a{99999999999999999999}"
    done = debugger.batch(
        [
            *("apropos [[a--b]", "apropos [[q]Zz", "skip -rfu [[m]ain", 'p $_regex("x", "[[x]")'),
            *(f"apropos {endless}", f"skip -rfu {endless}", f'p $_regex("a", "{endless}")'),
        ]
    )
    assert [line for line in done.lines if line.startswith("$1")] == ["$1 = 1"]
    too_large = "the repetition number is too large"
    assert done.err.splitlines() == [
        "Bad regular expression: bad character range a-- at position 2.",
        f"Bad regular expression: {too_large}.",
        f'"{endless}" is no regular expression: {too_large}',
    ]
    assert f"<Bad regular expression: {too_large}.>" in done.out
