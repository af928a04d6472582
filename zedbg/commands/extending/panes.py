"""Panes of plugins: parts of the screen that a front end shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin, PluginFailed
from zedbg.commands.framework.command_errors import CommandError


class Pane(Offering):
    """A part of the screen. A plugin's class defines ``lines``; ``title`` stands above it."""

    def __init__(self, name: str, title: str = "") -> None:
        self.name = name
        self.title = title or name
        self._offer(_PaneContribution(self))

    def lines(self, width: int, height: int) -> Iterable[str]:
        """What it shows now, in ``height`` lines of ``width`` columns; more is cut off.
        CommandError where the class does not define it."""
        raise CommandError(f"the pane {self.name} defines no lines")


class _PaneContribution:
    """The pane as front ends see it: what goes wrong in it is shown in it."""

    def __init__(self, pane: Pane) -> None:
        self._made = pane
        self.name = pane.name
        self.title = pane.title

    @property
    def made(self) -> Pane:
        return self._made

    @property
    def description(self) -> str:
        return f"pane {self.name}"

    def attach(self, plugin: Plugin) -> None:
        plugin.context.hooks.panes[self.name] = self

    def detach(self) -> None:
        self._made.context.hooks.panes.pop(self.name, None)

    def lines(self, width: int, height: int) -> Sequence[str]:
        def shown() -> list[str]:
            found = self._made.lines(width, height)
            if isinstance(found, str) or not isinstance(found, Iterable):
                raise PluginFailed(f"the pane {self.name} returned {type(found).__name__}")
            lines = []
            for each in found:
                lines += str(each).expandtabs().splitlines() or [""]
                if len(lines) >= height:
                    break
            return [line[:width] for line in lines[:height]]

        return self._made._plugin.try_call(f"the pane {self.name}", shown, ["<switched off>"])
