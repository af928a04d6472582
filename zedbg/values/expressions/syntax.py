"""Expressions as trees."""

from __future__ import annotations

from dataclasses import dataclass, fields

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import Type


@dataclass(frozen=True)
class Literal:
    """A number: ``1``, ``0x10ul``, ``1.5f``, ``'a'``."""

    value: int | float
    type: Type


@dataclass(frozen=True)
class Text:
    """A string: ``"abc"``, as an array of characters; ``data`` ends in a zero."""

    data: bytes


@dataclass(frozen=True)
class Name:
    """A variable of the program."""

    name: str


@dataclass(frozen=True)
class Dollar:
    """A register or a name that the debugger defines, without its ``$``."""

    name: str


@dataclass(frozen=True)
class DollarCall:
    """``$name(x, y)``: a function of the debugger's."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class MathCall:
    """``isnan(x)``: a function of OpenCL C that needs no device."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Unary:
    """``-x``, ``+x``, ``!x``, ``~x``, ``*x``, ``&x``."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """``x + y`` and so on; ``x @ n`` is an array of ``n`` elements that starts with ``x``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Conditional:
    """``c ? x : y``."""

    condition: Expression
    chosen: Expression
    other: Expression


@dataclass(frozen=True)
class MemberAccess:
    """``x.name``; ``x->name`` has ``arrow``."""

    operand: Expression
    name: str
    arrow: bool = False


@dataclass(frozen=True)
class Index:
    """``x[i]``."""

    operand: Expression
    index: Expression


@dataclass(frozen=True)
class Slice:
    """``x[first:end]``: the elements from ``first`` up to, without, ``end``."""

    operand: Expression
    first: Expression
    end: Expression


@dataclass(frozen=True)
class InSpace:
    """``@slm x``: the address ``x`` in a memory space."""

    space: MemorySpace
    operand: Expression


@dataclass(frozen=True)
class Cast:
    """``(type) x``."""

    type: Type
    operand: Expression


@dataclass(frozen=True)
class SizeOf:
    """``sizeof x`` and ``sizeof (type)``."""

    operand: Expression | Type


@dataclass(frozen=True)
class VectorLiteral:
    """``(float4)(x, y, z, w)``."""

    type: Type
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Sequence:
    """``x, y``: both are evaluated, the second is the value."""

    first: Expression
    second: Expression


@dataclass(frozen=True)
class Step:
    """``++x`` and ``x--``; ``operator`` is ``+`` or ``-``, ``before``: the new value counts."""

    operator: str
    target: Expression
    before: bool


@dataclass(frozen=True)
class TypeOnly:
    """A type in the place of an expression: ``ptype float4``, ``whatis S *``."""

    type: Type


@dataclass(frozen=True)
class Assignment:
    """``x = y``; ``operator`` is that of ``x += y``, empty for a plain one."""

    operator: str
    target: Expression
    value: Expression


Expression = (
    Literal
    | Text
    | Name
    | Dollar
    | DollarCall
    | MathCall
    | Unary
    | Binary
    | Conditional
    | MemberAccess
    | Index
    | Slice
    | InSpace
    | Cast
    | SizeOf
    | VectorLiteral
    | Sequence
    | Step
    | TypeOnly
    | Assignment
)


def assigns(expression: Expression) -> bool:
    """Whether evaluating it changes the program, or the user's names."""
    if isinstance(expression, Assignment | Step):
        return True
    return any(assigns(each) for each in inside(expression))


def inside(expression: Expression) -> list[Expression]:
    """The expressions that ``expression`` is made of."""
    parts = [getattr(expression, each.name) for each in fields(expression)]
    inner = [each for part in parts for each in (part if isinstance(part, tuple) else (part,))]
    return [each for each in inner if isinstance(each, Expression)]


def names(expression: Expression) -> set[str]:
    """The names in it that are of the program: variables, functions, enumerators, types."""
    if isinstance(expression, Name):
        return {expression.name}
    return {name for each in inside(expression) for name in names(each)}


def dollar_names(expression: Expression) -> set[str]:
    """The names in it that begin with a ``$``, without that; ``name()`` of functions."""
    if isinstance(expression, Dollar):
        return {expression.name}
    inner = {name for each in inside(expression) for name in dollar_names(each)}
    return {f"{expression.name}()", *inner} if isinstance(expression, DollarCall) else inner
