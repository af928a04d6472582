"""``python -m tests.clients [SUITE...]``: other people's test suites on the simulated GPU.

Prints a table, and each failure that is not known (known_failures.py). The exit status is 1 when
there is one, or when a known failure of a whole suite does not occur any more.
"""

from __future__ import annotations

import argparse
import os
import sys

from tests.clients import onednn_suite, pocl_suite, python_suites
from tests.clients.known_failures import KNOWN_FAILURES
from tests.clients.layers import LAYERS
from tests.clients.suites import SUITES, Result
from tests.support.installed import use_installed_libraries
from zedbg.levelzero.newest import newest
from zedbg.tools.fetch.placing import fetch


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run clients", description=__doc__)
    names = [suite.name for suite in SUITES]
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(names)}")
    parser.add_argument("--files", default="*", metavar="PATTERN", help="only these files of tests")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument("--layer", choices=LAYERS, help="of the loader, for suites of Python")
    options = parser.parse_args()
    unknown = set(options.suites) - set(names)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    use_installed_libraries()
    fetch(newest())
    good = True
    print(f"{'suite':<16}{'share':>7}{'passed':>9}{'known':>7}{'unknown':>9}{'skipped':>9}")
    for suite in SUITES:
        if options.suites and suite.name not in options.suites:
            continue
        if suite.package == "pocl":
            result = pocl_suite.run(suite)
        elif suite.package == "onednn":
            result = onednn_suite.run(suite)
        else:
            result = python_suites.run(suite, options.cores, options.files, options.layer)
        _show(result)
        good &= not result.unknown
        if options.files == "*" and suite.share == 1:
            good &= not _stale(result)
    return 0 if good else 1


def _show(result: Result) -> None:
    suite, counts = result.suite, result.counts
    share = "all" if suite.share == 1 else f"1/{suite.share}"
    print(
        f"{suite.name:<16}{share:>7}{counts['passed']:>9}{sum(result.known.values()):>7}"
        f"{len(result.unknown):>9}{counts['skipped']:>9}",
        flush=True,
    )
    for reason, count in result.known.items():
        print(f"  {count} known: {reason.reason}")
    for test, words in result.unknown:
        print(f"  FAILED {test}: {words.strip().partition(chr(10))[0][:200]}")


def _stale(result: Result) -> bool:
    stale = [
        failure
        for failure in KNOWN_FAILURES
        if failure.client == result.suite.package
        and result.suite.device in failure.devices
        and failure not in result.known
    ]
    for failure in stale:
        print(f"  does not occur any more: {failure.words} ({failure.reason})")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
