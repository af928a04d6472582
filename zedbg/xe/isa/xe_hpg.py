"""Native encoding of Xe-HPG (dg2): where fields lie, and what their values mean."""

from dataclasses import replace

from zedbg.xe.isa.fields import (
    ABSENT,
    BasicFields,
    BranchFields,
    CommonFields,
    DestinationFields,
    DpasFields,
    SendFields,
    SourceFields,
    TernaryFields,
    bit,
    bits,
    join,
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
from zedbg.xe.isa.opcodes import TypeGroup
from zedbg.xe.isa.operations import OperandTypes, typed
from zedbg.xe.isa.scoreboard import Combination, ScoreboardValues

COMMON = CommonFields(
    opcode=bits(6, 0),
    scoreboard=bits(15, 8),
    execution_size=bits(18, 16),
    channel_offset=bits(21, 19),
    flag_subregister=bit(22),
    flag_register=bit(23),
    predicate=bits(27, 24),
    predicate_inverted=bit(28),
    compacted=bit(29),
    breakpoint=bit(30),
    no_mask=bit(31),
    atomic=bit(32),
    accumulator_write=bit(33),
    saturate=bit(34),
    condition=bits(95, 92),
)
COMPACT_BREAKPOINT = bit(7)

_IMMEDIATE64 = join(bits(127, 96), bits(95, 64))  # the dwords are swapped

BASIC = BasicFields(
    destination=DestinationFields(
        indirect=bit(35),
        type=bits(39, 36),
        horizontal=bits(49, 48),
        file=bit(50),
        subregister=bits(55, 51),
        register=bits(63, 56),
        address_subregister=bits(63, 60),
        address_immediate=bits(59, 50),
        math_macro=bits(54, 51),
        offset_unit=1,
    ),
    source0=SourceFields(
        is_immediate=bit(46),
        type=bits(43, 40),
        absolute=bit(44),
        negate=bit(45),
        horizontal=bits(65, 64),
        width=bits(83, 81),
        vertical=bits(87, 84),
        file=bit(66),
        subregister=bits(71, 67),
        register=bits(79, 72),
        indirect=bit(80),
        address_subregister=bits(79, 76),
        address_immediate=bits(75, 66),
        math_macro=bits(70, 67),
        immediate=bits(127, 96),
        immediate64=_IMMEDIATE64,
        offset_unit=1,
    ),
    source1=SourceFields(
        is_immediate=bit(47),
        type=bits(91, 88),
        absolute=bit(120),
        negate=bit(121),
        horizontal=bits(97, 96),
        width=bits(115, 113),
        vertical=bits(119, 116),
        file=bit(98),
        subregister=bits(103, 99),
        register=bits(111, 104),
        indirect=bit(112),
        address_subregister=bits(111, 108),
        address_immediate=bits(107, 98),
        math_macro=bits(102, 99),
        immediate=bits(127, 96),
        immediate64=ABSENT,
        offset_unit=1,
    ),
    function=bits(95, 92),
    must_be_zero=ABSENT,
)

# Bit 39 chooses integer or floating-point types for all operands at once.
_FLOATING = bit(39)

TERNARY = TernaryFields(
    destination=DestinationFields(
        indirect=ABSENT,
        type=join(bits(38, 36), _FLOATING),
        horizontal=bit(48),
        file=bit(50),
        subregister=bits(55, 51),
        register=bits(63, 56),
        address_subregister=ABSENT,
        address_immediate=ABSENT,
        math_macro=bits(54, 51),
        offset_unit=1,
    ),
    source0=SourceFields(
        is_immediate=bit(46),
        type=join(bits(42, 40), _FLOATING),
        absolute=bit(44),
        negate=bit(45),
        horizontal=bits(65, 64),
        width=ABSENT,
        vertical=join(bit(35), bit(43)),
        file=bit(66),
        subregister=bits(71, 67),
        register=bits(79, 72),
        indirect=ABSENT,
        address_subregister=ABSENT,
        address_immediate=ABSENT,
        math_macro=bits(70, 67),
        immediate=bits(79, 64),
        immediate64=ABSENT,
        offset_unit=1,
    ),
    source1=SourceFields(
        is_immediate=ABSENT,
        type=join(bits(90, 88), _FLOATING),
        absolute=bit(86),
        negate=bit(87),
        horizontal=bits(97, 96),
        width=ABSENT,
        vertical=join(bit(83), bit(91)),
        file=bit(98),
        subregister=bits(103, 99),
        register=bits(111, 104),
        indirect=ABSENT,
        address_subregister=ABSENT,
        address_immediate=ABSENT,
        math_macro=bits(102, 99),
        immediate=ABSENT,
        immediate64=ABSENT,
        offset_unit=1,
    ),
    source2=SourceFields(
        is_immediate=bit(47),
        type=join(bits(82, 80), _FLOATING),
        absolute=bit(84),
        negate=bit(85),
        horizontal=bits(113, 112),
        width=ABSENT,
        vertical=ABSENT,
        file=bit(114),
        subregister=bits(119, 115),
        register=bits(127, 120),
        indirect=ABSENT,
        address_subregister=ABSENT,
        address_immediate=ABSENT,
        math_macro=bits(118, 115),
        immediate=bits(127, 112),
        immediate64=ABSENT,
        offset_unit=1,
    ),
    boolean_function=join(bits(87, 84), bits(95, 92)),
    boolean_condition=bits(45, 44),
)

DPAS = DpasFields(
    depth=bits(49, 48),
    repeat=bits(45, 43),
    source1_precision=bits(87, 86),
    source2_precision=bits(85, 84),
)

BRANCH = BranchFields(
    jip=bits(127, 96),
    uip=bits(95, 64),
    jip_is_immediate=bit(46),
    uip_is_immediate=bit(47),
    branch_control=bit(33),
)

SEND = SendFields(
    shared_function=bits(95, 92),
    descriptor=join(bits(91, 81), bits(121, 113), bits(55, 51), bits(71, 67), bits(123, 122)),
    descriptor_in_register=bit(48),
    # Bits 5:0 and the length of source 1 (10:6) have places of their own.
    extended_descriptor=join(bits(47, 35), bits(65, 64), bits(97, 96), bits(127, 124)),
    extended_descriptor_in_register=bit(49),
    extended_descriptor_subregister=bits(42, 40),
    extended_bindless_offset=bit(39),
    extended_offset_low=ABSENT,
    extended_offset_high=ABSENT,
    source1_length=bits(103, 99),
    destination_file=bit(50),
    destination=bits(63, 56),
    source0_file=bit(66),
    source0=bits(79, 72),
    source1_file=bit(98),
    source1=bits(111, 104),
    end_of_thread=bit(34),
    serialize=bit(33),
    coarse_pixel=bit(35),
)

_D = DataType
_RESERVED = None
_REGISTER_TYPES = (
    *(_D.UB, _D.UW, _D.UD, _D.UQ, _D.B, _D.W, _D.D, _D.Q),
    *(_RESERVED, _D.HF, _D.F, _D.DF, _RESERVED, _RESERVED, _RESERVED, _RESERVED),
)
REGISTER_TYPES_WITH_BFLOAT = (*_REGISTER_TYPES[:13], _D.BF, _RESERVED, _RESERVED)
IMMEDIATE_TYPES = (
    *(_D.UV, _D.UW, _D.UD, _D.UQ, _D.V, _D.W, _D.D, _D.Q),
    *(_D.VF, _D.HF, _D.F, _D.DF, _RESERVED, _RESERVED, _RESERVED, _RESERVED),
)
TYPES = OperandTypes(_REGISTER_TYPES, _REGISTER_TYPES, IMMEDIATE_TYPES)
_WITH_BFLOAT = replace(
    TYPES, destination=REGISTER_TYPES_WITH_BFLOAT, source=REGISTER_TYPES_WITH_BFLOAT
)
SPECIAL_TYPES = (typed(TypeGroup.BFLOAT, _WITH_BFLOAT), typed(TypeGroup.MOVED, _WITH_BFLOAT))
DPAS_FACTOR_TYPES = (
    *(_D.UB, _RESERVED, _RESERVED, _RESERVED, _D.B, _RESERVED, _RESERVED, _RESERVED),
    *(_RESERVED, _D.HF, _RESERVED, _RESERVED, _RESERVED, _D.BF, _RESERVED, _RESERVED),
)
SYSTOLIC_DEPTHS = (1, 2, 4, 8)

# Of the destination of dpas and of the source that is added.
DPAS_SUM_TYPES = tuple(None if kind is _D.DF else kind for kind in REGISTER_TYPES_WITH_BFLOAT)

_P = Predicate
PREDICATES = (
    *(_P.NONE, _P.NORMAL, _P.ANY_V, _P.ALL_V, _P.ANY_2H, _P.ALL_2H, _P.ANY_4H, _P.ALL_4H),
    *(_P.ANY_8H, _P.ALL_8H, _P.ANY_16H, _P.ALL_16H, _P.ANY_32H, _P.ALL_32H),
    *(_RESERVED, _RESERVED),
)

_C = Condition
CONDITIONS = (
    *(_C.NONE, _C.EQ, _C.NE, _C.GT, _C.GE, _C.LT, _C.LE, _RESERVED, _C.OV, _C.UN),
    *(_RESERVED,) * 6,
)
BOOLEAN_CONDITIONS = (_C.NONE, _C.EQ, _C.GT, _C.LT)

_M = MathFunction
MATH_FUNCTIONS = (
    *(_RESERVED, _M.INV, _M.LOG, _M.EXP, _M.SQT, _M.RSQT, _M.SIN, _M.COS),
    *(_RESERVED,) * 6,
    *(_M.INVM, _M.RSQTM),
)

_S = SyncFunction
SYNC_FUNCTIONS = (_S.NOP, _RESERVED, _S.ALLRD, _S.ALLWR, *(_RESERVED,) * 10, _S.BAR, _S.HOST)
SYNC_FUNCTIONS_OF_IMMEDIATES = (_RESERVED, _RESERVED, _S.ALLRD, _S.ALLWR, *(_RESERVED,) * 12)

_F = SharedFunction
SHARED_FUNCTIONS = (
    *(_F.NULL, _F.UGML, _F.SAMPLER, _F.GATEWAY, _F.DC2, _F.RENDER, _F.URB),
    *(_F.BINDLESS_THREAD_DISPATCH, _F.RAY_TRACING, _F.DCRO, _F.DC0, _F.PIXEL_INTERPOLATOR),
    *(_F.DC1, _F.TGM, _F.SLM, _F.UGM),
)

_A = Arf
ARCHITECTURE_REGISTERS = (
    *(_A.NULL, _A.ADDRESS, _A.ACCUMULATOR, _A.FLAG, _A.CHANNEL_ENABLE, _A.MESSAGE),
    *(_RESERVED, _A.STATE, _A.CONTROL, _A.NOTIFICATION, _A.INSTRUCTION_POINTER),
    *(_A.THREAD_DEPENDENCY, _A.TIMESTAMP, _A.FLOW_CONTROL, _RESERVED, _A.DEBUG),
)

UNSTRUCTURED_REGISTERS = frozenset(
    {_A.CHANNEL_ENABLE, _A.INSTRUCTION_POINTER, _A.FLOW_CONTROL, _A.MESSAGE}
)
# acc8 and up are the math macro registers mme0 and up.
FIRST_MATH_MACRO_ACCUMULATOR = 8

HORIZONTAL_STRIDES = (0, 1, 2, 4)
WIDTHS = (1, 2, 4, 8, 16, _RESERVED, _RESERVED, _RESERVED)
VERTICAL_STRIDES = (0, 1, 2, 4, 8, 16, 32, *(_RESERVED,) * 9)
VERTICAL_BY_ADDRESS = 0xF
TERNARY_VERTICAL_STRIDES = (0, 1, 4, 8)

SCOREBOARD = ScoreboardValues(
    token_bits=4,
    distances={0x0: "", 0x1: "A", 0x2: "F", 0x3: "I", 0xA: "L"},
    tokens={0x2: ".dst", 0x3: ".src", 0x4: ""},
    combined={
        Combination.IN_ORDER: {1: ("", ".dst")},
        Combination.MATH: {1: ("", "")},
        Combination.SYSTOLIC: {1: ("", "")},
        Combination.SEND: {1: ("A", "")},
    },
    options={},
)
