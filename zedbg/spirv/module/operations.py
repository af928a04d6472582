"""The instructions of SPIR-V that are read, by number (SPIR-V specification, section 3.42).

Only these are named; all others are skipped by their length, and a value that they make is unknown.
"""

from __future__ import annotations

from enum import IntEnum


class Op(IntEnum):
    """An instruction."""

    UNDEF = 1
    NAME = 5
    STRING = 7
    LINE = 8
    EXT_INST_IMPORT = 11
    EXT_INST = 12
    ENTRY_POINT = 15
    TYPE_VOID = 19
    TYPE_BOOL = 20
    TYPE_INT = 21
    TYPE_FLOAT = 22
    TYPE_VECTOR = 23
    TYPE_ARRAY = 28
    TYPE_STRUCT = 30
    TYPE_POINTER = 32
    CONSTANT_TRUE = 41
    CONSTANT_FALSE = 42
    CONSTANT = 43
    CONSTANT_COMPOSITE = 44
    CONSTANT_NULL = 46
    FUNCTION = 54
    FUNCTION_PARAMETER = 55
    FUNCTION_END = 56
    FUNCTION_CALL = 57
    VARIABLE = 59
    LOAD = 61
    STORE = 62
    COPY_MEMORY = 63
    COPY_MEMORY_SIZED = 64
    ACCESS_CHAIN = 65
    IN_BOUNDS_ACCESS_CHAIN = 66
    PTR_ACCESS_CHAIN = 67
    IN_BOUNDS_PTR_ACCESS_CHAIN = 70
    DECORATE = 71
    VECTOR_EXTRACT_DYNAMIC = 77
    VECTOR_INSERT_DYNAMIC = 78
    VECTOR_SHUFFLE = 79
    COMPOSITE_CONSTRUCT = 80
    COMPOSITE_EXTRACT = 81
    COMPOSITE_INSERT = 82
    COPY_OBJECT = 83
    IMAGE_WRITE = 99
    CONVERT_F_TO_U = 109
    CONVERT_F_TO_S = 110
    CONVERT_S_TO_F = 111
    CONVERT_U_TO_F = 112
    U_CONVERT = 113
    S_CONVERT = 114
    F_CONVERT = 115
    CONVERT_PTR_TO_U = 117
    SAT_CONVERT_S_TO_U = 118
    SAT_CONVERT_U_TO_S = 119
    CONVERT_U_TO_PTR = 120
    PTR_CAST_TO_GENERIC = 121
    GENERIC_CAST_TO_PTR = 122
    BITCAST = 124
    S_NEGATE = 126
    F_NEGATE = 127
    I_ADD = 128
    F_ADD = 129
    I_SUB = 130
    F_SUB = 131
    I_MUL = 132
    F_MUL = 133
    U_DIV = 134
    S_DIV = 135
    F_DIV = 136
    U_MOD = 137
    S_REM = 138
    S_MOD = 139
    VECTOR_TIMES_SCALAR = 142
    DOT = 148
    ANY = 154
    ALL = 155
    IS_NAN = 156
    IS_INF = 157
    IS_FINITE = 158
    IS_NORMAL = 159
    SIGN_BIT_SET = 160
    LESS_OR_GREATER = 161
    ORDERED = 162
    UNORDERED = 163
    LOGICAL_EQUAL = 164
    LOGICAL_NOT_EQUAL = 165
    LOGICAL_OR = 166
    LOGICAL_AND = 167
    LOGICAL_NOT = 168
    SELECT = 169
    I_EQUAL = 170
    I_NOT_EQUAL = 171
    U_GREATER_THAN = 172
    S_GREATER_THAN = 173
    U_GREATER_THAN_EQUAL = 174
    S_GREATER_THAN_EQUAL = 175
    U_LESS_THAN = 176
    S_LESS_THAN = 177
    U_LESS_THAN_EQUAL = 178
    S_LESS_THAN_EQUAL = 179
    F_ORD_EQUAL = 180
    F_UNORD_EQUAL = 181
    F_ORD_NOT_EQUAL = 182
    F_UNORD_NOT_EQUAL = 183
    F_ORD_LESS_THAN = 184
    F_UNORD_LESS_THAN = 185
    F_ORD_GREATER_THAN = 186
    F_UNORD_GREATER_THAN = 187
    F_ORD_LESS_THAN_EQUAL = 188
    F_UNORD_LESS_THAN_EQUAL = 189
    F_ORD_GREATER_THAN_EQUAL = 190
    F_UNORD_GREATER_THAN_EQUAL = 191
    SHIFT_RIGHT_LOGICAL = 194
    SHIFT_RIGHT_ARITHMETIC = 195
    SHIFT_LEFT_LOGICAL = 196
    BITWISE_OR = 197
    BITWISE_XOR = 198
    BITWISE_AND = 199
    NOT = 200
    BIT_COUNT = 205
    CONTROL_BARRIER = 224
    MEMORY_BARRIER = 225
    ATOMIC_LOAD = 227
    ATOMIC_I_INCREMENT = 232
    ATOMIC_I_DECREMENT = 233
    ATOMIC_I_ADD = 234
    ATOMIC_I_SUB = 235
    ATOMIC_S_MIN = 236
    ATOMIC_U_MIN = 237
    ATOMIC_S_MAX = 238
    ATOMIC_U_MAX = 239
    ATOMIC_AND = 240
    ATOMIC_OR = 241
    ATOMIC_XOR = 242
    PHI = 245
    LOOP_MERGE = 246
    SELECTION_MERGE = 247
    LABEL = 248
    BRANCH = 249
    BRANCH_CONDITIONAL = 250
    SWITCH = 251
    KILL = 252
    RETURN = 253
    RETURN_VALUE = 254
    UNREACHABLE = 255
    LIFETIME_START = 256
    LIFETIME_STOP = 257
    NO_LINE = 317


