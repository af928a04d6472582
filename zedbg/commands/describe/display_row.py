"""What a display shows, as a row."""

from __future__ import annotations

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.remembered import Display
from zedbg.commands.rows.row import Text
from zedbg.commands.rows.value_rows import DisplayRow
from zedbg.engine.engine_errors import EngineError
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.evaluation_error import EvaluationError


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
