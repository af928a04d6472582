"""What has variables in it, and the values among those that have parts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import (
    ArrayType,
    FunctionType,
    PointerType,
    StructType,
    Type,
    VoidType,
)
from zedbg.frontends.dap.protocol.types import PresentationHint, Variable
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.memory_references import reference
from zedbg.missing import Missing
from zedbg.values.formats.formatting import FormatOptions, format_value, type_name
from zedbg.values.formats.printed import Child, DisplayHint, Printed
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.values.typed.value import Value

_PLAIN = re.compile(r"[\w$.\[\]>-]+")  # needs no parentheses before a suffix
_SLM_POINTER = 1  # the address class of DWARF


@dataclass(frozen=True)
class View:
    """How a client wants values: ``add`` gives numbers for what has parts, ``options`` writes
    values as the shell does, ``type_name`` names types, ``check`` raises when the answer is not
    wanted any more."""

    add: Callable[[object], int]
    options: FormatOptions
    type_name: Callable[[Type], str] = type_name
    check: Callable[[], None] = lambda: None

    @property
    def hex(self) -> bool:
        """Whether numbers are hexadecimal."""
        return self.options.letter == "x"


@dataclass(frozen=True)
class Page:
    """Which of the variables are asked for: ``count`` from ``start`` on, 0: all that follow."""

    start: int = 0
    count: int = 0

    def of(self, total: int) -> range:
        """The numbers of those among ``total``."""
        start = min(max(self.start, 0), total)
        return range(start, min(start + self.count, total) if self.count > 0 else total)


class Container(ABC):
    """Variables that a client may ask for; ``frame`` is where they are seen."""

    frame: FrameReference

    @property
    def named(self) -> int | None:
        """How many variables with names there are, None when it takes reading to know."""
        return None

    @property
    def indexed(self) -> int | None:
        """How many elements there are, None when it has none."""
        return None

    @abstractmethod
    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        """Those of ``page``; EvaluationError or LevelZeroError when nothing can be read."""

    def expression(self, name: str) -> str | None:
        """An expression for the variable called ``name``; None when there is none."""
        return None


def shown(
    name: str,
    value: Value | Missing,
    expression: str | None,
    frame: FrameReference,
    view: View,
    declared: str | None = None,
) -> Variable:
    """A variable with ``value``; ``expression`` is what evaluates to it, ``declared`` its type
    where it has no value."""
    view.check()
    if isinstance(value, Missing):
        known = KnownParts.of(frame, value, expression)
        return Variable(
            name=name,
            value=format_value(value, view.options),
            variables_reference=0 if known is None else view.add(known),
            type=declared if known is None else view.type_name(known.value.type),
            presentation_hint=PresentationHint(attributes=["readOnly"]),
            evaluate_name=expression,
            named_variables=None if known is None else known.named,
            indexed_variables=None if known is None else known.indexed,
        )
    options = replace(view.options, lane=frame.lane)
    printed = None if options.printer is None else options.printer(value, frame.lane)
    if printed is not None and printed.children:
        parts: Container | None = PrintedParts(frame, printed)
    else:
        parts = parts_of(value, expression, frame)
    return Variable(
        name=name,
        value=format_value(value, options),
        variables_reference=0 if parts is None else view.add(parts),
        type=view.type_name(value.type),
        evaluate_name=expression,
        named_variables=None if parts is None else parts.named,
        indexed_variables=None if parts is None else parts.indexed,
        memory_reference=memory_reference(value, frame),
    )


def memory_reference(value: Value, frame: FrameReference) -> str | None:
    """Where a pointer points to; of other values, where they lie in memory."""
    stripped = value.type.stripped()
    if isinstance(stripped, PointerType):
        is_local = stripped.address_class == _SLM_POINTER
        space = MemorySpace.SLM if is_local else MemorySpace.GLOBAL
        return reference(space, int.from_bytes(value.data, "little"), frame.thread)
    if isinstance(value.home, MemoryHome):
        return reference(value.home.space, value.home.address, frame.thread)
    return None


def parts_of(value: Value, expression: str | None, frame: FrameReference) -> Container | None:
    """What ``value`` is made of, or points to; None when it has no parts."""
    stripped = value.type.stripped()
    if isinstance(stripped, ArrayType) and stripped.count:
        return Elements(frame, value, expression)
    if isinstance(stripped, StructType) and stripped.members:
        return Members(frame, value, expression)
    if isinstance(stripped, PointerType) and expression is not None and any(value.data):
        target = stripped.target.stripped()
        if not isinstance(target, VoidType | FunctionType) and target.size:
            return Target(frame, expression)
    return None


def _operand(expression: str) -> str:
    return expression if _PLAIN.fullmatch(expression) else f"({expression})"


@dataclass(frozen=True)
class Elements(Container):
    """The elements of an array or vector."""

    frame: FrameReference
    value: Value
    whole: str | None

    @property
    def indexed(self) -> int | None:
        stripped = self.value.type.stripped()
        assert isinstance(stripped, ArrayType)
        return stripped.count

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        for index in page.of(self.indexed or 0):
            name, _, expression = self.named_part(index)
            yield shown(name, self.value.element(index), expression, self.frame, view)

    def named_part(self, index: int) -> tuple[str, Type, str | None]:
        """The name of one of them, its type, and an expression for it."""
        stripped, name = self.value.type.stripped(), f"[{index}]"
        assert isinstance(stripped, ArrayType)
        return name, stripped.element, self.expression(name)

    def expression(self, name: str) -> str | None:
        return None if self.whole is None else f"{_operand(self.whole)}{name}"


@dataclass(frozen=True)
class Members(Container):
    """The members of a structure."""

    frame: FrameReference
    value: Value
    whole: str | None

    @property
    def _structure(self) -> StructType:
        stripped = self.value.type.stripped()
        assert isinstance(stripped, StructType)
        return stripped

    @property
    def named(self) -> int | None:
        return len(self._structure.members)

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        members = self._structure.members
        for index in page.of(len(members)):
            name, _, expression = self.named_part(index)
            yield shown(name, self.value.member(members[index]), expression, self.frame, view)

    def named_part(self, index: int) -> tuple[str, Type, str | None]:
        """The name of one of them, its type, and an expression for it."""
        member = self._structure.members[index]
        if member.name and not member.is_base:
            return member.name, member.type, self.expression(member.name)
        # Its members are those of the whole, to an expression.
        name = f"<{member.type.name}>" if member.is_base else "<anonymous>"
        return name, member.type, self.whole

    def expression(self, name: str) -> str | None:
        is_member = any(each.name == name for each in self._structure.members)
        return f"{_operand(self.whole)}.{name}" if self.whole is not None and is_member else None


@dataclass(frozen=True)
class KnownParts(Container):
    """The elements or members of a value of which only a part is known."""

    frame: FrameReference
    value: PartlyKnown
    whole: str | None

    @classmethod
    def of(cls, frame: FrameReference, value: Missing, whole: str | None) -> KnownParts | None:
        """Those of ``value``; None where nothing is known of it."""
        if isinstance(value, PartlyKnown) and value.parts():
            return cls(frame, value, whole)
        return None

    @property
    def _like(self) -> Elements | Members:
        """What has the names that they have."""
        value = Value(self.value.type, self.value.data)
        is_array = isinstance(value.type.stripped(), ArrayType)
        return (Elements if is_array else Members)(self.frame, value, self.whole)

    @property
    def named(self) -> int | None:
        return self._like.named

    @property
    def indexed(self) -> int | None:
        return self._like.indexed

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        like, parts = self._like, self.value.parts()
        for index in page.of(len(parts)):
            name, kind, expression = like.named_part(index)
            part: Value | Missing = Missing("unavailable")
            known = parts[index]
            if known is not None:
                part = known if known.value is None else known.value
            yield shown(name, part, expression, self.frame, view, view.type_name(kind))

    def expression(self, name: str) -> str | None:
        return self._like.expression(name)


@dataclass(frozen=True)
class PrintedParts(Container):
    """What a value consists of, as a pretty-printer of a plugin says."""

    frame: FrameReference
    printed: Printed

    @property
    def named(self) -> int | None:
        return len(self._parts)

    @property
    def _parts(self) -> list[tuple[str, Child]]:
        children = self.printed.children
        if self.printed.hint is not DisplayHint.MAP:
            return list(children)
        keys, values = children[::2], children[1::2]
        texts = [format_value(each) if not isinstance(each, str) else each for _, each in keys]
        return [(f"[{key}]", each) for key, (_, each) in zip(texts, values, strict=False)]

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        parts = self._parts
        for index in page.of(len(parts)):
            name, part = parts[index]
            if isinstance(part, str):
                yield Variable(name=name, value=part, variables_reference=0)
            else:
                yield shown(name, part, None, self.frame, view)


@dataclass(frozen=True)
class Target(Container):
    """What a pointer points to."""

    frame: FrameReference
    pointer: str

    @property
    def named(self) -> int | None:
        return 1

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        expression = self.expression("") or ""
        for _ in page.of(1):
            value = self.frame.evaluate(expression)
            yield shown(expression, value, expression, self.frame, view)

    def expression(self, name: str) -> str | None:
        return f"*{_operand(self.pointer)}"
