"""What zedbg shows of the variables of an optimised kernel, beside the same kernel without
optimisation: ``both_levels.py COMPILER-DEVICE NAME``.

Both are stopped at every line. Of each work-item, what is shown of a variable in the optimised
kernel must be what it has at one of the stops at that line in the other one, in a call from the
same lines, since compilers change the order of calls; at the stop of the same number where there
are as many. Prints one JSON object: how many values were right, doubtful
and not shown, and those that were wrong without a mark: line, variable, work-item, shown. Of a
value of which only a part is shown, that part is compared, and counts as what it is of the whole:
the rest is not shown, unless the program has not set it. Pointers
are left out, whose tags differ; so are variables that are declared at the line or after it, and
those in local memory, which other work-items change.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from zedbg.dwarf.types.program_types import PointerType
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values import api
from zedbg.values.context import MemorySpace, ThreadContext
from zedbg.values.homes import MemoryHome
from zedbg.values.padding import meaningful_bytes
from zedbg.values.partly_known import PartlyKnown
from zedbg.values.value import LaneValues
from zedbg.xe.coordinates import lanes_of

#: Sizes and arguments.
LAUNCHES = {
    "alignment": "--global 32 --local 16 i32[800]=iota i32[800]=iota i32=40 i32=3 local[1156] "
    "local[1024]",
    "backtracking": "--global 8 --local 8 u8[32]=random:1 u8[32] i32[8] i32=40",
    "bilateral": "--global 8,4 --local 8,4 u8[128]=random:1 u8[128] i32=7 i32=4 i32=1 f32=0.2 "
    "f32=0.0005",
    "bitonic": "--global 32 --local 16 u32[64]=iota u32=2 u32=1 u32=1",
    "blend": "--global 16 --local 16 u8[256]=random:1 u8[64] i32=32 i32=4",
    "bodies": "--global 16 --local 16 f32[64] f32[64]=iota i32=5 f32=0.5",
    "clashes": "--global 16 --local 16 u8[72]=random:1 i32[18] i32=18 i32=200",
    "convolution": "--global 32 --local 16 f32[32] f32[32]=iota f32[8]=iota i32=30 i32=2",
    "decoder": "--global 8 --local 8 i8[280]=random:1 u32[7] i16[7] u8[7] u32=7",
    "descent": "--global 16 --local 16 i32[16]=random:4 i32[32] i32=4 i32=62 i32=4",
    "divisor": "--global 32 --local 16 u32[32] u32[32]=iota u32[32]=iota",
    "drift": "--global 16 --local 16 f32[80]=random:1 f32[12]=random:2 f32[20] i32=20 i32=12 "
    "f32=0.7",
    "cells": "--global 8 --local 8 f32[16]=random:1 u8[16]=random:2 u8[16]=random:3 "
    "u8[32]=iota f32[8] u32[8] i32=4 i32=8 f32=0.2",
    "escape_time": "--global 16,2 --local 16,1 u32[32] f32=-2.0 f32=-1.0 f32=0.2 u32=12",
    "faces": "--global 8,2 --local 8,2 f32[16]=random:1 f32[32] f32=0.4 i32=8 i32=2",
    "facets": "--global 8,2 --local 8,2 f32[27]=random:1 f32[16] i32=8 f32=0.5 "
    "struct{align[16],f32=0.4,f32=0.8,f32=0.5}",
    "field": "--global 8 --local 8 f32[20]=random:1 f32[8] i32[8] i32=5",
    "frontier": "--global 64 --local 32 i32[128]=random:3 i32[64]=iota u8[64]=random:4 u8[64] "
    "u8[64]=random:5 i32[192]=iota i32=60",
    "halving": "--global 64 --local 32 i32[64] i32[64]=iota i32=100",
    "histogram": "--global 16 --local 16 u8[256] u8[128]=iota i32=125 i32=8",
    "in_place": "--global 16 --local 16 i32[64]=random:3 i32[16]=random:4 i32=4 i32=3",
    "kalman": "--global 16 --local 16 f32[128]=0 f32[192]=random:1 f32[16] "
    "struct{f32=0.5,f32=0.1,f32=0.05,f32=2.0} i32=6",
    "layer": "--global 32 --local 16 f32[8]=random:1 f32[288]=random:2 f32[32]=random:3 f32[32] "
    "i32=8 i32=30 f32=0.3 f32=0.5",
    "matmul": "--global 8,8 --local 8,8 f32[256] f32[256]=iota f32[256]=iota i32=16 local[256] "
    "local[256]",
    "minimizers": "--global 8 --local 8 u8[126]=random:1 u64[28] u32[7] u32[16] u32=7 u32=18 u32=4",
    "nearest": "--global 32 --local 16 i32[32] i32[8] f32[64]=iota f32[64]=iota i32=5",
    "options": "--global 16 --local 16 f32[40] f32[40] f32[40]=random:1 f32[40]=random:2 "
    "f32[40]=random:3 f32=0.02 f32=0.3 u32=40",
    "packets": "--global 16 --local 16 u32[32]=random:1 u8[256]=random:2 u8[256] f32[16] u16[16] "
    "f32=0.37 i32=9",
    "parts": "--global 32 --local 16 i32[40]=random:3 i32[64] i32=6",
    "pathfinder": "--global 48 --local 16 i32=3 i32[256]=iota i32[48]=iota i32[48] i32=40 i32=1 "
    "i32=3",
    "pi": "--global 32 --local 16 u32[2] u32=12345 i32=6 local[64]",
    "potential": "--global 16,2 --local 16,1 f32[32]=random:3 i32=8 f32[32]=random:4 f32=0.1 "
    "f32=0.4 f32=0.8",
    "probe": "--global 32 --local 16 u32[32] u32[64]=random:7 u32=63",
    "red_black": "--global 16 --local 16 f32[180]=random:5 f32[180]=random:6 f32[1] i32=10 i32=18 "
    "i32=1 f32=1.2",
    "reduction": "--global 64 --local 32 f32[2] f32[200]=iota local[128] u32=200",
    "rounds": "--global 16 --local 16 u32[4]=random:1 u32[16] u8[128]=random:2 i16[160] i32=2 "
    "i32=20",
    "rotations": "--global 8 --local 8 f32[42]=random:1 f32[28] f32[21] u8[7] i32=7 i32=1 "
    "f32=0.00001",
    "scan": "--global 32 --local 32 i32[32] i32[32]=iota local[128] i32=32",
    "search": "--global 32 --local 16 i32[32] i32[32]=iota i32[64]=iota i32=64",
    "sets": "--global 32 --local 16 u32[64] u32[32]=iota u32=32",
    "sort_tile": "--global 32 --local 16 u32[32] u32[32]=iota local[64]",
    "sparse": "--global 32 --local 32 f32[32] i32[32]=iota i32[900]=iota f32[900]=iota "
    "f32[900]=iota i32=12",
    "spheres": "--global 16 --local 16 f32[36]=random:1 i32[16] f32[16] i32=9",
    "spectrum": "--global 8 --local 8 f32[32]=random:1 f32[16] u32[1] i32=0 local[128] local[128]",
    "springs": "--global 8,2 --local 8,2 f32[64]=random:1 f32[12]=random:2 f32[64] i32[16] "
    "struct{f32=30.0,f32=0.2}",
    "stencil": "--global 16,8 --local 8,8 f32[128] f32[128]=iota i32=16 i32=8 f32=0.5",
    "transpose": "--global 16,8 --local 8,8 f32[128] f32[128]=iota i32=15 i32=8",
    "window": "--global 16 --local 16 f32[32]=random:1 f32[32] f32=0.4",
    "words": "--global 16 --local 16 u8[96]=random:1 u32[32] i32=95 i32=6",
}

#: Why parts of a value are not shown that it does not have yet.
_UNSET = ("the program has not set all of it", "a part of it has no value")


class _Value(NamedTuple):
    """What is shown of a variable."""

    data: bytes | None  # None: nothing
    mark: str | None
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


def main(build: str, name: str) -> None:
    counts, wrong = compared(_stops(f"{build}-O0", name), _stops(f"{build}-O2", name))
    print(json.dumps({**counts, "wrong": wrong}))


def compared(
    plain: _Stops, optimised: _Stops
) -> tuple[dict[str, float], list[tuple[int, str, tuple[int, int, int], str]]]:
    """How many values are right, doubtful and not shown, and those that are wrong."""
    counts: defaultdict[str, float] = defaultdict(float)
    wrong = []
    for (line, callers, item), stops in optimised.items():
        truth = plain.get((line, callers, item), [])
        for number, stop in enumerate(stops):
            of_visit = [truth[number]] if len(truth) == len(stops) else truth
            if stop.is_one_of_several:
                of_visit = [each for each in truth if _is_like(stop.shown, each.shown)] or of_visit
            for key, (data, mark, known, lost) in stop.shown.items():
                variable, declared = key
                if declared >= line:
                    continue
                of_variable = [each.shown[key] for each in of_visit if key in each.shown]
                had = [each.data for each in of_variable if each.data is not None and not each.lost]
                if len(had) < len(of_variable) or not had:
                    continue  # not known at one of the visits that it may be
                if data is None or mark is not None:
                    counts["not shown" if data is None else "doubtful"] += 1
                elif any(all(data[at] == each[at] for at in known) for each in had):
                    share = len(known) / (len(known) + lost)
                    counts["right"] += share
                    counts["not shown"] += 1 - share
                else:
                    wrong.append((line, variable, item, data.hex()))
    return counts, wrong


def _is_like(shown: _Shown, other: _Shown) -> bool:
    """Whether all that is shown without a mark is the same in ``other``."""
    return all(
        (there := other.get(key)) is None
        or there.data is None
        or all(value.data[at] == there.data[at] for at in value.known)
        for key, value in shown.items()
        if value.data is not None and value.mark is None
    )


def _stops(build: str, name: str) -> _Stops:
    lines = (KERNELS / "everyday" / f"{name}.cl").read_text().splitlines()
    module = MODULES / "everyday" / build / f"{name}.zebin"
    device = build.split("-")[1]
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", device]
    command += [f"{module}:{name}", *LAUNCHES[name].split()]
    found: _Stops = defaultdict(list)
    with opening.launch(command, sim=device, output=lambda stream, text: None) as session:
        for line in range(1, len(lines) + 1):
            session.break_at(f"{name}.cl:{line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            assert stop is not None, "the program hangs"
            for hit in stop.threads:
                lanes, ids = lanes_of(hit.lanes), hit.thread.global_ids()
                assert isinstance(ids, list), ids
                frames = hit.thread.backtrace().frames
                callers = tuple(each.location.line for each in frames[1:])
                is_one_of_several = any(
                    lines[outer.location.line - 1].count(f"{inner.location.function}(") > 1
                    for inner, outer in pairwise(frames)
                )
                for lane, shown in zip(lanes, _shown(hit.thread, lanes), strict=True):
                    stops = found[hit.thread.location.line, callers, ids[lane]]
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
                whole = None if isinstance(data, Missing) else bytes(data)
                shown[key] = _Value(whole, mark, meaningful)
    return found


def _is_in_local_memory(values: LaneValues) -> bool:
    first = values.first
    home = None if isinstance(first, Missing) else first.home
    return isinstance(home, MemoryHome) and home.space is MemorySpace.SLM


if __name__ == "__main__":
    main(*sys.argv[1:])
