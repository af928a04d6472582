"""Pretty-printers and type printers of plugins."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from zedbg.commands.extending.plugin import Plugin, PluginFailed, PluginFault, running_plugin
from zedbg.commands.framework.evaluation import expression_context
from zedbg.dwarf.types.program_types import QualifiedType, Type
from zedbg.missing import Missing, MissingError
from zedbg.user_error import UserError
from zedbg.values.expressions.lane_value import LaneValue
from zedbg.values.formats.printed import Child, DisplayHint, Printed
from zedbg.values.typed.value import Value

PrinterFactory = Callable[[LaneValue], object]
"""Makes the printer of a value: an object with ``to_string``, ``children`` and ``display_hint``, as
GDB's are (one of the first two is enough); None when it has none for it after all."""

_F = TypeVar("_F", bound=PrinterFactory)
_CHILDREN_BEYOND = 1  # the first one that is not shown says that there are more


def printer(pattern: str) -> Callable[[_F], _F]:
    """Declares the class or function below as the pretty-printer of the types whose name, without
    typedefs and qualifiers, is all of the regular expression ``pattern``."""
    compiled = re.compile(pattern)

    def declare(factory: _F) -> _F:
        running_plugin().add(PrinterContribution(factory, compiled, pattern))
        return factory

    return declare


def type_printer(pattern: str, replacement: str) -> None:
    """Names of types in ``whatis`` and ``ptype``: what is all of the regular expression ``pattern``
    is shown as ``replacement``, with groups as ``re.sub`` has them."""
    compiled = re.compile(pattern)

    def name(value_type: Type) -> str | None:
        match = compiled.fullmatch(value_type.name)
        return match.expand(replacement) if match else None

    running_plugin().add(TypePrinterContribution(name, pattern))


class PrinterContribution:
    """A pretty-printer; ``pattern`` None: the factory itself says which values it is for."""

    def __init__(
        self,
        factory: PrinterFactory,
        pattern: re.Pattern[str] | None,
        description: str,
        value_type: type[LaneValue] = LaneValue,
    ) -> None:
        self._factory = factory
        self._pattern = pattern
        self._value_type = value_type
        self._plugin: Plugin | None = None
        self._fits: dict[int, tuple[Type, bool]] = {}  # by the type's identity, which it keeps
        self.description = f"pretty-printer {description}"

    @property
    def made(self) -> object:
        return self._factory

    def attach(self, plugin: Plugin) -> None:
        self._plugin = plugin
        plugin.context.hooks.printers.insert(0, self._print)

    def detach(self) -> None:
        assert self._plugin is not None
        self._plugin.context.hooks.printers.remove(self._print)

    def _print(self, value: Value, lane: int | None) -> Printed | None:
        plugin = self._plugin
        assert plugin is not None
        if not self._is_for(value.type):
            return None
        context = expression_context(plugin.context)
        lane = context.focused_lane if lane is None else lane
        limit = plugin.context.settings.number("print elements")

        def call() -> Printed | None:
            found = self._factory(self._value_type.of(value, context, lane))
            return None if found is None else printed(found, limit, self._value_type)

        try:
            return plugin.call(f"the {self.description}", call)
        except PluginFault as error:
            plugin.context.show_message(error.line, warning=True)
            return None
        except MissingError as error:
            return Printed(error.missing)
        except UserError as error:
            return Printed(Missing(f"error: {error.line}"))

    def _is_for(self, value_type: Type) -> bool:
        if self._pattern is None:
            return True
        known = self._fits.get(id(value_type))
        if known is None:
            name = plain_name(value_type)
            known = self._fits[id(value_type)] = value_type, bool(self._pattern.fullmatch(name))
        return known[1]


class TypePrinterContribution:
    """Another name for types: ``name`` gives it, or None."""

    def __init__(self, name: Callable[[Type], str | None], description: str) -> None:
        self._name = name
        self._plugin: Plugin | None = None
        self.description = f"type printer {description}"

    @property
    def made(self) -> object:
        return self._name

    def attach(self, plugin: Plugin) -> None:
        self._plugin = plugin
        plugin.context.hooks.type_names.insert(0, self._shown)

    def detach(self) -> None:
        assert self._plugin is not None
        self._plugin.context.hooks.type_names.remove(self._shown)

    def _shown(self, value_type: Type) -> str | None:
        assert self._plugin is not None

        def name() -> str | None:
            found = self._name(value_type)
            if found is not None and not isinstance(found, str):
                raise PluginFailed(f"the {self.description} returned {type(found).__name__}")
            return found

        return self._plugin.try_call(f"the {self.description}", name, None)


def plain_name(value_type: Type) -> str:
    """The name of a type without typedefs and qualifiers, and without ``struct``."""
    stripped = value_type.stripped()
    while isinstance(stripped, QualifiedType):
        stripped = stripped.target.stripped()
    return re.sub(r"^(struct|class|union) ", "", stripped.name)


def printed(found: object, limit: int, value_type: type[LaneValue] = LaneValue) -> Printed | None:
    """What a printer says, with ``limit`` children at most. PluginFailed when it is no printer."""
    if isinstance(found, str):
        return Printed(found)
    to_string = getattr(found, "to_string", None)
    children = getattr(found, "children", None)
    hint = getattr(found, "display_hint", None)
    if to_string is None and children is None:
        raise PluginFailed(f"a pretty-printer is a {type(found).__name__}, without to_string")
    text = _text(to_string()) if to_string is not None else None
    shown = DisplayHint.NONE
    if hint is not None and (word := hint()) in {each.value for each in DisplayHint}:
        shown = DisplayHint(word)
    if children is None:
        return Printed(text, hint=shown)
    per_child = 2 if shown is DisplayHint.MAP else 1
    parts = list(itertools.islice(_children(children()), limit * per_child + _CHILDREN_BEYOND))
    is_cut = len(parts) > limit * per_child
    return Printed(text, tuple(parts[: limit * per_child]), shown, is_cut)


def _text(value: object) -> Value | Missing | str | None:
    if value is None or isinstance(value, str | Value | Missing):
        return value
    if isinstance(value, LaneValue):
        return value.value
    string = getattr(value, "lazy_text", None)  # GDB's lazy strings
    if callable(string):
        return str(string())
    raise PluginFailed(f"to_string returned {type(value).__name__}")


def _children(found: object) -> Iterable[tuple[str, Child]]:
    if not isinstance(found, Iterable):
        raise PluginFailed(f"children returned {type(found).__name__}")
    for each in found:
        if not isinstance(each, tuple) or len(each) != 2:
            raise PluginFailed("children gave what is no pair of a name and a value")
        name, value = each
        if isinstance(value, bool | int | float):
            value = str(value).lower() if isinstance(value, bool) else str(value)
        child = _text(value)
        yield str(name), "" if child is None else child
