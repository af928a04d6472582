"""Running on to a place with the focused thread: out of calls, past loops, to lines, over
barriers; and staying with a lane."""

import re

import pytest

pytestmark = pytest.mark.cases(1)

BUILDS = ["igc1-dg2-O0", "igc2-dg2-O0"]


@pytest.fixture
def calls(kernel_command):
    def command(build):
        sizes = ["--global", "8", "--local", "8"]
        return kernel_command("calls", *sizes, "i32[64]=iota", "f32[64]=2", build=build)

    return command


def rows_of(finished, command):
    """The rows of the only ``command`` that was carried out, which must have gone well."""
    (found,) = [each for each in finished.objects if each.get("command") == command]
    assert found["ok"], found
    return found["rows"]


def stops_of(finished):
    return [each for each in finished.objects if each.get("event") == "stop"]


@pytest.mark.parametrize("build", BUILDS)
def test_finish_shows_what_each_lane_gets_back(debugger, calls, build):
    """vecf returns a * s + (1, 2, 3, 4), with a = 2 and s = p[i] where that is odd."""
    finished = debugger.json(
        ["break vecf", "run", "print/l s", "finish/l", "print/l q[i].x"], calls(build)
    )
    printed = [each["rows"] for each in finished.objects if each.get("command") == "print"]
    scales = {row["lane"]: row["value"] for row in printed[0]}
    assert len(scales) == 4
    returned = {row["lane"]: row["value"] for row in rows_of(finished, "finish")}
    assert returned == {
        lane: [2 * scale + one for one in (1, 2, 3, 4)] for lane, scale in scales.items()
    }
    assert stops_of(finished)[-1]["function"] == "calls"
    assert stops_of(finished)[-1]["line"] == 20


@pytest.mark.parametrize("build", BUILDS)
def test_finish_leaves_the_selected_frame(debugger, calls, build):
    finished = debugger.json(["break leaf", "run", "frame 1", "finish"], calls(build))
    assert stops_of(finished)[-1]["function"] == "calls"
    (returned,) = rows_of(finished, "finish")
    assert returned["type"] == "int"
    assert returned["value"] == 0


def test_finish_says_when_no_abi_defines_where_a_value_is(debugger, calls):
    finished = debugger.json(["break vecf", "run", "finish"], calls("igc2-dg2-O2"))
    (returned,) = rows_of(finished, "finish")
    assert "subroutine" in returned["value"]["missing"]


def test_return_value_shows_again_what_was_finished_until_something_runs(debugger, calls):
    finished = debugger.json(
        [
            *["break leaf if a == 5", "run", "return-value", "finish", "return-value"],
            *["print 1", "return-value/l", "stepi", "return-value"],
        ],
        calls("igc2-dg2-O0"),
    )
    (returned,) = rows_of(finished, "finish")
    before, again, lanes, after = [
        each for each in finished.objects if each.get("command") == "return-value"
    ]
    assert "Use finish first" in before["error"]
    assert again["rows"][0]["value"] == returned["value"]
    assert len(lanes["rows"]) >= 1
    assert "Use finish first" in after["error"]


def test_a_kernel_cannot_be_finished(debugger, calls):
    finished = debugger.json(["break calls", "run", "finish"], calls("igc2-dg2-O0"))
    (last,) = [each for each in finished.objects if each.get("command") == "finish"]
    assert last["error"] == '"finish" not meaningful in the outermost frame.'


@pytest.mark.parametrize("build", ["igc2-dg2-O0", "igc2-bmg-O0"])
def test_return_drops_calls_and_gives_each_lane_its_value(debugger, calls, build):
    """p[i] = mid(p, p[i] & 31) + leaf(i, 2), of which mid returns 7 * a; vecf is called by the odd
    lanes only."""
    finished = debugger.json(
        [
            *["break mid", "run", "advance leaf", "frame 1", "return 7 * a", "bt", "delete"],
            *["break leaf", "continue", "return 40", "next", "print/l p[i]", "delete"],
            *["break vecf", "continue", "return (float4)(s, 1, 2, 3)", "next", "print/l q[i]"],
        ],
        calls(build),
        f"--sim={build.split('-')[1]}",
    )
    answers = [each for each in finished.objects if "command" in each]
    assert [each["error"] for each in answers if not each["ok"]] == []
    assert [row["function"] for row in rows_of(finished, "backtrace")] == ["calls"]
    sums, vectors = (each["rows"] for each in answers if each["command"] == "print")
    assert [row["value"] for row in sums] == [7 * lane + 40 for lane in range(8)]
    changed = [[7.0 * lane + 40, 1, 2, 3] for lane in (1, 3, 5, 7)]
    assert [row["value"] for row in vectors][1::2] == changed
    assert [row["value"] for row in vectors][::2] == [[2, 2, 2, 2]] * 4


