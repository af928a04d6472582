"""What zedbg shows of each variable at each line, beside what the kernel's twin wrote down.

BUILD FOLDER TWINS [--every] NAME...: FOLDER and TWINS have modules ``NAME.zebin`` of the kernels of
:mod:`tests.support.truth.variable_kernels`, a name being KINDS-SEED. Prints, as JSON, for each
kernel how many values were right, wrong, doubtful (and how many of those were wrong) and not shown,
and what was wrong. With ``--every`` threads stop at every stretch of a line's code, so that each
copy of an unrolled loop's body is one. A process of its own, since one process has one device.

A lane's stop at a line belongs to the line's visit of the same number. Where there are more or
fewer stops than visits (the compiler unrolled a loop, or made no code of a line in some place), or
where one visit may be several stops (``--every``), what is shown without a mark must be what some
one visit has, and of later stops at the same instruction what some later visit has. Where stops at
one kind of instruction of a line are as many as visits, and threads stop at all of that kind, each
is that of one copy, of that visit, or all copies have as many of them.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.support.truth.passed_kernels import PASSED
from tests.support.truth.searching_kernels import SEARCHING, SearchingMaker
from tests.support.truth.variable_kernels import (
    COMPUTED,
    DEVELOPED,
    FACTOR,
    GROUP,
    HELD_OUT,
    HELD_OUT_LOOPS,
    HELD_OUT_UNCOUNTED,
    INPUTS,
    ITEMS,
    LOG_WORDS,
    UNCOUNTED,
    UNROLLED,
    Kernel,
    N,
    kernel,
)
from tests.support.truth.visits import (
    Shown,
    Visit,
    likeliest,
    of_other_copies,
    out_of_order,
    stopped_kinds,
)
from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.values.expressions import api
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.disassembly import instructions
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.zebin import Module

#: What is counted where a kernel does not compute what its twin does: there is no truth.
MISCOMPILED = "miscompiled"
_RESULT = "result.bin"  # of the twin
STOPS = 300  # of a kernel, at most
KINDS = {
    "d": DEVELOPED,
    "h": (*DEVELOPED, *HELD_OUT),
    "u": ("scalar", "branch", "load", *UNROLLED),
    "w": ("scalar", "branch", "load", *UNCOUNTED),
    "x": ("scalar", "branch", "load", *UNCOUNTED, *HELD_OUT_UNCOUNTED, "leaving"),
    "c": ("scalar", "loop", "branch", "load", *COMPUTED, *COMPUTED),
    "v": ("scalar", "branch", "load", "vector", "array", *UNROLLED, *HELD_OUT_LOOPS),
    "p": (*DEVELOPED, "structure", "array", *UNROLLED, *PASSED),
    "s": ("scalar", "branch", "load", *SEARCHING, *SEARCHING),
}
_LEAF_BYTES = {"char": 1, "short": 2, "int": 4, "long": 8, "float": 4}
_SHOWN = 25  # wrong values that are listed, of each kernel


def kernel_of(name: str) -> Kernel:
    """The kernel that a module's name means: ``d-7`` is that of seed 7 of the developed kinds."""
    kinds, seed = name.split("-")
    return kernel(int(seed), KINDS[kinds], makes=SearchingMaker)


def command(module: Path, output: str = "", record: bool = False, result: str = "") -> list[str]:
    """The command line that launches a kernel, or a twin that leaves its log in ``output``; what it
    computes is left in ``result``."""
    computed = f"i32[{ITEMS}]" + f">{result}" * bool(result)
    arguments = [f"i32[{INPUTS}]=@in.bin", computed, f"i32={N}", f"f32={FACTOR}"]
    device = ["--device", "dg2"] if record else []  # what twins are compiled for
    if record:
        arguments.append(f"u64[{ITEMS * LOG_WORDS}]>{output}")
    sizes = ["--global", str(ITEMS), "--local", str(GROUP)]
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", *sizes, *device]
    return [*program, f"{module}:k", *arguments]


def write_inputs() -> None:
    """Writes what every launch reads, into the current folder."""
    Path("in.bin").write_bytes(struct.pack(f"<{INPUTS}i", *input_words()))


def input_words() -> list[int]:
    """What every launch reads."""
    return [i * 37 % 89 for i in range(INPUTS)]


