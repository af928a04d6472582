"""C++ on the device, as Intel's compiler builds it from SPIR-V of clang's: names, classes,
references, ``this``, lambdas, templates, scoped enumerations; on each device, O0 and O2."""

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS

CPP = KERNELS / "cpp"
BUILDS = [f"{device}-{level}" for device in EACH_PLATFORM for level in ("O0", "O2")]
COUNT, N = 8, 3  # one thread on every device
PLACES = ["<lambda>::operator()", "Box<int>::width", "'geometry::scaled(const int &, int)'"]
PLACES += ["objects.clcpp:44"]
IN_LAMBDA = ["bt", "print more"]
IN_METHOD = ["bt", "print *this", "print this->low", "print high - low", "print sides"]
IN_METHOD += ["info scope Box::grow"]
IN_FUNCTION = ["bt", "print value", "print value * factor", "whatis value", "print *this"]
AT_END = ["print box", "print add", "print colour", "print (int) Colour::green", "print alias"]
AT_END += ["set var alias = alias + 100", "print added", "ptype box"]
AT_END += ["print sizeof(geometry::Box<int>)", "print *(geometry::Box<int> *) &box"]
AT_END += ["print/l box.high - box.low", "print colour == Colour::red"]
ITEM = 0  # of the focused lane
LOW, HIGH = ITEM - 2, 3 * ITEM + N + 2  # box(i, 3 * i + n), grown by two on both sides
BOX = {"geometry::Shape": {"sides": 4}, "low": LOW, "high": HIGH}


@pytest.fixture
def answers(debugger):
    """What each command at each place gives for a build: its row, by place and command line."""

    def run(build):
        program = ["zedbg", "kernel", f"{MODULES / 'cpp' / f'objects-{build}.zebin'}:objects"]
        program += ["--global", str(COUNT), "--local", str(COUNT), f"i32[{COUNT}]", f"i32={N}"]
        given = [f"break {place}" for place in PLACES]
        asked = [IN_LAMBDA, IN_METHOD, IN_FUNCTION, AT_END]
        for commands in asked:
            given += ["continue" if "run" in given else "run", *commands]
        device = f"--sim={build.split('-')[0]}"
        finished = debugger.json([f"directory {CPP}", *given], program, device)
        rows = [each for each in finished.objects if "command" in each][1 + len(PLACES) :]
        found = []
        for commands in asked:
            found.append(dict(zip(["run", *commands], rows, strict=False)))
            rows = rows[1 + len(commands) :]
        return found

    return run


def value(row):
    assert row["ok"], row
    return row["rows"][0]["value"]


def functions(row):
    return [frame["function"] for frame in row["rows"]]


@pytest.mark.parametrize("build", BUILDS)
def test_cpp_is_debugged_as_it_was_written(build, answers):
    is_plain = build.endswith("O0")

    def holds(row, expected):
        """The value is the expected one; optimised code may have a reason instead."""
        found = value(row)
        is_reason = isinstance(found, dict) and set(found) == {"missing"}
        assert found == expected or (is_reason and not is_plain), found

    in_lambda, in_method, in_function, at_end = answers(build)
    assert functions(in_lambda["bt"]) == ["<lambda>::operator()", "objects", "objects"]
    assert value(in_lambda["print more"]) == N

    assert functions(in_method["bt"]) == ["geometry::Box<int>::width", "objects", "objects"]
    holds(in_method["print *this"], BOX)
    holds(in_method["print this->low"], LOW)
    holds(in_method["print high - low"], HIGH - LOW)
    holds(in_method["print sides"], 4)
    scope = [(row["name"], row["type"]) for row in in_method["info scope Box::grow"]["rows"]]
    assert {("amount", "float"), ("this", "geometry::Box<float> *")} <= set(scope)

    assert functions(in_function["bt"])[0] == "geometry::scaled"
    holds(in_function["print value"], HIGH - LOW)
    holds(in_function["print value * factor"], 3 * (HIGH - LOW))
    assert in_function["whatis value"]["rows"] == [{"text": "type = const int &"}]
    assert not in_function["print *this"]["ok"]

    total = ITEM + N + 3 * (HIGH - LOW)
    holds(at_end["print box"], BOX)
    holds(at_end["print *(geometry::Box<int> *) &box"], BOX)
    holds(at_end["print add"], {"i": ITEM})
    holds(at_end["print alias"], total)
    colour = at_end["print colour"]["rows"][0]["text"]
    assert colour in ("Colour::red", "Colour::red (?)", "<optimised out>")
    holds(at_end["print colour == Colour::red"], 1)
    assert value(at_end["print (int) Colour::green"]) == 5
    assert value(at_end["print sizeof(geometry::Box<int>)"]) == 12
    members = [member["name"] for member in at_end["ptype box"]["rows"][0]["members"]]
    assert members == ["geometry::Shape", "low", "high"]
    if is_plain:
        assert value(at_end["print added"]) == total + 100
        spans = [row["value"] for row in at_end["print/l box.high - box.low"]["rows"]]
        assert spans == [2 * item + N + 4 for item in range(COUNT)]
