"""``layout``: which panes are shown after each stop, in which order, and where."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.panes import PANES
from zedbg.commands.rows.pane_rows import LayoutRow, PaneRow
from zedbg.commands.rows.row import Row, Text
from zedbg.user_error import UserError

_NAME = re.compile(r"([\w-]+)(?::(\d{1,3}))?")
_PLUGIN_HEIGHT = 10


@dataclass(frozen=True)
class ChosenPane:
    """A pane by name, and how many lines it may have (None: as it likes)."""

    name: str
    height: int | None = None


@dataclass(frozen=True)
class Layout:
    """The panes that the user chose, in their order. ``terminal``: the path of the terminal that
    they are shown in, None for this one."""

    context: CommandContext
    panes: tuple[ChosenPane, ...]
    terminal: str | None = None

    def __call__(self) -> LayoutRow:
        """What they show now."""
        return LayoutRow(tuple(map(self._pane_row, self.panes)), self.terminal)

    def _pane_row(self, chosen: ChosenPane) -> PaneRow:
        builtin = PANES.get(chosen.name)
        if builtin is not None:
            height = chosen.height or builtin.height
            try:
                rows = builtin.rows(self.context, height)
            except UserError as error:
                rows = [Text(error.line)]
            return PaneRow(chosen.name, chosen.name, height, tuple(rows))
        offered = self.context.hooks.panes.get(chosen.name)
        if offered is None:
            return PaneRow(chosen.name, chosen.name, 1, (Text("Its plugin is not loaded now."),))
        height = chosen.height or _PLUGIN_HEIGHT
        lines = offered.lines(self.context.columns(), height)
        return PaneRow(chosen.name, offered.title, height, tuple(map(Text, lines)))


@builtin.command(
    "layout",
    Category.STATUS,
    "Choose what is shown after each stop, or show it now",
    arguments=(
        Argument(
            "panes",
            Kind.PANE,
            "src asm regs locals lanes threads slm stack watch, or panes of plugins, in the order "
            "in which they shall stand; NAME:LINES for another height; off for none; "
            "> TERMINAL for another terminal, as tty says its name there",
            optional=True,
            rest=True,
        ),
    ),
    example="layout src locals:6 stack",
    description="watch shows the expressions of display. What a pane shows is read when it is "
    "shown, and only then.",
)
def layout_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text == "off":
        context.layout = None
        return []
    if text is not None:
        context.layout = _layout(context, text)
    if context.layout is None:
        known = ", ".join([*PANES, *context.hooks.panes])
        return [Text(f"No panes are shown. There are: {known}.")]
    shown: list[LayoutRow] = []
    if context.session.focus is not None:
        shown.append(context.layout())
    return shown


def _layout(context: CommandContext, text: str) -> Layout:
    names, redirected, terminal = (part.strip() for part in text.partition(">"))
    if redirected:
        _require_terminal(terminal)
    panes = []
    for word in names.replace(",", " ").split():
        match = _NAME.fullmatch(word)
        known = match is not None and (match[1] in PANES or match[1] in context.hooks.panes)
        if match is None or not known:
            every = ", ".join([*PANES, *context.hooks.panes])
            raise UsageError(f'No pane "{word}": one of {every}, with :LINES after it, or off.')
        panes.append(ChosenPane(match[1], int(match[2]) if match[2] else None))
    if not panes:
        raise UsageError("Name the panes, as in: layout src locals")
    return Layout(context, tuple(panes), terminal if redirected else None)


def _require_terminal(path: str) -> None:
    """CommandError when ``path`` is no terminal that can be written to."""
    if not path:
        raise UsageError("Name the terminal after >, as tty says it there: layout src > /dev/pts/3")
    try:
        descriptor = os.open(Path(path), os.O_WRONLY | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    try:
        if not os.isatty(descriptor):
            raise CommandError(f"{path} is not a terminal.")
    finally:
        os.close(descriptor)
