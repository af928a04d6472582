"""The shell's commands for the debug console of an editor."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.command_errors import CommandError, UnknownCommand
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Declaration
from zedbg.commands.framework.parsing import parse
from zedbg.commands.rows.events import Event
from zedbg.engine.events.notifications import Stopped
from zedbg.engine.events.stops import Stop
from zedbg.engine.sessions.session import Session
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import TextOutput
from zedbg.frontends.shared.plugin_loading import load_plugins
from zedbg.frontends.text.text_events import render_event

# What the editor has buttons for, and would not know of.
_REFUSED = {
    "run": "Restart the program from the editor.",
    "attach": "Start a debug session in the editor to attach.",
    "quit": "End the debug session in the editor.",
}


class Console:
    """Carries out command lines in ``session``; ``show`` takes lines that are no result."""

    def __init__(self, session: Session, show: Callable[[str], None]) -> None:
        self._show = show
        self._written: list[str] = []
        self._problem = ""
        self.context = CommandContext(lambda: session, catalogue(), captures_output=True)
        output = TextOutput(write=self._written.append, warn=self._failed)
        self._interpreter = Interpreter(self.context, output)
        self._describe = self.context.events_of
        # What happens reaches the client as events of the protocol.
        self.context.events_of = lambda notification: ()
        self.context.emit = self._emit
        load_plugins(self.context, output)
        for line in [*self._written, self._problem]:
            if line:
                show(line)

    def declaration(self, line: str) -> Declaration | None:
        """The command that ``line`` begins with; None when it begins with none."""
        try:
            return parse(line, self.context.registry).declaration
        except UnknownCommand:
            return None
        except CommandError:  # it is one, with arguments that do not fit: the command will say it
            return self.context.registry.find(line.split("/")[0].split())[0]

    def run(self, line: str) -> str:
        """Carries ``line`` out; what it shows. RequestError when it fails, or is not for here."""
        declaration = self.declaration(line)
        if declaration is not None and declaration.name in _REFUSED:
            raise RequestError(_REFUSED[declaration.name])
        self._written.clear()
        self._problem = ""
        succeeded = self._interpreter.execute(line)
        text = "\n".join(self._written)
        if not succeeded:
            raise RequestError("\n".join(each for each in (text, self._problem) if each))
        return text

    def describe(self, stop: Stop) -> str:
        """``stop`` as the shell reports it."""
        events = self._describe(Stopped(stop))
        return "\n".join(line for event in events for line in render_event(event))

    def obey_breakpoints(self) -> None:
        """Carries out the commands of the breakpoints that were hit last, if there are any."""
        self._written.clear()
        self._interpreter.tell_news()
        for line in self._written:
            self._show(line)

    def _failed(self, line: str) -> None:
        self._problem = line

    def _emit(self, event: Event) -> None:
        for line in render_event(event):
            self._show(line)
