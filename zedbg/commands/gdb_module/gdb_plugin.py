"""What GDB's scripts derive from and register: commands, parameters, functions, breakpoints,
printers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from zedbg.commands.extending import plugin_command, plugin_function, plugin_parameter
from zedbg.commands.extending.frame_decorators import FrameContribution, FrameDecorator
from zedbg.commands.extending.plugin import Plugin, running_plugin
from zedbg.commands.extending.plugin_breakpoint import PluginBreakpoint
from zedbg.commands.extending.printers import PrinterContribution, TypePrinterContribution
from zedbg.commands.framework.declaration import Category, Kind
from zedbg.commands.gdb_module.gdb_type import Type
from zedbg.commands.gdb_module.gdb_value import Value
from zedbg.dwarf.types.program_types import Type as ProgramType
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions.lane_value import LaneValue


class Command(plugin_command.Command):
    """``gdb.Command``. What ``invoke`` returns has no meaning; what it prints is shown."""

    def __init__(
        self,
        name: str,
        command_class: Category = Category.USER,
        completer_class: Kind | int = Kind.TEXT,
        prefix: bool = False,
    ) -> None:
        kind = completer_class if isinstance(completer_class, Kind) else Kind.TEXT
        super().__init__(name, command_class, kind, prefix)

    def rows(self, argument: str, from_tty: bool) -> object:
        self.invoke(argument, from_tty)
        return None


class Parameter(plugin_parameter.Parameter):
    """``gdb.Parameter``; ``set_doc``, ``show_doc`` and ``get_show_string`` are not shown."""

    def __init__(
        self,
        name: str,
        command_class: Category,
        parameter_class: plugin_parameter.ParameterType,
        enum_sequence: Sequence[str] = (),
    ) -> None:
        super().__init__(name, command_class, parameter_class, enum_sequence)


class Function(plugin_function.Function):
    """``gdb.Function``."""

    value_type: ClassVar[type[LaneValue]] = Value


class Breakpoint(PluginBreakpoint):
    """``gdb.Breakpoint`` at a place; watchpoints are made with the command ``watch``."""

    def __init__(
        self,
        spec: str = "",
        type: int = 1,
        wp_class: int = 1,
        internal: bool = False,
        temporary: bool = False,
        **place: object,
    ) -> None:
        parts = [str(place[name]) for name in ("source", "line") if place.get(name) is not None]
        where = spec or ":".join(parts) or str(place.get("function", ""))
        super().__init__(where, temporary)
        self.silent = False
        self.type = type

    def lanes_to_stop_for(self, thread: HardwareThread, lanes: int) -> object:
        stop: Callable[[], object] | None = getattr(self, "stop", None)
        # GDB stops for every answer but False and None.
        return bool(stop()) if stop is not None else True

    #: GDB's has one only where a script defines it.
    stop = None  # type: ignore[assignment]

    @property
    def location(self) -> str:
        return self.spec

    @property
    def is_valid(self) -> Callable[[], bool]:  # type: ignore[override]  # a method of GDB's
        return lambda: self.is_there

    @property
    def condition(self) -> str | None:
        found = self.engine_breakpoint.condition
        return None if found is None else found.text

    @condition.setter
    def condition(self, text: str | None) -> None:
        session = self.context.session
        with session.condition:
            session.breakpoints.set_condition(self.engine_breakpoint, text)

    @property
    def ignore_count(self) -> int:
        return self.engine_breakpoint.ignore_count

    @ignore_count.setter
    def ignore_count(self, count: int) -> None:
        self.engine_breakpoint.ignore_count = count

    @property
    def pending(self) -> bool:
        return self.engine_breakpoint.pending

    @property
    def commands(self) -> str:
        return "".join(f"{line}\n" for line in self.engine_breakpoint.commands)

    @commands.setter
    def commands(self, text: str) -> None:
        self.engine_breakpoint.commands = [line.strip() for line in text.splitlines() if line]


class Lists:
    """The printers and filters that a plugin has registered: each list is asked as it is then."""

    def __init__(self, plugin: Plugin) -> None:
        self.pretty_printers: list[Any] = []
        self.type_printers: list[Any] = []
        self.frame_filters: dict[str, Any] = {}
        plugin.add(PrinterContribution(self._printer, None, "of gdb.pretty_printers", Value))
        plugin.add(TypePrinterContribution(self._type_name, "of gdb.type_printers"))
        plugin.add(FrameContribution(self._frames, "of gdb.frame_filters"))

    def _printer(self, value: LaneValue) -> object:
        return visualizer(self.pretty_printers, value)

    def _type_name(self, kind: ProgramType) -> str | None:
        for each in self.type_printers:
            if getattr(each, "enabled", True) and (recognizer := each.instantiate()) is not None:
                name = recognizer.recognize(Type(kind))
                if name is not None:
                    return str(name)
        return None

    def _frames(self, frames: Iterable[FrameDecorator]) -> Iterable[FrameDecorator]:
        filters = [each for each in self.frame_filters.values() if each.enabled]
        if not filters:
            return frames
        shown: Iterator[FrameDecorator] = iter(frames)
        for each in sorted(filters, key=lambda one: -one.priority):
            shown = each.filter(shown)
        return shown


_lists: WeakKeyDictionary[Plugin, Lists] = WeakKeyDictionary()


def lists() -> Lists:
    """Those of the plugin that runs."""
    plugin = running_plugin()
    if plugin not in _lists:
        _lists[plugin] = Lists(plugin)
    return _lists[plugin]


def visualizer(printers: Iterable[Any], value: object) -> object:
    """What the first enabled one of ``printers`` makes of ``value``; None when none knows it."""
    for each in printers:
        found = each(value) if getattr(each, "enabled", True) else None
        if found is not None:
            return found
    return None


def default_visualizer(value: object) -> object:
    """``gdb.default_visualizer``: of the printers of the plugin that runs."""
    return visualizer(lists().pretty_printers, value)


class Printers:
    """``gdb.pretty_printers`` and the lists of ``gdb.Objfile``: those of the plugin that runs."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def _list(self) -> Any:  # noqa: ANN401 - a list or dict of what scripts make
        return getattr(lists(), self._name)

    def __getattr__(self, name: str) -> object:
        return getattr(self._list, name)

    def __iter__(self) -> Iterator[object]:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def __getitem__(self, key: object) -> object:
        return self._list[key]

    def __setitem__(self, key: object, value: object) -> None:
        self._list[key] = value

    def __contains__(self, value: object) -> bool:
        return value in self._list

    def __delitem__(self, key: object) -> None:
        del self._list[key]

    def __add__(self, other: list[object]) -> list[object]:
        return [*self._list, *other]


