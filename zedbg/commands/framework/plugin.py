"""Plugin commands, written the way GDB users write theirs, and where they are found.

A plugin is a Python file that defines a subclass of :class:`Command`::

    import zedbg

    class Divergence(zedbg.Command):
        \"\"\"Show how many lanes are active at each place.\"\"\"

        def __init__(self) -> None:
            super().__init__("divergence", zedbg.COMMAND_DATA)

        def invoke(self, argument: str, from_tty: bool) -> object:
            return [{"kernel": "vadd", "lanes": 8}]

The class is instantiated when the file is loaded (an instance made by the file itself, as GDB's
plugins do, is fine too). What ``invoke`` returns becomes the rows of the command: mappings, or any
of the row types of :mod:`zedbg.commands.rows.row`; what it prints is shown as text.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import cast

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Declaration,
    Invocation,
    Kind,
    Registry,
)
from zedbg.commands.rows.row import Fields, Row, Text

COMMAND_NONE = Category.USER
COMMAND_RUNNING = Category.RUNNING
COMMAND_DATA = Category.DATA
COMMAND_STACK = Category.STACK
COMMAND_FILES = Category.FILES
COMMAND_SUPPORT = Category.SUPPORT
COMMAND_STATUS = Category.STATUS
COMMAND_BREAKPOINTS = Category.BREAKPOINTS
COMMAND_USER = Category.USER


class Command:
    """A command of a plugin; the class docstring is its help, first line first.

    ``self.context`` is the :class:`zedbg.commands.framework.context.CommandContext` of the front
    end that runs it: the session, the focused thread and lane, ``evaluate`` and ``execute``.
    """

    context: CommandContext
    _defined: list[Command] = []  # noqa: RUF012 - the instances made since the last load

    def __init__(self, name: str, command_class: Category = COMMAND_USER) -> None:
        self.name = name
        self.category = command_class
        Command._defined.append(self)

    def invoke(self, argument: str, from_tty: bool) -> object:
        """Carries the command out.

        Args:
            argument: what followed the command's name, as it stands.
            from_tty: whether a person typed the command.

        Raises:
            zedbg.CommandError: ends the command with that line.
        """
        raise CommandError(f'the plugin command "{self.name}" defines no invoke method')

    def declaration(self) -> Declaration:
        """The command as data, for the registry."""
        text = (type(self).__doc__ or "").strip()
        summary, _, description = text.partition("\n")
        return Declaration(
            name=self.name,
            category=self.category,
            summary=summary or "This command is not documented.",
            description=description.strip(),
            handler=self._run,
            arguments=(Argument("argument", Kind.TEXT, "see help", optional=True, rest=True),),
        )

    def _run(self, context: CommandContext, invocation: Invocation) -> list[Row]:
        self.context = context
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = self.invoke(invocation.optional(0) or "", context.interactive)
        except CommandError:
            raise
        except Exception as error:
            raise CommandError(
                f"plugin command {self.name}: {type(error).__name__}: {error}"
            ) from error
        rows: list[Row] = [Text(line) for line in printed.getvalue().splitlines()]
        if result is None:
            return rows
        if isinstance(result, Mapping | Row):
            result = [result]
        if not isinstance(result, Iterable):
            raise CommandError(
                f"plugin command {self.name} returned a {type(result).__name__}, not rows"
            )
        for each in result:
            rows.append(Fields(dict(each)) if isinstance(each, Mapping) else each)
        return rows


def plugin_files() -> list[Path]:
    """The plugin files to load at start, in order: shipped, the user's, then ``$ZEDBG_PLUGINS``.

    ``ZEDBG_PLUGINS`` holds files or directories, separated as in ``PATH``.
    """
    package = Path(__file__).resolve().parent.parent
    configuration = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    places = [package / "plugins", package.parent / "plugins", configuration / "zedbg" / "plugins"]
    places += [Path(each) for each in os.environ.get("ZEDBG_PLUGINS", "").split(os.pathsep) if each]
    files: list[Path] = []
    for place in places:
        found = sorted(place.glob("*.py")) if place.is_dir() else [place]
        files += [
            path
            for path in found
            if path.is_file() and path.resolve() not in files and _is_plugin(path)
        ]
    return files


def _is_plugin(path: Path) -> bool:
    """Whether the file speaks of zedbg's command class; GDB's own plugins lie beside ours."""
    return "zedbg" in path.read_text(errors="replace") and not path.name.startswith("_")


def load_plugin(path: Path, registry: Registry) -> list[str]:
    """Runs a plugin file and adds its commands; a command of the same name is replaced.

    Returns:
        The names of the commands that it defined.

    Raises:
        CommandError: the file cannot be read, or it fails; nothing was added.
    """
    Command._defined.clear()
    try:
        names = runpy.run_path(str(path))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
    except Exception as error:
        raise CommandError(f"{path}: {type(error).__name__}: {error}") from error
    for value in names.values():
        if (
            isinstance(value, type)
            and issubclass(value, Command)
            and value is not Command
            and not any(type(each) is value for each in Command._defined)
        ):
            try:
                cast("Callable[[], Command]", value)()
            except Exception as error:
                raise CommandError(f"{path}: {value.__name__}(): {error}") from error
    commands = list(Command._defined)
    for command in commands:
        registry.add(command.declaration(), replace=True)
    return [command.name for command in commands]
