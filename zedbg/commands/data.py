"""Commands that show and change values: print, output, printf, set var, whatis, ptype."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    builtin,
)
from zedbg.commands.framework.evaluation import (
    evaluate_lanes,
    expression_context,
    format_options,
    printf_text,
    remember,
    shown_type,
)
from zedbg.commands.framework.python_calls import focused_lane, quoted, selected_frame
from zedbg.commands.rows.row import Row, Text, to_json
from zedbg.commands.rows.value_rows import (
    LaneValueRow,
    TypeRow,
    ValueRow,
    doubt_of,
    source_name,
)
from zedbg.commands.workitems import print_work_items
from zedbg.dwarf.types.program_types import VOID, StructType
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.expressions import api
from zedbg.values.formats.formatting import FormatOptions, format_value, type_name
from zedbg.values.formats.layout import type_lines
from zedbg.values.operands.convenience_functions import ConvenienceFunction
from zedbg.xe.coordinates import lanes_of

_EXPRESSION = Argument("expression", Kind.EXPRESSION, "C expression", rest=True)
_PRINTED = Argument(
    "expression",
    Kind.EXPRESSION,
    "[OPTIONS --] C expression; default: the value that was printed last",
    optional=True,
    rest=True,
)
_LANE_FLAG = "l"
_SHOWN_VALUES = 10
_MOST_DIGITS = 10
_WORK_ITEM_FLAG = "w"


def _print_in_python(context: CommandContext, invocation: Invocation) -> str:
    expression, flags = quoted(invocation.optional(0) or ""), invocation.flags
    if expression.startswith(('""', '"-', '"$')) or " --csv " in expression:
        return ""  # what the API has not: options, the history of values
    if flags == _WORK_ITEM_FLAG:
        return f"session.stop[{expression}].over_work_items()"
    if flags == _LANE_FLAG:
        return f"{selected_frame(context)}[{expression}].lanes"
    lane = focused_lane(context)
    return "" if flags else f"{selected_frame(context)}[{expression}][{lane}]"


def _set_in_python(context: CommandContext, invocation: Invocation) -> str:
    text, lane = quoted(invocation.text(0)), focused_lane(context)
    return f"{selected_frame(context)}.evaluate({text}, [{lane}])"


@builtin.command(
    "print",
    Category.DATA,
    "Show the value of an expression",
    aliases=("p", "inspect"),
    arguments=(_PRINTED,),
    flags="FMT",
    example="print/l in[i]",
    description="FMT is a format as in GDB (x d u o t c f a z s; f16, bf16; r without "
    "pretty-printers), and l for every active lane, one row a lane, or w for every stopped "
    "work-item of the kernel, with a summary; "
    "print/w EXPRESSION --csv FILE --npy FILE writes those to files.\n"
    "Options stand before the expression, for it alone: -elements N, -repeats N, -pretty, -symbol; "
    "-- ends them.\n"
    "Registers are $r10, $r10.f[3], $cr0[1], $pc; $_global_id, $_local_id, $_lane and friends "
    "name the work: help convenience lists them.",
    python=_print_in_python,
)
def print_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _printed(context, invocation, keep=True)


@builtin.command(
    "call",
    Category.DATA,
    "Evaluate an expression, and show its value unless it is void",
    arguments=(_EXPRESSION,),
    flags="FMT",
    description="Functions of the program cannot be called: no thread of the GPU is free for it.",
)
def call_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    expression = api.Expression(invocation.text(0), expression_context(context).debug_info)
    if expression.type(expression_context(context)).stripped() is VOID:
        context.evaluate(invocation.text(0))
        return []
    return _printed(context, invocation, keep=True)


def _printed(context: CommandContext, invocation: Invocation, *, keep: bool) -> Sequence[Row]:
    settings, text = _options(invocation.optional(0) or "")
    if not settings:
        return _evaluated(context, text or "$", invocation.flags, keep=keep)
    before = {name: context.settings.text(name) for name in settings}
    try:
        for name, value in settings.items():
            context.settings.set(name, value)
        return _evaluated(context, text or "$", invocation.flags, keep=keep)
    finally:
        for name, value in before.items():
            context.settings.set(name, value)


def _options(text: str) -> tuple[dict[str, str], str]:
    """Parts ``-elements 3 -pretty -- a`` into settings with their values, and the expression."""
    if not text.startswith("-"):
        return {}, text
    settings: dict[str, str] = {}
    rest = text
    while match := re.match(r"-(elements|repeats|pretty|symbol)\b\s*", rest):
        name, rest = f"print {match[1]}", rest[match.end() :]
        value = re.match(r"(\d+|unlimited)\b\s*|(on|off|yes|no)\b\s*", rest)
        is_number = match[1] in ("elements", "repeats")
        if is_number and (value is None or value[1] is None):
            raise UsageError(f"-{match[1]} needs a number.")
        taken = value if value is not None and (is_number or value[2]) else None
        settings[name] = taken[0].strip() if taken else "on"
        rest = rest[taken.end() :] if taken else rest
    if not settings:
        return {}, re.sub(r"^--\s+", "", text)
    return settings, re.sub(r"^--(\s+|$)", "", rest)


def _evaluated(context: CommandContext, text: str, flags: str, *, keep: bool) -> Sequence[Row]:
    letters = flags
    per_lane, per_item = _LANE_FLAG in letters, _WORK_ITEM_FLAG in letters
    for letter in (_LANE_FLAG, _WORK_ITEM_FLAG):
        letters = letters.replace(letter, "", 1)
    if letters[:1].isdigit():
        raise UsageError("print takes no count: use x, or EXPRESSION@N for an array.")
    options = format_options(context, letters)
    if (per_item or per_lane) and text == "$":
        raise UsageError("print needs EXPRESSION.")
    if per_item:
        return print_work_items(context, text, options)
    if per_lane:
        return _lane_rows(context, text, options)
    value = evaluate_lanes(context, text).first
    if isinstance(value, Missing):
        return [ValueRow(text, "", to_json(value), format_value(value), None)]
    number = remember(context, value) if keep else None
    return [
        ValueRow(
            text,
            type_name(value.type),
            value.plain(),
            format_value(value, options),
            number,
            source_name(value),
            value.doubt,
        )
    ]


def _lane_rows(context: CommandContext, text: str, options: FormatOptions) -> Sequence[Row]:
    thread = context.thread
    lanes = lanes_of(expression_context(context).active_lanes)
    if not lanes:
        raise CommandError(f"Thread {thread.id} has no active lane here.")
    global_ids = thread.global_ids()
    return [
        LaneValueRow(
            lane,
            global_ids if isinstance(global_ids, Missing) else global_ids[lane],
            to_json(value) if isinstance(value, Missing) else value.plain(),
            format_value(value, replace(options, lane=lane)),
            doubt_of(value),
        )
        for lane, value in evaluate_lanes(context, text, lanes)
    ]


@builtin.command(
    "whatis",
    Category.DATA,
    "Show the type of an expression",
    arguments=(_EXPRESSION,),
)
def whatis_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    within = expression_context(context)
    expression = api.Expression(invocation.text(0), within.debug_info)
    return [Text(f"type = {shown_type(context, expression.type(within))}")]


@builtin.command(
    "ptype",
    Category.DATA,
    "Show a type, or that of an expression, with its members",
    arguments=(_EXPRESSION,),
    flags="o",
    example="ptype/o struct S",
    description="/o shows offsets, sizes and holes.",
)
def ptype_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    within = expression_context(context)
    found = api.Expression(invocation.text(0), within.debug_info).type(within)
    stripped = found.stripped()
    members = stripped.members if isinstance(stripped, StructType) else []
    return [
        TypeRow(
            shown_type(context, found),
            found.size,
            tuple(
                {
                    "name": member.type.name if member.is_base else member.name,
                    "type": type_name(member.type),
                    "offset": member.offset,
                    "size": member.type.size,
                    **({"bits": member.bit_size} if member.bit_size else {}),
                }
                for member in members
            ),
            tuple(type_lines(found, "o" in invocation.flags)),
        )
    ]


@builtin.command(
    "output",
    Category.DATA,
    "Show the value of an expression without keeping it in the history",
    arguments=(_EXPRESSION,),
    flags="FMT",
    description="FMT is as for print.",
)
def output_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _printed(context, invocation, keep=False)


@builtin.command(
    "printf",
    Category.DATA,
    "Print values as C's printf does, in the focused lane",
    arguments=(Argument("format", Kind.EXPRESSION, '"FORMAT",EXPRESSION...', rest=True),),
    example='printf "i=%d a[i]=%g\\n", i, a[i]',
    description="Vectors are %v4f and the like, as in OpenCL C.",
)
def printf_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    written = printf_text(context, invocation.text(0))
    return [Text(line) for line in written.removesuffix("\n").split("\n")]


@builtin.command(
    "set var",
    Category.DATA,
    "Change a variable, a register or memory, in the focused lane",
    aliases=("set variable",),
    arguments=(Argument("assignment", Kind.EXPRESSION, "TARGET = EXPRESSION", rest=True),),
    example="set var i = 3",
    python=_set_in_python,
)
def set_var_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.evaluate(invocation.text(0))
    return []


@builtin.command(
    "show values",
    Category.DATA,
    "Show the values that were printed last",
    arguments=(
        Argument("number", Kind.NUMBER, "those around value NUMBER; default: the last", True),
    ),
    description="$N is value number N, $ the last one.",
)
def show_values_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    history, text = context.session.variables.history, invocation.optional(0)
    if text is not None and not (text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS):
        raise UsageError(f'"{text}" is not a number.')
    last = len(history) if text is None else min(int(text) + _SHOWN_VALUES // 2, len(history))
    first = max(last - _SHOWN_VALUES, 0)
    options = format_options(context)
    return [
        Text(f"${number} = {format_value(value, options)}")
        for number, value in enumerate(history[first:last], start=first + 1)
    ]


@builtin.command(
    "show convenience",
    Category.DATA,
    "Show the names that begin with $ and have a value",
    aliases=("show conv",),
    description="help convenience says what zedbg's own names mean.",
)
def show_convenience_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = []
    for name in context.session.variables.names:
        if isinstance(context.session.variables.get(name), ConvenienceFunction):
            rows.append(Text(f"${name} = <internal function {name}>"))
            continue
        try:
            value = evaluate_lanes(context, f"${name}").first
        except UserError as error:
            rows.append(Text(f"${name} = <{error.line}>"))
        else:
            rows.append(Text(f"${name} = {format_value(value, format_options(context))}"))
    return rows or [Text("No names have a value: set $NAME = EXPRESSION gives one.")]
