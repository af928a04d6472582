"""The comparison of what is shown with the truth finds copies of a loop's body that are taken for
others, and only these."""

import pytest

from tests.support.truth.visits import of_other_copies, out_of_order, stopped_kinds

VISITS = [{"i": bytes([number])} for number in range(4)]
ADDITIONS = dict.fromkeys((0, 16, 32, 48), "add")


def stops(*numbers):
    return [(16 * at, {"i": (bytes([number]), False)}) for at, number in enumerate(numbers)]


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ((0, 1, 2, 3), []),
        ((1, 2, 3, 3), [(0, 0), (1, 16), (2, 32)]),
        ((0, 2, 1, 3), [(1, 16), (2, 32)]),
        ((0, 0, 2, 2), []),  # two stops in each of fewer visits
    ],
)
def test_each_copy_must_show_the_visit_of_its_number(shown, wrong):
    assert of_other_copies(VISITS, stops(*shown), ADDITIONS) == wrong


def test_instructions_of_which_some_are_passed_without_a_stop_say_no_copy():
    # The first copy has two stops and the last one none, with two of them in each.
    kinds = ADDITIONS | dict.fromkeys((56, 64, 72, 80), "add") | {88: "shl"}
    known = stopped_kinds(kinds, {*ADDITIONS, 88})
    assert known == {88: "shl"}
    assert of_other_copies(VISITS, stops(0, 0, 1, 2), ADDITIONS)
    assert of_other_copies(VISITS, stops(0, 0, 1, 2), known) == []


def test_what_is_shown_is_that_of_later_visits_at_later_stops():
    again = [(16, {"i": (bytes([number]), False)}) for number in (0, 2, 1, 3)]
    assert out_of_order(VISITS, again) == [(2, 16)]


def test_a_lane_past_its_last_visit_may_show_what_all_visits_have():
    last, passed = (16, {"i": (b"\3", False)}), (16, {"i": ("not shown", False)})
    assert out_of_order(VISITS, [last, passed]) == []
    assert out_of_order(VISITS, [last, (16, {"i": (b"\2", False)})]) == [(1, 16)]


def test_several_ends_of_an_iteration_may_be_one_visit():
    shown = [(16, {"i": (bytes([number]), False)}) for number in (0, 0, 2, 2)]
    assert out_of_order(VISITS, shown) == [(1, 16), (3, 16)]
    assert out_of_order(VISITS, shown, ends={16}) == []
    assert out_of_order(VISITS, [*shown, (16, {"i": (b"\1", False)})][1:], ends={16}) == [(3, 16)]
