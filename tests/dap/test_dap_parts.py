"""Parts of the debug adapter that need no program."""

from __future__ import annotations

import pytest

from zedbg.engine.breakpoints.hit_condition import HitCondition
from zedbg.engine.engine_errors import BreakpointError
from zedbg.frontends.dap.session.progress import ProgressReports


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
