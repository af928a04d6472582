"""``$_gdb_setting("name")`` and ``$_gdb_setting_str``: the values of settings, as in GDB."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.settings import Settings, SettingType
from zedbg.engine.ground.variables import Variables
from zedbg.values.operands.convenience_functions import ConvenienceFunction
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value


def define_setting_functions(variables: Variables, settings: Settings) -> None:
    """Adds them to the names that expressions may use. ``$_gdb_setting`` gives a number where the
    setting has one, 0 without a limit, and 1 or 0 for on and off. A call with a wrong name raises
    EvaluationError."""

    def named(function: str, arguments: Sequence[Value]) -> str:
        name = arguments[0].text if len(arguments) == 1 else None
        if name is None:
            raise EvaluationError(f"${function} takes the name of a setting as a string.")
        try:
            return settings.find(name).name
        except CommandError:
            text = f'${function} takes the name of a setting: "{name}" is none.'
            raise EvaluationError(text) from None

    def value(context: ThreadContext, lane: int, arguments: Sequence[Value]) -> int | str:
        name = named("_gdb_setting", arguments)
        match settings.known[name].type:
            case SettingType.BOOLEAN:
                return int(settings.is_on(name))
            case SettingType.NUMBER:
                return settings.number(name)
            case _:
                return settings.text(name)

    def text(context: ThreadContext, lane: int, arguments: Sequence[Value]) -> str:
        return settings.shown(named("_gdb_setting_str", arguments))

    for name, compute in (("_gdb_setting", value), ("_gdb_setting_str", text)):
        variables.set(name, ConvenienceFunction(name, compute))
