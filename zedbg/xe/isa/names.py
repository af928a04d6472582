"""The vocabulary of the instruction set: every name that an encoding can stand for.

Values are the spelling of Intel's assembler. The enumerations of `native/eu` are generated from
these, with their names in camel case.
"""

from enum import Enum, auto


class NumberKind(Enum):
    """How the bits of an element are a number."""

    UNSIGNED = auto()
    SIGNED = auto()
    FLOATING = auto()


class DataType(Enum):
    """Types of operands. The value is the assembler's spelling."""

    element_size: int  # bytes of one element; of a packed vector, of those that it unpacks to
    kind: NumberKind
    is_packed: bool  # small elements in one immediate of 32 bits
    _value_: str

    def __new__(
        cls, spelling: str, element_size: int, kind: NumberKind, is_packed: bool = False
    ) -> "DataType":
        """One row of the table below."""
        row = object.__new__(cls)
        row._value_ = spelling
        row.element_size = element_size
        row.kind = kind
        row.is_packed = is_packed
        return row

    UB = "ub", 1, NumberKind.UNSIGNED
    UW = "uw", 2, NumberKind.UNSIGNED
    UD = "ud", 4, NumberKind.UNSIGNED
    UQ = "uq", 8, NumberKind.UNSIGNED
    B = "b", 1, NumberKind.SIGNED
    W = "w", 2, NumberKind.SIGNED
    D = "d", 4, NumberKind.SIGNED
    Q = "q", 8, NumberKind.SIGNED
    HF = "hf", 2, NumberKind.FLOATING
    F = "f", 4, NumberKind.FLOATING
    DF = "df", 8, NumberKind.FLOATING
    BF = "bf", 2, NumberKind.FLOATING
    BF8 = "bf8", 1, NumberKind.FLOATING  # factors of dpas, and what moves convert from and to
    TF32 = "tf32", 4, NumberKind.FLOATING  # likewise
    UV = "uv", 2, NumberKind.UNSIGNED, True  # eight nibbles
    V = "v", 2, NumberKind.SIGNED, True  # eight nibbles
    VF = "vf", 4, NumberKind.FLOATING, True  # four floats of 8 bits

    @property
    def size(self) -> int:
        """Bytes of one element; those of the whole immediate for packed vectors."""
        return _PACKED_SIZE if self.is_packed else self.element_size

    @property
    def is_floating(self) -> bool:
        """Whether elements are floating-point numbers."""
        return self.kind is NumberKind.FLOATING


_PACKED_SIZE = 4


class Arf(Enum):
    """Architecture registers."""

    NULL = "null"
    ADDRESS = "a"
    ACCUMULATOR = "acc"
    FLAG = "f"
    CHANNEL_ENABLE = "ce"
    MESSAGE = "msg"
    STACK_POINTER = "sp"
    STATE = "sr"
    CONTROL = "cr"
    NOTIFICATION = "n"
    INSTRUCTION_POINTER = "ip"
    THREAD_DEPENDENCY = "tdr"
    TIMESTAMP = "tm"
    FLOW_CONTROL = "fc"
    DEBUG = "dbg"
    MME = "mme"
    SCALAR = "s"


class Predicate(Enum):
    """How flag bits become the predicate of a channel."""

    NONE = ""
    NORMAL = "normal"
    ANY_V = "anyv"
    ALL_V = "allv"
    ANY = "any"  # of the instruction's channels
    ALL = "all"
    ANY_2H = "any2h"
    ALL_2H = "all2h"
    ANY_4H = "any4h"
    ALL_4H = "all4h"
    ANY_8H = "any8h"
    ALL_8H = "all8h"
    ANY_16H = "any16h"
    ALL_16H = "all16h"
    ANY_32H = "any32h"
    ALL_32H = "all32h"


class Condition(Enum):
    """What of a result is written to the flag register."""

    NONE = ""
    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GE = "ge"
    LT = "lt"
    LE = "le"
    OV = "ov"
    UN = "un"
    EO = "eo"


class MathFunction(Enum):
    """Functions of `math`."""

    NONE = ""
    INV = "inv"
    LOG = "log"
    EXP = "exp"
    SQT = "sqt"
    RSQT = "rsqt"
    SIN = "sin"
    COS = "cos"
    INVM = "invm"
    RSQTM = "rsqtm"


# The other functions have one source.
BINARY_MATH_FUNCTIONS = frozenset({MathFunction.INVM})
# They work on operands that an extra register (mmeN) extends.
MATH_MACROS = frozenset({MathFunction.INVM, MathFunction.RSQTM})


class SyncFunction(Enum):
    """Functions of `sync`."""

    NOP = "nop"
    ALLRD = "allrd"
    ALLWR = "allwr"
    FLUSH = "flush"
    FENCE = "fence"
    BAR = "bar"
    HOST = "host"


# Their immediates are sets of scoreboard tokens.
TOKEN_SYNC_FUNCTIONS = frozenset({SyncFunction.ALLRD, SyncFunction.ALLWR})


class SharedFunction(Enum):
    """Shared functions: the units that a `send` addresses."""

    NULL = "null"
    UGML = "ugml"
    SAMPLER = "smpl"
    GATEWAY = "gtwy"
    DC2 = "dc2"
    RENDER = "rc"
    URB = "urb"
    BINDLESS_THREAD_DISPATCH = "btd"
    RAY_TRACING = "rta"
    DCRO = "dcro"
    DC0 = "dc0"
    PIXEL_INTERPOLATOR = "pixi"
    DC1 = "dc1"
    TGM = "tgm"
    SLM = "slm"
    UGM = "ugm"
