"""Settings of plugins, as ``set`` and ``show`` have them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin, running_plugin
from zedbg.commands.extending.plugin_command import COMMAND_USER
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.declaration import Category
from zedbg.commands.framework.settings import Setting, SettingType


class ParameterType(Enum):
    """What values a parameter takes; GDB's names are those of the constants below."""

    BOOLEAN = SettingType.BOOLEAN
    NUMBER = SettingType.NUMBER
    TEXT = SettingType.TEXT
    CHOICE = SettingType.CHOICE


PARAM_BOOLEAN = ParameterType.BOOLEAN
PARAM_ZUINTEGER = ParameterType.NUMBER
PARAM_STRING = ParameterType.TEXT
PARAM_ENUM = ParameterType.CHOICE

ParameterValue = bool | int | str


class Parameter(Offering):
    """A setting; ``self.value`` is what it is now. The docstring of the class says what it is for.

    ``choices``: the values of a PARAM_ENUM. A class may set ``default``, and define
    ``get_set_string(self)``, which is called after each ``set`` and returns a line to show, or
    raises zedbg.CommandError to refuse the value.
    """

    default: ParameterValue | None = None

    def __init__(
        self,
        name: str,
        command_class: Category = COMMAND_USER,
        parameter_class: ParameterType = PARAM_STRING,
        choices: Sequence[str] = (),
    ) -> None:
        self.name = " ".join(name.split())
        self.parameter_class = parameter_class
        self.choices = tuple(choices)
        if parameter_class is PARAM_ENUM and not self.choices:
            raise CommandError(f"Parameter {name} needs its choices.")
        nothing: dict[ParameterType, ParameterValue]
        nothing = {PARAM_BOOLEAN: False, PARAM_ZUINTEGER: 0, PARAM_STRING: ""}
        first = self.choices[0] if self.choices else nothing[parameter_class]
        self.value: ParameterValue = first if self.default is None else self.default
        self._offer(_ParameterContribution(self))

    def get_set_string(self) -> str:
        """Called after a ``set``: a line to show, "" for none."""
        return ""


class _ParameterContribution:
    def __init__(self, parameter: Parameter) -> None:
        self._made = parameter

    @property
    def made(self) -> Parameter:
        return self._made

    @property
    def description(self) -> str:
        return f"parameter {self._made.name}"

    def attach(self, plugin: Plugin) -> None:
        parameter = self._made
        text = (type(parameter).__doc__ or "").strip()
        setting = Setting(
            parameter.name,
            parameter.parameter_class.value,
            _written(parameter.value),
            text.partition("\n")[0].rstrip(".") or "This parameter is not documented",
            parameter.choices,
        )
        plugin.context.settings.define(setting, self)

    def detach(self) -> None:
        self._made.context.settings.forget(self._made.name)

    def text(self) -> str:
        return _written(self._made.value)

    def take(self, text: str) -> None:
        parameter, plugin = self._made, self._made._plugin
        kept, parameter.value = parameter.value, _read(parameter.parameter_class, text)
        try:
            said = plugin.call(f"setting {parameter.name}", parameter.get_set_string)
        except BaseException:
            parameter.value = kept
            raise
        if isinstance(said, str) and said:
            plugin.context.show_message(said)


def _written(value: ParameterValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _read(kind: ParameterType, text: str) -> ParameterValue:
    if kind is PARAM_BOOLEAN:
        return text == "on"
    return int(text) if kind is PARAM_ZUINTEGER else text


def parameter(name: str) -> ParameterValue:
    """The value of any setting, by its name in ``set``. CommandError when there is none."""
    settings = running_plugin().context.settings
    setting = settings.find(name)
    kind = ParameterType(setting.type)
    return _read(kind, settings.text(setting.name))
