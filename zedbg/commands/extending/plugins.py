"""The plugins of a session: loaded, switched on and off, loaded again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from zedbg.commands.extending.finding import SHIPPED, EntryPoint
from zedbg.commands.extending.loading import run_entry_point, run_file
from zedbg.commands.extending.plugin import Plugin, PluginState
from zedbg.commands.extending.time_limit import time_paused
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.user_error import UserError

_R = TypeVar("_R")


class Plugins:
    """Those of one session, by name; one that is loaded later takes the place of another of its
    name. ``context.kept(Plugins)`` is the session's own."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        context.execute = _untimed(context.execute)
        context.run = _untimed(context.run)
        self._plugins: dict[str, Plugin] = {}
        self._loads: dict[str, Callable[[Plugin], None]] = {}
        for each in SHIPPED:
            file = each.file
            self._plugins[each.name] = Plugin(each.name, str(file), context, file)
            self._loads[each.name] = partial(run_file, file)

    def __iter__(self) -> Iterator[Plugin]:
        return iter([self._plugins[name] for name in sorted(self._plugins)])

    def get(self, name: str) -> Plugin:
        """The plugin called ``name``; CommandError when there is none."""
        found = self._plugins.get(name)
        if found is None:
            raise CommandError(f'No plugin "{name}": one of {", ".join(sorted(self._plugins))}.')
        return found

    def load_file(self, path: Path) -> Plugin:
        """Runs a plugin's file. CommandError when it cannot be read or it fails: nothing of it is
        there then, and a plugin of the same name stays."""
        path = path.expanduser()
        plugin = Plugin(path.stem, str(path), self._context, path)
        return self._load(plugin, partial(run_file, path))

    def load_entry_point(self, entry: EntryPoint) -> Plugin:
        """Loads what an installed package offers. CommandError, as above."""
        plugin = Plugin(entry.name, f"entry point {entry.value}", self._context)
        return self._load(plugin, partial(run_entry_point, entry))

    def ensure(self, name: str) -> Plugin:
        """The plugin called ``name``, loaded if it is not yet. CommandError, as above."""
        plugin = self.get(name)
        return self.reload(name) if plugin.state is PluginState.NOT_LOADED else plugin

    def reload(self, name: str) -> Plugin:
        """Loads one again, as its file is now. CommandError, as above."""
        plugin = self.get(name)
        again = Plugin(plugin.name, plugin.origin, self._context, plugin.file)
        return self._load(again, self._loads[name])

    def _load(self, plugin: Plugin, load: Callable[[Plugin], None]) -> Plugin:
        before = self._plugins.get(plugin.name)
        was_there = before is not None and before.state is PluginState.ENABLED
        if before is not None and was_there:
            before.disable()
        plugin.state = PluginState.ENABLED
        try:
            plugin.run("loading it", lambda: load(plugin))
        except BaseException as error:
            plugin.disable()
            if before is not None and was_there:
                before.enable()
            if isinstance(error, UserError):
                text = error.line.removeprefix("loading it raised ")
                raise CommandError(f"{plugin.origin}: {text}") from error
            raise
        self._plugins[plugin.name] = plugin
        self._loads[plugin.name] = load
        return plugin


def _untimed(command: Callable[[str], _R]) -> Callable[[str], _R]:
    """What commands that a plugin runs take does not count as the plugin's own time."""

    def run(line: str) -> _R:
        with time_paused():
            return command(line)

    return run
