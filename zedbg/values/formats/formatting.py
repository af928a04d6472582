"""Values as GDB prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from zedbg.dwarf.types.program_types import (
    COMPLEX,
    ArrayType,
    BaseType,
    EnumType,
    FunctionType,
    Member,
    PointerType,
    StructType,
    Type,
)
from zedbg.missing import Missing
from zedbg.values.formats.letters import LETTERS, format_letter
from zedbg.values.formats.opaque_types import image_type_name
from zedbg.values.formats.printed import Printed, printed_text
from zedbg.values.formats.scalar_text import base_text, enumeration_text
from zedbg.values.formats.text import format_text
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.values.typed.scalars import decode
from zedbg.values.typed.value import Value

_NO_LIMIT = 1 << 62
_UNAVAILABLE = "<unavailable>"
#: The mark of a value that the compiler's debug information gives and nothing confirms.
DOUBTFUL = "(?)"
Symbolizer = Callable[[int], str | None]
PrettyPrinter = Callable[[Value, int | None], Printed | None]
_DEEPEST = 20  # printers inside of printers


@dataclass(frozen=True)
class FormatOptions:
    """How to print. ``letter`` is that of ``print/x``; ``symbol_of`` names an address; ``pretty``
    gives each member of a structure a line. ``printer`` knows another form of a value, given it and
    its ``lane`` (None: the focused one). Of ``element_limit`` and ``repeat_threshold`` 0 means that
    there is no limit."""

    letter: str = ""
    element_limit: int = 200
    repeat_threshold: int = 10
    symbol_of: Symbolizer | None = None
    pretty: bool = False
    printer: PrettyPrinter | None = None
    lane: int | None = None

    def __post_init__(self) -> None:
        if self.letter and self.letter not in LETTERS:
            raise EvaluationError(f'Undefined output format "{self.letter}".')


def format_value(value: Value | Missing, options: FormatOptions | None = None) -> str:
    """``value`` as GDB's ``print`` shows it, without ``$1 =``; with a mark where it is doubtful."""
    options = options or FormatOptions()
    if isinstance(value, PartlyKnown):
        return _Printer(options).partly(value)
    if isinstance(value, Missing):
        return str(value)
    text = _certain(value, options)
    return f"{text} {DOUBTFUL}" if value.doubt is not None else text


def without_mark(text: str) -> str:
    """What format_value() made, as if the value was not doubtful."""
    return text.removesuffix(f" {DOUBTFUL}")


def _certain(value: Value, options: FormatOptions) -> str:
    stripped = value.type.stripped()
    printer = _Printer(options)
    if (shown := printer.pretty(value)) is not None:
        return shown
    if isinstance(stripped, PointerType) and not options.letter:
        text = _pointer(value, options)
        if isinstance(stripped.target.stripped(), FunctionType):
            return f"{{{stripped.target.name}}} {text}"
        return f"({type_name(value.type)}) {text}"
    return printer.plain(value)


def _pointer(value: Value, options: FormatOptions) -> str:
    return _address_text(int.from_bytes(value.data, "little"), options)


def _address_text(address: int, options: FormatOptions) -> str:
    symbol = options.symbol_of(address) if options.symbol_of is not None else None
    return f"{address:#x} {symbol}" if symbol else f"{address:#x}"


