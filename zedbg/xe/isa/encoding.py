"""Everything that the bits of an instruction word mean, gathered for each platform."""

from dataclasses import dataclass, replace

from zedbg.xe.isa import xe2, xe2_compaction, xe_hpc, xe_hpc_compaction, xe_hpg, xe_hpg_compaction
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
    Predicate,
    SharedFunction,
    SyncFunction,
)
from zedbg.xe.isa.opcodes import OPCODES, Opcode
from zedbg.xe.isa.operations import OperandTypes, OperationFeatures, TypedOperations, features_of
from zedbg.xe.isa.platform import Platform
from zedbg.xe.isa.scoreboard import ScoreboardValues


@dataclass(frozen=True)
class Values:
    """What the values of fields stand for: index → meaning, None where reserved."""

    dpas_sum_types: tuple[DataType | None, ...]  # of the destination and the added source
    dpas_factor_types: tuple[DataType | None, ...]
    systolic_depths: tuple[int | None, ...]
    predicates: tuple[Predicate | None, ...]
    conditions: tuple[Condition | None, ...]
    boolean_conditions: tuple[Condition | None, ...]  # of bfn
    math_functions: tuple[MathFunction | None, ...]
    sync_functions: tuple[SyncFunction | None, ...]
    # The same where `sync` has an immediate.
    sync_functions_of_immediates: tuple[SyncFunction | None, ...]
    shared_functions: tuple[SharedFunction | None, ...]
    bindless_offset_functions: tuple[SharedFunction | None, ...]  # those with the option ExBSO
    architecture_registers: tuple[Arf | None, ...]  # by register number >> 4
    horizontal_strides: tuple[int | None, ...]
    widths: tuple[int | None, ...]
    vertical_strides: tuple[int | None, ...]
    ternary_vertical_strides: tuple[int | None, ...]
    vertical_by_address: int  # the vertical stride's value that means one address per row


@dataclass(frozen=True)
class UnstructuredRegisters:
    """Architecture registers that have no elements, and what `iga64` counts in them."""

    registers: frozenset[Arf]
    unit: int  # bytes


@dataclass(frozen=True)
class Encoding:
    """One platform's instruction encoding."""

    platform: Platform
    opcodes: dict[int, Opcode]
    common: CommonFields
    basic: BasicFields
    math: BasicFields
    ternary: TernaryFields
    dpas: DpasFields
    branch: BranchFields
    send: SendFields
    values: Values
    types: OperandTypes
    special_types: tuple[TypedOperations, ...]
    features: OperationFeatures
    scoreboard: ScoreboardValues
    compact_breakpoint: Field  # DebugCtrl of the 8-byte form
    compact_forms: tuple[CompactForm, ...]
    channel_offset_unit: int  # lanes
    first_math_macro_accumulator: int  # the accumulators from here on are mme registers
    sync_has_register: bool  # whether the register operand of sync means anything
    unstructured: UnstructuredRegisters

    def operand_types(self, opcode: Opcode) -> OperandTypes:
        """The types of `opcode`'s operands."""
        for special in self.special_types:
            if opcode in special.opcodes:
                return special.types
        return self.types


_XE_HPG_VALUES = Values(
    dpas_sum_types=xe_hpg.DPAS_SUM_TYPES,
    dpas_factor_types=xe_hpg.DPAS_FACTOR_TYPES,
    systolic_depths=xe_hpg.SYSTOLIC_DEPTHS,
    predicates=xe_hpg.PREDICATES,
    conditions=xe_hpg.CONDITIONS,
    boolean_conditions=xe_hpg.BOOLEAN_CONDITIONS,
    math_functions=xe_hpg.MATH_FUNCTIONS,
    sync_functions=xe_hpg.SYNC_FUNCTIONS,
    sync_functions_of_immediates=xe_hpg.SYNC_FUNCTIONS_OF_IMMEDIATES,
    shared_functions=xe_hpg.SHARED_FUNCTIONS,
    bindless_offset_functions=xe_hpg.SHARED_FUNCTIONS,
    architecture_registers=xe_hpg.ARCHITECTURE_REGISTERS,
    horizontal_strides=xe_hpg.HORIZONTAL_STRIDES,
    widths=xe_hpg.WIDTHS,
    vertical_strides=xe_hpg.VERTICAL_STRIDES,
    ternary_vertical_strides=xe_hpg.TERNARY_VERTICAL_STRIDES,
    vertical_by_address=xe_hpg.VERTICAL_BY_ADDRESS,
)

