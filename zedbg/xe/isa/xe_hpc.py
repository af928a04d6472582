"""Native encoding of Xe-HPC (pvc): what differs from Xe-HPG.

The annotation of the scoreboard is two bits longer, and there are four flag registers: the fields
after them have moved. General registers have 64 bytes, so that sub-registers count in words, with
the odd byte elsewhere where there is room for it.
"""

from dataclasses import replace

from zedbg.xe.isa import xe_hpg
from zedbg.xe.isa.fields import ABSENT, bit, bits, join
from zedbg.xe.isa.names import DataType, Predicate, SyncFunction
from zedbg.xe.isa.opcodes import TypeGroup
from zedbg.xe.isa.operations import OperandTypes, TypedOperations, TypeTable, typed
from zedbg.xe.isa.scoreboard import Combination, ScoreboardValues

COMMON = replace(
    xe_hpg.COMMON,
    scoreboard=bits(17, 8),
    execution_size=bits(20, 18),
    flag_subregister=bit(21),
    flag_register=bits(23, 22),
    channel_offset=bits(25, 24),
    predicate=bits(27, 26),
    accumulator_write=ABSENT,
)

_DESTINATION_ODD_BYTE = bit(33)
_SOURCE0_ODD_BYTE = bit(87)
_WORD = 2

BASIC = replace(
    xe_hpg.BASIC,
    destination=replace(
        xe_hpg.BASIC.destination,
        subregister=join(_DESTINATION_ODD_BYTE, bits(55, 51)),
        address_immediate=join(_DESTINATION_ODD_BYTE, bits(59, 50)),
    ),
    source0=replace(
        xe_hpg.BASIC.source0,
        vertical=bits(86, 84),
        subregister=join(_SOURCE0_ODD_BYTE, bits(71, 67)),
        address_immediate=join(_SOURCE0_ODD_BYTE, bits(75, 66)),
    ),
    source1=replace(xe_hpg.BASIC.source1, vertical=bits(118, 116), offset_unit=_WORD),
)

# Math takes no indirect operands.
MATH = replace(
    BASIC,
    destination=replace(BASIC.destination, indirect=ABSENT),
    source0=replace(BASIC.source0, indirect=ABSENT),
    source1=replace(BASIC.source1, indirect=ABSENT),
    must_be_zero=bit(35),
)

TERNARY = replace(
    xe_hpg.TERNARY,
    destination=replace(xe_hpg.TERNARY.destination, offset_unit=_WORD),
    source0=replace(xe_hpg.TERNARY.source0, offset_unit=_WORD),
    source1=replace(xe_hpg.TERNARY.source1, offset_unit=_WORD),
    source2=replace(xe_hpg.TERNARY.source2, offset_unit=_WORD),
)

DPAS = replace(xe_hpg.DPAS, depth=join(bits(49, 48), bit(35)))

SEND = replace(xe_hpg.SEND, serialize=ABSENT)

_D = DataType
_RESERVED = None
_BFLOAT_TYPES = xe_hpg.REGISTER_TYPES_WITH_BFLOAT
_MOVED_TYPES = (*_BFLOAT_TYPES[:8], _D.BF8, *_BFLOAT_TYPES[9:14], _D.TF32, _RESERVED)
_LOW_PRODUCT_TYPES = tuple(
    kind if kind in (_D.UD, _D.D) else None for kind in xe_hpg.TYPES.destination
)
_ROUNDED_TYPES = tuple(kind if kind in (_D.BF8, _D.HF) else None for kind in _MOVED_TYPES)
_UNROUNDED_TYPES = tuple(kind if kind in (_D.HF, _D.F) else None for kind in _MOVED_TYPES)


def special_types(immediate: TypeTable) -> tuple[TypedOperations, ...]:
    """The operations with types of their own, on a platform with these types of immediates."""
    moved = OperandTypes(_MOVED_TYPES, _MOVED_TYPES, immediate)
    bfloat = OperandTypes(_BFLOAT_TYPES, _BFLOAT_TYPES, immediate)
    low_product = OperandTypes(_LOW_PRODUCT_TYPES, _LOW_PRODUCT_TYPES, _LOW_PRODUCT_TYPES)
    rounded = OperandTypes(_ROUNDED_TYPES, _UNROUNDED_TYPES, immediate)
    return (
        typed(TypeGroup.MOVED, moved),
        typed(TypeGroup.BFLOAT, bfloat),
        typed(TypeGroup.LOW_PRODUCT, low_product),
        typed(TypeGroup.ROUNDED, rounded),
        typed(TypeGroup.MATH, xe_hpg.TYPES),
    )


_IMMEDIATE_TYPES = (*xe_hpg.IMMEDIATE_TYPES[:13], _D.BF, _RESERVED, _RESERVED)
TYPES = replace(xe_hpg.TYPES, immediate=_IMMEDIATE_TYPES)
SPECIAL_TYPES = special_types(_IMMEDIATE_TYPES)
DPAS_FACTOR_TYPES = (
    *(_D.UB, _RESERVED, _RESERVED, _RESERVED, _D.B, _RESERVED, _RESERVED, _RESERVED),
    *(_D.BF8, _D.HF, _RESERVED, _RESERVED, _RESERVED, _D.BF, _D.TF32, _RESERVED),
)
SYSTOLIC_DEPTHS = (_RESERVED, 2, 4, 8)

_S = SyncFunction
SYNC_FUNCTIONS = (*xe_hpg.SYNC_FUNCTIONS[:13], _S.FENCE, *xe_hpg.SYNC_FUNCTIONS[14:])
SYNC_FUNCTIONS_OF_IMMEDIATES = (
    *(_RESERVED, _RESERVED, _S.ALLRD, _S.ALLWR),
    *(_RESERVED,) * 10,
    *(_S.BAR, _RESERVED),
)

PREDICATES = (Predicate.NONE, Predicate.NORMAL, Predicate.ANY, Predicate.ALL)

# All sixteen numbers are accumulators: mme registers are operands of math macros only.
FIRST_MATH_MACRO_ACCUMULATOR = 16

VERTICAL_STRIDES = (0, 1, 2, 4, 8, 16, 32, _RESERVED)
VERTICAL_BY_ADDRESS = 7

_IN_ORDER = {1: ("", ".dst"), 2: ("", ".src"), 3: ("A", ".dst")}
SCOREBOARD = ScoreboardValues(
    token_bits=5,
    distances={0: "", 1: "A", 2: "F", 3: "I", 4: "L", 5: "M"},
    tokens={4: ".dst", 5: ".src", 6: ""},
    combined={
        Combination.IN_ORDER: _IN_ORDER,
        Combination.MATH: _IN_ORDER,
        Combination.SYSTOLIC: {1: ("", ""), 2: ("", ".src"), 3: ("", ".dst")},
        Combination.SEND: {1: ("A", ""), 2: ("F", ""), 3: ("I", "")},
    },
    options={0xF0: "NoAccSBSet"},
)