class _Printer:
    def __init__(self, options: FormatOptions) -> None:
        self._options = options
        self._element_limit = self._left = options.element_limit or _NO_LIMIT
        self._repeat_threshold = options.repeat_threshold or _NO_LIMIT
        self._depth = 0  # of printers inside of printers
        self._level = 0  # of structures inside of structures

    def value(self, value: Value) -> str:
        """``value`` inside of others."""
        shown = self.pretty(value)
        return self.plain(value) if shown is None else shown

    def pretty(self, value: Value) -> str | None:
        """``value`` as its pretty-printer shows it; None when it has none."""
        if self._options.printer is None or self._depth == _DEEPEST:
            return None
        printed = self._options.printer(value, self._options.lane)
        if printed is None:
            return None
        self._depth += 1
        try:
            return printed_text(printed, self.value, self._element_limit, self._repeat_threshold)
        finally:
            self._depth -= 1

    def plain(self, value: Value) -> str:
        """``value`` as its type says; not for a pointer that stands alone."""
        stripped = value.type.stripped()
        if isinstance(stripped, ArrayType):
            return self._array(value, stripped)
        if isinstance(stripped, StructType):
            return self._structure(value, stripped)
        if self._options.letter:
            return format_letter(
                self._options.letter, value.type, value.data, self._options.symbol_of
            )
        if isinstance(stripped, BaseType):
            return base_text(stripped, value.data)
        if isinstance(stripped, EnumType):
            return enumeration_text(stripped, int(decode(stripped, value.data)))
        if isinstance(stripped, PointerType):
            return _pointer(value, self._options)
        if isinstance(stripped, FunctionType):
            text = f"{{{value.type.name}}}"
            home = value.home
            if not isinstance(home, MemoryHome):
                return text
            return f"{text} {_address_text(home.address, self._options)}"
        return "void"

    def partly(self, value: PartlyKnown) -> str:
        """``value``, with a word for each part that is not known."""
        if value.value is not None:
            return self.value(value.value)
        texts = [_UNAVAILABLE if each is None else self.partly(each) for each in value.parts()]
        stripped = value.type.stripped()
        if isinstance(stripped, StructType):
            texts = [_of_member(*each) for each in zip(stripped.members, texts, strict=True)]
        else:
            texts = _with_repeats(texts, self._element_limit, self._repeat_threshold)
        return f"{{{_joined(texts)}}}" if texts else str(value)

    def _structure(self, value: Value, structure: StructType) -> str:
        if structure.is_declaration:
            return "<incomplete type>"
        if not structure.members:
            return "{<No data fields>}"
        if structure.keyword == COMPLEX:
            return "{} + {}i".format(*(self.value(value.member(m)) for m in structure.members))
        texts = []
        self._level += 1
        for member in structure.members:
            texts.append(_of_member(member, self.value(value.member(member))))
        self._level -= 1
        if not self._options.pretty:
            return f"{{{', '.join(texts)}}}"
        inner, outer = "  " * (self._level + 1), "  " * self._level
        lines = ",\n".join(f"{inner}{text}" for text in texts)
        return f"{{\n{lines}\n{outer}}}"

    def _array(self, value: Value, array: ArrayType) -> str:
        element = array.element.stripped()
        count = array.count or 0
        text_like = isinstance(element, BaseType) and element.is_character and element.size == 1
        if text_like and not array.is_vector and self._options.letter in ("", "s"):
            return format_text(value.data[:count], self._element_limit, self._repeat_threshold)
        parts: list[str] = []
        for repeats, item in _runs(value, array, self._repeat_threshold):
            if self._left <= 0:
                parts.append("...")
                break
            text = self._element(item, array)
            if repeats > self._repeat_threshold:
                parts.append(f"{text} <repeats {repeats} times>")
                self._left -= self._repeat_threshold
            else:
                parts.append(text)
                self._left -= not isinstance(element, ArrayType | StructType)
        return f"{{{_joined(parts)}}}"

    def _element(self, value: Value, array: ArrayType) -> str:
        element = array.element.stripped()
        plain_number = array.is_vector and isinstance(element, BaseType) and element.is_character
        if plain_number and not self._options.letter:
            return str(decode(element, value.data))
        return self.value(value)


def _joined(texts: Sequence[str]) -> str:
    return ", ".join(texts).replace(", ...", "...")


def _of_member(member: Member, text: str) -> str:
    """``text`` of a member with its name, where it has one."""
    name = f"<{member.type.name}>" if member.is_base else member.name
    return f"{name} = {text}" if name else text


def _with_repeats(texts: Sequence[str], limit: int, threshold: int) -> list[str]:
    """``texts`` of elements, ``limit`` at most, those that are repeated more often than
    ``threshold`` once."""
    found: list[str] = []
    for text, same in groupby(texts[:limit]):
        count = len(list(same))
        if count > threshold:
            found.append(f"{text} <repeats {count} times>")
        else:
            found += [text] * count
    return found + ["..."] * (len(texts) > limit)


def _runs(value: Value, array: ArrayType, threshold: int) -> Iterator[tuple[int, Value]]:
    """Elements with how many times they follow each other; short runs come one by one."""
    count = array.count or 0
    index = 0
    while index < count:
        first = value.element(index)
        end = index + 1
        while end < count and value.element(end).data == first.data:
            end += 1
        if end - index > threshold:
            yield end - index, first
            index = end
        else:
            yield 1, first
            index += 1


def type_name(value_type: Type) -> str:
    """The type as ``whatis`` shows it."""
    return image_type_name(value_type) or value_type.name
