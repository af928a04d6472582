"""Commands that show and change values: print, x, set var, info locals, info args."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.code import instruction_rows
from zedbg.commands.context import CommandContext, Examined
from zedbg.commands.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.errors import CommandError
from zedbg.commands.evaluation import evaluate, evaluate_lanes, expression_context, remember
from zedbg.commands.rows import (
    ArgumentRow,
    LaneValueRow,
    MemoryRow,
    Nothing,
    Row,
    Text,
    TypeRow,
    ValueRow,
    VariableRow,
    to_json,
)
from zedbg.commands.workitems import print_work_items
from zedbg.dwarf.types import ArrayType, PointerType, StructType
from zedbg.engine.thread import HardwareThread
from zedbg.values import api
from zedbg.values.context import MemorySpace, Missing
from zedbg.values.examine import ExamineFormat, examine
from zedbg.values.formatting import FormatOptions, format_value, type_name
from zedbg.values.homes import MemoryHome
from zedbg.values.layout import type_lines
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

_EXPRESSION = Argument("expression", Kind.EXPRESSION, "C expression", rest=True)
_LANE_FLAG = "l"
_WORK_ITEM_FLAG = "w"
_INSTRUCTION_BYTES = 16
_SLM_CLASS = 1  # DW_AT_address_class of pointers to shared local memory


def _options(context: CommandContext, letter: str) -> FormatOptions:
    return FormatOptions(letter, context.settings.number("print elements"))


@builtin.command(
    "print",
    Category.DATA,
    "Show the value of an expression",
    aliases=("p", "inspect"),
    arguments=(_EXPRESSION,),
    flags="FMT",
    requires=Requirement.STOPPED_THREAD,
    example="print/l in[i]",
    description="FMT is a format as in GDB (x d u o t c f a z), and l for every active lane, one "
    "row a lane, or w for every stopped work-item of the kernel, with a summary; "
    "print/w EXPRESSION --csv FILE --npy FILE writes those to files.\n"
    "Registers are $r10, $r10.f[3], $cr0[1], $pc; $_global_id, $_local_id, $_lane and friends "
    "name the work.",
)
def print_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _printed(context, invocation, keep=True)


def _printed(context: CommandContext, invocation: Invocation, *, keep: bool) -> Sequence[Row]:
    text = invocation.text(0)
    letters = invocation.flags
    per_lane, per_item = _LANE_FLAG in letters, _WORK_ITEM_FLAG in letters
    plain_letters = letters.replace(_LANE_FLAG, "", 1).replace(_WORK_ITEM_FLAG, "", 1)
    options = _options(context, plain_letters)
    if per_item:
        return print_work_items(context, text, options)
    if per_lane:
        return _lane_rows(context, text, options)
    value = evaluate_lanes(context, text).first
    if isinstance(value, Missing):
        return [ValueRow(text, "", to_json(value), format_value(value), None)]
    number = remember(context, value) if keep else None
    return [
        ValueRow(text, type_name(value.type), value.plain(), format_value(value, options), number)
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
            format_value(value, options),
        )
        for lane, value in evaluate_lanes(context, text, lanes)
    ]


@builtin.command(
    "whatis",
    Category.DATA,
    "Show the type of an expression",
    arguments=(_EXPRESSION,),
    requires=Requirement.STOPPED_THREAD,
)
def whatis_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    within = expression_context(context)
    expression = api.Expression(invocation.text(0), within)
    return [Text(f"type = {type_name(expression.type(within))}")]


@builtin.command(
    "ptype",
    Category.DATA,
    "Show a type, or that of an expression, with its members",
    arguments=(_EXPRESSION,),
    flags="o",
    requires=Requirement.STOPPED_THREAD,
    example="ptype/o struct S",
    description="/o shows offsets, sizes and holes.",
)
def ptype_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    within = expression_context(context)
    found = api.Expression(invocation.text(0), within).type(within)
    stripped = found.stripped()
    members = stripped.members if isinstance(stripped, StructType) else []
    return [
        TypeRow(
            type_name(found),
            found.size,
            tuple(
                {
                    "name": member.name,
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
    requires=Requirement.STOPPED_THREAD,
    description="FMT as in print.",
)
def output_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _printed(context, invocation, keep=False)


@builtin.command(
    "set var",
    Category.DATA,
    "Change a variable, a register or memory, in the focused lane",
    aliases=("set variable",),
    arguments=(Argument("assignment", Kind.EXPRESSION, "TARGET = EXPRESSION", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="set var i = 3",
)
def set_var_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    evaluate(context, invocation.text(0))
    return []


@builtin.command(
    "x",
    Category.DATA,
    "Examine memory",
    arguments=(
        Argument(
            "address",
            Kind.EXPRESSION,
            "address, or @slm OFFSET for shared local memory; goes on after the last one without",
            optional=True,
            rest=True,
        ),
    ),
    flags="FMT",
    requires=Requirement.STOPPED_THREAD,
    example="x/8xw in",
    description="FMT is a count, a format (x d u o t c f a s i) and a unit (b h w g), as in GDB.",
    repeats=True,
)
def x_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    last = context.examined
    format_ = ExamineFormat.parse(invocation.flags, last.format if last else None)
    space, address = _address(context, invocation.optional(0))
    if format_.letter == "i":
        rows: Sequence[Row] = _instructions(context, address, format_.count)
        end = address + format_.count * _INSTRUCTION_BYTES
    else:
        found = examine(expression_context(context), format_, address, space)
        rows = [
            MemoryRow(row.address, row.symbol, tuple(row.values), "\t".join(row.texts))
            for row in found.rows
        ]
        end = found.next_address
    context.examined = Examined(format_, space, end)
    return rows


def _address(context: CommandContext, text: str | None) -> tuple[MemorySpace, int]:
    if text is None:
        if context.examined is None:
            raise CommandError("x needs an address, as in: x/8xw in")
        return context.examined.space, context.examined.address
    space = MemorySpace.GLOBAL
    if text.startswith("@"):
        name, _, text = text[1:].partition(" ")
        try:
            space = MemorySpace(name)
        except ValueError:
            names = ", ".join(f"@{each.value}" for each in MemorySpace)
            raise CommandError(f'No address space "@{name}": one of {names}.') from None
    value = evaluate(context, text or "0")
    stripped = value.type.stripped()
    if isinstance(stripped, ArrayType) and value.home is not None:
        if isinstance(value.home, MemoryHome):
            return value.home.space, value.home.address
        raise CommandError(f"{text} is not in memory.")
    if isinstance(stripped, PointerType) and space is MemorySpace.GLOBAL:
        return _space_of(stripped, space), int(value.number)
    if not value.is_scalar:
        raise CommandError(f"{text} is not an address.")
    return space, int(value.number)


def _space_of(pointer: PointerType, default: MemorySpace) -> MemorySpace:
    """The address space that a pointer's address class names."""
    return MemorySpace.SLM if pointer.address_class == _SLM_CLASS else default


