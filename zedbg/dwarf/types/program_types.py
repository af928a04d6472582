"""Types of a program's values, as its debug information describes them. Sizes are bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property


class Encoding(Enum):
    """What the bits of a base type mean."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    BFLOAT = "bfloat"  # the upper half of a float
    BOOLEAN = "boolean"
    SIGNED_CHAR = "signed char"
    UNSIGNED_CHAR = "unsigned char"


@dataclass(eq=False)
class Type:
    """Any type; ``size`` is 0 for void and for what is only declared."""

    # No ABC: isinstance() of one takes several times longer, and values ask for nothing else.

    size: int

    @cached_property
    def name(self) -> str:
        """The type as source writes it: ``const float *``."""
        return self.declare("")

    def declare(self, what: str) -> str:
        """A declaration of the declarator ``what`` (maybe empty), as GDB writes it."""
        raise NotImplementedError

    def stripped(self) -> Type:
        """The type under typedefs and qualifiers."""
        return self

    def __str__(self) -> str:
        return self.name


def _join(specifier: str, what: str) -> str:
    return f"{specifier} {what}" if what else specifier


@dataclass(eq=False)
class VoidType(Type):
    """``void``: what a pointer without a target points to."""

    size: int = 0

    def declare(self, what: str) -> str:
        return _join("void", what)


@dataclass(eq=False)
class BaseType(Type):
    """A scalar: ``int``, ``float``, ``half``, ``uchar``."""

    base_name: str
    encoding: Encoding

    def declare(self, what: str) -> str:
        return _join(self.base_name, what)

    @property
    def is_signed(self) -> bool:
        """Whether integers of the type are signed."""
        return self.encoding in (Encoding.SIGNED, Encoding.SIGNED_CHAR)

    @property
    def is_integer(self) -> bool:
        """Whether values are integers (bool and characters are)."""
        return self.encoding not in (Encoding.FLOAT, Encoding.BFLOAT)

    @property
    def is_character(self) -> bool:
        """Whether values are characters."""
        return self.encoding in (Encoding.SIGNED_CHAR, Encoding.UNSIGNED_CHAR)


@dataclass(eq=False)
class PointerType(Type):
    """A pointer. ``address_class`` 1 is shared local memory, None when nothing is said.

    ``reference`` is ``&`` or ``&&`` for a reference of C++, empty for a pointer.
    """

    target: Type
    address_class: int | None = None
    reference: str = ""

    def declare(self, what: str) -> str:
        inner = f"{self.reference or '*'}{what}"
        if isinstance(self.target, ArrayType | FunctionType):
            inner = f"({inner})"
        return self.target.declare(inner)


@dataclass(eq=False)
class ArrayType(Type):
    """An array, or an OpenCL vector; ``count`` is None when the length is unknown."""

    element: Type
    count: int | None
    is_vector: bool = False

    def declare(self, what: str) -> str:
        length = "" if self.count is None else str(self.count)
        if self.is_vector:
            attribute = f"__attribute__ ((vector_size({length})))"
            return _join(f"{self.element.name} {attribute}", what)
        if what == "":
            return self.element.declare(f"[{length}]")
        return self.element.declare(f"{what}[{length}]")


@dataclass(frozen=True)
class Member:
    """A member of a structure; ``bit_size`` is 0 unless it is a bit field."""

    name: str
    type: Type
    offset: int
    bit_offset: int = 0  # from the least significant bit of the storage at `offset`
    bit_size: int = 0
    is_base: bool = False  # a base class of C++


#: The keyword of complex numbers, which are shown as such.
COMPLEX = "_Complex"


@dataclass(eq=False)
class StructType(Type):
    """A structure or union. Members come after creation: it may point to itself.

    ``is_cpp``: its tag alone is its name, as in C++.
    """

    tag: str
    keyword: str  # struct, union, class
    members: list[Member] = field(default_factory=list)
    is_declaration: bool = False
    is_cpp: bool = False

    def declare(self, what: str) -> str:
        if self.is_cpp and self.tag:
            return _join(self.tag, what)
        return _join(f"{self.keyword} {self.tag or '{...}'}", what)

    def member(self, name: str) -> Member | None:
        """The member called ``name``, also of anonymous structures inside."""
        for member in self.members:
            if member.name == name:
                return member
            inner = member.type.stripped()
            if not member.name and isinstance(inner, StructType):
                found = inner.member(name)
                if found is not None:
                    return Member(
                        found.name,
                        found.type,
                        member.offset + found.offset,
                        found.bit_offset,
                        found.bit_size,
                    )
        return None


@dataclass(eq=False)
class EnumType(Type):
    """An enumeration: names by value."""

    tag: str
    enumerators: dict[str, int]
    is_signed: bool = False
    is_cpp: bool = False

    def declare(self, what: str) -> str:
        if self.is_cpp and self.tag:
            return _join(self.tag, what)
        return _join(f"enum {self.tag or '{...}'}", what)


@dataclass(eq=False)
class TypedefType(Type):
    """Another name for a type."""

    typedef_name: str
    target: Type

    def declare(self, what: str) -> str:
        return _join(self.typedef_name, what)

    def stripped(self) -> Type:
        return self.target.stripped()


@dataclass(eq=False)
class QualifiedType(Type):
    """A type with ``const``, ``volatile``, ``restrict`` or ``_Atomic``."""

    qualifier: str
    target: Type

    def declare(self, what: str) -> str:
        if isinstance(self.target, PointerType):
            return self.target.declare(_join(self.qualifier, what) if what else self.qualifier)
        return f"{self.qualifier} {self.target.declare(what)}"

    def stripped(self) -> Type:
        return self.target.stripped()


@dataclass(eq=False)
class FunctionType(Type):
    """The type of a function."""

    result: Type
    parameters: list[Type] = field(default_factory=list)

    def declare(self, what: str) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters) or "void"
        return self.result.declare(f"{what}({names})" if what else f"({names})")


VOID = VoidType()


def scalar(name: str, size: int, encoding: Encoding) -> BaseType:
    """A base type that no program declared: registers' elements, results of expressions."""
    return BaseType(size, name, encoding)


CHAR = scalar("char", 1, Encoding.SIGNED_CHAR)
UCHAR = scalar("unsigned char", 1, Encoding.UNSIGNED_CHAR)
SHORT = scalar("short", 2, Encoding.SIGNED)
USHORT = scalar("unsigned short", 2, Encoding.UNSIGNED)
INT = scalar("int", 4, Encoding.SIGNED)
UINT = scalar("unsigned int", 4, Encoding.UNSIGNED)
LONG = scalar("long", 8, Encoding.SIGNED)
ULONG = scalar("unsigned long", 8, Encoding.UNSIGNED)
HALF = scalar("half", 2, Encoding.FLOAT)
BF16 = scalar("bf16", 2, Encoding.BFLOAT)
FLOAT = scalar("float", 4, Encoding.FLOAT)
DOUBLE = scalar("double", 8, Encoding.FLOAT)
BOOL = scalar("bool", 1, Encoding.BOOLEAN)


def complex_type(name: str, size: int) -> StructType:
    """A complex number: its parts, of which it is no one number."""
    part_name = {2: "half", 4: "float"}.get(size // 2, "double")
    part = scalar(part_name, size // 2, Encoding.FLOAT)
    members = [Member("real", part, 0), Member("imag", part, size // 2)]
    return StructType(size, name, COMPLEX, members, is_cpp=True)
