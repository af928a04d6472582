"""What zedbg shows of the variables of an optimised kernel, beside the same kernel without
optimisation: ``both_levels.py SOURCES MODULES COMPILER-DEVICE NAME``. SOURCES is a folder with
NAME.cl and launches.txt (:mod:`tests.support.kernels.kernel_folder`), MODULES one with
COMPILER-DEVICE-O0/NAME.zebin and COMPILER-DEVICE-O2/NAME.zebin.

Both are stopped at every line. Of each work-item, what is shown of a variable in the optimised
kernel must be what it has at one of the stops at that line in the other one, in a call from the
same lines, since compilers change the order of calls; at the stop of the same number where there
are as many. Prints one JSON object: how many values were right, doubtful and not shown, those that
were wrong without a mark (line, variable, work-item, shown), and why others are doubtful or not
shown, the most frequent first (count, line, variable, reason).

Of a value of which only a part is shown, that part is compared, and counts as what it is of the
whole: the rest is not shown, unless the program has not set it. What zedbg says that of as a whole
is left out. So are pointers, whose tags differ, variables that are declared at the line or after
it, and those in local memory, which other work-items change.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.support.kernels.kernel_folder import launch_of
from zedbg.dwarf.types.program_types import PointerType
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values.expressions import api
from zedbg.values.threads.context import MemorySpace, ThreadContext
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.padding import meaningful_bytes
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.values.typed.value import LaneValues
from zedbg.xe.coordinates import lanes_of

_NO_VALUE = "the program has not set it"
#: Why parts of a value are not shown that it does not have yet.
_UNSET = ("the program has not set all of it", "a part of it has no value")


class _Value(NamedTuple):
    """What is shown of a variable."""

    data: bytes | None  # None: nothing
    reason: str | None  # why it is doubtful, or not shown
    known: frozenset[int]  # the numbers of its bytes that are shown
    lost: int = 0  # how many bytes are not shown that it has


_Shown = dict[tuple[str, int], _Value]  # by the name of a variable and its line


class _Stop(NamedTuple):
    """What is shown at one; ``is_one_of_several``: in one of several calls of a function from one
    line, which compilers may reorder."""

    shown: _Shown
    is_one_of_several: bool


# By the line, the lines that the function was called from, and the work-item.
_Stops = dict[tuple[int, tuple[int, ...], tuple[int, int, int]], list[_Stop]]


@dataclass
class Comparison:
    """How many values were shown how, those that are wrong without a mark, and why others are
    doubtful or not shown: how often, by line, variable and reason."""

    counts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    wrong: list[tuple[int, str, tuple[int, int, int], str]] = field(default_factory=list)
    reasons: Counter[tuple[int, str, str | None]] = field(default_factory=Counter)


def main(sources: str, modules: str, build: str, name: str) -> None:
    plain, optimised = (
        _stops(Path(sources), Path(modules, f"{build}-{level}"), name) for level in ("O0", "O2")
    )
    found = compared(plain, optimised)
    reasons = [[count, *each] for each, count in found.reasons.most_common()]
    print(json.dumps({**found.counts, "wrong": found.wrong, "reasons": reasons}))


def compared(plain: _Stops, optimised: _Stops) -> Comparison:
    """What is shown at the stops in the optimised kernel, judged by those in the other one."""
    found = Comparison()
    for (line, callers, item), stops in optimised.items():
        truth = plain.get((line, callers, item), [])
        for number, stop in enumerate(stops):
            of_visit = [truth[number]] if len(truth) == len(stops) else truth
            if stop.is_one_of_several:
                of_visit = [each for each in truth if _is_like(stop.shown, each.shown)] or of_visit
            for key, (data, reason, known, lost) in stop.shown.items():
                variable, declared = key
                if declared >= line:
                    continue
                of_variable = [each.shown[key] for each in of_visit if key in each.shown]
                had = [each.data for each in of_variable if each.data is not None and not each.lost]
                if len(had) < len(of_variable) or not had:
                    continue  # not known at one of the visits that it may be
                if reason is not None and reason.endswith(_NO_VALUE):
                    continue  # nor has it a value without optimisation
                if data is None or reason is not None:
                    found.counts["not shown" if data is None else "doubtful"] += 1
                    found.reasons[line, variable, reason] += 1
                elif any(all(data[at] == each[at] for at in known) for each in had):
                    share = len(known) / (len(known) + lost)
                    found.counts["right"] += share
                    found.counts["not shown"] += 1 - share
                else:
                    found.wrong.append((line, variable, item, data.hex()))
    return found


def _is_like(shown: _Shown, other: _Shown) -> bool:
    """Whether all that is shown without a mark is the same in ``other``."""
    return all(
        (there := other.get(key)) is None
        or there.data is None
        or all(value.data[at] == there.data[at] for at in value.known)
        for key, value in shown.items()
        if value.data is not None and value.reason is None
    )


def _stops(sources: Path, modules: Path, name: str) -> _Stops:
    """Those at all lines of a kernel; ``modules`` ends with the device and the level."""
    lines = (sources / f"{name}.cl").read_text().splitlines()
    device = modules.name.split("-")[1]
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", device]
    command += [f"{modules / name}.zebin:{name}", *launch_of(name, sources)]
    found: _Stops = defaultdict(list)
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        for line in range(1, len(lines) + 1):
            session.break_at(f"{name}.cl:{line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            assert stop is not None, "the program hangs"
            for hit in stop.threads:
                line = hit.thread.location.line
                if line is None:
                    continue  # a kernel of which the compiler says no lines
                lanes, ids = lanes_of(hit.lanes), hit.thread.global_ids()
                assert isinstance(ids, list), ids
                frames = hit.thread.backtrace().frames
                callers = tuple(each.location.line for each in frames[1:])
                is_one_of_several = any(
                    lines[outer.location.line - 1].count(f"{inner.location.function}(") > 1
                    for inner, outer in pairwise(frames)
                    if outer.location.line is not None
                )
                for lane, shown in zip(lanes, _shown(hit.thread, lanes), strict=True):
                    stops = found[line, callers, ids[lane]]
                    stops.append(_Stop(shown, is_one_of_several))
    return found


def _shown(thread: ThreadContext, lanes: list[int]) -> list[_Shown]:
    """What is shown in each of ``lanes``."""
    found: list[_Shown] = [{} for _ in lanes]
    for each in api.variables(thread, lanes):
        variable, values = each.variable, each.values
        if isinstance(variable.type.stripped(), PointerType) or _is_in_local_memory(values):
            continue
        meaningful = meaningful_bytes(variable.type)
        for shown, data, mark in zip(found, values.data, values.doubts, strict=True):
            key = variable.name, variable.line or 0
            if isinstance(data, PartlyKnown):
                known = data.known & meaningful
                lost = 0 if data.reason in _UNSET else len(meaningful - known)
                shown[key] = _Value(data.data, mark, known, lost)
            else:
                is_missing = isinstance(data, Missing)
                whole = None if is_missing else bytes(data)
                shown[key] = _Value(whole, data.reason if is_missing else mark, meaningful)
    return found


def _is_in_local_memory(values: LaneValues) -> bool:
    first = values.first
    home = None if isinstance(first, Missing) else first.home
    return isinstance(home, MemoryHome) and home.space is MemorySpace.SLM


if __name__ == "__main__":
    main(*sys.argv[1:])
