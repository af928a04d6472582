"""Commands about plugins: which there are, on and off, loaded again."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.extending.plugin import Plugin
from zedbg.commands.extending.plugins import Plugins
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import PluginRow

_NAME = Argument("plugin", Kind.TEXT, "its name, as plugin list shows it")


def _names(context: CommandContext, _text: str, _word: str) -> Sequence[str]:
    return [each.name for each in context.kept(Plugins)]


@builtin.command(
    "plugin list",
    Category.SUPPORT,
    "List the plugins: what each adds, and whether it is on",
    aliases=("info plugins",),
    description="Plugins that ship with zedbg are loaded when they are used.",
)
def plugin_list_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [_row(each) for each in context.kept(Plugins)]


@builtin.command(
    "plugin enable",
    Category.SUPPORT,
    "Switch a plugin on, also one that was switched off for what it did",
    arguments=(_NAME,),
    completer=_names,
    example="plugin enable divergence",
)
def plugin_enable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    plugin = context.kept(Plugins).ensure(invocation.text(0))
    plugin.enable()
    return [_row(plugin)]


@builtin.command(
    "plugin disable",
    Category.SUPPORT,
    "Switch a plugin off: what it added is not there any more",
    arguments=(_NAME,),
    completer=_names,
    example="plugin disable divergence",
)
def plugin_disable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    plugin = context.kept(Plugins).ensure(invocation.text(0))
    plugin.disable()
    return [_row(plugin)]


@builtin.command(
    "plugin reload",
    Category.SUPPORT,
    "Load a plugin again, as its file is now",
    arguments=(_NAME,),
    completer=_names,
    example="plugin reload divergence",
)
def plugin_reload_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [_row(context.kept(Plugins).reload(invocation.text(0)))]


def _row(plugin: Plugin) -> PluginRow:
    return PluginRow(
        plugin.name,
        plugin.state.value,
        tuple(each.description for each in plugin.contributions),
        plugin.origin,
        plugin.fault or None,
    )
