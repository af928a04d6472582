"""The shape of what operations take: types of operands, and features that only some have."""

from dataclasses import dataclass

from zedbg.xe.isa.names import DataType
from zedbg.xe.isa.opcodes import OPCODES, Feature, Opcode, TypeGroup
from zedbg.xe.isa.platform import Platform

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


def typed(group: TypeGroup, types: OperandTypes) -> TypedOperations:
    """The operations of ``group``, which have ``types``."""
    return TypedOperations(frozenset(each for each in Opcode if each.row.types is group), types)


@dataclass(frozen=True)
class OperationFeatures:
    """Operations that lack a feature; the bits that others have for it mean nothing there."""

    without_predicate: frozenset[Opcode]
    without_condition: frozenset[Opcode]
    without_saturation: frozenset[Opcode]
    without_source_modifiers: frozenset[Opcode]


def features_of(platform: Platform) -> OperationFeatures:
    """Which operations of ``platform`` lack what."""

    def without(feature: Feature) -> frozenset[Opcode]:
        opcodes = OPCODES[platform].values()
        return frozenset(each for each in opcodes if not each.row.has(feature, platform))

    return OperationFeatures(
        without_predicate=without(Feature.PREDICATE),
        without_condition=without(Feature.CONDITION),
        without_saturation=without(Feature.SATURATION),
        without_source_modifiers=without(Feature.SOURCE_MODIFIERS),
    )
