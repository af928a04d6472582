"""What the classes that plugins derive from have in common."""

from __future__ import annotations

from zedbg.commands.extending.plugin import Contribution, Plugin, running_plugin
from zedbg.commands.framework.context import CommandContext


class Offering:
    """Something that a session has from the moment on in which a plugin makes an instance of it.

    A class that the plugin's file only defines, and that takes no arguments, is made an instance of
    when the file was read.
    """

    _plugin: Plugin

    @property
    def context(self) -> CommandContext:
        """The session as commands see it: the focus, the settings, ``evaluate``, ``execute``."""
        return self._plugin.context

    def _offer(self, contribution: Contribution) -> None:
        """Adds itself to the session. OutsideOfPlugin where no plugin runs."""
        self._plugin = running_plugin()
        self._plugin.add(contribution)
