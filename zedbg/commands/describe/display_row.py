"""What a display shows, as a row."""

from __future__ import annotations

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.evaluation import expression_context
from zedbg.commands.framework.remembered import Display
from zedbg.commands.rows.row import Text
from zedbg.commands.rows.value_rows import DisplayRow
from zedbg.engine.engine_errors import EngineError
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.expressions import api
from zedbg.values.source.frame_context import visible_variable
from zedbg.values.typed.evaluation_error import EvaluationError


def frame_variables(context: CommandContext, text: str) -> frozenset[tuple[str, str, int]]:
    """The variables of the selected frame that an expression names: name, file and line."""
    within = expression_context(context)
    try:
        names = api.Expression(text, within.debug_info).names
    except EvaluationError:
        return frozenset()
    found = [visible_variable(name, within) for name in names]
    return frozenset(
        (each.name, each.file.path if each.file else "", each.line) for each in found if each
    )


def shown_displays(context: CommandContext) -> list[DisplayRow]:
    """What is enabled, and made of variables that the selected frame has, as in GDB."""
    return [
        display_row(context, each)
        for each in context.displays.values()
        if each.enabled and each.variables <= frame_variables(context, each.expression)
    ]


def display_row(context: CommandContext, display: Display) -> DisplayRow:
    """What a display shows now, or why it cannot show anything."""
    examined = context.examined
    try:
        rows = tuple(context.execute(display.command))
    except (CommandError, EvaluationError, EngineError, LevelZeroError) as error:
        rows = (Text(f"<{str(error).removesuffix('.')}>"),)
    finally:
        context.examined = examined
    return DisplayRow(display.number, display.expression, display.flags, rows)
