"""Where a variable lies, in words: each entry of its location list, and what holds now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf import DebugInfo, Variable
from zedbg.missing import Missing, MissingError
from zedbg.values.recomputed.judgement import judgement
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.frame_context import frame_state, lookup_address
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.homes import (
    DataHome,
    Home,
    InterleavedHome,
    MemoryHome,
    PartlyKnownHome,
    PartsHome,
    RegisterHome,
)
from zedbg.values.typed.locate import locate


@dataclass(frozen=True)
class PlaceEntry:
    """``words`` says where the variable is while the pc is in ``low``..``high`` (after the last);
    ``lines`` are the source lines of that code; ``live``: the pc is there now."""

    low: int
    high: int
    lines: tuple[int, ...]
    words: str
    live: bool


def explain(context: ThreadContext, variable: Variable, lane: int) -> list[PlaceEntry]:
    """Every range of addresses in which ``variable`` has a place; empty when it has none.

    Addresses in memory are those of ``lane``, and only known where the pc is.
    """
    info = context.debug_info
    if info is None:  # the program has ended in this moment
        return []
    pc = lookup_address(context)
    found = []
    for low, high in _ranges(info, variable, pc):
        live = low <= pc < high
        words = _words(context, info, variable, pc if live else low, lane, live)
        found.append(PlaceEntry(low, high, _lines(info, low, high), words, live))
    return found


@dataclass(frozen=True)
class Evidence:
    """What speaks for a variable's value in a lane, and against it. ``recomputed``: its value by
    the module's SPIR-V, None where that is not known; ``words``: why it is believed."""

    recomputed: bytes | None
    words: str


def evidence(context: ThreadContext, variable: Variable, lane: int) -> Evidence:
    """Why the value that is shown of ``variable`` in ``lane`` is believed, or doubted."""
    recomputation = Recomputation.of(context)
    verdict = judgement(context, variable, (lane,))[0]
    if not recomputation.has_source:
        if verdict.doubt is not None:
            return Evidence(None, f"doubtful: {verdict.doubt}")
        return Evidence(None, "not checked: the module has no SPIR-V of this frame")
    if verdict.unknown is None:
        recomputed = recomputation.value(variable, lane)
        if verdict.agrees:
            return Evidence(recomputed, "checked: the module's SPIR-V gives the same value")
        return Evidence(
            recomputed,
            "computed again from the module's SPIR-V: the compiler gives no place that has it",
        )
    if verdict.doubt is not None:
        return Evidence(None, f"doubtful: {verdict.doubt}")
    if isinstance(verdict.home, PartlyKnownHome):
        return Evidence(None, f"a part of it is computed again, not the rest: {verdict.unknown}")
    if isinstance(verdict.home, Missing):
        return Evidence(None, f"cannot be computed again either: {verdict.unknown}")
    return Evidence(None, "in memory, as in the module's SPIR-V")


def _ranges(info: DebugInfo, variable: Variable, pc: int) -> Iterator[tuple[int, int]]:
    if variable.entries:
        yield from ((entry.low, entry.high) for entry in variable.entries)
    elif variable.is_located:
        function = info.function_at(pc)
        yield (function.low, function.high) if function is not None else (pc, pc + 1)


def _lines(info: DebugInfo, low: int, high: int) -> tuple[int, ...]:
    rows = [info.lines.row_at(low), *info.lines.rows_between(low, high)]
    return tuple(sorted({row.line for row in rows if row is not None and row.line}))


def _words(
    context: ThreadContext, info: DebugInfo, variable: Variable, address: int, lane: int, live: bool
) -> str:
    try:
        home = locate(
            info, variable, frame_state(context), address, (lane,), context.active_lanes | 1 << lane
        )[0]
    except MissingError as error:
        home = error.missing
    return home.reason if isinstance(home, Missing) else home_words(home, live)


def home_words(home: Home | None, live: bool = True) -> str:
    """A home in words; without ``live`` memory has no address, since registers decide on it."""
    match home:
        case None:
            return "nowhere"
        case RegisterHome(register, bit_offset):
            return f"in {register.name} from bit {bit_offset}"
        case MemoryHome(space, address):
            where = f" at {address:#x}" if live else ""
            return f"in {space.value} memory{where}"
        case InterleavedHome(space, address, partition, step):
            where = f" from {address:#x} on" if live else ""
            parts = f"{partition} bytes every {step}, between those of the other lanes"
            return f"in {space.value} memory{where}, {parts}"
        case DataHome() | PartlyKnownHome():
            return "computed: it lies nowhere, but its value is known"
        case PartsHome(parts):
            each = (f"{part.bit_size} bits {home_words(part.home, live)}" for part in parts)
            return "in parts: " + ", ".join(each)
