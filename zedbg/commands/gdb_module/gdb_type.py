"""``gdb.Type`` and ``gdb.Field``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import ClassVar, Protocol

from zedbg.commands.extending.plugin import running_plugin
from zedbg.commands.framework.evaluation import expression_context
from zedbg.commands.gdb_module.gdb_errors import as_gdb, error
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.types import program_types as program
from zedbg.values.expressions.api import Expression
from zedbg.values.expressions.syntax import TypeOnly
from zedbg.values.operands.type_names import TypeNames
from zedbg.values.typed.evaluation_error import EvaluationError


class TypeCode(IntEnum):
    """``gdb.TYPE_CODE_...``: the kinds of types; scripts name them, no number is GDB's."""

    BITSTRING = -1
    PTR = 1
    ARRAY = 2
    STRUCT = 3
    UNION = 4
    ENUM = 5
    FLAGS = 6
    FUNC = 7
    INT = 8
    FLT = 9
    VOID = 10
    SET = 11
    RANGE = 12
    STRING = 13
    ERROR = 14
    METHOD = 15
    METHODPTR = 16
    MEMBERPTR = 17
    REF = 18
    RVALUE_REF = 19
    CHAR = 20
    BOOL = 21
    COMPLEX = 22
    TYPEDEF = 23
    NAMESPACE = 24
    DECFLOAT = 25
    INTERNAL_FUNCTION = 26


def debug_info() -> DebugInfo | None:
    """What knows the program's types: that of the focused thread's module, or else of any."""
    context = running_plugin().context
    found = expression_context(context).debug_info
    if found is not None:
        return found
    modules = (module for device in context.session.devices for module in device.modules)
    return next((each.debug_info for each in modules if each.debug_info is not None), None)


@as_gdb
def lookup_type(name: str, block: object = None) -> Type:
    """The type called ``name``, with qualifiers and declarators as C has them."""
    info = debug_info()
    plain = re.sub(r"^(struct|class|union|enum)\s+", "", name.strip())
    found = TypeNames(info).named(plain)
    if found is None and info is not None and "<" in plain:
        found = _canonical_names(info).get(canonical(plain))
    if found is None:
        try:
            tree = Expression(plain, info)._tree
        except EvaluationError:
            tree = None
        found = tree.type if isinstance(tree, TypeOnly) else None
    if found is None:
        raise error(f"No type named {name}.")
    return Type(found)


@dataclass(frozen=True)
class Field:
    """A member, a base class or an enumerator."""

    name: str | None
    type: Type | None
    bitpos: int = 0
    bitsize: int = 0
    enumval: int | None = None
    is_base_class: bool = False
    parent_type: Type | None = None
    artificial: bool = False
    member: program.Member | None = field(default=None, repr=False)


class _MakeValue(Protocol):
    def __call__(self, what: str | Type) -> object: ...


