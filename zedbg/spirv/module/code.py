"""A SPIR-V module as functions of instructions, with what its debug instructions say of each.

Sources: the SPIR-V specification; the extended instruction sets OpenCL.DebugInfo.100 and
NonSemantic.Shader.DebugInfo.100.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from posixpath import basename
from typing import NamedTuple

from zedbg.spirv.module.instructions import Assignment, Block, Fragment, Function, Instruction, Line
from zedbg.spirv.module.memory_accesses import MAY_STAND_FOR_MORE, expanded
from zedbg.spirv.module.operations import (
    DEBUG_TYPES,
    PARAMETER_BY_VALUE,
    PARAMETER_RETURNED,
    TERMINATORS,
    WITHOUT_RESULT,
    Debug,
    DebugOperator,
    Decoration,
    Op,
    Storage,
)
from zedbg.spirv.module.read_later import ReadLater
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.spirv import SpirvWords, literal_string

_DEBUG_SETS = {
    "OpenCL.DebugInfo.100": False,
    "SPIRV.debug": False,
    "NonSemantic.Shader.DebugInfo.100": True,  # numbers are ids of constants
}
_MATHS_SET = "OpenCL.std"
_VOID = Type(Kind.VOID)
_OTHER = Type(Kind.OTHER)
# They say which address space a value is in, not what it is.
_OF_SPACES = frozenset({DebugOperator.SWAP, DebugOperator.XDEREF, DebugOperator.CONSTU})
_NESTED = 1000  # blocks in each other, at most
_DAMAGES = (IndexError, KeyError, TypeError, ValueError, OverflowError)
# Numbers are compared faster than members of an enumeration.
_NAME, _EXT_INST, _LINE, _NO_LINE = map(int, (Op.NAME, Op.EXT_INST, Op.LINE, Op.NO_LINE))
_SWITCH, _WORD_BITS = int(Op.SWITCH), 32
# What is around the instructions of a block.
_AROUND_BLOCKS = frozenset({Op.FUNCTION, Op.FUNCTION_PARAMETER, Op.LABEL, Op.FUNCTION_END})
_LIMIT = 1 << 16  # parts of a composite constant
_FIRST_NEW_RESULT = 1 << 22  # ids of a module are less (SPIR-V specification, 2.17)


@dataclass(frozen=True)
class Scope:
    """A function or block of the source."""

    name: str  # of a function
    line: int
    parent: int | None
    is_function: bool


class LocalVariable(NamedTuple):
    """A variable of the source; ``type`` is an id of :attr:`SpirvCode.source_types`."""

    name: str
    line: int
    scope: int
    type: int
    is_parameter: bool


@dataclass(frozen=True, slots=True)
class SourceType:
    """A debug instruction that is a type, or a member of one. ``has_ids``: where the instruction
    set of OpenCL has numbers, this one has ids of constants."""

    instruction: int
    operands: Sequence[int]
    has_ids: bool


class SpirvCode:
    """A module: what is in front of its functions is read at once. Raises ZebinError where that is
    damaged."""

    def __init__(self, data: bytes, name: str) -> None:
        """``name`` is that of the module in errors."""
        self.types: dict[int, Type] = {}
        self.type_of: dict[int, Type] = {}  # of results
        self.constants: dict[int, Value] = {}
        self.built_ins: dict[int, int] = {}  # of variables
        self.storage: dict[int, int] = {}  # of variables outside of functions
        self.initializers: dict[int, int] = {}
        self._words = SpirvWords.of(data, name)
        self._next_result = _FIRST_NEW_RESULT
        self.functions = ReadLater(self._words.functions, self._read_function)
        self.kernels: dict[str, int] = {}
        self.scopes: dict[int, Scope] = {}
        self.variables: dict[int, LocalVariable] = {}
        #: By name and line, those outside of functions that are declared there.
        self.global_variables: dict[tuple[str, int], list[int]] = {}
        self.declared_in: dict[int, list[LocalVariable]] = {}  # by scope
        self.source_types: dict[int, SourceType] = {}
        self.calls: dict[int, tuple[int, int, int]] = {}  # inlined: line, scope, inlined again
        self.maths: set[int] = set()  # the ids of OpenCL.std
        self.by_value: set[int] = set()  # parameters: pointers to a copy that their function has
        self.returned: set[int] = set()  # parameters: pointers to what their function returns
        self.packed: set[int] = set()  # types of structures
        self.fast: set[int] = set()  # results that the compiler need not compute exactly
        self.rounding: dict[int, int] = {}  # of results of conversions
        self.saturated: set[int] = set()  # the same: those that do not wrap
        self._own_scope: dict[int, int] = {}  # of functions
        self._strings: dict[int, str] = {}
        self._lines: dict[tuple[int, ...], Line | None] = {}  # by the operands that say them
        self._sources: dict[int, str] = {}
        self._sets: dict[int, bool] = {}
        self._operations: dict[int, tuple[int, ...]] = {}
        self._expressions: dict[int, tuple[tuple[int, ...], ...] | None] = {}
        self._function: Function | None = None
        self._last: Function | None = None  # that was read to its end
        self._block: Block | None = None
        self._line: Line | None = None
        self._scope = (0, 0)
        try:
            for opcode, operands in self._words.head_instructions:
                if opcode != _NAME:  # of which there are most
                    self._read(opcode, operands)
        except _DAMAGES as error:
            if isinstance(error, ZebinError):
                raise
            raise ZebinError(name, "damaged SPIR-V", part="SPIR-V") from error

    # --- reading -------------------------------------------------------------------------------

    def _read_function(self, result: int) -> Function | None:
        if result not in self._words.functions:
            return None
        try:
            for opcode, operands in self._words.instructions(*self._words.functions[result]):
                self._read(opcode, operands)
        except _DAMAGES:
            self._last = None
        self._function = self._block = None
        return self._last

    def _read(self, opcode: int, operands: Sequence[int]) -> None:
        if opcode == _EXT_INST and operands[2] in self._sets:
            self._read_debug(operands)
        elif opcode == _LINE:
            key = tuple(operands)
            if key not in self._lines:
                file = self._strings.get(operands[0], "")
                self._lines[key] = self._line_of(file, operands[1], operands[2])
            self._line = self._lines[key]
        elif opcode == _NO_LINE:
            self._line = None
        elif self._block is not None and opcode not in _AROUND_BLOCKS:
            self._read_instruction(opcode, operands, self._block)
        elif opcode == Op.FUNCTION:
            self._function = Function(operands[1])
            self.type_of[operands[1]] = self.types.get(operands[0], _OTHER)
            self._block, self._scope, self._line = None, (0, 0), None
        elif self._function is None:
            self._read_head(opcode, operands)
        elif opcode == Op.FUNCTION_END:
            self._last = self._function
            self._function = self._block = None
        elif opcode == Op.FUNCTION_PARAMETER:
            self._function.parameters.append(operands[1])
            self.type_of[operands[1]] = self.types.get(operands[0], _OTHER)
        elif opcode == Op.LABEL:
            self._block = Block(operands[0])
            self._function.blocks[operands[0]] = self._block
            self._line = None
            self._scope = (0, 0)

    @staticmethod
    def _line_of(file: str, line: int, column: int) -> Line | None:
        return Line(_name_of_file(file), line, column) if line else None

    def _read_instruction(self, opcode: int, operands: Sequence[int], block: Block) -> None:
        kind = result = 0
        if opcode not in WITHOUT_RESULT and len(operands) > 1:
            kind, result, operands = operands[0], operands[1], operands[2:]
            self.type_of[result] = self.types.get(kind, _OTHER)
        if opcode == _SWITCH and self.type_of.get(operands[0], _OTHER).bits > _WORD_BITS:
            operands = _with_long_cases(operands)
        item = Instruction(opcode, kind, result, operands, self._line, *self._scope)
        if opcode in MAY_STAND_FOR_MORE:
            block.items += expanded(self, item)
        else:
            block.items.append(item)
        if opcode in TERMINATORS:
            self._block = None

    def new_result(self, kind: Type) -> int:
        """A result that no instruction of the module has, of type ``kind``."""
        result = self._next_result
        self._next_result += 1
        self.type_of[result] = kind
        return result

    def _read_head(self, opcode: int, operands: Sequence[int]) -> None:
        """What stands in front of functions."""
        if Op.TYPE_VOID <= opcode <= Op.TYPE_POINTER:
            self.types[operands[0]] = self._type(opcode, operands)
        elif Op.CONSTANT_TRUE <= opcode <= Op.CONSTANT_NULL:
            self._read_constant(opcode, operands)
        elif opcode == Op.UNDEF:
            kind = self.type_of[operands[1]] = self.types.get(operands[0], _OTHER)
            self.constants[operands[1]] = kind.undefined()
        elif opcode == Op.STRING:
            self._strings[operands[0]] = literal_string(operands[1:])
        elif opcode == Op.EXT_INST_IMPORT:
            imported = literal_string(operands[1:])
            if imported in _DEBUG_SETS:
                self._sets[operands[0]] = _DEBUG_SETS[imported]
            elif imported == _MATHS_SET:
                self.maths.add(operands[0])
        elif opcode == Op.ENTRY_POINT:
            self.kernels[literal_string(operands[2:])] = operands[1]
        elif opcode == Op.DECORATE:
            self._read_decoration(*operands)
        elif opcode == Op.VARIABLE:
            self.type_of[operands[1]] = self.types.get(operands[0], _OTHER)
            self.storage[operands[1]] = operands[2]
            if len(operands) > 3:
                self.initializers[operands[1]] = operands[3]

    def _read_decoration(self, target: int, decoration: int, *rest: int) -> None:
        match decoration:
            case Decoration.BUILT_IN:
                self.built_ins[target] = rest[0]
            case Decoration.FAST_MATHS if rest[0]:
                self.fast.add(target)
            case Decoration.PACKED:
                self.packed.add(target)
            case Decoration.ROUNDING:
                self.rounding[target] = rest[0]
            case Decoration.SATURATED:
                self.saturated.add(target)
            case Decoration.PARAMETER_ATTRIBUTE if rest[0] == PARAMETER_BY_VALUE:
                self.by_value.add(target)
            case Decoration.PARAMETER_ATTRIBUTE if rest[0] == PARAMETER_RETURNED:
                self.returned.add(target)

    def _type(self, opcode: int, operands: Sequence[int]) -> Type:
        rest = operands[1:]
        match opcode:
            case Op.TYPE_VOID:
                return _VOID
            case Op.TYPE_BOOL:
                return Type(Kind.BOOLEAN, 1)
            case Op.TYPE_INT if rest[0] in (8, 16, 32, 64):
                return Type(Kind.INTEGER, rest[0])
            case Op.TYPE_FLOAT if rest[0] in (16, 32, 64):
                return Type(Kind.FLOAT, rest[0])
            case Op.TYPE_VECTOR if 2 <= rest[1] <= 16:
                return Type(Kind.VECTOR, 0, (self.types[rest[0]],), rest[1])
            case Op.TYPE_ARRAY:
                count = self.constants[rest[1]]
                if isinstance(count, int) and count <= _LIMIT:
                    return Type(Kind.ARRAY, 0, (self.types[rest[0]],), count)
            case Op.TYPE_STRUCT:
                members = tuple(self.types.get(each, _OTHER) for each in rest)
                return Type(Kind.STRUCTURE, members=members, is_packed=operands[0] in self.packed)
            case Op.TYPE_POINTER:
                return Type(Kind.POINTER, 64, (self.types.get(rest[1], _OTHER),), 1, rest[0])
        return _OTHER

    def _read_constant(self, opcode: int, operands: Sequence[int]) -> None:
        kind, result = self.types.get(operands[0], _OTHER), operands[1]
        self.type_of[result] = kind
        match opcode:
            case Op.CONSTANT_TRUE | Op.CONSTANT_FALSE:
                self.constants[result] = int(opcode == Op.CONSTANT_TRUE)
            case Op.CONSTANT if kind.kind in (Kind.INTEGER, Kind.FLOAT):
                data = b"".join(word.to_bytes(4, "little") for word in operands[2:])
                self.constants[result] = kind.decode(data)
            case Op.CONSTANT_COMPOSITE:
                parts = [self.constants.get(each) for each in operands[2:]]
                if all(each is not None for each in parts):
                    self.constants[result] = tuple(each for each in parts if each is not None)
            case Op.CONSTANT_NULL if kind.kind is not Kind.OTHER:
                self.constants[result] = kind.zero()

    # --- debug instructions ----------------------------------------------------------------------

    def _read_debug(self, operands: Sequence[int]) -> None:
        _type, result, which, instruction, *rest = operands
        has_ids = self._sets[which]
        match instruction:  # the most frequent ones first
            case Debug.DECLARE | Debug.VALUE:
                if self._block is not None:
                    self._block.items.append(self._assignment(instruction, rest))
            case Debug.SCOPE:
                self._scope = rest[0], rest[1] if len(rest) > 1 else 0
            case Debug.LOCAL_VARIABLE:
                name, line = self._strings.get(rest[0], ""), self._number(rest[3], has_ids)
                variable = LocalVariable(name, line, rest[5], rest[1], len(rest) > 7)
                self.variables[result] = variable
                self.declared_in.setdefault(rest[5], []).append(variable)
            case Debug.SOURCE:
                self._sources[result] = self._strings.get(rest[0], "")
            case Debug.FUNCTION:
                name, line = self._strings.get(rest[0], ""), self._number(rest[3], has_ids)
                self.scopes[result] = Scope(name, line, rest[5], True)
                if not has_ids:
                    self._own_scope[rest[9]] = result
            case Debug.LEXICAL_BLOCK:
                self.scopes[result] = Scope("", self._number(rest[1], has_ids), rest[3], False)
            case Debug.INLINED_AT:
                again = rest[2] if len(rest) > 2 else 0
                self.calls[result] = self._number(rest[0], has_ids), rest[1], again
            case Debug.GLOBAL_VARIABLE:
                name, line = self._strings.get(rest[0], ""), self._number(rest[3], has_ids)
                self.global_variables.setdefault((name, line), []).append(rest[7])
            case _ if instruction in DEBUG_TYPES:
                self.source_types[result] = SourceType(instruction, rest, has_ids)
            case Debug.OPERATION:
                numbers = tuple(self._number(each, has_ids) for each in rest)
                self._operations[result] = numbers
            case Debug.EXPRESSION:
                known = [self._operations.get(each) for each in rest]
                self._expressions[result] = (
                    None if None in known else tuple(each for each in known if each is not None)
                )
            case Debug.FUNCTION_DEFINITION:
                self._own_scope[rest[1]] = rest[0]
            case Debug.NO_SCOPE:
                self._scope = 0, 0
            case Debug.LINE:
                line, column = self._number(rest[1], True), self._number(rest[3], True)
                self._line = self._line_of(self._sources.get(rest[0], ""), line, column)
            case Debug.NO_LINE:
                self._line = None

    def _number(self, operand: int, is_id: bool) -> int:
        """A number in a debug instruction: as it is, or the id of a constant."""
        value = self.constants.get(operand) if is_id else operand
        return value if isinstance(value, int) else 0

    def _assignment(self, instruction: int, rest: Sequence[int]) -> Assignment:
        variable, value, expression = rest[0], rest[1], rest[2]
        in_memory, fragment = instruction == Debug.DECLARE, None
        known = self._expressions.get(expression)
        source: int | None = None if known is None or len(rest) > 3 else value
        for operator, *numbers in known or ():
            if operator == DebugOperator.FRAGMENT and len(numbers) == 2:
                fragment = Fragment(*numbers)
            elif operator == DebugOperator.DEREF and not in_memory:
                in_memory = True
            elif operator not in _OF_SPACES:
                source = None
        return Assignment(variable, self._scope[1], source, in_memory, fragment)

    # --- what it says ----------------------------------------------------------------------------

    @cached_property
    def has_local_pointers(self) -> bool:
        """Whether the module has a type of pointers to local memory."""
        pointers = (each for each in self.types.values() if each.kind is Kind.POINTER)
        return any(each.storage == Storage.WORKGROUP for each in pointers)

    def scope_of(self, function: Function) -> int:
        """The scope of ``function`` in the source; 0 for one that has none."""
        return self._own_scope.get(function.result, 0)

    def string(self, result: int) -> str:
        """The text of an OpString; empty for another id."""
        return self._strings.get(result, "")

    def scopes_around(self, scope: int) -> Iterator[int]:
        """A scope and those around it, the innermost first, up to its function."""
        for _ in range(_NESTED):
            found = self.scopes.get(scope)
            if found is None:
                return
            yield scope
            if found.is_function:
                return
            scope = found.parent or 0

    def function_scope(self, scope: int) -> int:
        """The function that a scope is in, or is."""
        *_, last = 0, *self.scopes_around(scope)
        found = self.scopes.get(last)
        return last if found is not None and found.is_function else 0


@lru_cache(maxsize=256)
def _name_of_file(path: str) -> str:
    """The name of a file without its folders; every line asks for it."""
    return basename(path)


def _with_long_cases(operands: Sequence[int]) -> Sequence[int]:
    """The operands of an OpSwitch between numbers of 64 bits, which take two words each, with one
    number for each of them (section 2.2.1, "Literal")."""
    selected, otherwise, *words = operands
    cases = zip(words[0::3], words[1::3], words[2::3], strict=True)
    joined = [each for low, high, target in cases for each in (high << _WORD_BITS | low, target)]
    return (selected, otherwise, *joined)
