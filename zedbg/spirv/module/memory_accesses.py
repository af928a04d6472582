"""Instructions and functions that access memory, as the loads and stores that they stand for.

``vloadn``, ``vstoren`` and their kind (OpenCL Extended Instruction Set, section 2.4) are loads and
stores of vectors that lie at multiples of their parts' size only. ``fract``, ``modf`` and others
(section 2.1) store a second result. A copy of some bytes is a load and a store of them. With
ordinary loads and stores in their places, all that is known of memory holds for them, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type, Value


@dataclass(frozen=True)
class _Access:
    """A function that loads or stores a vector or, of halves, one number. ``is_aligned``: vectors
    of three take the place of four."""

    is_store: bool
    of_halves: bool = False
    is_aligned: bool = False
    has_mode: bool = False


_ACCESSES: dict[int, _Access] = {
    Std.VLOADN: _Access(False),
    Std.VSTOREN: _Access(True),
    Std.VLOAD_HALF: _Access(False, of_halves=True),
    Std.VLOAD_HALFN: _Access(False, of_halves=True),
    Std.VSTORE_HALF: _Access(True, of_halves=True),
    Std.VSTORE_HALF_R: _Access(True, of_halves=True, has_mode=True),
    Std.VSTORE_HALFN: _Access(True, of_halves=True),
    Std.VSTORE_HALFN_R: _Access(True, of_halves=True, has_mode=True),
    Std.VLOADA_HALFN: _Access(False, of_halves=True, is_aligned=True),
    Std.VSTOREA_HALFN: _Access(True, of_halves=True, is_aligned=True),
    Std.VSTOREA_HALFN_R: _Access(True, of_halves=True, is_aligned=True, has_mode=True),
}
#: Functions that store a second result, with the function that gives this: their own number where
#: none does.
_SECOND_RESULTS: dict[int, int] = {
    Std.FRACT: Std.FLOOR,
    Std.FREXP: Std.FREXP,
    Std.LGAMMA_R: Std.LGAMMA_R,
    Std.MODF: Std.TRUNC,
    Std.REMQUO: Std.REMQUO,
    Std.SINCOS: Std.COS,
}
#: Functions that write through a pointer.
WRITING_FUNCTIONS = frozenset(
    {*_SECOND_RESULTS, *(number for number, access in _ACCESSES.items() if access.is_store)}
)
_MOST_COPIED = 256  # bytes; more are copied as a whole
_BYTE = Type(Kind.INTEGER, 8)
_HALF = Type(Kind.FLOAT, 16)
_INDEX = Type(Kind.INTEGER, 32)


class Names(Protocol):
    """What the results of a module are; new ones can be added."""

    type_of: dict[int, Type]
    constants: dict[int, Value]
    rounding: dict[int, int]
    maths: set[int]

    def new_result(self, kind: Type) -> int:
        """A result that no instruction of the module has, of type ``kind``."""


#: Opcodes of instructions that :func:`expanded` may replace.
MAY_STAND_FOR_MORE = frozenset({Op.COPY_MEMORY_SIZED, Op.EXT_INST})


def expanded(names: Names, item: Instruction) -> list[Instruction]:
    """The instructions that ``item`` stands for: itself, where it is none of those. Raises
    LookupError and the like for damaged code."""
    if item.opcode == Op.COPY_MEMORY_SIZED:
        count = names.constants.get(item.operands[2])
        if isinstance(count, int) and 0 < count <= _MOST_COPIED:
            return _Copy(names, item, count).made
    if item.opcode != Op.EXT_INST or item.operands[0] not in names.maths:
        return [item]
    number = item.operands[1]
    if number in _SECOND_RESULTS and names.type_of[item.operands[-1]].kind is Kind.POINTER:
        return _SecondResult(names, item).made
    if number in _ACCESSES:
        return _VectorAccess(names, item, _ACCESSES[number]).made
    return [item]


class _Expansion:
    """The instructions that ``item`` stands for, as they are ``made``."""

    def __init__(self, names: Names, item: Instruction) -> None:
        self._names = names
        self._item = item
        self.made: list[Instruction] = []

    def _add(self, opcode: Op, kind: Type, operands: Sequence[int]) -> int:
        result = self._names.new_result(kind)
        self.made.append(replace(self._item, opcode=opcode, result=result, operands=operands))
        return result

    def _add_store(self, pointer: int, value: int) -> None:
        store = replace(self._item, opcode=Op.STORE, result=0, operands=[pointer, value])
        self.made.append(store)

    def _pointer_to(self, kind: Type, pointer: int) -> Type:
        return replace(self._names.type_of[pointer], members=(kind,))


class _Copy(_Expansion):
    """A load and a store of ``count`` bytes that ``item`` copies."""

    def __init__(self, names: Names, item: Instruction, count: int) -> None:
        super().__init__(names, item)
        copied = Type(Kind.ARRAY, members=(_BYTE,), count=count)
        target, source = (
            self._add(Op.BITCAST, self._pointer_to(copied, each), [each])
            for each in item.operands[:2]
        )
        self._add_store(target, self._add(Op.LOAD, copied, [source]))


class _SecondResult(_Expansion):
    """The function ``item`` without the pointer that it stores to, and the store."""

    def __init__(self, names: Names, item: Instruction) -> None:
        super().__init__(names, item)
        *operands, pointer = item.operands
        self.made.append(replace(item, operands=operands))
        function = [operands[0], _SECOND_RESULTS[operands[1]], *operands[2:]]
        kind = names.type_of[pointer].members[0]
        self._add_store(pointer, self._add(Op.EXT_INST, kind, function))


class _VectorAccess(_Expansion):
    """The loads or stores of a vector or number that ``item`` makes."""

    def __init__(self, names: Names, item: Instruction, access: _Access) -> None:
        super().__init__(names, item)
        self._access = access
        operands = list(item.operands[2:])
        self._vector = names.type_of[operands[0] if access.is_store else item.result]
        is_vector = self._vector.kind is Kind.VECTOR
        self._count = self._vector.count if is_vector else 1
        element = self._vector.members[0] if is_vector else self._vector
        self._element = _HALF if access.of_halves else element
        if access.is_store:
            mode = operands[3] if access.has_mode else None
            self._store(operands[0], self._place(*operands[1:3]), mode)
        else:
            self._load(self._place(*operands[:2]))

    @property
    def _stored(self) -> Type:
        """What memory has, without padding, at the pointer :meth:`_place`."""
        count = 4 if self._access.is_aligned and self._count == 3 else self._count
        return Type(Kind.ARRAY, members=(self._element,), count=count)

    def _place(self, offset: int, pointer: int) -> int:
        """The pointer to vector number ``offset`` from ``pointer`` on."""
        kind = self._pointer_to(self._stored, pointer)
        array = self._add(Op.BITCAST, kind, [pointer])
        return self._add(Op.PTR_ACCESS_CHAIN, kind, [array, offset])

    @property
    def _in_memory(self) -> Type:
        """The value as it is loaded and stored."""
        is_single = self._vector.kind is not Kind.VECTOR
        return self._element if is_single else replace(self._vector, members=(self._element,))

    def _parts(self, place: int) -> list[int]:
        """Pointers to all of a value of three parts; to others as a whole."""
        if self._count != 3:
            kind = self._pointer_to(self._in_memory, place)
            return [self._add(Op.BITCAST, kind, [place])]
        kind, pointers = self._pointer_to(self._element, place), []
        for index in range(3):
            number = self._names.new_result(_INDEX)
            self._names.constants[number] = index
            pointers.append(self._add(Op.ACCESS_CHAIN, kind, [place, number]))
        return pointers

    def _load(self, place: int) -> None:
        parts = self._parts(place)
        kind = self._in_memory if len(parts) == 1 else self._element
        loaded = [self._add(Op.LOAD, kind, [each]) for each in parts]
        if len(loaded) > 1:
            self._add(Op.COMPOSITE_CONSTRUCT, self._in_memory, loaded)
        if self._access.of_halves:
            self._add(Op.F_CONVERT, self._vector, [self.made[-1].result])
        self.made[-1] = replace(self.made[-1], result=self._item.result)

    def _store(self, value: int, place: int, mode: int | None) -> None:
        if self._access.of_halves:
            value = self._add(Op.F_CONVERT, self._in_memory, [value])
            if mode is not None:
                self._names.rounding[value] = mode
        parts = self._parts(place)
        for index, pointer in enumerate(parts):
            part = value
            if len(parts) > 1:
                part = self._add(Op.COMPOSITE_EXTRACT, self._element, [value, index])
            self._add_store(pointer, part)