def log_of(made: Kernel, twin: Path, folder: Path) -> list[dict[int, list[Visit]]]:
    """For each work-item the visits of each line; what the twin computes is left in a file."""
    output = folder / "log.bin"
    recorded = command(twin, str(output), record=True, result=_RESULT)
    done = subprocess.run(recorded, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    words = struct.unpack(f"<{ITEMS * LOG_WORDS}Q", output.read_bytes())
    return [
        _visits(made, words[item * LOG_WORDS : (item + 1) * LOG_WORDS]) for item in range(ITEMS)
    ]


def result_of(module: Path, build: str) -> bytes:
    """What the kernel computes that is compared: as its twin, if the compiler made no mistake."""
    computed = [*command(module, result="computed.bin"), "--device", build.split("-")[1]]
    done = subprocess.run(computed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Path("computed.bin").read_bytes()


def _visits(made: Kernel, words: tuple[int, ...]) -> dict[int, list[Visit]]:
    found: dict[int, list[Visit]] = defaultdict(list)
    at, end = 1, words[0]
    assert 0 < end <= LOG_WORDS
    while at < end:
        line = words[at]
        at += 1
        visit: Visit = {}
        for variable in made.scopes[line]:
            data = b""
            for _, kind in variable.leaves:
                size = _LEAF_BYTES[kind.removeprefix("u")]
                data += (words[at] & (1 << 8 * size) - 1).to_bytes(size, "little")
                at += 1
            visit[variable.name] = data
        found[line].append(visit)
    return found


def why_unknown(thread: ThreadContext, variable: Variable, lane: int) -> str:
    """Why the value cannot be computed again."""
    try:
        Recomputation.of(thread).value(variable, lane)
    except UnknownValue as error:
        return str(error)
    return "it is known"


# The bytes of structures that the log has: neither padding nor pointers.
_LOGGED = {"S": [(0, 6), (8, 12)], "R": [(0, 6), (8, 24)], "P": [(8, 16)], "Q": [(8, 16)]}


def _leaves(made: Kernel, line: int, name: str, shown: bytes | PartlyKnown) -> bytes | None:
    """What is shown of what the log has; None where not all of it is."""
    kind = next(each.type for each in made.scopes[line] if each.name == name)
    data = shown.data if isinstance(shown, PartlyKnown) else shown
    ranges = _LOGGED.get(kind, [(0, len(data))])
    if isinstance(shown, PartlyKnown) and not all(
        shown.known.issuperset(range(*each)) for each in ranges
    ):
        return None
    return b"".join(data[low:high] for low, high in ranges)


class Comparison:
    """One kernel's launch: what was shown at each stop of each lane."""

    def __init__(self, made: Kernel, log: list[dict[int, list[Visit]]]) -> None:
        self._made = made
        self._log = log
        # By (line, work-item): what each stop showed of each variable.
        self._stops: dict[tuple[int, int], list[tuple[int, Shown]]]
        self._stops = defaultdict(list)
        self.reasons: Counter[str] = Counter()

    def take(self, thread: object, lanes: list[int]) -> None:
        """Notes what is shown in ``lanes`` of ``thread``."""
        line = thread.location.line  # type: ignore[attr-defined]
        if line not in self._made.scopes:
            return
        ids = thread.global_ids()  # type: ignore[attr-defined]
        assert isinstance(ids, list), ids
        wanted = {each.name for each in self._made.scopes[line]}
        shown: dict[int, Shown] = {lane: {} for lane in lanes}
        for each in api.variables(thread, lanes):  # type: ignore[arg-type]
            if each.variable.name not in wanted:
                continue
            doubts = getattr(each.values, "doubts", None) or (None,) * len(lanes)
            for lane, data, doubt in zip(lanes, each.values.data, doubts, strict=True):
                value: bytes | str | None = None
                if not isinstance(data, Missing) or isinstance(data, PartlyKnown):
                    value = _leaves(self._made, line, each.variable.name, data)
                if value is None:
                    value = why_unknown(thread, each.variable, lane)
                if doubt is not None:
                    self.reasons["doubtful: " + why_unknown(thread, each.variable, lane)] += 1
                shown[lane][each.variable.name] = value, doubt is not None
        pc = thread.pc - thread.module.code_range_at(thread.pc)[0]  # type: ignore[attr-defined]
        for lane in lanes:
            self._stops[line, ids[lane][0]].append((pc, shown[lane]))

    def counts(
        self, every: bool = False, code: LineCode | None = None
    ) -> tuple[Counter[str], list[list[object]]]:
        """How many values were shown how, and those that were wrong without a mark. ``every``:
        stops were at every stretch of a line's code; ``code``: the instructions there."""
        found: Counter[str] = Counter()
        wrong: list[list[object]] = []
        for (line, item), stops in self._stops.items():
            visits = self._log[item].get(line, [])
            for number, (pc, shown) in enumerate(stops):
                if not visits:
                    found["no visit"] += 1
                    continue
                is_one = len(visits) == len(stops) and not every
                visit = visits[number] if is_one else likeliest(visits, shown)
                for name, truth in visit.items():
                    value, doubtful = shown.get(name, ("not in scope", False))
                    kind = _judged(value, truth, doubtful)
                    found[kind] += 1
                    if kind == "wrong":
                        wrong.append([line, name, _hex(value), _hex(truth), item, number, pc])
                    elif kind == "not shown":
                        self.reasons["not shown: " + str(value)] += 1
            if every or len(visits) != len(stops):
                late = out_of_order(visits, stops, code.ends if code else ())
                found["wrong"] += len(late)
                wrong += [[line, "of an earlier visit", item, *each] for each in late]
            others = of_other_copies(visits, stops, code.kinds) if code and visits else []
            found["wrong"] += len(others)
            wrong += [[line, "of another copy", item, *each] for each in others]
        return found, wrong


def _hex(value: bytes | str) -> str:
    return value[::-1].hex() if isinstance(value, bytes) else value


def _judged(value: bytes | str, truth: bytes, doubtful: bool) -> str:
    if isinstance(value, str):
        return "not shown"
    if doubtful:
        return "doubtful" if value == truth else "doubtful and wrong"
    return "right" if value == truth else "wrong"


@dataclass(frozen=True)
class LineCode:
    """The instructions at which threads stop that stop at every stretch of a line's code, by their
    offsets: what they do, in which lanes, and their lines and columns; and those that only end an
    iteration of a loop of another line, which may be several times in one visit of theirs."""

    kinds: Mapping[int, object]
    ends: Container[int] = ()


def _line_code(module: Path, made: Kernel) -> LineCode:
    opened = Module.open(module)
    info = DebugInfo.of(opened)
    assert info is not None
    (function,) = (each for each in info.functions if each.name == "k")

    def line(offset: int) -> int:
        row = info.lines.row_at(function.low + offset)
        return 0 if row is None else row.line

    stretches = set(_stretches(module, made))
    found: dict[int, object] = {}
    places: set[int] = set()
    ends: set[int] = set()
    waits: list[int] = []  # they are part of the next instruction
    begin = 0  # of the stretch
    code, platform = code_of(opened, function)
    for each in instructions(code, 0, platform):
        if each.address in stretches:
            begin = each.address
        if each.decoded.opcode is Opcode.SYNC:
            waits.append(each.address)
            continue
        row = info.lines.row_at(function.low + each.address)
        lanes = each.decoded.execution_size, each.decoded.channel_offset
        operation = each.decoded.opcode, each.decoded.predicate  # that may leave out lanes
        kind = operation, lanes, row and (row.line, row.column)
        offsets = [*waits, each.address]
        found |= dict.fromkeys(offsets, kind)
        if not stretches.isdisjoint(offsets):
            places.update(offsets)
        waits.clear()
        if each.decoded.opcode is Opcode.JMPI and each.decoded.predicate is Predicate.NONE:
            target = each.address + (each.decoded.jip or 0)
            is_back = target <= each.address
            if is_back and line(begin) == line(each.address) != line(target):
                ends.add(begin)
    kinds = stopped_kinds(found, places)
    return LineCode({at: kind for at, kind in kinds.items() if at not in ends}, ends)


def _stretches(module: Path, made: Kernel) -> list[int]:
    """The offsets in the kernel at which code of another line begins, inlined functions left
    out."""
    info = DebugInfo.of(Module.open(module))
    assert info is not None
    (function,) = (each for each in info.functions if each.name == "k")
    rows = list(info.lines.rows_between(function.low, function.high))
    return [
        row.address - function.low
        for before, row in pairwise(rows)
        if row.line != before.line
        and row.line in made.scopes
        and not info.inlined_calls_at(row.address)
    ]


def compared(
    build: str,
    module: Path,
    made: Kernel,
    log: list[dict[int, list[Visit]]],
    every: bool = False,
) -> Comparison:
    """Runs a kernel with a breakpoint at every line, or at every stretch of a line's code."""
    found = Comparison(made, log)
    silent = {"output": lambda stream, text: None}
    with opening.launch(command(module), sim=build.split("-")[1], **silent) as session:  # type: ignore[arg-type]
        for line in made.scopes:
            session.break_at(f"kernel.cl:{line}")
        for _ in range(STOPS):
            stop = session.continue_(timeout=100)
            if isinstance(stop, Exited):
                return found
            assert stop is not None, "the program hangs"
            for hit in stop:
                if every:
                    low = hit.thread.module.code_range_at(hit.thread.pc)[0]
                    for offset in _stretches(module, made):
                        session.break_at(f"*{low + offset:#x}")
                    every = False
                found.take(hit.thread, lanes_of(hit.thread.active_lanes))
        session.kill()
    return found


def main(build: str, folder: str, twins: str, *names: str) -> None:
    every = names[:1] == ("--every",)
    results = {}
    modules, twin_modules = Path(folder).resolve(), Path(twins).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        write_inputs()
        for name in names[every:]:
            made = kernel_of(name)
            log = log_of(made, twin_modules / f"{name}.zebin", Path(scratch))
            if result_of(modules / f"{name}.zebin", build) != Path(_RESULT).read_bytes():
                results[name] = {"counts": {MISCOMPILED: 1}, "wrong": [], "reasons": {}}
                continue
            comparison = compared(build, modules / f"{name}.zebin", made, log, every)
            code = _line_code(modules / f"{name}.zebin", made) if every else None
            counts, wrong = comparison.counts(every, code)
            reasons = comparison.reasons
            results[name] = {"counts": counts, "wrong": wrong[:_SHOWN], "reasons": reasons}
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
