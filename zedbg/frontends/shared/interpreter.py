"""Carries out command lines for any front end: parse, check what is needed, run, show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from zedbg.commands.framework.command_errors import CommandError, PartialResult
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.commands.framework.parsing import ParsedLine, parse
from zedbg.commands.framework.permanence import permanent
from zedbg.commands.framework.shell_command import run_shell
from zedbg.commands.rows.events import Event
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.ground.notifier import Notification
from zedbg.frontends.shared.output import CommandLine, Output
from zedbg.frontends.text.rendering import render

_BLOCK_COMMANDS = ("commands",)  # whose lines go up to an ``end`` of their own


@dataclass
class _Block:
    """Lines that belong to a command, up to its ``end``; ``take`` gets them."""

    asked: CommandLine
    take: Callable[[list[str]], None]
    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def add(self, line: str) -> bool:
        """Takes one line more; True when it was the last."""
        if line == "end":
            if not self.depth:
                return True
            self.depth -= 1
        elif line.split()[0] in _BLOCK_COMMANDS:
            self.depth += 1
        self.lines.append(line)
        return False


class Interpreter:
    """One user's command lines over one session, shown through one output."""

    def __init__(self, context: CommandContext, output: Output) -> None:
        self.context = context
        self.output = output
        context.execute = self._rows_of
        context.run = self.execute
        context.show = render
        context.events_of = self._events_of
        context.emit = lambda event: self.output.event(event)
        context.read_block = self._begin_block
        context.end_block = self.end_of_input
        self._repeat: str | None = None
        self._block: _Block | None = None
        self._line = ""  # that is carried out
        self._obeying = False  # a breakpoint's commands
        self.busy = threading.RLock()  # held while a command runs

    @property
    def reads_block(self) -> bool:
        """Whether the next line belongs to a command before it."""
        return self._block is not None

    def execute(self, line: str) -> bool:
        """Runs one line and shows what it gives; False when it failed.

        An empty line repeats the last command that may be repeated. Then the commands of the
        breakpoints that it stopped at are carried out. Nothing comes out but
        :class:`EndOfSession` (the ``quit`` command) and BrokenPipeError (nobody reads the output).
        """
        with self.busy:
            if self._block is not None:
                self._add_to_block(line.strip())
                return True
            succeeded = self._execute_one(line)
            return self._obey_breakpoints() and succeeded

    def tell_news(self) -> None:
        """Shows what happened since the last command, and obeys the breakpoints that were hit."""
        self.context.show_pending_events()
        self._obey_breakpoints()

    def end_of_input(self) -> bool:
        """No line follows; False when a command still waits for its ``end``, which is said."""
        block, self._block = self._block, None
        if block is None:
            return True
        name = block.asked.command
        self.output.error(block.asked, f"{name}: missing line: end")
        return False

    def drop_block(self) -> None:
        """What was begun is not meant: Ctrl-C."""
        self._block = None

    def _begin_block(self, command: str, take: Callable[[list[str]], None]) -> None:
        self._block = _Block(CommandLine(command, self._line), take)

    def _add_to_block(self, line: str) -> None:
        assert self._block is not None
        if line and not line.startswith("#") and self._block.add(line):
            block, self._block = self._block, None
            block.take(block.lines)

    def _obey_breakpoints(self) -> bool:
        """Carries out the commands of the breakpoints of the last stop, and so on from stop to
        stop; False when one failed: the rest of its list is left out."""
        if self._obeying:
            return True
        self._obeying = True
        try:
            while self.context.due_commands:
                lines, self.context.due_commands = self.context.due_commands, []
                if not self._obey(lines):
                    return False
        finally:
            self._obeying = False
        return True

    def _obey(self, lines: list[str]) -> bool:
        before = self.context.resumptions
        for line in lines:
            if line == "silent":
                continue
            if not self.execute(line):
                return False
            if self.context.resumptions != before:
                break  # the stop that they were for is over
        if self._block is not None:
            return self.end_of_input()
        return True

    def _execute_one(self, line: str) -> bool:
        line = line.strip()
        if not line:
            if not (self.context.interactive and self._repeat):
                return True
            line = self._repeat
        if line.startswith("#"):
            return True
        self._repeat = None
        self._line = line
        asked = CommandLine(line, line)
        problem: PartialResult | None = None
        try:
            parsed = parse(line, self.context.registry)
            asked = CommandLine(parsed.declaration.name, line)
            if parsed.declaration.repeats:
                self._repeat = line
            try:
                rows = self._run(parsed)
            except PartialResult as error:
                rows, problem = error.rows, error
            if parsed.pipe is not None:
                rows = run_shell(parsed.pipe, render(rows))
        except (EndOfSession, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            if self.context.interactive:
                self.output.result(asked, [Text("")])  # the line that the terminal began with ^C
            self.output.error(asked, "Interrupted.")
            return False
        except Exception as error:
            self.context.show_pending_events()
            self.output.error(asked, self.context.explain_error(error))
            return False
        self.context.show_pending_events()
        if problem is not None:
            self.output.error(asked, str(problem), rows)
            return False
        self.output.result(asked, rows)
        return True

    def _run(self, parsed: ParsedLine) -> Sequence[Row]:
        self.context.require(parsed.declaration)
        return parsed.declaration.handler(self.context, parsed.invocation)

    def _events_of(self, notification: Notification) -> Iterable[Event]:
        with permanent():  # loaded with the first notification
            from zedbg.commands.describe.event_rows import events_of

        return events_of(notification, self.context)

    def _rows_of(self, line: str) -> Sequence[Row]:
        """What commands use to run other commands."""
        parsed = parse(line, self.context.registry)
        if parsed.pipe is not None:
            raise CommandError("A pipe cannot be used inside another command.")
        return self._run(parsed)
