"""Commands that make breakpoints, list and delete them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.commands.describe import places
from zedbg.commands.describe.breakpoint_rows import BreakpointSet, breakpoint_row
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.framework.python_calls import called, quoted
from zedbg.commands.logpoints import split_log
from zedbg.commands.rows.row import Nothing, Row
from zedbg.dwarf import DebugInfoError
from zedbg.engine.breakpoints.breakpoint import Breakpoint, BreakpointOptions
from zedbg.engine.modules.place_specs import LineSpec, parse_spec
from zedbg.xe.coordinates import lanes_of, parse_threads

_LOCATION = Argument(
    "location",
    Kind.LOCATION,
    "LINE, +LINES, FILE:LINE, FUNCTION, FILE:FUNCTION, kernel GLOB or *ADDRESS, then [thread ID] "
    '[workitem X,Y,Z] [workgroup X,Y,Z] [if CONDITION] [log "TEXT {EXPRESSION}"]; '
    "default: the current line",
    optional=True,
    rest=True,
)
NUMBERS = Argument(
    "numbers", Kind.BREAKPOINT, "breakpoint numbers; default: all", optional=True, rest=True
)
_RESTRICTION = re.compile(r"(?:^|\s+)(thread|workitem|workgroup)\s+(\S+)\s*$")


def _break_in_python(context: CommandContext, invocation: Invocation) -> str:
    return _in_python(context, invocation)


def _tbreak_in_python(context: CommandContext, invocation: Invocation) -> str:
    return _in_python(context, invocation, "temporary=True")


def _in_python(context: CommandContext, invocation: Invocation, *more: str) -> str:
    text, log = split_log(invocation.optional(0) or "")
    request = _split(text)
    if not request.place or "thread" in request.restrictions:
        return ""
    given = [quoted(request.place), *more]
    for word, name in (("workitem", "work_item"), ("workgroup", "work_group")):
        if word in request.restrictions:
            given.append(f"{name}={work_coordinates(request.restrictions[word], word)}")
    if request.condition is not None:
        given.append(f"condition={quoted(request.condition)}")
    if log is not None:
        given.append(f"log={quoted(log)}")
    return called("session.breakpoints.add", given)


@builtin.command(
    "break",
    Category.BREAKPOINTS,
    "Set a breakpoint at a line, a function or an address",
    aliases=("b", "br", "hbreak", "hb"),
    arguments=(_LOCATION,),
    example="break vadd.cl:3 if i == 17",
    description="A location that no loaded module has stays pending until a module with it is "
    "loaded. The condition is evaluated in every active lane; the stop names the lanes where it "
    "is true. With log, the breakpoint does not stop: it prints the text for the lanes that hit, "
    "with the value of each {EXPRESSION}.",
    python=_break_in_python,
)
def break_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _break(context, invocation, temporary=False)


@builtin.command(
    "tbreak",
    Category.BREAKPOINTS,
    "Set a temporary breakpoint: it is deleted when it is hit",
    aliases=("tb", "thbreak"),
    arguments=(_LOCATION,),
    python=_tbreak_in_python,
)
def tbreak_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _break(context, invocation, temporary=True)


@dataclass(frozen=True)
class _Request:
    """What ``break`` was given: a place, the words that restrict it, a condition."""

    place: str
    restrictions: dict[str, str]
    condition: str | None


def _break(context: CommandContext, invocation: Invocation, *, temporary: bool) -> Sequence[Row]:
    text, log = split_log(invocation.optional(0) or "")
    return _set(context, text, {"log": log}, temporary)


@builtin.command(
    "dprintf",
    Category.BREAKPOINTS,
    "Print formatted output at a location, without stopping",
    arguments=(Argument("location", Kind.LOCATION, 'PLACE,"FORMAT",EXPRESSION...', rest=True),),
    example='dprintf vadd.cl:4,"i=%d\\n",i',
    description="PLACE is as for break. Lanes with the same text share a line. %v4f prints a "
    "vector of four.",
)
def dprintf_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    match = re.fullmatch(r'([^"]*),\s*(".*)', invocation.text(0))
    if match is None:
        raise UsageError("Format string required")
    return _set(context, match[1].strip(), {"printf": match[2]}, temporary=False)


def _set(
    context: CommandContext, text: str, log: BreakpointOptions, temporary: bool
) -> Sequence[Row]:
    request = _split(text)
    options = _restrictions(context, request.restrictions) | log
    where = request.place or f"*{context.frame.pc:#x}"
    where = places.named_place(context, where)
    _require_place(context, where)
    options["condition"] = request.condition
    breakpoint_ = context.session.break_at(where, temporary=temporary, **options)
    return [BreakpointSet.of(breakpoint_row(breakpoint_, _why_no_line(context, breakpoint_)))]


def _why_no_line(context: CommandContext, breakpoint_: Breakpoint) -> str | None:
    """Why a line is in none of the modules, all of which lack debug info; None where that is not
    so."""
    modules = [module for device in context.session.devices for module in device.modules]
    try:
        has_lines = any(module.debug_info is not None for module in modules)
    except DebugInfoError:
        return None
    if not modules or has_lines or not isinstance(breakpoint_.spec, LineSpec):
        return None
    return context.session.breakpoints.why_pending(breakpoint_)


def _split(text: str) -> _Request:
    """Parts ``vadd.cl:3 thread 1.2 if i > 3`` into place, restrictions and condition."""
    place, *condition = re.split(r"(?:^|\s+)if\s*(?=[\s(])", text, maxsplit=1)
    if condition and not condition[0].strip():
        raise UsageError("Missing condition after if.")
    restrictions: dict[str, str] = {}
    while match := _RESTRICTION.search(place):
        if match[1] in restrictions:
            raise UsageError(f"{match[1]} is given twice.")
        restrictions[match[1]] = match[2]
        place = place[: match.start()]
    return _Request(place.strip(), restrictions, condition[0].strip() if condition else None)


def _restrictions(context: CommandContext, words: dict[str, str]) -> BreakpointOptions:
    options: BreakpointOptions = {}
    if "thread" in words:
        options["thread"], options["lane"] = _one_thread(context, words["thread"])
    if "workitem" in words:
        options["work_item"] = work_coordinates(words["workitem"], "workitem")
    if "workgroup" in words:
        options["workgroup"] = work_coordinates(words["workgroup"], "workgroup")
    return options


def work_coordinates(text: str, what: str) -> tuple[int, int, int]:
    """``37,0,0``, ``(37,0,0)`` or ``37`` as three numbers; UsageError when it is not."""
    parts = re.split(r"[\s,]+", text.strip("() "))
    if len(parts) > 3 or not all(part.isdecimal() for part in parts):
        raise UsageError(f'"{text}" is not X,Y,Z, as in: {what} 37,0,0')
    x, y, z = (int(part) for part in (*parts, "0", "0")[:3])
    return x, y, z


def _one_thread(context: CommandContext, text: str) -> tuple[tuple[int, int], int | None]:
    patterns = parse_threads(text)
    if len(patterns) != 1 or not patterns[0].is_single:
        raise UsageError(f'"{text}" is not one thread, as in: thread 1.17 or thread 1.17:3')
    pattern = patterns[0]
    focus = context.session.focus
    device = pattern.device.first if pattern.device else 0
    number = pattern.thread.first if pattern.thread else 0
    if not device:
        device = focus.thread.device.number if focus else 1
    if not number:
        if focus is None:
            raise CommandError("No thread is selected.")
        number = focus.thread.number
    return (device, number), lanes_of(pattern.lanes)[0] if pattern.lanes else None


def _require_place(context: CommandContext, where: str) -> None:
    """CommandError for a place that no module has and, as far as is known, none can have, or that
    ``set breakpoint pending off`` does not wait for."""
    waits, spec = context.settings.text("breakpoint pending"), parse_spec(where)
    if waits == "on":
        return
    modules = [module for device in context.session.devices for module in device.modules]
    is_past_end = False
    for module in modules:
        try:
            if module.resolve(spec):
                return
            if isinstance(spec, LineSpec) and module.debug_info is not None:
                lines = module.debug_info.lines
                is_past_end |= spec.file is not None and bool(list(lines.files_matching(spec.file)))
        except DebugInfoError:
            return
    if waits == "off" or is_past_end:
        reason = context.session.breakpoints.why_no_place(spec)
        raise CommandError(
            f"No place {where}: {reason.rstrip('.')}. To wait for a module that has it: "
            "set breakpoint pending on"
        )


def selected_breakpoints(
    context: CommandContext, invocation: Invocation, position: int = 0
) -> list[Breakpoint]:
    """The breakpoints that the argument at ``position`` numbers, all when it was left out.

    Raises UsageError.
    """
    text = invocation.optional(position)
    if text is None:
        return list(context.session.breakpoints)
    found = []
    for given in re.split(r"[\s,]+", text.strip()):
        word = _number_of(context, given)
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if match is None:
            raise UsageError(f'Bad breakpoint number "{word}".')
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise UsageError(f"The range {word} ends before it begins.")
        inside = [each for each in context.session.breakpoints if first <= each.number <= last]
        # A single number has to be there; of a range those that are.
        found += [context.session.breakpoints.get(first)] if first == last else inside
    return found


def _number_of(context: CommandContext, word: str) -> str:
    """``$bpnum`` and the like as the number that it stands for."""
    if not re.fullmatch(r"\$\w*", word):
        return word
    value = context.evaluate(word)
    return str(int(value.number)) if value.is_scalar else word


def _delete_in_python(context: CommandContext, invocation: Invocation) -> str:
    if invocation.optional(0) is None:
        return "session.breakpoints.clear()"
    chosen = selected_breakpoints(context, invocation)
    return "\n".join(f"session.breakpoints[{each.number}].delete()" for each in chosen)


@builtin.command(
    "delete",
    Category.BREAKPOINTS,
    "Delete all or some breakpoints",
    aliases=("d", "delete breakpoints"),
    arguments=(NUMBERS,),
    example="delete 1 3-5",
    repeats=Repeat.NO,
    python=_delete_in_python,
)
def delete_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    selected = selected_breakpoints(context, invocation)
    if invocation.optional(0) is None and selected:
        context.require_confirmation("Delete all breakpoints?")
    for breakpoint_ in selected:
        context.session.breakpoints.delete(breakpoint_)
    return []


@builtin.command(
    "info breakpoints",
    Category.STATUS,
    "List the breakpoints",
    aliases=("info b", "info br"),
    arguments=(NUMBERS,),
    example="info breakpoints 2",
    description="Each with its places, or why it is pending.",
    python="print(*session.breakpoints, sep='\\n')",
)
def info_breakpoints_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = [
        breakpoint_row(each, context.session.breakpoints.why_pending(each))
        for each in selected_breakpoints(context, invocation)
    ]
    return rows or [Nothing("No breakpoints.")]


@builtin.command(
    "info watchpoints",
    Category.STATUS,
    "List the watchpoints",
    arguments=(NUMBERS,),
)
def info_watchpoints_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    chosen = selected_breakpoints(context, invocation)
    rows: list[Row] = [breakpoint_row(each) for each in chosen if each.watch is not None]
    return rows or [Nothing("No watchpoints.")]