class Type:
    """A type of the program."""

    #: Values stand above types: makes one of an expression, or a lost one of a type.
    make_value: ClassVar[_MakeValue]

    def __init__(self, program_type: program.Type) -> None:
        self.program_type = program_type

    # --- what it is -----------------------------------------------------------------------------

    @property
    def code(self) -> TypeCode:
        kind = _unqualified(self.program_type)
        match kind:
            case program.TypedefType():
                return TypeCode.TYPEDEF
            case program.PointerType(reference="&"):
                return TypeCode.REF
            case program.PointerType(reference="&&"):
                return TypeCode.RVALUE_REF
            case program.PointerType():
                return TypeCode.PTR
            case program.ArrayType():
                return TypeCode.ARRAY
            case program.StructType(keyword="union"):
                return TypeCode.UNION
            case program.StructType():
                return TypeCode.STRUCT
            case program.EnumType():
                return TypeCode.ENUM
            case program.FunctionType():
                return TypeCode.FUNC
            case program.BaseType(encoding=program.Encoding.BOOLEAN):
                return TypeCode.BOOL
            case program.BaseType() if not kind.is_integer:
                return TypeCode.FLT
            case program.BaseType():
                return TypeCode.INT
        return TypeCode.VOID

    @property
    def name(self) -> str | None:
        kind = _unqualified(self.program_type)
        if isinstance(kind, program.PointerType | program.ArrayType | program.FunctionType):
            return None
        if isinstance(kind, program.StructType | program.EnumType):
            return kind.tag or None
        return kind.name

    @property
    def tag(self) -> str | None:
        kind = _unqualified(self.program_type)
        is_tagged = isinstance(kind, program.StructType | program.EnumType)
        return self.name if is_tagged else None

    @property
    def sizeof(self) -> int:
        return self.program_type.size

    @property
    def alignof(self) -> int:
        return min(max(self.sizeof, 1), 8)

    @property
    def dynamic(self) -> bool:
        return False

    @property
    def is_signed(self) -> bool:
        kind = self.program_type.stripped()
        return isinstance(kind, program.BaseType | program.EnumType) and kind.is_signed

    def __str__(self) -> str:
        return self.program_type.name

    def __repr__(self) -> str:
        return f"<gdb.Type {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Type):
            return NotImplemented
        return self.code == other.code and str(self) == str(other) and self.sizeof == other.sizeof

    def __hash__(self) -> int:
        return hash(str(self))

    # --- others of it ---------------------------------------------------------------------------

    def strip_typedefs(self) -> Type:
        kind = self.program_type
        qualifiers = []
        while isinstance(kind, program.TypedefType | program.QualifiedType):
            if isinstance(kind, program.QualifiedType):
                qualifiers.append(kind.qualifier)
            kind = kind.target
        for each in reversed(qualifiers):
            kind = program.QualifiedType(kind.size, each, kind)
        return Type(kind)

    def unqualified(self) -> Type:
        return Type(_unqualified(self.program_type))

    def const(self) -> Type:
        return self._qualified("const")

    def volatile(self) -> Type:
        return self._qualified("volatile")

    def _qualified(self, word: str) -> Type:
        return Type(program.QualifiedType(self.sizeof, word, self.program_type))

    def pointer(self) -> Type:
        return Type(program.PointerType(8, self.program_type))

    def reference(self) -> Type:
        return Type(program.PointerType(8, self.program_type, None, "&"))

    def array(self, first: int, last: int | None = None) -> Type:
        count = first + 1 if last is None else last - first + 1
        if count < 0:
            raise ValueError("Array length must not be negative")
        return Type(program.ArrayType(count * self.sizeof, self.program_type, count))

    def vector(self, first: int, last: int | None = None) -> Type:
        found = self.array(first, last).program_type
        assert isinstance(found, program.ArrayType)
        return Type(program.ArrayType(found.size, found.element, found.count, True))

    @as_gdb
    def target(self) -> Type:
        kind = _unqualified(self.program_type)
        match kind:
            case program.PointerType() | program.TypedefType():
                return Type(kind.target)
            case program.ArrayType():
                return Type(kind.element)
            case program.FunctionType():
                return Type(kind.result)
        raise error("Type does not have a target.")

    @as_gdb
    def range(self) -> tuple[int, int]:
        kind = _unqualified(self.program_type)
        if isinstance(kind, program.ArrayType):
            return 0, (kind.count or 0) - 1
        if isinstance(kind, program.EnumType) and kind.enumerators:
            numbers = kind.enumerators.values()
            return min(numbers), max(numbers)
        raise error("This type does not have a range.")

    def optimized_out(self) -> object:
        """A value of the type that says that it is not there."""
        return type(self).make_value(self)

    @as_gdb
    def template_argument(self, number: int, block: object = None) -> object:
        """Argument ``number`` of a template: a type, or the value of a number. They are read from
        the type's name, in which debug information has them."""
        name = self.strip_typedefs().program_type
        arguments = template_arguments(_unqualified(name).name)
        if arguments is None:
            raise error("This is not a template instance.")
        if number >= len(arguments):
            raise error(f"Template argument number {number} out of range.")
        text = arguments[number]
        if re.fullmatch(r"-?\d+[uUlL]*|true|false|\(.*\)-?\d+|'.'", text):
            words = {"true": "1", "false": "0"}
            return type(self).make_value(words.get(text, re.sub(r"^\(.*\)", "", text)))
        return lookup_type(text)

    # --- members --------------------------------------------------------------------------------

    @as_gdb
    def fields(self) -> list[Field]:
        kind = self.program_type.stripped()
        if isinstance(kind, program.EnumType):
            return [
                Field(name, None, enumval=number, bitpos=number, parent_type=self)
                for name, number in kind.enumerators.items()
            ]
        if isinstance(kind, program.ArrayType):
            return [Field(None, Type(program.LONG), parent_type=self)]
        if isinstance(kind, program.FunctionType):
            return [Field(None, Type(each), parent_type=self) for each in kind.parameters]
        if not isinstance(kind, program.StructType):
            raise TypeError("Type is not a structure, union, enum, or function type.")
        return [
            Field(
                each.type.name if each.is_base else each.name or None,
                Type(each.type),
                bitpos=each.offset * 8 + each.bit_offset,
                bitsize=each.bit_size,
                is_base_class=each.is_base,
                parent_type=self,
                member=each,
            )
            for each in kind.members
        ]

    def keys(self) -> list[str | None]:
        return [each.name for each in self.fields()]

    def values(self) -> list[Field]:
        return self.fields()

    def items(self) -> list[tuple[str | None, Field]]:
        return [(each.name, each) for each in self.fields()]

    def iterkeys(self) -> Iterator[str | None]:
        return iter(self.keys())

    def itervalues(self) -> Iterator[Field]:
        return iter(self.values())

    def iteritems(self) -> Iterator[tuple[str | None, Field]]:
        return iter(self.items())

    def has_key(self, name: str) -> bool:
        return name in self

    def get(self, name: str, default: object = None) -> object:
        found = [each for each in self.fields() if each.name == name]
        return found[0] if found else default

    def __contains__(self, name: object) -> bool:
        try:
            return name in self.keys()
        except TypeError:
            return False

    def __getitem__(self, name: str) -> Field:
        for each in self.fields():
            if each.name == name:
                return each
        raise KeyError(name)

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.fields())

    def __bool__(self) -> bool:
        return True


