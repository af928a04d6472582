"""Expressions as trees."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.dwarf.machine import MemorySpace
from zedbg.dwarf.types import Type


@dataclass(frozen=True)
class Literal:
    """A number: ``1``, ``0x10ul``, ``1.5f``, ``'a'``."""

    value: int | float
    type: Type


@dataclass(frozen=True)
class Name:
    """A variable of the program."""

    name: str


@dataclass(frozen=True)
class Dollar:
    """A register or a name that the debugger defines, without its ``$``."""

    name: str


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
    """``x[first:behind]``: the elements from ``first`` up to, without, ``behind``."""

    operand: Expression
    first: Expression
    behind: Expression


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
    | Name
    | Dollar
    | Unary
    | Binary
    | Conditional
    | MemberAccess
    | Index
    | Slice
    | InSpace
    | Cast
    | SizeOf
    | TypeOnly
    | Assignment
)
