"""Carries out command lines for any front end: parse, check what is needed, run, show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from zedbg.commands.framework.command_errors import (
    AlreadyReported,
    CommandError,
    ErrorAt,
    PartialResult,
)
from zedbg.commands.framework.context import CommandContext, EndOfSession, TakeBlock
from zedbg.commands.framework.declaration import Repeat
from zedbg.commands.framework.parsing import ParsedLine, parse
from zedbg.commands.framework.permanence import permanent
from zedbg.commands.framework.python_calls import python_calls, takes_option, without_option
from zedbg.commands.framework.shell_command import run_shell
from zedbg.commands.rows.events import Event
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.blocks import BlockReader, ScriptLine
from zedbg.engine.ground.notifier import Notification
from zedbg.frontends.shared.output import CommandLine, Output
from zedbg.frontends.text.rendering import render

_DEEPEST = 40  # commands inside of commands
_KEPT_LINES = 64  # that were parsed


@dataclass
class _Block:
    """Lines that belong to the command that was ``asked`` for; ``take`` gets them."""

    asked: CommandLine
    take: TakeBlock
    reader: BlockReader


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
        context.dont_repeat = self._forget_repeated
        self._repeat: str | None = None
        self._block: _Block | None = None
        self._asked = CommandLine("", "")  # what is carried out
        self._depth = 0  # of commands inside of commands
        self._obeying = False  # a breakpoint's commands
        self.busy = threading.RLock()  # held while a command runs
        # The same lines are entered again and again; their meaning changes with the commands.
        self._parsed_once = lru_cache(_KEPT_LINES)(lambda line, _changes: self._parsed(line))

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
                succeeded = self._add_to_block(line)
            else:
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

    def _begin_block(self, command: str, take: TakeBlock) -> None:
        asked = replace(self._asked, command=command)
        self._block = _Block(asked, take, BlockReader(command))

    def _add_to_block(self, line: str) -> bool:
        assert self._block is not None
        block = self._block
        if not block.reader.add(line):
            return True
        self._block = None
        # The command itself was answered where it stands.
        return self._attempt(block.asked, lambda: block.take(block.reader.lines), answered=True)

    def _obey_breakpoints(self) -> bool:
        """Carries out the commands of the breakpoints of the last stop, and so on from stop to
        stop; False when one failed: the rest of its list is left out."""
        if self._obeying:
            return True
        self._obeying = True
        try:
            while self.context.due_commands or self.context.hook_is_due:
                lines, self.context.due_commands = self.context.due_commands, []
                if self.context.hook_is_due:
                    self.context.hook_is_due = False
                    if "hook-stop" in self.context.registry.declarations:
                        lines = ["hook-stop", *lines]
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
        from_file = isinstance(line, ScriptLine)
        text = line.strip()
        if not text and not from_file and self.context.interactive and self._repeat:
            text = self._repeat
        if not text or text.startswith("#"):
            return True
        if not self._depth:
            self._repeat = None
        place = line.place if isinstance(line, ScriptLine) else None
        try:
            blank = " " if line[-1:].isspace() else ""
            parsed, shows_python = self._parsed_once(text + blank, self.context.registry.changes)
        except Exception as error:
            self.output.error(CommandLine(text, text, place), self.context.explain_error(error))
            return False
        self._asked = asked = CommandLine(parsed.declaration.name, text, place)
        if self.context.settings.is_on("trace-commands"):
            self.context.show_message(f"{'+' * (self._depth + 1)}{text}")
        if not from_file and not self._depth:
            self._repeat = _repeated(parsed, text)
        if shows_python:
            return self._attempt(asked, lambda: self._in_python(parsed, text))
        return self._attempt(asked, lambda: self._rows_or_pipe(parsed))

    def _parsed(self, line: str) -> tuple[ParsedLine, bool]:
        """``line``, and whether it asks for the Python that does the same."""
        command = without_option(line)
        if command is not None:
            parsed = parse(command, self.context.registry)
            if takes_option(parsed):
                return parsed, True
        return parse(line, self.context.registry), False

    def _in_python(self, parsed: ParsedLine, line: str) -> list[Row]:
        calls = python_calls(self.context, parsed, without_option(line) or line)
        return [Text(each) for each in calls]

    def _rows_or_pipe(self, parsed: ParsedLine) -> Sequence[Row]:
        rows = self._run(parsed)
        return rows if parsed.pipe is None else run_shell(parsed.pipe, render(rows))

    def _attempt(
        self, asked: CommandLine, action: Callable[[], Sequence[Row]], *, answered: bool = False
    ) -> bool:
        """Shows what ``action`` gives, or why it fails; whether it succeeded. ``answered``: that
        there is nothing to show is not said again."""
        problem: PartialResult | None = None
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                raise CommandError(
                    "Commands inside of commands are nested too deeply: does one call itself?"
                )
            try:
                rows = action()
            except PartialResult as error:
                rows, problem = error.rows, error
        except (EndOfSession, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            if self.context.interactive:
                self.output.result(asked, [Text("")])  # the line that the terminal began with ^C
            self.output.error(asked, "Interrupted.")
            return False
        except AlreadyReported as error:
            self.context.show_pending_events()
            self.output.error(replace(asked, place=None, reported=True), str(error))
            return False
        except Exception as error:
            self.context.show_pending_events()
            at = replace(asked, place=error.place) if isinstance(error, ErrorAt) else asked
            self.output.error(at, self.context.explain_error(error))
            return False
        finally:
            self._depth -= 1
        self.context.show_pending_events()
        if problem is not None:
            self.output.error(asked, str(problem), rows)
            return False
        if rows or not answered:
            self.output.result(asked, rows)
        return True

    def _run(self, parsed: ParsedLine) -> Sequence[Row]:
        declaration = parsed.declaration
        self.context.require(declaration)
        self._hook("hook", declaration.name)
        rows = declaration.handler(self.context, parsed.invocation)
        self._hook("hookpost", declaration.name)
        return rows

    def _hook(self, when: str, name: str) -> None:
        """Carries out what the user has defined to come before or after a command."""
        hook = f"{when}-{name}"
        known = self.context.registry.declarations.get(hook)
        if known is not None and not self.context.run(hook):
            raise AlreadyReported(f"stopped at: {hook}")

    def _forget_repeated(self) -> None:
        self._repeat = None

    def _events_of(self, notification: Notification) -> Iterable[Event]:
        with permanent():  # loaded with the first notification
            from zedbg.commands.describe.event_rows import events_of

        return events_of(notification, self.context)

    def _rows_of(self, line: str) -> Sequence[Row]:
        """What commands use to run other commands."""
        parsed, shows_python = self._parsed(line)
        if shows_python:
            return self._in_python(parsed, line)
        if parsed.pipe is not None:
            raise CommandError("A pipe cannot be used inside another command.")
        return self._run(parsed)


def _repeated(parsed: ParsedLine, line: str) -> str | None:
    """What an empty line after ``line`` means."""
    match parsed.declaration.repeats:
        case Repeat.NO:
            return None
        case Repeat.SAME:
            return line
        case Repeat.ON:
            backwards = parsed.invocation.arguments == ("-",)
            return line if backwards else parsed.declaration.name