# --- gdb.printing --------------------------------------------------------------------------------


class PrettyPrinter:
    """``gdb.printing.PrettyPrinter``: a named collection of printers."""

    def __init__(self, name: str, subprinters: list[SubPrettyPrinter] | None = None) -> None:
        self.name = name
        self.subprinters = subprinters
        self.enabled = True

    def __call__(self, value: Value) -> object:
        raise NotImplementedError("PrettyPrinter __call__")


class SubPrettyPrinter:
    """``gdb.printing.SubPrettyPrinter``: one printer of a collection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.enabled = True


class _ByPattern(SubPrettyPrinter):
    def __init__(self, name: str, pattern: str, make: Callable[[Value], object]) -> None:
        super().__init__(name)
        self.pattern = re.compile(pattern)
        self.make = make


class RegexpCollectionPrettyPrinter(PrettyPrinter):
    """``gdb.printing.RegexpCollectionPrettyPrinter``: the first whose pattern is found in the name
    of the type makes the printer."""

    def __init__(self, name: str) -> None:
        super().__init__(name, [])

    def add_printer(self, name: str, pattern: str, make: Callable[[Value], object]) -> None:
        assert self.subprinters is not None
        self.subprinters.append(_ByPattern(name, pattern, make))

    def __call__(self, value: Value) -> object:
        kind = basic_type(value.type)
        name = kind.tag or value.type.name
        for each in self.subprinters or ():
            is_on = isinstance(each, _ByPattern) and each.enabled
            if isinstance(each, _ByPattern) and is_on and each.pattern.search(name or ""):
                return each.make(value)
        return None


class FlagEnumerationPrinter(PrettyPrinter):
    """``gdb.printing.FlagEnumerationPrinter``: zedbg prints flags so by itself."""

    def __init__(self, enum_type: str) -> None:
        super().__init__(enum_type)

    def __call__(self, value: Value) -> object:
        return None


def register_pretty_printer(owner: object, printer: Any, replace: bool = False) -> None:  # noqa: ANN401
    """``gdb.printing.register_pretty_printer``; of whatever object file, it is the plugin's.
    RuntimeError when one of its name is there, and is not to be replaced."""
    known = lists().pretty_printers
    name = getattr(printer, "name", None) or getattr(printer, "__name__", None)
    same = [each for each in known if (getattr(each, "name", None) or each.__name__) == name]
    if same and not replace:
        raise RuntimeError(f"pretty-printer already registered: {name}")
    for each in same:
        known.remove(each)
    known.insert(0, printer)


# --- gdb.types -----------------------------------------------------------------------------------


def basic_type(kind: Type) -> Type:
    """``gdb.types.get_basic_type``: without references, typedefs and qualifiers."""
    while True:
        plain = kind.unqualified().strip_typedefs().unqualified()
        if plain.code.name not in ("REF", "RVALUE_REF"):
            return plain
        kind = plain.target()


def has_field(kind: Type, name: str) -> bool:
    """``gdb.types.has_field``: also in base classes. TypeError for no structure."""
    found = basic_type(kind)
    if found.code.name not in ("STRUCT", "UNION"):
        raise TypeError("not a struct or union")
    for each in found.fields():
        if each.name == name:
            return True
        if each.is_base_class and each.type is not None and has_field(each.type, name):
            return True
    return False


def make_enum_dict(kind: Type) -> dict[str | None, int | None]:
    """``gdb.types.make_enum_dict``: the numbers by name. TypeError for no enumeration."""
    if kind.strip_typedefs().code.name != "ENUM":
        raise TypeError("not an enum type")
    return {each.name: each.enumval for each in kind.fields()}


def deep_items(kind: Type) -> Iterator[tuple[str | None, object]]:
    """``gdb.types.deep_items``: members, those of anonymous ones in their place."""
    for name, each in kind.items():
        if name or each.type is None:
            yield name, each
        else:
            yield from deep_items(each.type)


class TypePrinter:
    """``gdb.types.TypePrinter``."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.enabled = True

    def instantiate(self) -> object:
        return None


def register_type_printer(owner: object, printer: object) -> None:
    """``gdb.types.register_type_printer``."""
    lists().type_printers.insert(0, printer)


def type_recognizers() -> list[Any]:
    """``gdb.types.get_type_recognizers``."""
    found = (each.instantiate() for each in lists().type_printers if each.enabled)
    return [each for each in found if each is not None]


def apply_type_recognizers(recognizers: Iterable[Any], kind: Type) -> str | None:
    """``gdb.types.apply_type_recognizers``."""
    names = (each.recognize(kind) for each in recognizers)
    return next((str(name) for name in names if name is not None), None)
