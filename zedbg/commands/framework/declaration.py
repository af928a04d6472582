"""Commands as data: what a command is called, takes, needs and shows.

A command is a function with a :class:`Declaration`. From the declarations come the parser,
``help``, completion and the generated reference; a front end needs nothing else to offer a command.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from itertools import islice
from typing import Any, cast

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.permanence import permanent
from zedbg.engine.ground.signals import signals_held


class Category(Enum):
    """The chapters of ``help``, in its order; titles as GDB has them."""

    RUNNING = "running"
    BREAKPOINTS = "breakpoints"
    FOCUS = "threads and lanes"
    STACK = "stack"
    DATA = "data"
    FILES = "files"
    STATUS = "status"
    SUPPORT = "support"
    USER = "user-defined"


class Kind(Enum):
    """What an argument means; decides its completion."""

    TEXT = "text"
    COMMAND = "command"
    EXPRESSION = "expression"
    LOCATION = "location"
    KERNEL = "kernel"
    THREAD = "thread"
    LANE = "lane"
    WORK_ITEM = "work-item"
    REGISTER = "register"
    BREAKPOINT = "breakpoint"
    SETTING = "setting"
    FILE = "file"
    PROCESS = "process"
    NUMBER = "number"
    PANE = "pane"
    LITERAL = "literal text"  # taken as it stands, ``|`` included


class Repeat(Enum):
    """What an empty line does after the command."""

    NO = "does not repeat"
    SAME = "repeats"
    ON = "goes on"  # without its arguments: the lines or the memory after those shown


class Requirement(Enum):
    """The state that a command needs; the text completes "the command needs ..."."""

    NOTHING = "nothing"
    PROCESS = "a process under debug: use run or attach PID"
    STOPPED_THREAD = "a stopped thread: use run, continue or interrupt first"


@dataclass(frozen=True)
class Argument:
    """One argument of a command. ``rest`` takes the remainder of the line as it stands."""

    name: str
    kind: Kind
    help: str
    optional: bool = False
    rest: bool = False


@dataclass(frozen=True)
class Invocation:
    """A parsed command line: the flags after ``/``, the values of the arguments, and whether an
    ``&`` stands at its end."""

    flags: str = ""
    arguments: tuple[str | None, ...] = ()
    background: bool = False

    def text(self, position: int) -> str:
        """The argument at ``position``, which its declaration requires."""
        value = self.arguments[position]
        assert value is not None
        return value

    def optional(self, position: int) -> str | None:
        """The argument at ``position``, None when it was left out."""
        return self.arguments[position]


#: What may come next after a command's words, as words or a kind: from a CommandContext, what
#: follows them up to the cursor, and the word at the cursor.
Completer = Callable[[Any, str, str], "Sequence[str] | Kind"]
#: The calls of the Python API that do what an invocation does, from a CommandContext. Where they
#: only pass the arguments on, a template with {arguments} ({texts}: numbers, too, as texts), and
#: the focused {thread} and {frame}.
PythonCalls = Callable[[Any, Invocation], str] | str
#: Carries a command out: from a CommandContext and the parsed line to rows. Both of these types
#: stand above this module.
Handler = Callable[[Any, Invocation], Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A command: its interface as data, and the function that carries it out.

    ``name`` may have several words (``info threads``). ``flags`` describes what may follow a ``/``,
    "" when nothing may. ``repeats`` says what an empty line does after it, as in GDB;
    ``background``, whether an ``&`` at its end lets it return before the program stops.
    ``completer``: where completion takes more than the kinds of the arguments. ``python``: what
    ``--py`` shows; "" for a command that the Python API has no method for.
    """

    name: str
    category: Category
    summary: str
    handler: Handler
    description: str = ""
    aliases: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()
    requires: Requirement = Requirement.NOTHING
    flags: str = ""
    example: str = ""
    repeats: Repeat = Repeat.SAME
    background: bool = False
    completer: Completer | None = None
    python: PythonCalls = ""

    @property
    def usage(self) -> str:
        """The synopsis line: ``break [LOCATION]``."""
        words = [self.name + (f"[/{self.flags}]" if self.flags else "")]
        for argument in self.arguments:
            word = argument.name.upper()
            words.append(f"[{word}]" if argument.optional else word)
        if self.background:
            words.append("[&]")
        return " ".join(words)


_Words = tuple[str, ...]


