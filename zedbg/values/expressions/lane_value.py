"""A value in one lane, as scripts compute with it: read when it is needed, parts by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from zedbg.dwarf.types.program_types import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LONG,
    ULONG,
    ArrayType,
    Member,
    PointerType,
    StructType,
    Type,
)
from zedbg.missing import Missing, MissingError
from zedbg.values.expressions import api
from zedbg.values.expressions.evaluator import LaneEvaluator
from zedbg.values.expressions.selection import element_of, member_of, part_of
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.operands import casts, pointers
from zedbg.values.operands.arithmetic import unary
from zedbg.values.operands.operand import Operand
from zedbg.values.source.access import Access
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import Home
from zedbg.values.typed.scalars import Number
from zedbg.values.typed.value import Plain, Value

_TEXT_STEP = 256
_LONGEST_TEXT = 1 << 20


class _Loaded(Operand):
    """A value whose bytes have been read already."""

    def __init__(self, value: Value) -> None:
        home = value.home
        if home is None:
            data = Operand.of_data(value.type, [value.data])
            super().__init__(value.type, data.homes)
        else:
            super().__init__(value.type, (home,), True)
        self._value = value

    def load(self, access: Access) -> list[bytes | Missing]:
        return [self._value.data]

    def moved(self, value_type: Type, offset: int) -> Operand:
        data = self._value.data[offset : offset + value_type.size]
        if len(data) < value_type.size:
            return super().moved(value_type, offset)
        home: Home | None = self._value.home
        return _Loaded(Value(value_type, data, None if home is None else home.moved(offset)))


class LaneValue:
    """``value["x"]`` is a member (through a pointer too), ``value[3]`` an element; ``int()``,
    ``float()``, ``bool()`` and operators are those of C.

    EvaluationError (an UserError) for what the type does not have, MissingError for a value that
    cannot be read. Nothing is read before it is asked for.
    """

    def __init__(self, operand: Operand, context: ThreadContext, lane: int) -> None:
        self._operand = operand
        self._context = context
        self._lane = lane
        self._evaluator = LaneEvaluator(context, (lane,))

    @classmethod
    def of(cls, value: Value, context: ThreadContext, lane: int) -> Self:
        """``value`` of the lane ``lane``."""
        return cls.made_of(_Loaded(value), context, lane)

    @classmethod
    def evaluated(cls, expression: str, context: ThreadContext, lane: int) -> Self:
        """The value of an expression. EvaluationError."""
        found = api.Expression(expression, context.debug_info).operand(context, (lane,))
        return cls.made_of(found, context, lane)

    @classmethod
    def made_of(cls, operand: Operand, context: ThreadContext, lane: int) -> Self:
        """One of this class, however its users make one."""
        return cls(operand, context, lane)

    def _new(self, operand: Operand) -> Self:
        return self.made_of(operand, self._context, self._lane)

    # --- what it is -----------------------------------------------------------------------------

    @property
    def program_type(self) -> Type:
        """Its type as the program declares it."""
        return self._operand.type

    @property
    def type(self) -> object:
        """Its type."""
        return self.program_type

    @property
    def missing(self) -> Missing | None:
        """Why it cannot be read, None when it can."""
        found = self.value
        return found if isinstance(found, Missing) else None

    @property
    def value(self) -> Value | Missing:
        """The bytes, with their type and place."""
        operand = self._operand
        data = operand.load(self._evaluator.access)[0]
        if isinstance(data, Missing):
            return data
        home = operand.homes[0] if operand.is_lvalue else None
        return Value(operand.type, data, None if isinstance(home, Missing) else home)

    def read(self) -> Value:
        """The same; MissingError when it cannot be read."""
        found = self.value
        if isinstance(found, Missing):
            raise MissingError(found.reason)
        return found

    @property
    def data(self) -> bytes:
        """Its bytes; MissingError when they cannot be read."""
        return self.read().data

    @property
    def number(self) -> Number:
        """The number of a scalar. MissingError, EvaluationError."""
        operand = pointers.decayed(pointers.referent(self._operand, self._evaluator.access))
        found = operand.numbers(self._evaluator.access)[0]
        if isinstance(found, Missing):
            raise MissingError(found.reason)
        return found

    def plain(self) -> Plain:
        """The value as JSON can hold it. MissingError."""
        return self.read().plain()

    def format(self, options: FormatOptions | None = None) -> str:
        """The value as ``print`` shows it."""
        return format_value(self.value, options)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<{self.program_type.name} {self.format()}>"

    # --- its parts ------------------------------------------------------------------------------

    def __getitem__(self, key: object) -> Self:
        operand = pointers.referent(self._operand, self._evaluator.access)
        if isinstance(key, str):
            return self._new(member_of(self._evaluator, operand, key))
        if isinstance(key, Member):
            if isinstance(operand.type.stripped(), PointerType):
                operand = pointers.dereferenced(operand, self._evaluator.access)
            return self._new(part_of(self._evaluator, operand, key))
        return self._new(element_of(self._evaluator, operand, self._operand_of(key)))

    def __contains__(self, name: object) -> bool:
        """Whether it is a structure with a member of that name, also in its base classes."""
        stripped = self.program_type.stripped()
        if isinstance(stripped, PointerType):
            stripped = stripped.target.stripped()
        return isinstance(stripped, StructType) and stripped.member(str(name)) is not None

    def __iter__(self) -> Iterator[Self]:
        array = self.program_type.stripped()
        if not isinstance(array, ArrayType) or array.count is None:
            raise EvaluationError(f"A value of type {self.program_type.name} has no elements.")
        return (self[index] for index in range(array.count))

    @property
    def address(self) -> Self | None:
        """A pointer to it; None when it lies in no memory, or in several places of it."""
        try:
            return self._new(pointers.address_of(self._operand))
        except EvaluationError:
            return None

    def dereference(self) -> Self:
        """What it points to, ``*value``."""
        return self._new(pointers.dereferenced(self._operand, self._evaluator.access))

    def referenced_value(self) -> Self:
        """What it points or refers to."""
        referent = pointers.referent(self._operand, self._evaluator.access)
        return self._new(referent) if referent is not self._operand else self.dereference()

    def cast(self, target: object) -> Self:
        """The value as another type; a structure as one of its base classes."""
        kind = self._type_of(target)
        operand = pointers.referent(self._operand, self._evaluator.access)
        base = _base(operand.type, kind)
        if base is not None:
            return self._new(operand.moved(kind, base))
        return self._new(casts.cast(kind, operand, self._evaluator.access))

    def string(self, length: int = -1, encoding: str = "utf-8", errors: str = "replace") -> str:
        """A text: an array of characters, or what a pointer to them points to, up to its zero or
        ``length`` bytes long. MissingError, EvaluationError."""
        stripped = self.program_type.stripped()
        if isinstance(stripped, ArrayType):
            data = self.data[: length if length >= 0 else None]
            return (data if length >= 0 else data.partition(b"\0")[0]).decode(encoding, errors)
        if length >= 0:
            return self._bytes_at(0, length).decode(encoding, errors)
        text = b""
        while b"\0" not in text and len(text) < _LONGEST_TEXT:
            step = _TEXT_STEP
            while True:  # what follows the text may not be there
                try:
                    text += self._bytes_at(len(text), step)
                    break
                except MissingError:
                    if step == 1:
                        raise
                    step //= 2
        return text.partition(b"\0")[0].decode(encoding, errors)

    def _bytes_at(self, offset: int, count: int) -> bytes:
        if not count:
            return b""
        characters = PointerType(8, CHAR, getattr(self.program_type.stripped(), "address_class", 0))
        first = casts.cast(characters, self._operand, self._evaluator.access)
        here = self._evaluator.computed("+", first, Operand.of_numbers(LONG, [offset]))
        target = pointers.dereferenced(here, self._evaluator.access)
        array = Operand(ArrayType(count, CHAR, count), target.homes, True)
        data = array.load(self._evaluator.access)[0]
        if isinstance(data, Missing):
            raise MissingError(data.reason)
        return data

    # --- numbers --------------------------------------------------------------------------------

    def __int__(self) -> int:
        return int(self.number)

    def __index__(self) -> int:
        return int(self.number)

    def __float__(self) -> float:
        return float(self.number)

    def __bool__(self) -> bool:
        return bool(self.number)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        return bool(self._compute("==", self, other).number)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> bool:
        return bool(self._compute("<", self, other).number)

    def __le__(self, other: object) -> bool:
        return bool(self._compute("<=", self, other).number)

    def __gt__(self, other: object) -> bool:
        return bool(self._compute(">", self, other).number)

    def __ge__(self, other: object) -> bool:
        return bool(self._compute(">=", self, other).number)

    def __add__(self, other: object) -> Self:
        return self._compute("+", self, other)

    def __radd__(self, other: object) -> Self:
        return self._compute("+", other, self)

    def __sub__(self, other: object) -> Self:
        return self._compute("-", self, other)

    def __rsub__(self, other: object) -> Self:
        return self._compute("-", other, self)

    def __mul__(self, other: object) -> Self:
        return self._compute("*", self, other)

    def __rmul__(self, other: object) -> Self:
        return self._compute("*", other, self)

    def __truediv__(self, other: object) -> Self:
        return self._compute("/", self, other)

    def __rtruediv__(self, other: object) -> Self:
        return self._compute("/", other, self)

    def __floordiv__(self, other: object) -> Self:
        return self._compute("/", self, other)

    def __mod__(self, other: object) -> Self:
        return self._compute("%", self, other)

    def __rmod__(self, other: object) -> Self:
        return self._compute("%", other, self)

    def __and__(self, other: object) -> Self:
        return self._compute("&", self, other)

    def __rand__(self, other: object) -> Self:
        return self._compute("&", other, self)

    def __or__(self, other: object) -> Self:
        return self._compute("|", self, other)

    def __ror__(self, other: object) -> Self:
        return self._compute("|", other, self)

    def __xor__(self, other: object) -> Self:
        return self._compute("^", self, other)

    def __rxor__(self, other: object) -> Self:
        return self._compute("^", other, self)

    def __lshift__(self, other: object) -> Self:
        return self._compute("<<", self, other)

    def __rlshift__(self, other: object) -> Self:
        return self._compute("<<", other, self)

    def __rshift__(self, other: object) -> Self:
        return self._compute(">>", self, other)

    def __rrshift__(self, other: object) -> Self:
        return self._compute(">>", other, self)

    def __pow__(self, other: object) -> Self:
        return self._new(self._operand_of(self.number ** self._operand_number(other)))

    def __neg__(self) -> Self:
        return self._unary("-")

    def __pos__(self) -> Self:
        return self._unary("+")

    def __invert__(self) -> Self:
        return self._unary("~")

    def __abs__(self) -> Self:
        return -self if self.number < 0 else self

    def _unary(self, name: str) -> Self:
        result, compute = unary(name, self.program_type)
        return self._new(Operand.of_numbers(result, [compute(self.number)]))

    def _compute(self, name: str, left: object, right: object) -> Self:
        operands = [self._operand_of(each) for each in (left, right)]
        referents = [pointers.referent(each, self._evaluator.access) for each in operands]
        return self._new(self._evaluator.computed(name, *referents))

    def _operand_number(self, other: object) -> Number:
        return self._new(self._operand_of(other)).number

    def _operand_of(self, value: object) -> Operand:
        """Anything that a script computes with as an operand. EvaluationError."""
        return value._operand if isinstance(value, LaneValue) else operand_of_python(value)

    def _type_of(self, target: object) -> Type:
        assert isinstance(target, Type)
        return target


def operand_of_python(value: object) -> Operand:
    """A number or text of Python's as an operand of one lane. EvaluationError for anything else."""
    if isinstance(value, bool):
        return Operand.of_numbers(BOOL, [value])
    if isinstance(value, int):
        return Operand.of_numbers(_integer_type(value), [value])
    if isinstance(value, float):
        return Operand.of_numbers(DOUBLE, [value])
    if isinstance(value, str):
        text = value.encode() + b"\0"
        return Operand.of_data(ArrayType(len(text), CHAR, len(text)), [text])
    raise EvaluationError(f"A {type(value).__name__} is no value of a program.")


def _integer_type(value: int) -> Type:
    if -(1 << 31) <= value < 1 << 31:
        return INT
    return LONG if value < 1 << 63 else ULONG


def _base(value_type: Type, wanted: Type) -> int | None:
    """Where the base class ``wanted`` begins in a structure, in bytes; None when it is none."""
    structure, target = value_type.stripped(), wanted.stripped()
    if not isinstance(structure, StructType) or not isinstance(target, StructType):
        return None
    if structure is target or structure.name == target.name:
        return 0
    for member in structure.members:
        inner = _base(member.type, target) if member.is_base else None
        if inner is not None:
            return member.offset + inner
    return None
