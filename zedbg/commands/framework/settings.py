"""Settings as data: name, default, and how a value is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from zedbg.commands.framework.command_errors import CommandError
from zedbg.engine.ground.scheduler_locking import SchedulerLocking

_MOST_DIGITS = 18
_SHORT = {"p": "print", "pr": "print", "bt": "backtrace"}  # as in set p pretty on


class SettingType(Enum):
    """How a setting's value is written."""

    BOOLEAN = "on or off"
    NUMBER = "a number"
    TEXT = "text"
    CHOICE = "one of its values"


class Group(Enum):
    """What a setting is about: the chapters of their reference."""

    VALUES = "values"
    SOURCE = "source and code"
    RUNNING = "running and stepping"
    BREAKPOINTS = "breakpoints"
    PROGRAM = "the program"
    THREADS = "threads"
    TERMINAL = "the terminal"
    SCRIPTS = "scripts and logs"


@dataclass(frozen=True)
class Setting:
    """A setting; the default is written as ``set`` takes it. ``unlimited``: 0 means no limit."""

    name: str
    type: SettingType
    default: str
    summary: str
    choices: tuple[str, ...] = ()
    unlimited: bool = False
    group: Group = Group.VALUES

    @property
    def takes(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return " or ".join(self.choices)
        return self.type.value + (" or unlimited" if self.unlimited else "")

    @property
    def values(self) -> tuple[str, ...]:
        """The words that may be given; none where anything may."""
        return ("on", "off") if self.type is SettingType.BOOLEAN else self.choices


def _on_off(group: Group, name: str, default: bool, summary: str) -> Setting:
    return Setting(name, SettingType.BOOLEAN, "on" if default else "off", summary, group=group)


def _limit(group: Group, name: str, default: int, summary: str) -> Setting:
    return Setting(name, SettingType.NUMBER, str(default), summary, unlimited=True, group=group)


def _text(group: Group, name: str, default: str, summary: str) -> Setting:
    return Setting(name, SettingType.TEXT, default, summary, group=group)


def _choice(group: Group, name: str, choices: tuple[str, ...], summary: str) -> Setting:
    """The first of ``choices`` is the default."""
    return Setting(name, SettingType.CHOICE, choices[0], summary, choices, group=group)


SETTINGS = {
    each.name: each
    for each in (
        _limit(Group.VALUES, "print elements", 200, "elements of an array that print shows"),
        _limit(
            Group.VALUES, "print repeats", 10, "equal elements in a row that print shows as one"
        ),
        _on_off(Group.VALUES, "print pretty", False, "print shows members of structures in lines"),
        _on_off(Group.VALUES, "print symbol", True, "print shows the symbol that an address is in"),
        _limit(Group.VALUES, "print work-items", 20, "work-items that print/w lists; 0 lists all"),
        _limit(Group.SOURCE, "listsize", 10, "source lines that list shows"),
        _limit(
            Group.VALUES,
            "print symbol-max",
            60,
            "characters of a function's name that the terminal shows, from its end; 0 shows all",
        ),
        Setting(
            "stop-lines",
            SettingType.NUMBER,
            "2",
            "source lines above and below the current one that a stop shows in the shell",
            group=Group.SOURCE,
        ),
        _limit(Group.THREADS, "threads limit", 50, "threads that info threads shows; 0 shows all"),
        _limit(Group.THREADS, "backtrace limit", 0, "frames that backtrace shows"),
        _on_off(
            Group.RUNNING,
            "follow-lane",
            False,
            "steps by lines end only where the focused lane is active",
        ),
        _on_off(
            Group.RUNNING,
            "step-mode",
            False,
            "step stops in functions without source lines, too",
        ),
        _on_off(
            Group.RUNNING,
            "range-stepping",
            True,
            "steps by lines let the thread run to the end of a line, not by single instructions",
        ),
        Setting(
            "watchdog",
            SettingType.NUMBER,
            "5",
            "seconds without a new module until pending breakpoints are reported; 0: never",
            group=Group.BREAKPOINTS,
        ),
        _choice(
            Group.BREAKPOINTS,
            "breakpoint pending",
            ("auto", "on", "off"),
            "places that no module has: on waits for them, off refuses, auto refuses what a loaded "
            "file cannot have",
        ),
        Setting(
            "scheduler-locking",
            SettingType.CHOICE,
            SchedulerLocking.STEP.value,
            "which threads run with the focused one: off all, step none during steps, on none",
            tuple(each.value for each in SchedulerLocking),
            group=Group.RUNNING,
        ),
        _on_off(
            Group.RUNNING,
            "non-stop",
            False,
            "a stop of one thread leaves others running; chosen before the program runs",
        ),
        _choice(
            Group.RUNNING,
            "exec-direction",
            ("forward", "reverse"),
            "which way step, next, stepi, nexti, finish, until, advance and continue go",
        ),
        _on_off(
            Group.RUNNING,
            "record",
            True,
            "launches are recorded from the next one on, so that the device can go back",
        ),
        Setting(
            "record-budget",
            SettingType.NUMBER,
            "0",
            "MiB that recordings of a device may take; 0: the driver's own limit",
            group=Group.RUNNING,
        ),
        _text(Group.PROGRAM, "args", "", "arguments that run gives the program"),
        _text(Group.PROGRAM, "cwd", "", "directory that the program runs in; empty: that of zedbg"),
        _choice(Group.TERMINAL, "editing-mode", ("emacs", "vi"), "keys of the prompt"),
        _on_off(Group.TERMINAL, "pagination", True, "long output waits after each page"),
        _limit(Group.TERMINAL, "height", 0, "lines of a page; 0: those of the terminal"),
        _limit(Group.TERMINAL, "width", 0, "characters of a line; 0: the terminal's"),
        _on_off(Group.TERMINAL, "style enabled", True, "colours in the terminal"),
        _on_off(
            Group.TERMINAL,
            "toolbar",
            True,
            "a line at the bottom with device, focus, state and scheduler locking",
        ),
        _on_off(
            Group.TERMINAL,
            "plain",
            False,
            "for screen readers: no toolbar, colours, suggestions or drawings",
        ),
        Setting(
            "plugin-timeout",
            SettingType.NUMBER,
            "10",
            "seconds that a plugin may take at a time, before it is switched off; 0: any",
            group=Group.SCRIPTS,
        ),
        _on_off(Group.TERMINAL, "history save", True, "typed lines are kept in a file"),
        _limit(Group.TERMINAL, "history size", 0, "lines of that file that are read"),
        _text(
            Group.TERMINAL,
            "history filename",
            "",
            "that file, read when the prompt begins; empty: history in the state folder",
        ),
        _on_off(Group.TERMINAL, "confirm", True, "ask before commands that cannot be undone"),
        _on_off(Group.SCRIPTS, "trace-commands", False, "show each command before it runs"),
        _on_off(Group.SCRIPTS, "logging enabled", False, "write what zedbg shows to a file, too"),
        _text(Group.SCRIPTS, "logging file", "zedbg.txt", "the file of set logging enabled"),
        _on_off(Group.SCRIPTS, "logging overwrite", False, "logging begins with an empty file"),
        _on_off(Group.SCRIPTS, "logging redirect", False, "logging writes to the file only"),
        Setting(
            "core-limit",
            SettingType.NUMBER,
            "256",
            "MiB of device memory that a core file has at most",
            group=Group.PROGRAM,
        ),
        _text(
            Group.PROGRAM,
            "core-on-fault",
            "",
            "directory in which a core file is saved when a thread faults; empty: none is",
        ),
    )
}
_WORDS_OF_TRUTH = {"on": "on", "1": "on", "yes": "on", "enable": "on"} | {
    "off": "off",
    "0": "off",
    "no": "off",
    "disable": "off",
}


class PluginSetting(Protocol):
    """What a plugin keeps of a setting."""

    def take(self, text: str) -> None:
        """It is set; CommandError when the plugin refuses that."""

    def text(self) -> str:
        """What it is now."""


class Settings:
    """The values of all settings, each as ``set`` took it; ``changed`` gets the name of each that
    is set. ``changes`` counts them: what is made from settings holds until it is another number."""

    def __init__(self, changed: Callable[[str], None] = lambda name: None) -> None:
        self._changed = changed
        self.changes = 0
        self._known = dict(SETTINGS)
        self._own: dict[str, PluginSetting] = {}
        self._values = {name: setting.default for name, setting in SETTINGS.items()}

    @property
    def known(self) -> Mapping[str, Setting]:
        """Every setting by name, those of plugins too."""
        return self._known

    def define(self, setting: Setting, own: PluginSetting) -> None:
        """A setting of a plugin's. CommandError when zedbg has one of the name."""
        if setting.name in SETTINGS:
            raise CommandError(f'There is a setting "{setting.name}" already.')
        self._known[setting.name] = setting
        self._own[setting.name] = own

    def forget(self, name: str) -> None:
        """Takes a plugin's setting out."""
        self._known.pop(name, None)
        self._own.pop(name, None)

    def find(self, name: str) -> Setting:
        """The setting that ``name``, or what it begins with, means; CommandError when none or
        several do."""
        setting = self._named(name.split())
        if setting is None:
            raise self._unknown(name)
        return setting

    def split(self, text: str) -> tuple[Setting, str]:
        """Parts ``print elements 20`` into the setting and its value. Raises CommandError."""
        words = text.split()
        if words[:1] == ["logging"] and words[1:] in ([], ["on"], ["off"]):
            words.insert(1, "enabled")  # the old form of GDB
            text = " ".join(words)
        for count in range(len(words), 0, -1):
            setting = self._named(words[:count])
            if setting is not None:
                rest = text.split(maxsplit=count)
                return setting, rest[count] if len(rest) > count else ""
        raise self._unknown(words[0] if words else "")

    def _named(self, words: list[str]) -> Setting | None:
        """The setting whose words begin as ``words`` do, if it is one."""
        exact = self._known.get(" ".join(words))
        if exact is not None:
            return exact
        words = [_SHORT.get(words[0], words[0]), *words[1:]] if words else words
        fitting = [
            each
            for each in self._known.values()
            if len(parts := each.name.split()) == len(words)
            and all(part.startswith(word) for part, word in zip(parts, words, strict=True))
        ]
        same_group = [each for each in fitting if each.name.split()[0] == words[0]]
        chosen = same_group or fitting
        return chosen[0] if len(chosen) == 1 else None

    def _unknown(self, name: str) -> CommandError:
        return CommandError(f'No setting "{name}": one of {", ".join(sorted(self._known))}.')

    def set(self, name: str, value: str) -> None:
        """Sets one; CommandError when the value does not fit its type."""
        setting = self.find(name)
        given = _taken(setting, value.strip())
        if given is None:
            raise CommandError(f'"set {setting.name}" takes {setting.takes}.')
        own = self._own.get(setting.name)
        if own is not None:
            own.take(given)
            return
        before = self._values[setting.name]
        self.changes += 1
        self._values[setting.name] = given
        try:
            self._changed(setting.name)
        except Exception:
            self.changes += 1
            self._values[setting.name] = before
            raise

    def text(self, name: str) -> str:
        """The value as text."""
        value = self._values.get(name)
        return self._own[name].text() if value is None else value

    def shown(self, name: str) -> str:
        """The value as ``show`` says it."""
        text = self.text(name)
        return "unlimited" if self._known[name].unlimited and text == "0" else text

    def number(self, name: str) -> int:
        """The value of a numeric setting; 0 where it is unlimited."""
        return int(self._values.get(name) or self.text(name))  # commands ask for many

    def is_on(self, name: str) -> bool:
        """The value of an on-off setting."""
        return (self._values.get(name) or self.text(name)) == "on"


def _taken(setting: Setting, given: str) -> str | None:
    """The value that ``given`` means; None when it does not fit."""
    match setting.type:
        case SettingType.BOOLEAN:
            return _WORDS_OF_TRUTH.get(given.lower() or "on")
        case SettingType.CHOICE:
            fitting = [each for each in setting.choices if each.startswith(given) and given]
            return given if given in setting.choices else fitting[0] if len(fitting) == 1 else None
        case SettingType.NUMBER:
            if setting.unlimited and given and "unlimited".startswith(given):
                return "0"
            is_number = given.isascii() and given.isdecimal() and len(given) <= _MOST_DIGITS
            return str(int(given)) if is_number else None
        case SettingType.TEXT:
            return given
