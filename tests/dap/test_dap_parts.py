"""Parts of the debug adapter that need no program."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from zedbg.dwarf.types.program_types import INT, ArrayType, Member, StructType
from zedbg.engine.breakpoints.hit_condition import HitCondition
from zedbg.engine.engine_errors import BreakpointError
from zedbg.frontends.dap.session.containers import Page, View, shown
from zedbg.frontends.dap.session.progress import ProgressReports
from zedbg.missing import Missing
from zedbg.values.formats.formatting import FormatOptions
from zedbg.values.typed.partly_known import PartlyKnown


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("3", [3, 4, 5, 6]),
        (" >= 3 ", [3, 4, 5, 6]),
        ("> 3", [4, 5, 6]),
        ("> 0", [1, 2, 3, 4, 5, 6]),
        ("== 3", [3]),
        ("=3", [3]),
        ("< 3", [1, 2]),
        ("<= 3", [1, 2, 3]),
        ("% 3", [3, 6]),
        ("%1", [1, 2, 3, 4, 5, 6]),
    ],
)
@pytest.mark.cases(10)
def test_hit_counts_choose_hits_by_their_number(text, hits):
    wanted = HitCondition.parse(text)
    assert [hit for hit in range(1, 7) if wanted.holds(hit)] == hits


@pytest.mark.parametrize("text", ["x", "0", "% 0", "== 0", "< 1", "<= 0", "-1", "3 4", "9" * 30])
@pytest.mark.cases(9)
def test_what_is_no_hit_count_or_fits_no_hit_is_refused(text):
    with pytest.raises(BreakpointError, match="is no hit count: write 5, >= 5"):
        HitCondition.parse(text)


class _Slow:
    has_tried = False

    def text(self) -> str:
        return "12 hits tried"


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.cases(2)
def test_progress_is_reported_to_clients_that_show_it(wanted):
    sent = []
    reports = ProgressReports(sent.append, lambda: wanted)
    with reports.of("zedbg: find", _Slow()):
        pass
    with reports.of("zedbg: find", _Slow(), lambda: False):
        pass  # over before it is worth a word
    assert [each.event for each in sent] == ["progressStart", "progressEnd"] * wanted


def test_what_is_known_of_a_value_are_its_parts():
    """As those of any other value; the others say that they are not there."""
    pair = StructType(8, "Pair", "struct", [Member("x", INT, 0), Member("y", INT, 4)])
    kind = ArrayType(24, pair, 3)
    data = b"".join(each.to_bytes(4, "little") for each in (7, 8, 9, 0, 0, 0))
    value = PartlyKnown("the program has not set all of it", data, frozenset(range(12)), kind)
    frame = SimpleNamespace(lane=0)
    added = []

    def add(container):
        added.append(container)
        return len(added)

    view = View(add, FormatOptions())

    def parts(container, *page):
        found = container.variables(view, Page(*page))
        return [(each.name, each.value, each.type, each.evaluate_name) for each in found]

    whole = shown("pairs", value, "pairs", frame, view)
    assert whole.type == "struct Pair [3]"
    assert whole.value == "{{x = 7, y = 8}, {x = 9, y = <unavailable>}, <unavailable>}"
    assert (whole.indexed_variables, whole.named_variables) == (3, None)
    elements = added[whole.variables_reference - 1]
    known = [
        ("[0]", "{x = 7, y = 8}", "struct Pair", "pairs[0]"),
        ("[1]", "{x = 9, y = <unavailable>}", "struct Pair", "pairs[1]"),
        ("[2]", "<unavailable>", "struct Pair", "pairs[2]"),
    ]
    assert parts(elements) == known
    assert parts(elements, 1, 1) == known[1:2]
    (second,) = elements.variables(view, Page(1, 1))
    assert second.named_variables == 2
    assert parts(added[second.variables_reference - 1]) == [
        ("x", "9", "int", "pairs[1].x"),
        ("y", "<unavailable>", "int", "pairs[1].y"),
    ]


def test_what_nothing_is_known_of_has_no_parts():
    view = View(lambda container: 1, FormatOptions())
    none = shown("a", Missing("optimised out"), "a", SimpleNamespace(lane=0), view)
    assert (none.variables_reference, none.indexed_variables) == (0, None)
    number = PartlyKnown("half of it", bytes(4), frozenset({0}), INT)
    assert shown("n", number, "n", SimpleNamespace(lane=0), view).variables_reference == 0
