"""``info locals`` and ``info args``: the variables of the selected frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.describe.constant_values import module_constants
from zedbg.commands.describe.core_answers import core_constants, core_source_argument
from zedbg.commands.describe.program_images import program_image
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Category, Invocation, Requirement, builtin
from zedbg.commands.framework.evaluation import expression_context, format_options
from zedbg.commands.rows.image_rows import ImageConstant
from zedbg.commands.rows.row import Nothing, Row, to_json
from zedbg.commands.rows.value_rows import ArgumentRow, VariableRow, doubt_of, source_name
from zedbg.engine.memory.argument_values import argument_value
from zedbg.sycl.kernel_names import demangled
from zedbg.values.expressions import api
from zedbg.values.formats.formatting import format_value, type_name
from zedbg.values.typed.value import Value
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments


@builtin.command(
    "info locals",
    Category.STATUS,
    "Show the local variables of the selected frame, in the focused lane",
    requires=Requirement.STOPPED_THREAD,
    python="{frame}.variables  # with the arguments",
)
def info_locals_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _need_debug_info(context)
    return frame_variables(context, parameters=False) or [Nothing("No locals.")]


@builtin.command(
    "info args",
    Category.STATUS,
    "Show the arguments of the selected frame, in the focused lane",
    requires=Requirement.STOPPED_THREAD,
    description="Without debug info these are the kernel's arguments as zeinfo declares them, with "
    "the values that the host passed. The passed value is also shown where optimised code no "
    "longer has one. For the kernel of a SYCL program the specialization constants follow.",
)
def info_args_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: Sequence[Row]
    if context.thread.debug_info is None:
        rows = _payload_arguments(context)
    else:
        rows = _with_passed(context, frame_variables(context, parameters=True))
    return [*rows, *_constants(context)] or [Nothing("No arguments.")]


def _need_debug_info(context: CommandContext) -> None:
    thread = context.thread
    if thread.debug_info is None:
        raise CommandError(f"No debug info for this module: {thread.debug_info_advice}.")


def _with_passed(context: CommandContext, rows: list[VariableRow]) -> list[VariableRow]:
    """``rows`` of a kernel's frame, with what the host passed where an argument has no value."""
    kernel = context.thread.kernel
    if kernel is None or kernel.info is None:
        return rows
    if context.frame.location.function not in (kernel.name, demangled(kernel.name)):
        return rows
    arguments = {each.name: each for each in kernel_arguments(kernel.info) if each.name}
    found = []
    for row in rows:
        argument = arguments.get(row.name)
        if argument is not None and isinstance(row.value, dict) and "missing" in row.value:
            passed = argument_value(context.thread, argument)
            if isinstance(passed, int | float):
                is_address = argument.kind is not ArgumentKind.VALUE
                shown = f"{passed:#x}" if is_address and isinstance(passed, int) else f"{passed}"
                text = f"{row.text}, {shown} was passed"
                row = replace(row, text=text, passed=passed)
        found.append(row)
    return found


def frame_variables(context: CommandContext, *, parameters: bool) -> list[VariableRow]:
    """The parameters of the selected frame, or its other variables, in the focused lane."""
    options = format_options(context)
    rows: list[VariableRow] = []
    focus, function = context.focus, context.frame.location.function
    for each in api.variables(expression_context(context), parameters=parameters):
        value, name = each.values.first, each.variable.name or ""
        text = format_value(value, options)
        shown = (focus.thread.id, focus.lane, function, each.scope.low, name)
        rows.append(
            VariableRow(
                name,
                type_name(each.variable.type),
                value.plain() if isinstance(value, Value) else to_json(value),
                text,
                changed=context.has_changed(shown, text),
                source=source_name(value),
                doubtful=doubt_of(value),
            )
        )
    return rows


def _payload_arguments(context: CommandContext) -> list[Row]:
    thread = context.thread
    kernel = thread.kernel
    if kernel is None or kernel.info is None:
        raise CommandError("No kernel is known here.")
    image = program_image(context, thread.module)
    rows: list[Row] = []
    for argument in kernel_arguments(kernel.info):
        rows.append(
            ArgumentRow(
                index=argument.index,
                name=argument.name,
                type=argument.type_name,
                kind=argument.kind.value,
                size=argument.size or 0,
                value=to_json(argument_value(thread, argument)),
                source_index=core_source_argument(context, thread, argument.index)
                if image is None
                else image.source_argument(kernel.name, argument.index),
            )
        )
    return rows


def _constants(context: CommandContext) -> tuple[ImageConstant, ...]:
    """The specialization constants of the focused thread's module, with their values."""
    module = context.thread.module
    saved = () if module is None else core_constants(context, module)
    return saved or module_constants(context, module)
