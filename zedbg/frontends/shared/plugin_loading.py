"""Plugins of the user, of packages, and of zedbg, for any front end."""

from __future__ import annotations

from functools import partial

from zedbg.commands.extending.finding import SHIPPED, find_entry_points, plugin_files
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.hooks import PrinterOfPlugin
from zedbg.frontends.shared.output import CommandLine, Output


def load_plugins(context: CommandContext, output: Output) -> None:
    """Loads the user's plugins and those of packages; those that ship with zedbg when they are
    used."""
    for shipped in SHIPPED:
        load = partial(_load_shipped, context, shipped.name)
        context.registry.add_later(shipped.commands, load)
        if shipped.types:
            context.hooks.printers.append(PrinterOfPlugin(shipped.types, load, context.hooks))
    files, entries = plugin_files(), find_entry_points()
    if not files and not entries:
        return
    from zedbg.commands.extending.plugins import Plugins

    plugins = context.kept(Plugins)
    loads = [partial(plugins.load_entry_point, each) for each in entries]
    for each in [*loads, *(partial(plugins.load_file, file) for file in files)]:
        try:
            each()
        except CommandError as error:
            output.error(CommandLine("plugin", "plugin"), f"plugin not loaded: {error}")


def _load_shipped(context: CommandContext, name: str) -> None:
    from zedbg.commands.extending.plugins import Plugins

    context.kept(Plugins).ensure(name)
