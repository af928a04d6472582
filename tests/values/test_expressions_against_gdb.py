"""Expressions have the values and types that GDB gives them over the same values.

The kernel of kernels/expressions is stopped with eight work-items, and its text compiled as C for
the processor is stopped in GDB with the same ones; Hypothesis makes expressions up, and both
answer for each work-item. What differs on purpose is in ``DIFFERENCES``, with the reason.
"""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.devices import EACH_PLATFORM
from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS, SUPPORT
from tests.support.values.expression_grammar import VARIABLES, Asked, Grammar
from tests.support.values.expression_values import LANES, items

EXPRESSIONS = KERNELS / "expressions"
BUILDS = [f"{device}-{level}" for device in EACH_PLATFORM for level in ("O0", "O2")]
FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
# How expressions are evaluated depends on no device: one build has most of them.
MOST, EXAMPLES, MANY = "pvc-O0", 15, 100
POINTERS = ("mine", "nothing", "in")
# Expression: zedbg's answer and GDB's in lane 0, and why they differ.
DIFFERENCES = {
    "- (i * 0.0)": ("-0", "0", "GDB computes 0 - x; C11 6.5.3.3 and IEEE 754 negate"),
    "(1 ? c : 5)": ("97", "97 'a'", "GDB takes the chosen side's type; C11 6.5.15 the common one"),
    "-BLUE": (
        "4294967292",
        "(BLUE | unknown: 0xfffffff8)",
        "GDB keeps the enumeration; C11 6.3.1.1 promotes",
    ),
    "sizeof(int) - 5": (
        "18446744073709551615",
        "-1",
        "GDB's sizeof is an int in C; C11 6.5.3.4 has size_t",
    ),
    "1 << 33": (
        "2",
        "warning: left shift count >= width of type\n0",
        "OpenCL C 6.3.10 shifts by the low bits of the count, as the device does",
    ),
    "1 >> -31": (
        "0",
        "warning: right shift count is negative\n0",
        "the same, of a negative count: C11 6.5.7 leaves both open",
    ),
    "(unsigned long) 1e19": (
        "10000000000000000000",
        "9223372036854775807",
        "GDB converts by way of a signed long; C11 6.3.1.4 keeps what fits",
    ),
    "f ? 1 : ~f": (
        "Argument to complement operation not an integer, boolean.",
        "1",
        "GDB does not look at the side that is not chosen; C11 6.5.3.3 permits none",
    ),
    "b + b": (
        "0",
        "Invalid operation on booleans.",
        "GDB does not add booleans in C; C11 6.3.1.1 promotes",
    ),
    "b & b": ("0", "false", "GDB keeps the type of booleans; C11 6.3.1.1 promotes"),
    "h + h": ("1", "1", "both are halves, but GDB 13 loses the sign of negative ones"),
}


class _Answering:
    """A process that answers requests, a line of JSON each."""

    def __init__(self, process, requests, answers):
        self.process, self._requests, self._answers = process, requests, answers
        self._known = {}

    def ask(self, asked):
        if asked not in self._known:
            request = {
                "expression": asked.expression,
                "format": asked.format,
                "language": asked.language,
                "kept": asked.kept,
            }
            print(json.dumps(request), file=self._requests, flush=True)
            line = self._answers.readline()
            assert line, f"no answer to {asked.expression}: it ended"
            self._known[asked] = json.loads(line)
        return self._known[asked]

    def close(self):
        self._requests.close()
        self._answers.close()
        self.process.wait(timeout=60)


@pytest.fixture(scope="module")
def item_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("items") / "items.bin"
    path.write_bytes(items())
    return path


