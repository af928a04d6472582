"""Settings as data: name, default, and how a value is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from zedbg.commands.framework.command_errors import CommandError
from zedbg.engine.ground.scheduler_locking import SchedulerLocking


class SettingType(Enum):
    """How a setting's value is written."""

    BOOLEAN = "on or off"
    NUMBER = "a number"
    TEXT = "text"
    CHOICE = "one of its values"


@dataclass(frozen=True)
class Setting:
    """A setting; the default is written as ``set`` takes it."""

    name: str
    type: SettingType
    default: str
    summary: str
    choices: tuple[str, ...] = ()

    @property
    def takes(self) -> str:
        """What may be given, in words."""
        return " or ".join(self.choices) if self.choices else self.type.value

    @property
    def values(self) -> tuple[str, ...]:
        """The words that may be given; none where anything may."""
        return ("on", "off") if self.type is SettingType.BOOLEAN else self.choices


SETTINGS = {
    each.name: each
    for each in (
        Setting("listsize", SettingType.NUMBER, "10", "source lines that list shows"),
        Setting(
            "print elements", SettingType.NUMBER, "200", "elements of an array that print shows"
        ),
        Setting(
            "print work-items",
            SettingType.NUMBER,
            "20",
            "work-items that print/w lists; 0 lists all",
        ),
        Setting(
            "print symbol-max",
            SettingType.NUMBER,
            "60",
            "characters of a function's name that the terminal shows, from its end; 0 shows all",
        ),
        Setting(
            "stop-lines",
            SettingType.NUMBER,
            "2",
            "source lines above and below the current one that a stop shows in the shell",
        ),
        Setting(
            "threads limit",
            SettingType.NUMBER,
            "50",
            "threads that info threads shows; 0 shows all",
        ),
        Setting(
            "follow-lane",
            SettingType.BOOLEAN,
            "off",
            "steps by lines end only where the focused lane is active",
        ),
        Setting(
            "step-mode",
            SettingType.BOOLEAN,
            "off",
            "step stops in functions without source lines, too",
        ),
        Setting(
            "range-stepping",
            SettingType.BOOLEAN,
            "on",
            "steps by lines let the thread run to the end of a line, not by single instructions",
        ),
        Setting(
            "watchdog",
            SettingType.NUMBER,
            "5",
            "seconds without a new module until pending breakpoints are reported; 0: never",
        ),
        Setting(
            "scheduler-locking",
            SettingType.CHOICE,
            SchedulerLocking.STEP.value,
            "which threads run with the focused one: off all, step none during steps, on none",
            tuple(each.value for each in SchedulerLocking),
        ),
        Setting(
            "non-stop",
            SettingType.BOOLEAN,
            "off",
            "a stop of one thread leaves others running; chosen before the program runs",
        ),
        Setting("editing-mode", SettingType.CHOICE, "emacs", "keys of the prompt", ("emacs", "vi")),
        Setting("pagination", SettingType.BOOLEAN, "on", "long output waits after each page"),
        Setting("height", SettingType.NUMBER, "0", "lines of a page; 0: those of the terminal"),
        Setting("width", SettingType.NUMBER, "0", "characters of a line; 0: the terminal's"),
        Setting("style enabled", SettingType.BOOLEAN, "on", "colours in the terminal"),
        Setting(
            "toolbar",
            SettingType.BOOLEAN,
            "on",
            "a line at the bottom with device, focus, state and scheduler locking",
        ),
        Setting(
            "plain",
            SettingType.BOOLEAN,
            "off",
            "for screen readers: no toolbar, colours, suggestions or drawings",
        ),
        Setting(
            "plugin-timeout",
            SettingType.NUMBER,
            "10",
            "seconds that a plugin may take at a time, before it is switched off; 0: any",
        ),
        Setting("confirm", SettingType.BOOLEAN, "on", "ask before commands that cannot be undone"),
        Setting("args", SettingType.TEXT, "", "arguments that run gives the program"),
    )
}


class Settings:
    """The values of all settings, each as ``set`` took it; ``changed`` gets the name of each that
    is set."""

    def __init__(self, changed: Callable[[str], None] = lambda name: None) -> None:
        self._changed = changed
        self._known = dict(SETTINGS)
        self._own: dict[str, Callable[[str, str], str]] = {}
        self._values = {name: setting.default for name, setting in SETTINGS.items()}

    @property
    def known(self) -> Mapping[str, Setting]:
        """Every setting by name, those of plugins too."""
        return self._known

    def define(self, setting: Setting, take: Callable[[str, str], str]) -> None:
        """A setting of a plugin's. ``take`` is given the value before and the new one, and gives
        that which counts; it may raise CommandError. CommandError when zedbg has one of the name.
        """
        if setting.name in SETTINGS:
            raise CommandError(f'There is a setting "{setting.name}" already.')
        self._known[setting.name] = setting
        self._own[setting.name] = take
        self._values[setting.name] = setting.default

    def forget(self, name: str) -> None:
        """Takes a plugin's setting out."""
        for table in (self._known, self._own, self._values):
            table.pop(name, None)

    def find(self, name: str) -> Setting:
        """The setting called ``name``; CommandError when there is none."""
        setting = self._known.get(" ".join(name.split()))
        if setting is None:
            raise self._unknown(name)
        return setting

    def split(self, text: str) -> tuple[Setting, str]:
        """Parts ``print elements 20`` into the setting and its value. Raises CommandError."""
        words = text.split()
        for count in range(len(words), 0, -1):
            setting = self._known.get(" ".join(words[:count]))
            if setting is not None:
                return setting, " ".join(words[count:])
        raise self._unknown(words[0] if words else "")

    def _unknown(self, name: str) -> CommandError:
        return CommandError(f'No setting "{name}": one of {", ".join(sorted(self._known))}.')

    def set(self, name: str, value: str) -> None:
        """Sets one; CommandError when the value does not fit its type."""
        setting = self.find(name)
        value = value.strip()
        match setting.type:
            case SettingType.BOOLEAN:
                words = {"on": "on", "1": "on", "yes": "on", "off": "off", "0": "off", "no": "off"}
                value = words.get(value.lower() or "on", "")
            case SettingType.CHOICE:
                value = value if value in setting.choices else ""
            case SettingType.NUMBER:
                value = str(int(value)) if value.isdecimal() else ""
        if not value and setting.type is not SettingType.TEXT:
            raise CommandError(f'"set {setting.name}" takes {setting.takes}.')
        before = self._values[setting.name]
        self._values[setting.name] = value
        try:
            take = self._own.get(setting.name)
            if take is not None:
                self._values[setting.name] = take(before, value)
            else:
                self._changed(setting.name)
        except Exception:
            self._values[setting.name] = before
            raise

    def text(self, name: str) -> str:
        """The value as text."""
        return self._values[name]

    def number(self, name: str) -> int:
        """The value of a numeric setting."""
        return int(self._values[name])

    def is_on(self, name: str) -> bool:
        """The value of an on-off setting."""
        return self._values[name] == "on"
