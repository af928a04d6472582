"""What a function of a SPIR-V module consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zedbg.spirv.module.operations import TERMINATORS


class Line(NamedTuple):  # of which there are very many
    """A place in the source; ``file`` without folders."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """The part of a variable that a value is: bits."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """From here on ``variable`` (of the call ``inlined``, 0: of the function itself) has
    ``value``; or, where ``in_memory``, lies at the pointer ``value``. ``value`` None: it has one
    that is not said in a way that is known."""

    variable: int
    inlined: int
    value: int | None
    in_memory: bool
    fragment: Fragment | None


@dataclass(slots=True)
class Instruction:
    """An instruction in a function; ``result`` 0: it has none."""

    opcode: int
    type: int
    result: int
    operands: Sequence[int]
    line: Line | None
    scope: int
    inlined: int


@dataclass
class Block:
    """Instructions without a jump in between; the last one is the jump."""

    label: int
    items: list[Instruction | Assignment] = field(default_factory=list)

    @property
    def terminator(self) -> Instruction | None:
        """Its last instruction."""
        last = self.items[-1] if self.items else None
        return last if isinstance(last, Instruction) and last.opcode in TERMINATORS else None


@dataclass
class Function:
    """A function with a body."""

    result: int
    parameters: list[int] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def entry(self) -> int:
        """The label of its first block."""
        return next(iter(self.blocks), 0)
