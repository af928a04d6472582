"""The shape of what operations take: types of operands, and features that only some have."""

from dataclasses import dataclass

from zedbg.xe.isa.names import DataType, Opcode

TypeTable = tuple[DataType | None, ...]  # encoded type → type, None where reserved


@dataclass(frozen=True)
class OperandTypes:
    """The types of an operation's operands."""

    destination: TypeTable
    source: TypeTable
    immediate: TypeTable


@dataclass(frozen=True)
class TypedOperations:
    """Operations whose operands have types of their own."""

    opcodes: frozenset[Opcode]
    types: OperandTypes


@dataclass(frozen=True)
class OperationFeatures:
    """Operations that lack a feature; the bits that others have for it mean nothing there."""

    without_predicate: frozenset[Opcode]
    without_condition: frozenset[Opcode]
    without_saturation: frozenset[Opcode]
    without_source_modifiers: frozenset[Opcode]
