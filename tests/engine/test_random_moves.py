"""Whatever a user does with a compiled kernel ends and harms nothing, in the present and the past.

A sample of the launches of each set, the same each time, which is larger with ``--all``;
``ZEDBG_FULL_CORPUS=1`` takes all launches.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.support.engine.debugged_launches import run_walks
from tests.support.kernels.corpus import CORPUS

SETS = sorted(path.name.removesuffix(".tar.xz") for path in CORPUS.glob("*.tar.xz"))
FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
SEED = "1"

Sized = Callable[[int, int], tuple[str, ...]]


@pytest.fixture
def launches(request: pytest.FixtureRequest) -> Sized:
    """How many launches of a set are taken, as an argument: the first number, or with ``--all`` the
    second one."""

    def sized(few: int, many: int) -> tuple[str, ...]:
        return () if FULL else (str(many if request.config.getoption("--all") else few),)

    return sized


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", SETS)
def test_moved_threads_come_back_and_the_kernel_computes_what_it_should(
    configuration: str, launches: Sized
) -> None:
    assert ": moved" in run_walks("random_moves", configuration, SEED, "25", *launches(2, 4))


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", SETS)
def test_each_time_is_as_it_was_and_hits_are_counted_alike(
    configuration: str, launches: Sized
) -> None:
    assert ": travelled" in run_walks("corpus_travels", configuration, SEED, "10", *launches(1, 4))
