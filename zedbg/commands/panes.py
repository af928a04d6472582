"""A pane: a part of what is shown after each stop. Nothing is read for one that is not shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from zedbg.commands.code import instruction_rows
from zedbg.commands.describe import places
from zedbg.commands.describe.display_row import shown_displays
from zedbg.commands.describe.thread_groups import thread_groups
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.memory.shared_local import shared_local_size

_BYTES_OF_LINE = 16
_LONGEST_INSTRUCTION = 16


class BuiltinPane(ABC):
    """``name`` is what ``layout`` calls it; ``height``: how many lines it has if no other number is
    asked for."""

    name: str
    height: int

    @abstractmethod
    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        """What it shows now. Raises what the commands that it stands for raise."""


class SourcePane(BuiltinPane):
    """The lines around the current one."""

    name, height = "src", 11

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        location = context.frame.location
        rows = places.source_around(context, location, height // 2)
        return rows or [Text(f"The source of {location.file or 'this code'} is not found.")]


class CodePane(BuiltinPane):
    """The instructions around the current one."""

    name, height = "asm", 11

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        thread, pc = context.thread, context.frame.pc
        module = thread.module
        if module is None:
            return [Text(f"No module has code at {pc:#x}.")]
        bounds = module.function_range_at(pc) or (pc, pc + _LONGEST_INSTRUCTION)
        around = height // 2 * _LONGEST_INSTRUCTION
        first, end = max(bounds[0], pc - around), min(bounds[1], pc + around + 1)
        rows = instruction_rows(context, thread.device, module, first, end)
        here = next((number for number, row in enumerate(rows) if row.address >= pc), 0)
        start = max(min(here - height // 2, len(rows) - height), 0)
        return rows[start : start + height]


class CommandPane(BuiltinPane):
    """What a command shows."""

    def __init__(self, name: str, height: int, command: str) -> None:
        self.name = name
        self.height = height
        self._command = command

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        return context.execute(self._command)


class VariablesPane(BuiltinPane):
    """Arguments and local variables."""

    name, height = "locals", 12

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        return [*context.execute("info args"), *context.execute("info locals")]


class ThreadsPane(BuiltinPane):
    """All stopped threads, by place."""

    name, height = "threads", 8

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        return thread_groups(context, context.session.stopped_threads())


class LocalMemoryPane(BuiltinPane):
    """The begin of the work-group's shared local memory."""

    name, height = "slm", 8

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        size = shared_local_size(context.thread)
        if not size:
            return [Text("The kernel has no shared local memory.")]
        words = min(size, height * _BYTES_OF_LINE) // 4
        return context.execute(f"x/{words}xw @slm 0")


class WatchPane(BuiltinPane):
    """The expressions of ``display``."""

    name, height = "watch", 8

    def rows(self, context: CommandContext, height: int) -> Sequence[Row]:
        if not any(each.enabled for each in context.displays.values()):
            return [Text("No expressions: display EXPRESSION adds one.")]
        return shown_displays(context) or [Text("No expression is of this function.")]


PANES: dict[str, BuiltinPane] = {
    pane.name: pane
    for pane in (
        SourcePane(),
        CodePane(),
        CommandPane("regs", 10, "info registers pc f0 f1 ce sr0 cr0"),
        VariablesPane(),
        CommandPane("lanes", 20, "info lanes"),
        ThreadsPane(),
        LocalMemoryPane(),
        CommandPane("stack", 8, "backtrace"),
        WatchPane(),
    )
}
