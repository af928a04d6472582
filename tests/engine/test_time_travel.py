"""Moves in the recorded launch of a kernel, in both directions."""

import subprocess
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from tests.support.engine.debug_double import DebugDouble, stopped_in_kernel
from tests.support.module_command import module_command
from zedbg.engine.engine_errors import TimeTravelError
from zedbg.engine.threads.debuggee import Debuggee
from zedbg.engine.threads.device import Device
from zedbg.engine.time.past import Past, SearchGivenUpError
from zedbg.levelzero.device_time import HitKind, Search, TimeHit

RESULT = "-0.333333 1 2 3 -4 5 6 7"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_way_leads_to_the_same_state_and_leaves_the_present_as_it_was(seed):
    command = module_command("engine.time_travels", seed, "15")
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert RESULT in done.stdout  # what the program writes after a detach in the past


def test_a_device_that_records_nothing_says_so_in_one_line():
    with stopped_in_kernel(DebugDouble()) as session:
        for move in (
            session.time.step_line,
            session.time.continue_,
            session.time.moment,
            session.time.recording,
            lambda: session.time.go_to(1),
            session.time.add_checkpoint,
            lambda: session.time.go_to_first_where("1"),
        ):
            with pytest.raises(TimeTravelError) as caught:
                move()
            assert str(caught.value) == "Device 1 cannot go back: its driver records no launches."


def _hit(time: int) -> TimeHit:
    executed = HitKind.EXECUTES
    return TimeHit(time, 0, (0, 0, 0, 0), executed, 1, (0, 0, 0), 1, 0, 0, 0, b"", b"")


class _FewAtOnce:
    """A driver that gives 3 hits of a search at most, one of each time that is a multiple of 5;
    it is cancelled where ``ends`` is."""

    def __init__(self, ends: int | None = None) -> None:
        self._ends = ends

    def find(self, search: Search) -> tuple[list[TimeHit], int]:
        times = [each for each in range(search.first, search.end) if each % 5 == 0]
        times = times[::-1] if search.backward else times
        if self._ends in range(search.first, search.end):
            return [], search.end if search.backward else search.first
        found = times[: min(3, search.limit)]
        hits = [_hit(each) for each in found]
        if len(found) == len(times):
            return hits, search.first if search.backward else search.end
        return hits, found[-1] + (not search.backward)


def _past_of(driver: _FewAtOnce) -> tuple[Past, Device]:
    device = SimpleNamespace(number=1, debug=SimpleNamespace(time=driver))
    past = Past(cast(Debuggee, None), lambda: None, lambda: None)
    return past, cast(Device, device)


@pytest.mark.parametrize("backward", [False, True])
def test_a_search_goes_on_where_the_driver_gave_fewer_hits_than_asked_for(backward):
    past, device = _past_of(_FewAtOnce())
    search = Search(1, 7, 2_000, HitKind.EXECUTES, backward=backward, limit=4096)
    times = [hit.time for hit in past.find(device, search)]
    assert times == list(range(10, 2_000, 5))[:: -1 if backward else 1]


def test_a_search_that_was_cancelled_is_not_one_that_found_nothing():
    past, device = _past_of(_FewAtOnce(ends=100))
    search = Search(1, 0, 1000, HitKind.EXECUTES, limit=4096)
    asked = iter((False, True))
    with pytest.raises(SearchGivenUpError):
        list(past.find(device, replace(search, first=50), lambda: next(asked)))