_XE_HPC_VALUES = replace(
    _XE_HPG_VALUES,
    dpas_sum_types=xe_hpg.REGISTER_TYPES_WITH_BFLOAT,
    dpas_factor_types=xe_hpc.DPAS_FACTOR_TYPES,
    systolic_depths=xe_hpc.SYSTOLIC_DEPTHS,
    predicates=xe_hpc.PREDICATES,
    sync_functions=xe_hpc.SYNC_FUNCTIONS,
    sync_functions_of_immediates=xe_hpc.SYNC_FUNCTIONS_OF_IMMEDIATES,
    vertical_strides=xe_hpc.VERTICAL_STRIDES,
    vertical_by_address=xe_hpc.VERTICAL_BY_ADDRESS,
)

_XE_HPC = Encoding(
    platform=Platform.XE_HPC,
    opcodes=OPCODES[Platform.XE_HPC],
    common=xe_hpc.COMMON,
    basic=xe_hpc.BASIC,
    math=xe_hpc.MATH,
    ternary=xe_hpc.TERNARY,
    dpas=xe_hpc.DPAS,
    branch=xe_hpg.BRANCH,
    send=xe_hpc.SEND,
    values=_XE_HPC_VALUES,
    types=xe_hpc.TYPES,
    special_types=xe_hpc.SPECIAL_TYPES,
    features=features_of(Platform.XE_HPC),
    scoreboard=xe_hpc.SCOREBOARD,
    compact_breakpoint=xe_hpg.COMPACT_BREAKPOINT,
    compact_forms=xe_hpc_compaction.COMPACT_FORMS,
    channel_offset_unit=8,
    first_math_macro_accumulator=xe_hpc.FIRST_MATH_MACRO_ACCUMULATOR,
    sync_has_register=True,
    unstructured=UnstructuredRegisters(xe_hpg.UNSTRUCTURED_REGISTERS, unit=2),
)

ENCODINGS: dict[Platform, Encoding] = {
    Platform.XE_HPG: Encoding(
        platform=Platform.XE_HPG,
        opcodes=OPCODES[Platform.XE_HPG],
        common=xe_hpg.COMMON,
        basic=xe_hpg.BASIC,
        math=xe_hpg.BASIC,
        ternary=xe_hpg.TERNARY,
        dpas=xe_hpg.DPAS,
        branch=xe_hpg.BRANCH,
        send=xe_hpg.SEND,
        values=_XE_HPG_VALUES,
        types=xe_hpg.TYPES,
        special_types=xe_hpg.SPECIAL_TYPES,
        features=features_of(Platform.XE_HPG),
        scoreboard=xe_hpg.SCOREBOARD,
        compact_breakpoint=xe_hpg.COMPACT_BREAKPOINT,
        compact_forms=xe_hpg_compaction.COMPACT_FORMS,
        channel_offset_unit=4,
        first_math_macro_accumulator=xe_hpg.FIRST_MATH_MACRO_ACCUMULATOR,
        sync_has_register=False,
        unstructured=UnstructuredRegisters(xe_hpg.UNSTRUCTURED_REGISTERS, unit=1),
    ),
    Platform.XE_HPC: _XE_HPC,
    Platform.XE2: replace(
        _XE_HPC,
        platform=Platform.XE2,
        opcodes=OPCODES[Platform.XE2],
        math=xe2.MATH,
        dpas=xe2.DPAS,
        send=xe2.SEND,
        values=replace(
            _XE_HPC_VALUES,
            dpas_sum_types=xe_hpg.DPAS_SUM_TYPES,
            systolic_depths=xe_hpg.SYSTOLIC_DEPTHS,
            sync_functions=xe2.SYNC_FUNCTIONS,
            shared_functions=xe2.SHARED_FUNCTIONS,
            bindless_offset_functions=xe2.BINDLESS_OFFSET_FUNCTIONS,
        ),
        types=xe2.TYPES,
        special_types=xe2.SPECIAL_TYPES,
        features=features_of(Platform.XE2),
        unstructured=UnstructuredRegisters(xe2.UNSTRUCTURED_REGISTERS, unit=2),
        compact_forms=xe2_compaction.COMPACT_FORMS,
    ),
}
