"""The test suites of others, on which devices they run, and how their reports are counted."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.clients.known_failures import KnownFailure, known


@dataclass(frozen=True)
class Suite:
    """The tests of a program or package on a device; one in ``share`` of them."""

    package: str
    device: str
    share: int = 1

    @property
    def name(self) -> str:
        """As the command line takes it: dpnp-dg2."""
        return f"{self.package}-{self.device}"


@dataclass
class Result:
    """What came of a suite. ``unknown``: test or file, and the first line of what it said."""

    suite: Suite
    counts: Counter[str] = field(default_factory=Counter)
    known: Counter[KnownFailure] = field(default_factory=Counter)
    unknown: list[tuple[str, str]] = field(default_factory=list)


SUITES = (
    *(
        Suite(package, device, share)
        for package in ("dpctl", "dpnp")
        for device, share in (("dg2", 1), ("pvc", 10), ("bmg", 10))
    ),
    *(Suite("pocl", device) for device in ("dg2", "bmg")),
    Suite("numba_dpex", "pvc"),  # much of it is in double precision
    *(Suite("onednn", device) for device in ("dg2", "pvc", "bmg")),
)


def add(result: Result, file: str, report: str) -> None:
    """Counts the tests of ``file`` in its JUnit report, or takes what was said instead of one."""
    if not report.startswith("<?xml"):
        result.counts["crashed"] += 1
        result.unknown.append((file, report))
        return
    for name, outcome, words in _outcomes(report):
        result.counts[outcome] += 1
        if outcome == "failed":
            reason = known(result.suite.package, result.suite.device, words)
            if reason is not None:
                result.known[reason] += 1
            else:
                result.unknown.append((f"{file}::{name}", words))


def _outcomes(report: str) -> Iterator[tuple[str, str, str]]:
    for case in ElementTree.fromstring(report).iter("testcase"):
        problem = case.find("failure")
        problem = case.find("error") if problem is None else problem
        if problem is not None:
            printed = case.findtext("system-out") or ""  # all that CTest's reports say
            words = f"{problem.get('message') or ''}\n{problem.text or ''}\n{printed}"
            yield case.get("name") or "", "failed", words
        else:
            skipped = case.find("skipped") is not None
            yield case.get("name") or "", "skipped" if skipped else "passed", ""
