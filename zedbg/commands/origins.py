"""Commands that say where values came from, in a launch that is recorded."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from zedbg.commands.describe.places import short_file
from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context, format_options
from zedbg.commands.rows.origin_rows import HistoryPlot, HistoryRow, InstantRow, OriginRow
from zedbg.commands.rows.row import Nothing, Row, Text, to_json
from zedbg.commands.scripting.files import user_path
from zedbg.engine.origins.asking import Question, ask_here, asking_launch
from zedbg.engine.origins.history import PastValue, history
from zedbg.engine.origins.origin import Instant, Origin
from zedbg.engine.threads.device import Device
from zedbg.values.formats.formatting import format_value
from zedbg.values.tables.plot import plot
from zedbg.values.typed.value import Value
from zedbg.xe.flow.places import ConstantPlace, MemoryPlace, OtherPlace, RegisterPlace, Role, Space
from zedbg.xe.isa.names import DataType
from zedbg.xe.registers import Register

_OPTION = re.compile(r"(?:^|\s)--(\w+)(?:[\s=]+(\S+))?")
_MOST_WRITES = 200  # that history shows, without --limit
_SHORT_ADDRESS = 1 << 32  # numbers from here on are more easily read in base 16


class _Options(NamedTuple):
    expression: str
    values: dict[str, str]

    def number(self, name: str, otherwise: int) -> int:
        text = self.values.get(name)
        if text is None:
            return otherwise
        if not text.isdecimal():
            raise UsageError(f"--{name} needs a number.")
        return int(text)


def _options(text: str, known: Sequence[str]) -> _Options:
    """``text`` without its options. Raises UsageError."""
    values = {}
    for name, value in _OPTION.findall(text):
        if name not in known:
            raise UsageError(f"--{name} is no option here: {', '.join(f'--{k}' for k in known)}.")
        values[name] = value
    expression = _OPTION.sub("", text).strip()
    if not expression:
        raise UsageError("An expression is missing.")
    return _Options(expression, values)


_EXPRESSION = Argument(
    "expression",
    Kind.EXPRESSION,
    "a variable, an element of a buffer, a register: anything that lies somewhere",
    rest=True,
)


@builtin.command(
    "origin",
    Category.DATA,
    "Say which instruction wrote a value, from what, and where that came from",
    arguments=(_EXPRESSION,),
    requires=Requirement.PROCESS,
    example="origin out[5] --depth 3",
    description="The last write to the value in the focused lane: time, work-item, line, and the "
    "operands that it was made from, with their values then. Copies are followed, through "
    "registers, memory and shared local memory, also to other work-items, to the instruction that "
    "computed the value, or to an argument, an id, or what a buffer had before the launch.\n"
    "--depth N does the same with the operands, N computations deep. --launch N: in a launch that "
    "has ended, where no thread is stopped; the expression is that of its first work-item, and "
    "what it names has to be in memory. goto TIME shows the moment.",
)
def origin_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    options = _options(invocation.text(0), ("depth", "launch"))
    depth = options.number("depth", 1)
    with _question(context, options) as question:
        found = question.origin(max(depth, 1))
        return list(_OriginRows(context, question).of(found))


@builtin.command(
    "history",
    Category.DATA,
    "List all writes to a value",
    arguments=(_EXPRESSION,),
    requires=Requirement.PROCESS,
    example="history sum",
    description="Each write with its time, line, work-item, and the value after it, and a small "
    "plot. Of a register: since the work of its thread began. --limit N: only the last N writes, "
    "200 without; --csv FILE writes them to a file; --launch N as for origin.",
)
def history_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    options = _options(invocation.text(0), ("limit", "csv", "launch"))
    limit = options.number("limit", _MOST_WRITES)
    with _question(context, options) as question:
        if len(question.places) != 1:
            raise CommandError(
                f"{question.text} lies in {len(question.places)} places: ask for a part of it."
            )
        found = history(
            *(question.moments, question.places[0], question.before, question.owner), limit
        )
        rows = [_history_row(context, question, each) for each in reversed(found)]
    if not rows:
        return [Nothing(f"Nothing has written {question.text}.")]
    shown: list[Row] = [*rows]
    numbers = [row.value for row in rows if isinstance(row.value, int | float)]
    if lines := plot(numbers):
        shown.append(HistoryPlot(tuple(lines)))
    if len(rows) == limit:
        shown.append(Text(f"Only the last {limit} writes are shown: --limit N shows more."))
    if "csv" in options.values:
        path = user_path(options.values["csv"])
        path.write_text(_csv(rows))
        shown.append(Text(f"Wrote {len(rows)} writes to {path}."))
    return shown


@contextmanager
def _question(context: CommandContext, options: _Options) -> Iterator[Question]:
    session = context.session
    with session.condition:  # no event is taken while the device shows other moments
        focus, travel = session.focus, session.time
        shown = travel.moment() if travel.is_in_past else None
        if "launch" in options.values or focus is None:
            device = (
                _recording_device(context)
                if focus is None
                else session.device(focus.thread.device.number)
            )
            launch = options.number("launch", 0)
            with asking_launch(options.expression, device, shown, launch) as asked:
                yield asked
            return
        device = session.device(focus.thread.device.number)
        within = expression_context(context)
        question = ask_here(options.expression, focus.thread, within, device, shown)
        with question.moments.travelling():
            yield question


def _recording_device(context: CommandContext) -> Device:
    """The first device that records launches."""
    devices = context.session.devices
    found = next((each for each in devices if each.debug.time is not None), None)
    if found is None and not devices:
        raise CommandError("The program has not used a device yet.")
    return found or devices[0]


class _OriginRows:
    """The rows of a tree of origins."""

    def __init__(self, context: CommandContext, question: Question) -> None:
        self._context = context
        self._question = question
        self._shown: dict[tuple[object, ...], int] = {}
        self._count = 0

    def of(self, root: Origin) -> Iterator[OriginRow]:
        options = format_options(self._context)
        text = format_value(self._question.value, options)
        yield from self._rows(root, None, 0, self._question.text, text)

    def _rows(
        self, node: Origin, parent: int | None, level: int, name: str, text: str | None = None
    ) -> Iterator[OriginRow]:
        self._count += 1
        number = self._count
        key = self._key(node)
        known = self._shown.get(key) if node.is_followed else None
        if node.is_followed and known is None:
            self._shown[key] = number
        beginning = node.beginning
        place = self._place(node)
        yield OriginRow(
            number=number,
            parent=parent,
            level=level,
            role=node.role.value,
            name=name,
            place=place,
            value=to_json(node.number),
            text=text or _number_text(node),
            instants=() if known else tuple(self._instants(node)),
            beginning=None if beginning is None or known else beginning.text,
            beginning_kind=None if beginning is None else beginning.kind.value,
            followed=node.is_followed or beginning is not None,
            same_as=known,
            doubtful=node.doubt,
            part_of=None if known else to_json(node.part_of),
        )
        if known:
            return
        for part in node.parts:
            yield from self._rows(part, number, level + 1, "part " + self._place(part))
        for source in node.sources:
            yield from self._rows(source, number, level + 1, self._place(source))

    def _key(self, node: Origin) -> tuple[object, ...]:
        times = tuple((each.time, each.address) for each in node.instants())
        return (times, node.place) if times else (node.place, node.before, node.owner)

    def _place(self, node: Origin) -> str:
        match node.place:
            case RegisterPlace() as place:
                layout = self._question.moments.device.register_layout.get(place.kind)
                return _register_text(place, 4 if layout is None else layout.byte_size, node.type)
            case MemoryPlace(space, address, size):
                kind = "slm" if space is Space.LOCAL else "memory"
                return f"{kind} {address:#x}:{size}"
            case ConstantPlace():
                return "constant"
            case OtherPlace(name):
                return name

    def _instants(self, node: Origin) -> Iterator[InstantRow]:
        for each in node.copies:
            yield instant_row(self._context, each, "copied")
        if node.made_by is not None:
            yield instant_row(self._context, node.made_by, "computed")


_UNTYPED = {8: "ub", 16: "uw", 32: "ud", 64: "uq"}


def _register_text(place: RegisterPlace, register_bytes: int, kind: DataType | None) -> str:
    """``r5.3:d`` as in assembly, where the place is an element; else the register with bits."""
    number, inside = divmod(place.first_bit, 8 * register_bytes)
    name = Register(place.kind, number).name
    suffix = _UNTYPED.get(place.bits)
    if kind is not None and not kind.is_packed and 8 * kind.element_size == place.bits:
        suffix = kind.value
    if suffix is not None and inside % place.bits == 0:
        return f"{name}.{inside // place.bits}:{suffix}"
    if place.bits == 1:
        return f"{name} bit {inside}"
    return f"{name} bits {inside}-{inside + place.bits - 1}"


def _number_text(node: Origin) -> str:
    number = node.number
    if isinstance(node.place, OtherPlace):
        return "?"
    if isinstance(number, float):
        return f"{number:.9g}"
    if node.role is Role.CONDITION:
        return f"{number:#x}" if node.bits > 1 else ("true" if number else "false")
    return f"{number:#x}" if abs(number) >= _SHORT_ADDRESS else str(number)


def instant_row(context: CommandContext, instant: Instant, does: str) -> InstantRow:
    """One instruction with its line of source."""
    place = instant.location
    lines = context.sources.lines(place.file) if place.file else None
    known = lines is not None and place.line is not None and 0 < place.line <= len(lines)
    source = lines[place.line - 1].strip() if lines and known and place.line else None
    return InstantRow(
        time=instant.time,
        does=does,
        work_item=instant.work_item,
        lane=instant.lane,
        thread=instant.thread,
        work_group=instant.group,
        file=short_file(place.file),
        line=place.line,
        function=place.function,
        source=source,
        address=instant.address,
        instruction=instant.instruction,
    )


def _history_row(context: CommandContext, question: Question, each: PastValue) -> HistoryRow:
    size = len(question.value.data)
    value = Value(question.value.type, each.value.to_bytes(size, "little"))
    return HistoryRow(
        value=value.plain(),
        text=format_value(value, format_options(context)),
        written_by=instant_row(context, each.written_by, "wrote"),
    )


def _csv(rows: Sequence[HistoryRow]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["time", "x", "y", "z", "lane", "thread", "file", "line", "value"])
    for row in rows:
        by = row.written_by
        place = by.work_item or ("", "", "")
        lane = "" if by.lane is None else by.lane
        writer.writerow([by.time, *place, lane, by.thread, by.file, by.line, row.text])
    return out.getvalue()
