"""The functions of ``gdb`` that are about the debugger itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from zedbg.commands.extending.plugin import running_plugin
from zedbg.commands.extending.plugin_parameter import parameter as any_parameter
from zedbg.commands.gdb_module.gdb_errors import as_gdb
from zedbg.commands.gdb_module.gdb_value import Value, here
from zedbg.missing import Missing

STDOUT, STDERR, STDLOG = 0, 1, 2
#: GDB's name for a setting of zedbg's, and its value there.
_PARAMETERS: dict[str, object] = {
    "pagination": False,
    "height": 0,
    "width": 80,
    "language": "c++",
    "host-charset": "UTF-8",
    "target-charset": "UTF-8",
    "print object": False,
    "print symbol": True,
    "print pretty": False,
    "print array-indexes": False,
    "print static-members": False,
    "verbose": False,
    "python print-stack": "message",
    "max-value-size": 65536,
}


@as_gdb
def execute(command: str, from_tty: bool = False, to_string: bool = False) -> str | None:
    """Runs command lines, one below the other; with ``to_string``, what they show."""
    context = running_plugin().context
    shown: list[str] = []
    for line in command.splitlines():
        if not line.strip():
            continue
        lines = context.show(context.execute(line))
        if to_string:
            shown += lines
        else:
            for each in lines:
                print(each)
    return "".join(f"{each}\n" for each in shown) if to_string else None


@as_gdb
def parameter(name: str) -> object:
    """The value of a setting, also of some that only GDB has."""
    if name in _PARAMETERS:
        return _PARAMETERS[name]
    return any_parameter(name)


def write(text: str, stream: int = STDOUT) -> None:
    """Prints."""
    print(text, end="", file=sys.stdout)


def flush(stream: int = STDOUT) -> None:
    """Nothing is kept back."""


@as_gdb
def convenience_variable(name: str) -> Value | None:
    """The value of ``$name``; None when there is none."""
    found = running_plugin().context.session.variables.get(name)
    return (
        None
        if found is None or isinstance(found, Missing)
        else Value.evaluated(f"${name}", *here())
    )


@as_gdb
def set_convenience_variable(name: str, value: object) -> None:
    """Gives ``$name`` a value; None takes it away."""
    variables = running_plugin().context.session.variables
    if value is None:
        variables.forget(name)
    elif isinstance(value, Value):
        variables.set(name, value.read())
    else:
        variables.set(name, value)


@as_gdb
def history(number: int) -> Value:
    """A value of the history; 0 is the newest, -1 the one before."""
    text = f"${number}" if number > 0 else f"$${-number}"
    return Value.evaluated(text, *here())


@as_gdb
def add_history(value: Value) -> int:
    """Puts a value into the history; its number."""
    return running_plugin().context.session.variables.remember(value.read())


def post_event(function: Callable[[], Any]) -> None:
    """Calls ``function``: zedbg runs plugins between its own events already."""
    function()


@as_gdb
def breakpoints() -> tuple[object, ...]:
    """The engine's breakpoints."""
    return tuple(running_plugin().context.session.breakpoints)