@pytest.mark.parametrize("build", ["igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"])
@pytest.mark.cases(1)
def test_subroutines_return_what_the_code_after_them_reads(debugger, calls, build):
    """Of the first group, mid returns 7 * i and leaf 40; the second one computes what it would."""
    finished = debugger.batch(
        [
            *("break leaf workgroup 0,0,0", "run", "frame 1", "return 7 * $_lane", "bt"),
            *("continue", "return 40", "delete", "continue"),
        ],
        calls(build),
        f"--sim={build.split('-')[1]}",
    )
    assert finished.err == ""
    assert re.search(r"^#0  calls \(.*\n(?!#1)", finished.out, re.M)
    made = re.search(r"^argument 0: i32\[64\] = ([\d ]+)", finished.out, re.M)
    assert [int(each) for each in made[1].split()] == [40 + 7 * lane for lane in range(8)]


@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc1-dg2-O2", "igc1-pvc-O2"])
def test_calls_of_the_older_compiler_return_too(debugger, calls, build):
    """p[i] = mid(p, p[i] & 31) + leaf(i, 2), of which mid returns 7."""
    commands = ["break mid", "run", "return 7", "bt", "delete", "continue"]
    finished = debugger.batch(commands, calls(build), f"--sim={build.split('-')[1]}")
    assert finished.err == ""
    made = re.search(r"^argument 0: i32\[64\] = ([\d ]+)", finished.out, re.M)
    leaf = [sum(2 ^ k for k in range(i)) for i in range(8)]
    assert [int(each) for each in made[1].split()] == [7 + each for each in leaf]


RETURNING = [
    "igc1-dg2-O0",
    "igc1-dg2-O2",
    "igc1-pvc-O2",
    "igc2-dg2-O0",
    "igc2-dg2-O2",
    "igc2-pvc-O2",
    "igc2-bmg-O0",
    "igc2-bmg-O2",
]


def leaf_of(a, b):
    return sum(b ^ i for i in range(a))


def mid_of(a, returned):
    """mid of p[a] = a, with what its first call of leaf returned."""
    return returned + leaf_of(returned & 7, a) if a > returned else returned


@pytest.mark.parametrize("build", RETURNING)
@pytest.mark.parametrize("iteration", [0, 3])
@pytest.mark.cases(3)
def test_lanes_return_alone_and_wait_for_those_that_go_on(debugger, calls, build, iteration):
    """Lanes whose a is larger come to that iteration of the loop; the others have left it."""
    finished = debugger.batch(
        [
            *(f"break calls.cl:4 if i == {iteration}", "run", "delete"),
            *("return 40 + $_lane", "bt", "continue"),
        ],
        calls(build),
        f"--sim={build.split('-')[1]}",
    )
    assert finished.err == ""
    assert re.search(r"^#0  leaf ", finished.out, re.M)
    made = re.search(r"^argument 0: i32\[64\] = ([\d ]+)", finished.out, re.M)
    returned = [40 + i if i > iteration else leaf_of(i, 3) for i in range(8)]
    expected = [mid_of(i, returned[i]) + leaf_of(i, 2) for i in range(8)]
    assert [int(each) for each in made[1].split()][:8] == expected


@pytest.mark.parametrize(
    ("build", "vector", "parts"),
    [
        *((build, "(s, $_lane, 2, 3)", None) for build in RETURNING if build.endswith("O0")),
        *((build, "(7)", [7] * 4) for build in ("igc2-dg2-O2", "igc2-bmg-O2")),
    ],
)
@pytest.mark.cases(2)
def test_vectors_are_returned_also_where_some_lanes_did_not_call(
    debugger, calls, build, vector, parts
):
    """vecf is called by the lanes whose p[i] is odd."""
    finished = debugger.batch(
        ["break vecf", "run", "delete", f"return (float4){vector}", "continue"],
        calls(build),
        f"--sim={build.split('-')[1]}",
    )
    assert finished.err == ""
    sums = [mid_of(i, leaf_of(i, 3)) + leaf_of(i, 2) for i in range(8)]
    expected = [(parts or [p, i, 2, 3]) if p & 1 else [2] * 4 for i, p in enumerate(sums)]
    made = re.search(r"^argument 1: f32\[64\] = (.*) \.\.\.", finished.out, re.M)
    found = [float(each) for each in made[1].split()]
    assert found == [each for vector in expected for each in vector][: len(found)]
    assert len(found) == 8


@pytest.mark.parametrize(
    ("build", "commands", "reason"),
    [
        ("igc2-dg2-O0", ["break calls", "run", "return"], "kernel, which nothing called"),
        ("igc2-dg2-O0", ["break leaf", "run", "advance 4", "up", "return 1"], "innermost frame"),
        ("igc2-dg2-O0", ["break leaf", "run", "return nosuch"], "No symbol"),
    ],
)
def test_return_says_why_not_and_what_to_type(debugger, calls, build, commands, reason):
    finished = debugger.json([*commands, "info registers r26 pc", "bt"], calls(build))
    (answer,) = [each for each in finished.objects if each.get("command") == "return"]
    assert not answer["ok"] and reason in answer["error"]
    assert "\n" not in answer["error"]
    assert reason == "No symbol" or "jump LINE" in answer["error"]
    assert rows_of(finished, "backtrace")[-1]["function"] == "calls"


