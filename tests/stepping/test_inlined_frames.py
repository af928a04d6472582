"""Functions that the compiler inlined: frames, breakpoints and steps as if they had been called."""

import pytest

pytestmark = pytest.mark.cases(1)

BUILDS = ["igc1-dg2-O2", "igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O2"]
ITEMS = 16


@pytest.fixture
def inlined(kernel_command):
    def command(build):
        sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
        return kernel_command(
            "inlined", *sizes, "i32[16]", "i32[16]=iota", f"i32={ITEMS}", build=build
        )

    return command


def on(build):
    """The option that picks the device of ``build``: the last one given counts."""
    return f"--sim={build.split('-')[1]}"


def scaled(v, factor):
    product = v * factor
    return product - 2 if product > 40 else product + 1


def rows_of(finished, command):
    """The rows of each ``command`` that was carried out."""
    answers = [each for each in finished.objects if each.get("command") == command]
    return [each["rows"] for each in answers if each["ok"]]


def stops_of(finished):
    return [each for each in finished.objects if each.get("event") == "stop"]


@pytest.mark.parametrize("build", BUILDS)
def test_a_breakpoint_on_a_function_sits_on_every_inlined_copy(debugger, inlined, build):
    look = ["backtrace", "print/l v"]
    commands = ["break scaled", "run", "info breakpoints"]
    commands += [*look, "continue", *look, "delete 1.2", "continue", *look]
    finished = debugger.json(commands, inlined(build), on(build))
    chains = [[frame["function"] for frame in rows] for rows in rows_of(finished, "backtrace")]
    assert chains[0] == ["scaled", "inlined"]
    assert chains[1] == ["scaled", "folded", "inlined"]
    (table,) = rows_of(finished, "info breakpoints")
    assert len(table[0]["locations"]) == 3
    shown = [row["value"] for row in rows_of(finished, "print")[0]]
    assert shown == list(range(len(shown)))


@pytest.mark.parametrize("build", BUILDS)
def test_frames_of_inlined_calls_have_their_own_variables(debugger, inlined, build):
    """The second call is in folded, which gets what scaled gave the kernel for 5."""
    look = ["info frame", "print/l v", "up", "print/l v", "up", "print/l i", "print v"]
    finished = debugger.json(["break scaled", "run", "continue", *look], inlined(build), on(build))
    (frame,) = rows_of(finished, "info frame")
    assert frame[0]["inlined"] is True
    *printed, last = [each for each in finished.objects if each.get("command") == "print"]
    values = [[row["value"] for row in each["rows"]] for each in printed]
    given = [scaled(item, 5) for item in range(len(values[0]))]
    assert values == [given, given, list(range(len(given)))]
    assert last["error"] == 'No symbol "v" in current context.'


@pytest.mark.parametrize("build", BUILDS)
def test_next_stays_out_of_inlined_calls_and_step_goes_in(debugger, inlined, build):
    start = ["break inlined.cl:19", "run", "delete"]
    over = debugger.json([*start, *["next"] * 3], inlined(build), on(build))
    assert {stop["function"] for stop in stops_of(over) if "function" in stop} <= {"inlined", None}
    assert len(stops_of(over)) >= 3
    into = debugger.json([*start, *["step"] * 6], inlined(build), on(build))
    functions = [stop["function"] for stop in stops_of(into)]
    assert functions[0] == "inlined"
    assert "scaled" in functions


@pytest.mark.parametrize("build", BUILDS)
def test_finish_leaves_an_inlined_call(debugger, inlined, build):
    commands = ["tbreak scaled", "run", "delete", "finish", "backtrace"]
    finished = debugger.json(commands, inlined(build), on(build))
    (chain,) = rows_of(finished, "backtrace")
    # The code after it may be the call in folded at once.
    assert [frame["function"] for frame in chain] in (["inlined"], ["scaled", "folded", "inlined"])
