"""Functions, the blocks in them, and the variables that each declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zedbg.dwarf.lines import SourceFile
from zedbg.dwarf.types import Type

Ranges = tuple[tuple[int, int], ...]  # (first address, behind the last), ascending


@dataclass(frozen=True)
class LocationEntry:
    """An expression that locates a variable while the pc is in one range of addresses."""

    low: int
    high: int
    expression: bytes


@dataclass(frozen=True, eq=False)
class Variable:
    """A parameter or variable of the program."""

    name: str
    type: Type
    is_parameter: bool
    file: SourceFile | None
    line: int
    # Where it is: entries of a location list, one expression that always holds, or neither.
    entries: tuple[LocationEntry, ...] = ()
    expression: bytes | None = None
    constant: int | bytes | None = None  # its value, when the compiler gave that instead
    address_class: int | None = None

    @property
    def is_located(self) -> bool:
        """Whether the compiler says anywhere where it is."""
        return bool(self.entries) or self.expression is not None or self.constant is not None


@dataclass(eq=False)
class Scope:
    """A block: the code that belongs to it, what it declares, and the blocks inside."""

    ranges: Ranges
    parent: Scope | None = None
    variables: list[Variable] = field(default_factory=list)
    children: list[Scope] = field(default_factory=list)

    def contains(self, address: int) -> bool:
        """Whether the code at ``address`` belongs to the block."""
        return any(low <= address < high for low, high in self.ranges)

    def innermost_at(self, address: int) -> Scope:
        """The innermost block at ``address``, this one when no inner block has it."""
        for child in self.children:
            if child.contains(address):
                return child.innermost_at(address)
        return self

    def outwards(self) -> Iterator[Scope]:
        """This block and those around it, innermost first, up to its function."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


@dataclass(eq=False)
class InlinedCall(Scope):
    """The code of a function that was inlined, and the place of the call."""

    name: str = ""
    call_file: SourceFile | None = None
    call_line: int = 0
    call_column: int = 0


@dataclass(eq=False)
class Function(Scope):
    """A function with code of its own: a kernel, or one that a kernel calls."""

    name: str = ""
    linkage_name: str | None = None
    file: SourceFile | None = None
    line: int = 0
    kernel: str = ""  # the kernel in whose code section it lies
    simd_width: int = 0  # lanes; 0 when unknown
    type: Type | None = None  # what it returns; None when nothing

    @property
    def low(self) -> int:
        """Address of the first instruction."""
        return min((low for low, _ in self.ranges), default=0)

    @property
    def high(self) -> int:
        """Address behind the last instruction."""
        return max((high for _, high in self.ranges), default=0)

    @property
    def is_kernel(self) -> bool:
        """Whether it is the entry of a kernel."""
        return self.name == self.kernel

    @property
    def parameters(self) -> list[Variable]:
        """Its parameters, in order."""
        return [variable for variable in self.variables if variable.is_parameter]