def _unqualified(kind: program.Type) -> program.Type:
    while isinstance(kind, program.QualifiedType):
        kind = kind.target
    return kind


@cache
def _canonical_names(info: DebugInfo) -> dict[str, program.Type]:
    """The program's templates by the one way in which their names can be written."""
    named = info.named_types.items()
    return {canonical(name): found for name, found in named if "<" in name}


def canonical(name: str) -> str:
    """A type's name as compilers write it: ``Box<int const*>`` for ``Box<const int *>``."""
    name = name.strip()
    qualified = re.match(r"const\s+(.*)", name, re.DOTALL)
    if qualified:
        base, declarator = _declarator(qualified[1])
        return canonical(base) + " const" + "".join(declarator.split())
    base, declarator = _declarator(name)
    arguments = template_arguments(base)
    if arguments is not None:
        head = base[: _template_start(base)].strip()
        base = f"{head}<{','.join(map(canonical, arguments))}>"
    return " ".join(base.split()) + "".join(declarator.split())


def _declarator(name: str) -> tuple[str, str]:
    """``Box<int*>`` and ``*&`` of ``Box<int*> *&``."""
    end = len(name.rstrip(" *&"))
    return name[:end].rstrip(), name[end:]


def _template_start(name: str) -> int:
    """Where the arguments of the last template in a name begin."""
    depth = 0
    for position in range(len(name) - 1, -1, -1):
        depth += {">": 1, "<": -1}.get(name[position], 0)
        if not depth:
            return position
    return len(name)


def template_arguments(name: str) -> list[str] | None:
    """``["int", "std::allocator<int>"]`` of ``std::vector<int, std::allocator<int> >``: those of
    the last template in a name; None when it is no template."""
    if not name.endswith(">"):
        return None
    depth, end, arguments = 0, len(name) - 1, []
    for position in range(len(name) - 1, -1, -1):
        character = name[position]
        if character in ">)":
            depth += name[position - 1 : position + 1] != "->"
        elif character in "<(":
            depth -= 1
            if not depth:
                arguments.append(name[position + 1 : end].strip())
                return arguments[::-1] if arguments != [""] else []
        elif character == "," and depth == 1:
            arguments.append(name[position + 1 : end].strip())
            end = position
    return None
