"""What is kept of a thread's instructions answers as the driver's searches do."""

import random
from dataclasses import replace

import pytest

from zedbg.engine.origins.executed import KINDS, ExecutedInstructions
from zedbg.levelzero.device_time import HitKind, RangeSpace, Search, SearchRange, TimeHit

END = 400_000
THREAD = (0, 0, 0, 1)


class _Driver:
    """It gives 2048 hits at most; the thread executes one of ``step`` instructions, and begins
    anew with each 500th of them."""

    def __init__(self, step):
        self._step = step
        self.searches = 0

    def find(self, search):
        self.searches += 1
        found = []
        for time in range(search.end - 1, search.first - 1, -1):
            if time % self._step:
                continue
            number = time // self._step
            address = 16 * (number % 40)
            is_meant = not search.ranges or any(
                each.begin <= address < each.end for each in search.ranges
            )
            kind = HitKind.EXECUTES if is_meant else HitKind(0)
            kind = (kind | (HitKind(0) if number % 500 else HitKind.BEGINS)) & search.kinds
            if kind:
                hit = TimeHit(time, address, THREAD, kind, 1, (0, 0, 0), 1, 0, 0, 0, b"", b"")
                found.append(hit)
                if len(found) == min(search.limit, 2048):
                    return found, time
        return found, search.first


@pytest.mark.parametrize("step", [3, 1000])
def test_it_answers_as_the_driver_does(step):
    driver, chance = _Driver(step), random.Random(7)
    executed = ExecutedInstructions(1, driver.find)
    answered = 0
    for _ in range(20):
        first, end = sorted(chance.sample(range(END), 2))
        at = 16 * chance.randrange(40)
        ranges = (SearchRange(RangeSpace.CODE, at, at + 17),) * chance.randrange(2)
        kinds = chance.choice([KINDS, HitKind.EXECUTES, HitKind.BEGINS])
        limit = chance.choice([1, 16])
        search = Search(1, first, end, kinds, ranges, True, THREAD, limit=limit)
        before = driver.searches
        known = executed.search(search)
        asked = driver.searches - before
        if known is not None:
            answered += 1
            assert known == driver.find(search)[0]
        assert asked <= 4
    # Of a thread that executes much, too much would be kept.
    assert answered == (20 if step == 1000 else 0)
    assert executed.search(replace(search, kinds=HitKind.WRITES_MEMORY)) is None
