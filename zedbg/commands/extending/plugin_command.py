"""Commands of plugins."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence

from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin, PluginFailed
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Completer,
    Declaration,
    Invocation,
    Kind,
)
from zedbg.commands.rows.row import Fields, Row, Text, to_json

COMMAND_NONE = Category.USER
COMMAND_RUNNING = Category.RUNNING
COMMAND_DATA = Category.DATA
COMMAND_STACK = Category.STACK
COMMAND_FILES = Category.FILES
COMMAND_SUPPORT = Category.SUPPORT
COMMAND_STATUS = Category.STATUS
COMMAND_BREAKPOINTS = Category.BREAKPOINTS
COMMAND_USER = Category.USER

COMPLETE_NONE = Kind.TEXT
COMPLETE_FILENAME = Kind.FILE
COMPLETE_LOCATION = Kind.LOCATION
COMPLETE_COMMAND = Kind.COMMAND
COMPLETE_SYMBOL = Kind.LOCATION
COMPLETE_EXPRESSION = Kind.EXPRESSION

_MOST_ROWS = 1_000_000


class Command(Offering):
    """A command; the docstring of the class is its help, first line first.

    ``name`` may have several words: ``greet loudly`` belongs to a prefix command ``greet``, which
    says so with ``prefix`` and needs no ``invoke`` of its own. ``completer_class`` says what its
    argument is (``zedbg.COMPLETE_EXPRESSION``), for completion; a method ``complete`` knows better.
    """

    def __init__(
        self,
        name: str,
        command_class: Category = COMMAND_USER,
        completer_class: Kind = COMPLETE_NONE,
        prefix: bool = False,
    ) -> None:
        self.name = " ".join(name.split())
        self.category = command_class
        self.completer_class = completer_class
        self.prefix = prefix
        self._repeats = True
        self._offer(_CommandContribution(self))

    def invoke(self, argument: str, from_tty: bool) -> object:
        """Carries the command out.

        Args:
            argument: what followed the command's name, as it stands.
            from_tty: whether a person typed the command.

        Returns:
            Its rows: mappings, strings (lines), or row types of ``zedbg.commands.rows``; one or
            many, also from a generator. What it prints is shown in front of them.

        Raises:
            zedbg.CommandError: ends the command with that line.
        """
        raise CommandError(f'"{self.name}" must be followed by the name of a command of it.')

    def complete(self, text: str, word: str) -> Sequence[str] | Kind:
        """What may come next: words, or a kind such as ``zedbg.COMPLETE_EXPRESSION``.

        Args:
            text: what follows the command's name, up to the cursor.
            word: the last word of it, which the answer goes on from.
        """
        return self.completer_class

    def rows(self, argument: str, from_tty: bool) -> object:
        """What ``invoke`` returns, of that which becomes rows."""
        return self.invoke(argument, from_tty)

    def dont_repeat(self) -> None:
        """An empty line does not repeat the command; called in ``__init__`` or ``invoke``."""
        self._repeats = False


class _CommandContribution:
    def __init__(self, command: Command) -> None:
        self._made = command
        self._undo: Callable[[], None] | None = None

    @property
    def made(self) -> Command:
        return self._made

    @property
    def description(self) -> str:
        return f"command {self._made.name}"

    def attach(self, plugin: Plugin) -> None:
        command = self._made
        if command.prefix and type(command).invoke is Command.invoke:
            return  # a name in front of other commands, and nothing by itself
        text = (type(command).__doc__ or "").strip()
        summary, _, description = text.partition("\n")
        declaration = Declaration(
            name=command.name,
            category=command.category,
            summary=summary.rstrip(".") or "This command is not documented",
            description=description.strip(),
            handler=self._run,
            arguments=(
                Argument("argument", command.completer_class, "see help", optional=True, rest=True),
            ),
            completer=self._completer(),
        )
        self._undo = plugin.context.registry.replace(declaration)

    def detach(self) -> None:
        if self._undo is not None:
            self._undo()

    def _completer(self) -> Completer | None:
        if type(self._made).complete is Command.complete:
            return None
        return self._complete

    def _complete(self, _context: CommandContext, text: str, word: str) -> Sequence[str] | Kind:
        what = f"completing {self._made.name}"
        none: Sequence[str] | Kind = ()

        def words() -> Sequence[str] | Kind:
            found = self._made.complete(text, word)
            return found if isinstance(found, Kind) else [str(each) for each in found or ()]

        return self._made._plugin.try_call(what, words, none)

    def _run(self, context: CommandContext, invocation: Invocation) -> list[Row]:
        command, plugin = self._made, self._made._plugin
        printed: list[str] = []

        def run() -> list[Row]:
            result = command.rows(invocation.optional(0) or "", context.interactive)
            return list(_rows(result, command.name))

        rows = plugin.call(command.name, run, printed)
        return [*map(Text, printed), *rows]


def _rows(result: object, name: str) -> Iterable[Row]:
    """What ``invoke`` returned as rows; PluginFailed for what is none."""
    if result is None:
        return
    if isinstance(result, str):
        yield from map(Text, result.splitlines())
        return
    if isinstance(result, Mapping | Row) or dataclasses.is_dataclass(result):
        result = [result]
    if not isinstance(result, Iterable):
        raise PluginFailed(f"{name} returned {type(result).__name__}, not rows")
    for count, each in enumerate(result):
        if count == _MOST_ROWS:
            raise PluginFailed(f"{name} returned more than {_MOST_ROWS:,} rows")
        yield _row(each, name)


def _row(each: object, name: str) -> Row:
    if isinstance(each, Row):
        _checked(each.to_json)
        return each
    if isinstance(each, str):
        return Text(each)
    if dataclasses.is_dataclass(each) and not isinstance(each, type):
        each = {one.name: getattr(each, one.name) for one in dataclasses.fields(each)}
    if isinstance(each, Mapping):
        return Fields({str(key): _plain(value) for key, value in each.items()})
    raise PluginFailed(f"{name} returned {type(each).__name__} as a row")


def _checked(make: Callable[[], object]) -> None:
    """A row that has no JSON form is the plugin's fault now, not the front end's later."""
    make()


def _plain(value: object) -> object:
    """A value that both JSON and a table can show."""
    item = getattr(value, "item", None)  # a number of NumPy's
    if callable(item) and not isinstance(value, Mapping):
        value = item()
    try:
        to_json(value)
    except TypeError:
        return str(value)
    return value
