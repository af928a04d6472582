"""Everything that the bits of an instruction word mean, gathered for each platform."""

from dataclasses import dataclass

from zedbg.xe.isa import xe_hpg, xe_hpg_compaction
from zedbg.xe.isa.compaction import CompactForm
from zedbg.xe.isa.fields import (
    BasicFields,
    BranchFields,
    CommonFields,
    DpasFields,
    Field,
    SendFields,
    TernaryFields,
)
from zedbg.xe.isa.names import (
    Arf,
    Condition,
    DataType,
    MathFunction,
    Opcode,
    Predicate,
    SharedFunction,
    SyncFunction,
)
from zedbg.xe.isa.opcodes import OPCODES
from zedbg.xe.isa.platform import Platform


@dataclass(frozen=True)
class Values:
    """What the values of fields stand for: index → meaning, None where reserved."""

    register_types: tuple[DataType | None, ...]
    immediate_types: tuple[DataType | None, ...]
    dpas_factor_types: tuple[DataType | None, ...]
    predicates: tuple[Predicate | None, ...]
    conditions: tuple[Condition | None, ...]
    boolean_conditions: tuple[Condition | None, ...]  # of bfn
    math_functions: tuple[MathFunction | None, ...]
    sync_functions: tuple[SyncFunction | None, ...]
    shared_functions: tuple[SharedFunction | None, ...]
    architecture_registers: tuple[Arf | None, ...]  # by register number >> 4
    horizontal_strides: tuple[int | None, ...]
    widths: tuple[int | None, ...]
    vertical_strides: tuple[int | None, ...]
    ternary_vertical_strides: tuple[int | None, ...]
    vertical_by_address: int  # the vertical stride's value that means one address per row


@dataclass(frozen=True)
class Encoding:
    """One platform's instruction encoding."""

    platform: Platform
    opcodes: dict[int, Opcode]
    common: CommonFields
    basic: BasicFields
    ternary: TernaryFields
    dpas: DpasFields
    branch: BranchFields
    send: SendFields
    values: Values
    compact_breakpoint: Field  # DebugCtrl of the 8-byte form
    compact_forms: tuple[CompactForm, ...]
    channel_offset_unit: int  # lanes
    subregister_unit: int  # bytes


ENCODINGS: dict[Platform, Encoding] = {
    Platform.XE_HPG: Encoding(
        platform=Platform.XE_HPG,
        opcodes=OPCODES[Platform.XE_HPG],
        common=xe_hpg.COMMON,
        basic=xe_hpg.BASIC,
        ternary=xe_hpg.TERNARY,
        dpas=xe_hpg.DPAS,
        branch=xe_hpg.BRANCH,
        send=xe_hpg.SEND,
        values=Values(
            register_types=xe_hpg.REGISTER_TYPES,
            immediate_types=xe_hpg.IMMEDIATE_TYPES,
            dpas_factor_types=xe_hpg.DPAS_FACTOR_TYPES,
            predicates=xe_hpg.PREDICATES,
            conditions=xe_hpg.CONDITIONS,
            boolean_conditions=xe_hpg.BOOLEAN_CONDITIONS,
            math_functions=xe_hpg.MATH_FUNCTIONS,
            sync_functions=xe_hpg.SYNC_FUNCTIONS,
            shared_functions=xe_hpg.SHARED_FUNCTIONS,
            architecture_registers=xe_hpg.ARCHITECTURE_REGISTERS,
            horizontal_strides=xe_hpg.HORIZONTAL_STRIDES,
            widths=xe_hpg.WIDTHS,
            vertical_strides=xe_hpg.VERTICAL_STRIDES,
            ternary_vertical_strides=xe_hpg.TERNARY_VERTICAL_STRIDES,
            vertical_by_address=0xF,
        ),
        compact_breakpoint=xe_hpg.COMPACT_BREAKPOINT,
        compact_forms=xe_hpg_compaction.COMPACT_FORMS,
        channel_offset_unit=4,
        subregister_unit=1,
    ),
}