def _instructions(context: CommandContext, address: int, count: int) -> Sequence[Row]:
    thread = context.thread
    module = thread.device.module_at(address)
    bounds = module.code_range_at(address) if module else None
    if module is None or bounds is None:
        raise CommandError(f"No module has code at {address:#x}.")
    end = min(address + count * _INSTRUCTION_BYTES, bounds[1])
    return instruction_rows(context, thread.device, module, address, end, count=count)


@builtin.command(
    "info locals",
    Category.STATUS,
    "Show the local variables of the selected frame, in the focused lane",
    requires=Requirement.STOPPED_THREAD,
)
def info_locals_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _need_debug_info(context)
    return _variables(context, parameters=False) or [Nothing("No locals.")]


@builtin.command(
    "info args",
    Category.STATUS,
    "Show the arguments of the selected frame, in the focused lane",
    requires=Requirement.STOPPED_THREAD,
    description="Without debug info: the kernel's arguments as zeinfo declares them, from its "
    "payload.",
)
def info_args_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    if context.thread.debug_info is None:
        return _payload_arguments(context.thread)
    return _variables(context, parameters=True) or [Nothing("No arguments.")]


def _need_debug_info(context: CommandContext) -> None:
    if context.thread.debug_info is None:
        raise CommandError("No debug info for this module: compile with -g.")


def _variables(context: CommandContext, *, parameters: bool) -> list[Row]:
    options = _options(context, "")
    rows: list[Row] = []
    for each in api.variables(expression_context(context), parameters=parameters):
        value = each.values.first
        rows.append(
            VariableRow(
                each.variable.name or "",
                type_name(each.variable.type),
                value.plain() if isinstance(value, Value) else to_json(value),
                format_value(value, options),
            )
        )
    return rows


def _payload_arguments(thread: HardwareThread) -> Sequence[Row]:
    kernel = thread.kernel
    if kernel is None or kernel.info is None:
        raise CommandError("No kernel is known here.")
    names = {each.index: each for each in kernel.arguments}
    rows: list[Row] = []
    pointers: set[int] = set()
    for argument in kernel.info.payload_arguments:
        if argument.arg_index < 0 or argument.arg_type not in ("arg_bypointer", "arg_byvalue"):
            continue
        if argument.arg_type == "arg_bypointer":
            # The compiler asks for a surface's handle beside the address: the address is first.
            if argument.arg_index in pointers:
                continue
            pointers.add(argument.arg_index)
        known = names.get(argument.arg_index)
        data = thread.work.payload_bytes(argument.offset, argument.size)
        value = data if isinstance(data, Missing) else int.from_bytes(data, "little")
        rows.append(
            ArgumentRow(
                argument.arg_index,
                known.name if known else None,
                known.type_name or None if known else None,
                argument.arg_type,
                argument.size,
                to_json(value),
            )
        )
    return rows or [Nothing("No arguments.")]