@pytest.fixture(scope="module")
def gdb(item_file, tmp_path_factory):
    """GDB over the kernel's text as C."""
    program = tmp_path_factory.mktemp("program") / "expressions"
    source = EXPRESSIONS / "expressions.c"
    subprocess.run(["gcc", "-g", "-O0", str(source), "-o", str(program)], check=True)
    theirs, requests = os.pipe()
    answers, ours = os.pipe()
    environment = {
        **os.environ,
        "LANES": str(LANES),
        "ITEMS": str(item_file),
        "REQUESTS": str(theirs),
        "ANSWERS": str(ours),
    }
    script = str(SUPPORT / "values" / "expression_gdb.py")
    process = subprocess.Popen(
        ["gdb", "-nx", "-batch", "-x", script, str(program)],
        pass_fds=(theirs, ours),
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    os.close(theirs)
    os.close(ours)
    answering = _Answering(process, os.fdopen(requests, "w"), os.fdopen(answers))
    yield answering
    answering.close()


@pytest.fixture(scope="module", params=BUILDS)
def stopped(request, item_file, driver_library):
    """The build, and zedbg stopped in its kernel."""
    module = MODULES / "expressions" / f"expressions-{request.param}.zebin"
    device = request.param.split("-")[0]
    process = subprocess.Popen(
        module_command("values.expression_zedbg", device, module, item_file),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANES": str(LANES), "ZEDBG_SIM_DRIVER": str(driver_library)},
    )
    answering = _Answering(process, process.stdin, process.stdout)
    yield request.param, answering
    answering.close()


def _vector_name(match):
    unsigned, plain, count = match.groups()
    return f"{f'u{unsigned}' if unsigned else plain}{count}"


def _comparable(answer, asked):
    """An answer in one spelling of types, and without what neither C nor IEEE 754 says: the sign of
    a NaN, and how an error is worded."""
    if len(answer) == 1:
        return ["an error"]
    text, kind = answer
    text = text.replace("-nan(", "nan(").replace("0xfff8000000000000", "0x7ff8000000000000")
    text = text.replace("0xffc00000", "0x7fc00000")
    kind = kind.replace("_Bool", "bool").replace("_Float16", "half")
    if asked.language == "opencl":
        text = re.sub(r"^(-?\d+) '.*'$", r"\1", text)  # GDB shows these as numbers
        vector = r"^(?:unsigned (\w+)|(\w+)) __attribute__ \(\(vector_size\((\d+)\)\)\)$"
        kind = re.sub(vector, _vector_name, kind).replace("unsigned char", "uchar")
    return [text, kind]


def _agree(ours, theirs, asked):
    """Whether the answers for a work-item are the same, but for what is in ``DIFFERENCES``."""
    if ours == [DIFFERENCES["f ? 1 : ~f"][0]] or theirs == [DIFFERENCES["b + b"][1]]:
        return True
    if theirs[1:] == ["_Bool"] and ours[1:] == ["int"]:
        return ours[0] == {"false": "0", "true": "1"}.get(theirs[0], theirs[0])
    is_by_way_of_signed = theirs[0] == DIFFERENCES["(unsigned long) 1e19"][1]
    if is_by_way_of_signed and re.fullmatch(r"\d+", ours[0]) and int(ours[0]) >= 1 << 63:
        return True
    return _comparable(ours, asked) == _comparable(theirs, asked)


def _known(answering, gdb):
    """The variables that have values; those whose values are wrong."""
    shown, wrong = set(), set()
    for name in VARIABLES:
        asked = Asked(name)
        ours, theirs = answering.ask(asked), gdb.ask(asked)
        if all(len(answer) == 1 for answer in ours):
            continue
        same = all(
            _comparable(one, asked) == _comparable(other, asked)
            for one, other in zip(ours, theirs, strict=True)
        )
        (shown if same or name in POINTERS else wrong).add(name)
    return frozenset(shown), wrong


def _writeable(answering, shown):
    """Of the variables that have values, those whose place can be written."""
    return frozenset(
        name
        for name in shown
        if all(len(answer) > 1 for answer in answering.ask(Asked(f"{name} = {name}", kept=(name,))))
    )


@pytest.mark.cases(2)
def test_every_variable_that_is_shown_is_shown_right(stopped, gdb):
    build, answering = stopped
    shown, wrong = _known(answering, gdb)
    assert wrong == set()
    without = {"d"} if build.startswith("dg2") else set()
    if build.endswith("O0"):
        assert shown == set(VARIABLES) - without
    else:
        assert len(shown) >= 3


@pytest.mark.cases(2)
@pytest.mark.parametrize("kind", ["scalars", "whole", "assignments", "vectors"])
def test_expressions_are_evaluated_as_gdb_evaluates_them(stopped, gdb, kind):
    build, answering = stopped
    shown, _ = _known(answering, gdb)
    if kind == "assignments" and build.endswith("O2"):
        shown = _writeable(answering, shown)  # optimised code has values without a place
    strategy = getattr(Grammar(shown), kind)()
    if strategy.is_empty:
        assert build.endswith("O2"), "nothing of that kind is known"
        return

    @settings(
        max_examples=5000 if FULL else MANY if build == MOST else EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def holds(asked):
        # Intel's dg2 has no double: the member that is one in GDB is an integer of its bits.
        if build.startswith("dg2") and asked.expression == "*mine":
            return
        for ours, theirs in zip(answering.ask(asked), gdb.ask(asked), strict=True):
            assert _agree(ours, theirs, asked), (ours, theirs)

    holds()


@pytest.mark.parametrize("stopped", [MOST], indirect=True)
@pytest.mark.parametrize("expression", DIFFERENCES)
def test_what_differs_from_gdb_differs_as_it_should(stopped, gdb, expression):
    _, answering = stopped
    ours, theirs, _ = DIFFERENCES[expression]
    assert answering.ask(Asked(expression))[0][0] == ours
    assert gdb.ask(Asked(expression))[0][0] == theirs
