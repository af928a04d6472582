"""Types as the debug instructions of a module's SPIR-V describe them.

Sources: the extended instruction sets OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100,
sections "Type Information".
"""

from __future__ import annotations

from zedbg.dwarf.types.program_types import (
    VOID,
    ArrayType,
    BaseType,
    Encoding,
    Member,
    PointerType,
    QualifiedType,
    StructType,
    Type,
    TypedefType,
)
from zedbg.spirv.module.code import SourceType, SpirvCode
from zedbg.spirv.module.operations import Debug, Storage

_ENCODINGS = {
    2: Encoding.BOOLEAN,
    3: Encoding.FLOAT,
    4: Encoding.SIGNED,
    5: Encoding.SIGNED_CHAR,
    6: Encoding.UNSIGNED,
    7: Encoding.UNSIGNED_CHAR,
}
_QUALIFIERS = {0: "const", 1: "volatile", 2: "restrict", 3: "_Atomic"}
_COMPOSITES = {0: "class", 1: "struct", 2: "union"}
_POINTER_SIZE = 8
_LOCAL = 1  # the address class of shared local memory
_DEEP = 64  # types in each other


class SourceTypes:
    """Makes types of those of ``code``; each is made once."""

    def __init__(self, code: SpirvCode) -> None:
        self._code = code
        self._types: dict[int, Type | None] = {}

    def of(self, result: int, depth: int = 0) -> Type | None:
        """The type with the id ``result``; None for one that is not understood."""
        if result not in self._types:
            found = self._code.source_types.get(result)
            made = None if found is None or depth > _DEEP else self._made(result, found, depth + 1)
            self._types[result] = made
        return self._types[result]

    def _number(self, operand: int, is_id: bool) -> int:
        value = self._code.constants.get(operand) if is_id else operand
        return value if isinstance(value, int) else -1

    def _made(self, result: int, found: SourceType, depth: int) -> Type | None:
        code, operands, has_ids = self._code, found.operands, found.has_ids
        match found.instruction:
            case Debug.TYPE_BASIC:
                encoding = _ENCODINGS.get(self._number(operands[2], has_ids))
                size = self._number(operands[1], True) // 8
                return BaseType(size, code.string(operands[0]), encoding) if encoding else None
            case Debug.TYPE_POINTER:
                is_local = self._number(operands[1], has_ids) == Storage.WORKGROUP
                pointer = PointerType(_POINTER_SIZE, VOID, _LOCAL if is_local else None)
                self._types[result] = pointer  # a structure may point to itself
                pointer.target = self.of(operands[0], depth) or VOID
                return pointer
            case Debug.TYPE_QUALIFIER:
                target, word = self.of(operands[0], depth), self._number(operands[1], has_ids)
                if target is None or word not in _QUALIFIERS:
                    return None
                return QualifiedType(target.size, _QUALIFIERS[word], target)
            case Debug.TYPEDEF:
                target = self.of(operands[1], depth)
                return target and TypedefType(target.size, code.string(operands[0]), target)
            case Debug.TYPE_VECTOR:
                return self._array(operands[0], [self._number(operands[1], has_ids)], True, depth)
            case Debug.TYPE_ARRAY:
                counts = [self._number(each, True) for each in operands[1:]]
                return self._array(operands[0], counts, False, depth)
            case Debug.TYPE_COMPOSITE:
                return self._composite(result, found, depth)
        return None

    def _array(self, element: int, counts: list[int], is_vector: bool, depth: int) -> Type | None:
        made = self.of(element, depth)
        for count in reversed(counts):
            if made is None or count <= 0:
                return None
            # A vector of three takes the room of four (OpenCL C 6.1.5).
            stored = 4 if is_vector and count == 3 else count
            made = ArrayType(made.size * stored, made, count, is_vector)
        return made

    def _composite(self, result: int, found: SourceType, depth: int) -> Type | None:
        operands = found.operands
        keyword = _COMPOSITES.get(self._number(operands[1], found.has_ids))
        size = self._number(operands[7], True)
        if keyword is None or size < 0:
            return None
        made = StructType(size // 8, self._code.string(operands[0]), keyword)
        self._types[result] = made
        for each in operands[9:]:
            member = self._code.source_types.get(each)
            if member is None or member.instruction != Debug.TYPE_MEMBER:
                return None
            kind = self.of(member.operands[1], depth)
            # The set of shaders leaves out the structure.
            offset = self._number(member.operands[5 if member.has_ids else 6], True)
            if kind is None or offset < 0 or offset % 8:
                return None
            made.members.append(Member(self._code.string(member.operands[0]), kind, offset // 8))
        return made