#: Those that end a block.
TERMINATORS = range(Op.BRANCH, Op.UNREACHABLE + 1)
#: Inside functions, those without a result.
WITHOUT_RESULT = frozenset(
    {
        *(Op.STORE, Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED, Op.IMAGE_WRITE, Op.CONTROL_BARRIER),
        *(Op.MEMORY_BARRIER, Op.LOOP_MERGE, Op.SELECTION_MERGE, Op.LIFETIME_START),
        *(Op.LIFETIME_STOP, 228, 260, 319, *TERMINATORS),
        *(5576, 5578, 5581),  # OpSubgroupBlockWriteINTEL and the like
        *(6142, 6143),  # OpControlBarrierArriveINTEL, OpControlBarrierWaitINTEL
    }
)
#: Atomic operations with a result.
ATOMICS = frozenset({227, *range(229, 243)})
#: Those of whole numbers.
COMPARISONS = frozenset(range(Op.I_EQUAL, Op.S_LESS_THAN_EQUAL + 1))
#: Those that write to memory, and OpAtomicStore.
ATOMIC_WRITES = frozenset({228, *range(229, 243), 318, 319})


class Storage(IntEnum):
    """Storage classes (section 3.7)."""

    UNIFORM_CONSTANT = 0
    INPUT = 1
    WORKGROUP = 4
    CROSS_WORKGROUP = 5
    FUNCTION = 7
    GENERIC = 8


class BuiltIn(IntEnum):
    """What a variable of the class Input has (section 3.21), as far as threads know it."""

    NUM_WORKGROUPS = 24
    WORKGROUP_SIZE = 25
    WORKGROUP_ID = 26
    LOCAL_INVOCATION_ID = 27
    GLOBAL_INVOCATION_ID = 28
    LOCAL_INVOCATION_INDEX = 29
    GLOBAL_SIZE = 31
    ENQUEUED_WORKGROUP_SIZE = 32
    GLOBAL_OFFSET = 33
    GLOBAL_LINEAR_ID = 34
    SUBGROUP_SIZE = 36
    SUBGROUP_MAX_SIZE = 37
    SUBGROUP_LOCAL_INVOCATION_ID = 41


class Decoration(IntEnum):
    """What OpDecorate says of a result (section 3.20)."""

    PACKED = 10  # CPacked
    BUILT_IN = 11
    SATURATED = 28  # SaturatedConversion
    PARAMETER_ATTRIBUTE = 38  # FuncParamAttr
    ROUNDING = 39  # FPRoundingMode
    FAST_MATHS = 40  # FPFastMathMode


# Of parameters that are pointers (section 3.19):
PARAMETER_BY_VALUE = 2  # what is pointed to is passed, as a copy
PARAMETER_RETURNED = 3  # what is pointed to is returned


class Debug(IntEnum):
    """Instructions of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100."""

    TYPE_BASIC = 2
    TYPE_POINTER = 3
    TYPE_QUALIFIER = 4
    TYPE_ARRAY = 5
    TYPE_VECTOR = 6
    TYPEDEF = 7
    TYPE_COMPOSITE = 10
    TYPE_MEMBER = 11
    GLOBAL_VARIABLE = 18
    FUNCTION = 20
    LEXICAL_BLOCK = 21
    SCOPE = 23
    NO_SCOPE = 24
    INLINED_AT = 25
    LOCAL_VARIABLE = 26
    DECLARE = 28
    VALUE = 29
    OPERATION = 30
    EXPRESSION = 31
    SOURCE = 35
    FUNCTION_DEFINITION = 101
    LINE = 103
    NO_LINE = 104


#: Those that are types, and members of them.
DEBUG_TYPES = frozenset(range(Debug.TYPE_BASIC, Debug.TYPE_MEMBER + 1))


class DebugOperator(IntEnum):
    """Operators of debug expressions."""

    DEREF = 0
    SWAP = 5
    XDEREF = 6
    CONSTU = 8
    FRAGMENT = 9
    STACK_VALUE = 7
