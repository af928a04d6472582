"""One plugin of a session: what it adds, whether it is on, and how its code is run."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeVar

from zedbg.commands.extending.time_limit import TimeUp, time_limit
from zedbg.commands.framework.captured_prints import prints_captured
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.engine.ground.signals import EndedBySignal
from zedbg.user_error import UserError

_R = TypeVar("_R")


class PluginState(Enum):
    """Whether what a plugin adds is there."""

    NOT_LOADED = "not loaded"
    ENABLED = "enabled"
    DISABLED = "disabled"
    FAILED = "switched off"


class Contribution(Protocol):
    """One thing that a plugin adds to a session: a command, a setting, a printer."""

    @property
    def made(self) -> object:
        """The plugin's own object."""

    @property
    def description(self) -> str:
        """What it is, in a word and its name: ``command divergence``."""

    def attach(self, plugin: Plugin) -> None:
        """Adds it to the session; CommandError when it cannot be added."""

    def detach(self) -> None:
        """Takes it out again."""


class PluginFailed(CommandError):
    """What a plugin does that no plugin may do."""


class PluginFault(CommandError):
    """A plugin failed, and is switched off."""


class OutsideOfPlugin(UserError):
    """Something that only a plugin can make was made elsewhere."""

    def __init__(self) -> None:
        super().__init__("Only a plugin makes this: put it into a file and load it with source.")


@dataclass(eq=False)
class Plugin:
    """A plugin of the session of ``context``. ``origin``: the file or entry point that it is from.

    ``fault``: what switched it off. ``changed`` is called whenever it comes or goes.
    """

    name: str
    origin: str
    context: CommandContext
    file: Path | None = None
    state: PluginState = PluginState.NOT_LOADED
    fault: str = ""
    contributions: list[Contribution] = field(default_factory=list)

    def add(self, contribution: Contribution) -> None:
        """Takes something more into the session. CommandError when it cannot be added."""
        contribution.attach(self)
        self.contributions.append(contribution)

    def drop(self, contribution: Contribution) -> None:
        """Takes one thing out again."""
        if contribution in self.contributions:
            self.contributions.remove(contribution)
            if self.state is PluginState.ENABLED:
                contribution.detach()

    def enable(self) -> None:
        """What it adds is there (again). CommandError when something cannot be added."""
        if self.state is PluginState.ENABLED:
            return
        added: list[Contribution] = []
        try:
            for each in self.contributions:
                each.attach(self)
                added.append(each)
        except CommandError:
            for each in added:
                each.detach()
            raise
        self.state, self.fault = PluginState.ENABLED, ""

    def disable(self, fault: str = "") -> None:
        """Nothing of it is there any more; ``fault``: because of what it did."""
        was_there = self.state is PluginState.ENABLED
        self.state = PluginState.FAILED if fault else PluginState.DISABLED
        self.fault = fault
        if was_there:
            for each in reversed(self.contributions):
                each.detach()

    # --- its code -----------------------------------------------------------------------------

    def run(self, what: str, function: Callable[[], _R], printed: list[str] | None = None) -> _R:
        """What ``function``, which is the plugin's, returns.

        ``what`` it is, for messages. It may take as long as the settings say. What it prints goes
        to ``printed``, or is shown as messages. UserError comes out as it is, and so do what ends
        zedbg and what Ctrl-C raises; all else that it raises becomes PluginFailed.
        """
        lines: list[str] = [] if printed is None else printed
        limit = self.context.settings.number("plugin-timeout")
        try:
            with running(self), prints_captured(lines), time_limit(limit):
                return function()
        except (UserError, EndOfSession, EndedBySignal, KeyboardInterrupt, BrokenPipeError):
            raise
        except TimeUp:
            raise PluginFailed(f"{what} took longer than {limit} s") from None
        except BaseException as error:  # sys.exit() as well
            raise PluginFailed(f"{what} raised {described(error, self.file)}") from error
        finally:
            if printed is None:
                for line in lines:
                    self.context.show_message(f"{self.name}: {line}")

    def call(self, what: str, function: Callable[[], _R], printed: list[str] | None = None) -> _R:
        """The same; but where it fails the plugin is switched off: PluginFault."""
        try:
            return self.run(what, function, printed)
        except PluginFailed as error:
            raise self.fails(str(error)) from error

    def try_call(self, what: str, function: Callable[[], _R], otherwise: _R) -> _R:
        """The same, for what nobody asked for at the moment: ``otherwise``, with a warning, where
        it fails."""
        try:
            return self.call(what, function)
        except UserError as error:
            line = error.line if isinstance(error, PluginFault) else f"{self.name}: {error.line}"
            self.context.show_message(line, warning=True)
            return otherwise

    def fails(self, how: str) -> PluginFault:
        """Switches it off for what it did; the error to raise says that."""
        self.disable(how)
        return PluginFault(
            f'Plugin {self.name} is switched off: {how}. "plugin enable {self.name}" switches it '
            "on again."
        )


_running: ContextVar[Plugin | None] = ContextVar("zedbg_plugin", default=None)


def running_plugin() -> Plugin:
    """The plugin whose code runs in this thread; OutsideOfPlugin when it is none's."""
    plugin = _running.get()
    if plugin is None:
        raise OutsideOfPlugin
    return plugin


@contextlib.contextmanager
def running(plugin: Plugin) -> Iterator[None]:
    """The code in the block is that of ``plugin``."""
    token = _running.set(plugin)
    try:
        yield
    finally:
        _running.reset(token)


def described(error: BaseException, file: Path | None) -> str:
    """An error with the place in the plugin (or, without, anywhere) that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if file is not None and each.filename == str(file)]
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(": ")
    if isinstance(error, SyntaxError) and not own:
        return text
    last = (own or frames)[-1:]
    return text + "".join(f" ({Path(each.filename).name}:{each.lineno})" for each in last)
