"""Functions, the blocks in them, and the variables that each declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from zedbg.dwarf.expressions.expression_unit import ExpressionUnit
from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.dwarf.types import cpp_names, overloads
from zedbg.dwarf.types.program_types import Type

Ranges = tuple[tuple[int, int], ...]  # (first address, after the last), ascending


@dataclass(frozen=True, slots=True)
class LocationEntry:
    """An expression that locates a variable while the pc is in one range of addresses."""

    low: int
    high: int
    expression: bytes


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call, known by where it returns to; ``values`` gives, for what an argument is in when the
    call begins, an expression of its value in the calling frame (DWARF 5, 3.4)."""

    return_address: int
    values: Mapping[bytes, bytes]


@dataclass(frozen=True, eq=False, slots=True)
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
    unit: ExpressionUnit | None = None  # what its expressions refer to; None: to nothing

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

    @property
    def low(self) -> int:
        """Address of the first instruction."""
        return min((low for low, _ in self.ranges), default=0)

    def close(self) -> None:
        """Lets go of what is inside."""
        for child in self.children:
            child.close()
        self.children.clear()

    def inlined_calls(self) -> Iterator[InlinedCall]:
        """The inlined calls in it, with those inside of others."""
        for child in self.children:
            if isinstance(child, InlinedCall):
                yield child
            yield from child.inlined_calls()

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

    def is_called(self, name: str) -> bool:
        """Whether ``name`` may name the function."""
        return _is_name_of(name, self.name) and _takes(name, self.variables)


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
    frame_base: bytes | None = None  # an expression of what fbreg counts from; None: the CFA
    call_sites: list[CallSite] = field(default_factory=list)
    unit: ExpressionUnit | None = None  # what the expressions of its call sites refer to

    def is_called(self, name: str) -> bool:
        """Whether ``name`` may name it."""
        if name == self.linkage_name:
            return True
        return _is_name_of(name, self.name) and _takes(name, self.variables)

    @property
    def high(self) -> int:
        """Address after the last instruction."""
        return max((high for _, high in self.ranges), default=0)

    @property
    def is_kernel(self) -> bool:
        """Whether it is the entry of a kernel."""
        return (self.linkage_name or self.name) == self.kernel

    @property
    def parameters(self) -> list[Variable]:
        """Its parameters, in order."""
        return [variable for variable in self.variables if variable.is_parameter]


def _is_name_of(wanted: str, name: str) -> bool:
    """Whether ``wanted`` is ``name``, or what C++ lets people write for it."""
    if wanted == name:
        return True
    is_plain = name.isidentifier() and wanted.isidentifier()
    return not is_plain and cpp_names.means(wanted, name)


def _takes(wanted: str, variables: list[Variable]) -> bool:
    """Whether a function with these ``variables`` takes what ``wanted`` says of its parameters."""
    _name, types = overloads.parted(wanted)
    return types is None or overloads.takes(
        types, [(each.name, each.type) for each in variables if each.is_parameter]
    )
