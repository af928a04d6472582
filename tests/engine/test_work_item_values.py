"""Values of all work-items, read together, are those that each lane of each thread has alone."""

import sys

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.engine.threads import work_item_values
from zedbg.engine.threads.work_item_values import read_work_items
from zedbg.missing import Missing
from zedbg.values.expressions.api import evaluate
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of

# Global and local size, arguments, lines, expressions. In branches and loops lanes are inactive,
# the last thread of a group of 40 is not full, and divisions, far addresses and loops leave some
# lanes without a value, or with a doubtful one.
STRUCT = "struct{i32=1,i32=2,align[16],f32[4]=iota,i8[16]=iota}"
KERNELS = {
    "vadd": (
        *("80", "40", ("f32[80]=iota", "f32[80]=2", "f32[80]", "i32=80"), (3, 4)),
        *("i", "a", "a[i]", "a[i] + b[i]", "a[i] * i / n", "100 / (i % 3)", "b - a", "*c", "c[-1]"),
        *("a[i * 1000]", "*(a + i * 40000000)", "get_group_id(0)", "$_workgroup[0]", "$r1"),
        *(
            "(short)(i * 1000) >> 1",
            "i > 9 && a[i] < 40",
            "(char *)a + i",
            "nothing",
            "-1.0f / a[i]",
        ),
    ),
    "structs": (
        *("48", "24", (STRUCT, "i32[336]=iota", "f32[48]", "f32[8]=iota"), (16, 17, 20)),
        *("s[i].a", "s[i].b[1]", "s[i].b[i]", "s[i].b", "s[i]", "s->c", "(s + i)->pad", "i", "l.a"),
        *("l", "prm.v", "prm.y", "tab[i & 7]", "*&out[i]"),
    ),
    "stencil": (
        *("16,8", "8,4", ("f32[128]=iota", "f32[128]", "i32=16", "i32=8"), (3, 5, 6)),
        *("x", "y * w + x", "in[y * w + x]", "in[i - w] + in[i + w]", "out[i]", "i"),
    ),
    "diverge": (
        *("32", "16", ("i32[64]", "i32[64]=iota", "i32=32"), (4, 7, 10, 14, 20)),
        *("i", "x", "s[i]", "acc", "k", "s[k]", "k + x & 7"),
    ),
    "nbody": (
        *(
            "32",
            "16",
            ("f32[128]=iota", "f32[128]", "f32[128]", "i32=4", "f32=1", "f32=1"),
            (4, 7, 10),
        ),
        *("pi", "p[i]", "j", "p[j].x", "a", "q", "i", "dt * i"),
    ),
}
MOST_STOPS = 3
CASES = [(build, name) for build in ("igc2-dg2-O2", "igc2-dg2-O0") for name in KERNELS]


def alone(thread, lane, text):
    """The type, the bytes and the doubt in one lane; or why there is none."""
    try:
        values = evaluate(text, thread, (lane,))
    except EvaluationError as error:
        return None, Missing(str(error).removesuffix(".")), None
    (value,) = values.values
    return values.type.name, value.data if isinstance(value, Value) else value, values.doubts[0]


def all_together(threads, text):
    return [
        (items.type and items.type.name, data, doubt)
        for items in read_work_items(threads, text)
        for data, doubt in zip(items.data, items.doubts or (None,) * len(items.lanes), strict=True)
    ]


@pytest.mark.cases(3)
@pytest.mark.parametrize(("build", "name"), CASES)
def test_values_read_together_are_those_of_each_lane_alone(build, name, monkeypatch):
    size, local, arguments, lines, *expressions = KERNELS[name]
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel"]
    command += [
        str(ZEBINS / build / f"{name}.zebin"),
        "--global",
        size,
        "--local",
        local,
        *arguments,
    ]
    found = work_item_values._evaluated_together
    grouped = []

    def noted(threads, expression):
        together = found(threads, expression)
        grouped.append(len(together))
        return together

    monkeypatch.setattr(work_item_values, "_evaluated_together", noted)
    stops = 0
    with opening.launch(command, sim="dg2", output=lambda *_: None) as session:
        for line in lines:
            session.break_at(f"{name}.cl:{line}")
        while stops < MOST_STOPS and not isinstance(session.continue_(timeout=60), Exited):
            stops += 1
            threads = session.stopped_threads()
            for text in expressions:
                lanes = [(each, lane) for each in threads for lane in lanes_of(each.dispatch_lanes)]
                each_alone = [alone(thread, lane, text) for thread, lane in lanes]
                assert all_together(threads, text) == each_alone, text
    assert stops
    assert sum(grouped) > stops * len(expressions)