@pytest.mark.parametrize(
    ("build", "function", "value", "reason"),
    [
        ("igc2-dg2-O2", "vecf", "(float4)(s, 1, 2, 3)", "parts are equal"),
    ],
)
def test_return_from_a_subroutine_says_why_not(debugger, calls, build, function, value, reason):
    finished = debugger.json([f"break {function}", "run", f"return {value}"], calls(build))
    (answer,) = [each for each in finished.objects if each.get("command") == "return"]
    assert not answer["ok"] and reason in answer["error"]


def test_until_leaves_a_loop_and_next_does_not(debugger, calls):
    start = ["break leaf if a == 5", "run", "next", "next"]  # line 4, in the loop
    looping = debugger.json([*start, "next", "next"], calls("igc2-dg2-O0"))
    assert [stop["line"] for stop in stops_of(looping)] == [2, 3, 4, 3, 4]
    leaving = debugger.json([*start, "until", "until"], calls("igc2-dg2-O0"))
    assert [stop["line"] for stop in stops_of(leaving)] == [2, 3, 4, 3, 5]


def test_advance_runs_to_a_line_and_until_stops_when_the_frame_returns(debugger, calls):
    finished = debugger.json(
        ["break leaf", "run", "delete", "advance 5", "until 14", "advance calls.cl:21"],
        calls("igc2-dg2-O0"),
    )
    places = [(stop["function"], stop["line"]) for stop in stops_of(finished)]
    assert places == [("leaf", 2), ("leaf", 5), ("mid", 8), ("calls", 21)]


def test_advance_to_nowhere_is_one_line(debugger, calls):
    finished = debugger.batch(["break calls", "run", "advance nothing"], calls("igc2-dg2-O0"))
    assert 'has no place "nothing"' in finished.err


def test_advance_passes_barriers_together_with_the_work_group(debugger, kernel_command):
    """reduce: each of two threads sums in shared local memory, with a barrier a round."""
    program = kernel_command(
        "reduce", "--global", "16", "--local", "16", "i32[16]=iota", "i32[1]", "local[64]", "i32=16"
    )
    source = "reduce.cl"
    finished = debugger.json(["break reduce_slm", "run", "delete", f"advance {source}:11"], program)
    last = stops_of(finished)[-1]
    assert last["reason"] == "step"
    assert last["file"] == source


def test_advance_to_a_place_that_is_not_reached_ends_with_the_thread(debugger, calls):
    finished = debugger.json(
        ["break calls", "run", "delete", "advance 21", "advance 17"], calls("igc2-dg2-O0")
    )
    assert stops_of(finished)[-1]["reason"] == "thread-ended"


def test_steps_stay_with_a_lane_when_asked_to(debugger, calls):
    start = ["break calls.cl:19", "run"]  # if (p[i] & 1): taken by odd lanes
    switching = debugger.batch([*start, "lane 2", "next"], calls("igc2-dg2-O0"))
    assert "[Switching to SIMD lane 1]" in switching.lines
    staying = debugger.json([*start, "set follow-lane on", "lane 2", "next"], calls("igc2-dg2-O0"))
    last = stops_of(staying)[-1]
    assert last["line"] == 21
    assert 2 in last["threads"][0]["lanes"]


def test_info_frame_shows_calls_and_the_kernel(debugger, calls):
    finished = debugger.json(
        ["break leaf", "run", "info frame", "frame 2", "info frame"], calls("igc2-dg2-O0")
    )
    inner, outer = (
        each["rows"][0] for each in finished.objects if each.get("command") == "info frame"
    )
    assert (inner["function"], inner["caller"], inner["line"]) == ("leaf", "mid", 2)
    assert inner["lanes"] == list(range(8))
    assert isinstance(inner["address"], int)
    assert isinstance(inner["caller_pc"], int)
    assert outer["function"] == "calls"
    assert outer["caller"] is None
    assert "kernel" in outer["caller_pc"]["missing"]


def test_registers_are_those_of_the_selected_frame(debugger, calls):
    """r60 and on are saved by the callee, r10 is not; where a frame goes on, its callee's r127
    says."""
    names = "info registers r10 r60 pc"
    each_frame = [names, "print $r60", "up"]
    finished = debugger.json(["break leaf", "run", *each_frame * 3], calls("igc2-dg2-O0"))
    registers = [
        {row["register"]: row["value"] for row in each["rows"]}
        for each in finished.objects
        if each.get("command") == "info registers"
    ]
    leaf, mid, kernel = registers
    not_saved = {"missing": "r10 was not saved by the called function"}
    assert not_saved not in leaf.values()
    assert mid["r10"] == kernel["r10"] == not_saved
    printed = [each["rows"][0] for each in finished.objects if each.get("command") == "print"]
    assert [each["r60"] for each in registers] == [each["value"] for each in printed]
    assert mid["r60"] != kernel["r60"]
    assert len({each["pc"] for each in registers}) == 3
