"""``gdb.Value``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from zedbg.commands.extending.plugin import running_plugin
from zedbg.commands.framework.evaluation import expression_context, format_options
from zedbg.commands.gdb_module.gdb_errors import as_gdb, error
from zedbg.commands.gdb_module.gdb_type import Field, Type
from zedbg.dwarf.types import program_types as program
from zedbg.missing import Missing, MissingError
from zedbg.values.expressions.lane_value import LaneValue, operand_of_python
from zedbg.values.formats.formatting import FormatOptions, type_name
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.pointers import address_of
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.homes import MemoryHome


def here() -> tuple[ThreadContext, int]:
    """What an expression of the running plugin sees: the selected frame, and its lane."""
    context = expression_context(running_plugin().context)
    return context, context.focused_lane


class LazyString:
    """``gdb.LazyString``: a text that is read when it is shown."""

    def __init__(self, value: Value, encoding: str, length: int) -> None:
        self.encoding, self.length = encoding, length
        self._value = value
        self.type = value.type

    @property
    def address(self) -> int:
        pointer = self._value if self.type.code.name == "PTR" else self._value.address
        return 0 if pointer is None else int(pointer)

    def value(self) -> Value:
        return self._value

    def lazy_text(self) -> str:
        """Its text, as printers show it."""
        return self._value.string(length=self.length)


class Value(LaneValue):
    """A value in the focused lane of the selected frame."""

    def __new__(cls, value: object, type: Type | None = None) -> Self:
        context, lane = here()
        if isinstance(value, Value):
            operand, context, lane = value._operand, value._context, value._lane
        elif type is not None and isinstance(value, bytes | bytearray | memoryview):
            operand = Operand.of_data(type.program_type, [bytes(value)[: type.sizeof]])
        else:
            operand = _of_python(value)
        return cls.made_of(operand, context, lane)

    def __init__(self, *_arguments: object) -> None:
        """Done by __new__, as in GDB: scripts that derive from it call this as they like."""

    @classmethod
    def made_of(cls, operand: Operand, context: ThreadContext, lane: int) -> Self:
        made = object.__new__(cls)
        LaneValue.__init__(made, operand, context, lane)
        return made

    @property
    def type(self) -> Type:
        return Type(self.program_type)

    @property
    def dynamic_type(self) -> Type:
        return self.type

    @property
    def is_optimized_out(self) -> bool:
        return self.missing is not None

    @property
    def is_lazy(self) -> bool:
        return False

    @property
    def bytes(self) -> bytes:
        return self.data

    def fetch_lazy(self) -> None:
        self.read()

    def __getitem__(self, key: object) -> Self:
        if isinstance(key, Field):
            key = key.member if key.member is not None else key.name
        return super().__getitem__(key)

    def __call__(self, *_arguments: object) -> None:
        raise error("Functions of a GPU's program cannot be called.")

    def reinterpret_cast(self, target: Type) -> Self:
        return self.cast(target)

    def dynamic_cast(self, target: Type) -> Self:
        return self.cast(target)

    def static_cast(self, target: Type) -> Self:
        return self.cast(target)

    def reference_value(self) -> Self:
        pointer = address_of(self._operand)
        kind = program.PointerType(8, self.program_type, None, "&")
        return self._new(Operand(kind, pointer.homes))

    def const_value(self) -> Self:
        return self.cast(self.type.const())

    def string(  # type: ignore[override]  # GDB's order
        self, encoding: str = "", errors: str = "strict", length: int = -1
    ) -> str:
        return super().string(int(length), encoding or "utf-8", errors)

    def lazy_string(self, encoding: str = "", length: int = -1) -> LazyString:
        return LazyString(self, encoding, int(length))

    def format_string(self, **options: Any) -> str:  # noqa: ANN401 - GDB's keywords
        """``raw`` and ``format`` count; other keywords have no meaning here."""
        letters = options.get("format") or ""
        return self._text(letters + ("r" if options.get("raw") else ""))

    def __str__(self) -> str:
        return self._text("")

    def _text(self, letters: str) -> str:
        found = self.value
        if isinstance(found, Missing) and isinstance(self._operand.homes[0], MemoryHome):
            raise MissingError(found.reason)  # in GDB, memory that is not there is an error
        text = self.format(self._options(letters))
        # A pointer's type is what ``print`` shows in front of it, not a value's own.
        return text.removeprefix(f"({type_name(self.program_type)}) ")

    def _options(self, letters: str) -> FormatOptions:
        return format_options(running_plugin().context, letters)

    def _type_of(self, target: object) -> program.Type:
        if not isinstance(target, Type):
            raise TypeError("Argument must be a type.")
        return target.program_type

    def _operand_of(self, value: object) -> Operand:
        return value._operand if isinstance(value, LaneValue) else _of_python(value)


# What GDB takes a number of Python's for.
_LONG_LONG = program.scalar("long long", 8, program.Encoding.SIGNED)


def _of_python(value: object) -> Operand:
    if isinstance(value, LazyString):
        value = value.lazy_text()
    if isinstance(value, bool):
        return Operand.of_numbers(program.INT, [int(value)])
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return Operand.of_numbers(_LONG_LONG, [value])
    return operand_of_python(value)


@as_gdb
def parse_and_eval(expression: str) -> Value:
    """The value of an expression in the selected frame and the focused lane."""
    return Value.evaluated(expression, *here())


def _made(what: str | Type) -> Value:
    if isinstance(what, str):
        return parse_and_eval(what)
    return Value.made_of(Operand(what.program_type, [Missing("optimized out")]), *here())


Type.make_value = staticmethod(_made)


def _convert(name: str, function: Callable[..., object]) -> None:
    setattr(Value, name, as_gdb(function))


# Whatever goes wrong in what LaneValue does is an error of GDB's to its scripts.
_KEPT = {"__class__", "__init__", "__new__", "__hash__", "__init_subclass__", "__subclasshook__"}
for _name in {*vars(LaneValue), *vars(Value)} - _KEPT:
    _found = getattr(Value, _name)
    _own = vars(Value).get(_name, vars(LaneValue).get(_name))
    if callable(_found) and not isinstance(_own, classmethod):
        _convert(_name, _found)
