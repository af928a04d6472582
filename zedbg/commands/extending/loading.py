"""Running a plugin's file or module, and making what it only defines."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from importlib import import_module, reload
from pathlib import Path
from types import ModuleType

from zedbg.commands.extending.finding import EntryPoint
from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin
from zedbg.commands.framework.command_errors import CommandError

_GDB = re.compile(rb"\bgdb\b")


def run_file(path: Path, plugin: Plugin) -> None:
    """Runs a plugin's file as it is now, as a module of its own. CommandError when it cannot be
    read; otherwise whatever it raises."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise CommandError(error.strerror or str(error)) from error
    if _GDB.search(source):
        # By name: it stands above this module, and is for scripts that were written for GDB.
        import_module("zedbg.commands.gdb_module.modules").install()
    module = ModuleType(f"zedbg_plugin_{path.stem}", None)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses and pickle look for it there
    exec(compile(source, str(path), "exec"), vars(module))
    make_offerings(vars(module), plugin)


def run_entry_point(entry: EntryPoint, plugin: Plugin) -> None:
    """Imports the module of an entry point (again), and calls its function if it names one."""
    name, _, function = entry.value.partition(":")
    name = name.strip()
    module = reload(sys.modules[name]) if name in sys.modules else import_module(name)
    if function.strip():
        getattr(module, function.strip())()
    else:
        make_offerings(vars(module), plugin)


def make_offerings(names: Mapping[str, object], plugin: Plugin) -> None:
    """Makes one instance of each class of commands, parameters and the like that a module defines,
    where the module has made none."""
    for value in list(names.values()):
        if not isinstance(value, type) or not issubclass(value, Offering):
            continue
        if value.__module__ != names.get("__name__") or _takes_arguments(value):
            continue
        if not any(type(each.made) is value for each in plugin.contributions):
            value()


def _takes_arguments(kind: type) -> bool:
    parameters = list(inspect.signature(kind).parameters.values())
    required = (each for each in parameters if each.default is each.empty)
    return any(each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in required)