@dataclass(frozen=True)
class _Sorted:
    """What is looked up for each line, and for each key.

    ``by_count``: names and aliases in words, with the names of their commands, by their number of
    words; ``order``: those words, sorted. ``prefixes``: see :meth:`Registry.prefixes`."""

    by_count: dict[int, dict[_Words, list[str]]]
    order: dict[int, list[_Words]]
    prefixes: frozenset[str]


@dataclass
class Registry:
    """All commands of a front end, found by name, alias or unique prefix.

    ``modules``: for commands that are not loaded yet, the module that declares them. It is imported
    when the command is first looked up. ``loaders``: for those of plugins, what loads the plugin,
    which adds the command or raises. None of these is to be changed but by the methods.
    ``changes``: how often that happened, so that what was found by a name can be kept until then.
    """

    declarations: dict[str, Declaration] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    loaders: dict[str, Callable[[], object]] = field(default_factory=dict)
    changes: int = field(default=0, init=False, repr=False, compare=False)
    _sorted: _Sorted | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def names(self) -> list[str]:
        """The names of all commands, loaded or not, without aliases."""
        return [*self.declarations, *self.modules, *self.loaders]

    def __getitem__(self, name: str) -> Declaration:
        """The command of exactly this name; KeyError when there is none."""
        module = self.modules.get(name)
        if module is not None:
            with permanent(), signals_held():  # a module that is half loaded cannot be loaded again
                import_module(module)
            for each in [each for each, home in self.modules.items() if home == module]:
                del self.modules[each]
                self.declarations[each] = builtin.declarations[each]
        elif name in self.loaders:
            self.loaders[name]()
        return self.declarations[name]

    def add(self, declaration: Declaration, *, replace: bool = False) -> None:
        """Adds a command.

        Raises:
            ValueError: the name or an alias is taken and ``replace`` is false.
        """
        self._note_change()
        taken = {*self.names, *self.aliases}
        for name in (declaration.name, *declaration.aliases):
            if not replace and name in taken:
                raise ValueError(f"a command named {name!r} exists already")
        self.modules.pop(declaration.name, None)
        self.loaders.pop(declaration.name, None)
        self.declarations[declaration.name] = declaration
        for alias in declaration.aliases:
            self.aliases[alias] = declaration.name

    def add_later(self, names: Iterable[str], load: Callable[[], object]) -> None:
        """``load`` adds the commands ``names``, or raises, when one of them is first looked up."""
        self._note_change()
        self.loaders.update(dict.fromkeys(names, load))

    def add_alias(self, alias: str, name: str) -> None:
        """``alias`` is another name of the command, or of the group of commands, ``name``."""
        self._note_change()
        self.aliases[alias] = name

    def remove_alias(self, alias: str) -> None:
        """``alias`` is no name of a command any more, if it was one."""
        self._note_change()
        self.aliases.pop(alias, None)

    def replace(self, declaration: Declaration) -> Callable[[], None]:
        """Adds a command in the place of any other of its name; what it returns undoes that."""
        name = declaration.name
        tables = (self.declarations, self.modules, self.loaders)
        before = [(table, table[name]) for table in tables if name in table]
        self.add(declaration, replace=True)

        def undo() -> None:
            if self.declarations.get(name) is not declaration:
                return
            self._note_change()
            del self.declarations[name]
            for table, entry in before:
                cast("dict[str, object]", table)[name] = entry
            for alias in declaration.aliases:
                self.aliases.pop(alias, None)

        return undo

    def command(
        self,
        name: str,
        category: Category,
        summary: str,
        *,
        description: str = "",
        aliases: tuple[str, ...] = (),
        arguments: tuple[Argument, ...] = (),
        requires: Requirement = Requirement.NOTHING,
        flags: str = "",
        example: str = "",
        repeats: Repeat = Repeat.SAME,
        background: bool = False,
        completer: Completer | None = None,
        python: PythonCalls = "",
    ) -> Callable[[Handler], Handler]:
        """Decorator that declares the function below it as a command."""

        def declare(handler: Handler) -> Handler:
            self.add(
                Declaration(
                    name=name,
                    category=category,
                    summary=summary,
                    handler=handler,
                    description=description,
                    aliases=aliases,
                    arguments=arguments,
                    requires=requires,
                    flags=flags,
                    example=example,
                    repeats=repeats,
                    background=background,
                    completer=completer,
                    python=python,
                )
            )
            return handler

        return declare

    def _note_change(self) -> None:
        self.changes += 1
        self._sorted = None

    @property
    def groups(self) -> set[str]:
        """The short names of groups of commands, not of commands: ``i`` for ``info``."""
        names = set(self.names)
        return {alias for alias, name in self.aliases.items() if name not in names}

    def __iter__(self) -> Iterator[Declaration]:
        return iter([self[name] for name in sorted(self.names)])

    def prefixes(self) -> frozenset[str]:
        """First words that only group other commands: ``info``, ``set``."""
        return self._sorted_names().prefixes

    def group(self, text: str) -> str | None:
        """The group of commands that ``text`` is the name of, itself no command: ``info``."""
        first = self.aliases.get(text, text)
        is_group = first in self.prefixes() and not self._is_command(first)
        return first if is_group and "help" in self.names else None

    def find(self, words: Sequence[str]) -> tuple[Declaration, int]:
        """The command that ``words`` begin with, and how many of them name it.

        An exact name or alias wins; otherwise each word may be a unique prefix.

        Raises:
            UnknownCommand: no command, or more than one, fits.
        """
        if not words:
            raise UnknownCommand("no command given")
        by_count = self._sorted_names().by_count
        for count in range(min(max(by_count), len(words)), 0, -1):
            given = tuple(words[:count])
            # An alias may stand for a group: that is no command.
            exact = {n for n in by_count.get(count, {}).get(given, ()) if self._is_command(n)}
            if len(exact) == 1:
                return self[exact.pop()], count
            self._refuse_gdb_only(given)
            matching = self._begun_with(given)
            if len(matching) == 1:
                return self[matching.pop()], count
            if len(matching) > 1 and count == 1 and words[0] not in self.prefixes():
                raise UnknownCommand(
                    f'Ambiguous command "{words[0]}": {", ".join(sorted(matching))}.'
                )
        return self._explain(words)

    def _sorted_names(self) -> _Sorted:
        if self._sorted is None:
            known = set(self.names)
            by_count: dict[int, dict[_Words, list[str]]] = {}
            for written, name in [*((each, each) for each in known), *self.aliases.items()]:
                if name in known:
                    parts = tuple(written.split())
                    by_count.setdefault(len(parts), {}).setdefault(parts, []).append(name)
            order = {count: sorted(same) for count, same in by_count.items()}
            prefixes = frozenset(name.split()[0] for name in known if " " in name)
            self._sorted = _Sorted(by_count, order, prefixes)
        return self._sorted

    def _is_command(self, name: str) -> bool:
        return name in self.declarations or name in self.modules

    def _begun_with(self, given: _Words) -> set[str]:
        """The commands in which each given word begins the command's word; a group's alias is the
        group."""
        same, order = self._sorted_names().by_count, self._sorted_names().order
        count, first = len(given), self.aliases.get(given[0], given[0])
        candidates = order.get(count, [])
        found: set[str] = set()
        for parts in islice(candidates, bisect_left(candidates, (first,)), None):
            if not parts[0].startswith(first):
                break
            pairs = zip(given[1:], parts[1:], strict=True)
            if all(part.startswith(word) for word, part in pairs):
                found.update(same[count][parts])
        return found

    def _refuse_gdb_only(self, given: tuple[str, ...]) -> None:
        """UnknownCommand for a command that GDB has and zedbg has not: it says what to type."""
        from zedbg.commands.framework.gdb_commands import instead_of

        name = " ".join((self.aliases.get(given[0], given[0]), *given[1:]))
        answer = instead_of(name)
        if answer is not None:
            raise UnknownCommand(answer)

    def _explain(self, words: Sequence[str]) -> tuple[Declaration, int]:
        first = self.aliases.get(words[0], words[0])
        groups = [group for group in self.prefixes() if group.startswith(first)]
        if first in groups:
            groups = [first]
        if len(groups) == 1:
            members = sorted(
                name.split(" ", 1)[1] for name in self.names if name.startswith(groups[0] + " ")
            )
            given = f' "{words[1]}"' if len(words) > 1 else ""
            what = "Undefined" if given else "Incomplete"
            raise UnknownCommand(f"{what} {groups[0]} command{given}: one of {', '.join(members)}.")
        raise UnknownCommand(f'Undefined command: "{words[0]}".  Try "help".')


#: The commands that ship with zedbg, as far as their modules are loaded.
builtin = Registry()
