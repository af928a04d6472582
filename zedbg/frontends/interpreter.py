"""Carries out command lines for any front end: parse, check what is needed, run, show."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.context import CommandContext, EndOfSession
from zedbg.commands.errors import CommandError
from zedbg.commands.parsing import ParsedLine, parse
from zedbg.commands.rows import Row
from zedbg.commands.support import run_shell
from zedbg.frontends.output import Output
from zedbg.frontends.rendering import render


class Interpreter:
    """One user's command lines over one session, shown through one output."""

    def __init__(self, context: CommandContext, output: Output) -> None:
        self.context = context
        self.output = output
        context.execute = self._rows_of
        context.run = self.execute
        context.show = render
        context.emit = output.event
        self._repeat: str | None = None

    def execute(self, line: str) -> bool:
        """Runs one line and shows what it gives; False when it failed.

        An empty line repeats the last command that may be repeated. Nothing comes out but
        :class:`EndOfSession` (the ``quit`` command) and BrokenPipeError (nobody reads the output).
        """
        line = line.strip()
        if not line:
            if not (self.context.interactive and self._repeat):
                return True
            line = self._repeat
        if line.startswith("#"):
            return True
        self._repeat = None
        name = line
        try:
            parsed = parse(line, self.context.registry)
            name = parsed.declaration.name
            if parsed.declaration.repeats:
                self._repeat = line
            rows = self._run(parsed)
            if parsed.pipe is not None:
                rows = run_shell(parsed.pipe, render(rows))
        except (EndOfSession, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            self.output.error(name, "Interrupted.")
            return False
        except Exception as error:
            self.context.show_pending_events()
            self.output.error(name, self.context.explain_error(error))
            return False
        self.context.show_pending_events()
        self.output.result(name, rows)
        return True

    def _run(self, parsed: ParsedLine) -> Sequence[Row]:
        self.context.require(parsed.declaration)
        return parsed.declaration.handler(self.context, parsed.invocation)

    def _rows_of(self, line: str) -> Sequence[Row]:
        """What commands use to run other commands."""
        parsed = parse(line, self.context.registry)
        if parsed.pipe is not None:
            raise CommandError("a pipe cannot stand inside another command")
        return self._run(parsed)
