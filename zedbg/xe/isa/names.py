"""The vocabulary of the instruction set: every name that an encoding can stand for.

Members are named as in `native/eu/isa/instruction.hpp` (there in camel case); values are the
spelling of Intel's assembler.
"""

from enum import Enum


class Opcode(Enum):
    """Operations. The encodings are in `opcodes`."""

    ILLEGAL = "illegal"
    SYNC = "sync"
    MOV = "mov"
    SEL = "sel"
    MOVI = "movi"
    NOT = "not"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SHR = "shr"
    SHL = "shl"
    SMOV = "smov"
    ASR = "asr"
    ROR = "ror"
    ROL = "rol"
    CMP = "cmp"
    CMPN = "cmpn"
    CSEL = "csel"
    BFREV = "bfrev"
    BFE = "bfe"
    BFI1 = "bfi1"
    BFI2 = "bfi2"
    BFN = "bfn"
    JMPI = "jmpi"
    BRD = "brd"
    IF = "if"
    BRC = "brc"
    ELSE = "else"
    ENDIF = "endif"
    WHILE = "while"
    BREAK = "break"
    CONT = "cont"
    HALT = "halt"
    CALLA = "calla"
    CALL = "call"
    RET = "ret"
    GOTO = "goto"
    JOIN = "join"
    SEND = "send"
    SENDC = "sendc"
    MATH = "math"
    ADD = "add"
    MUL = "mul"
    AVG = "avg"
    FRC = "frc"
    RNDU = "rndu"
    RNDD = "rndd"
    RNDE = "rnde"
    RNDZ = "rndz"
    MAC = "mac"
    MACH = "mach"
    MACL = "macl"
    LZD = "lzd"
    FBH = "fbh"
    FBL = "fbl"
    CBIT = "cbit"
    ADDC = "addc"
    SUBB = "subb"
    ADD3 = "add3"
    DP4A = "dp4a"
    DPAS = "dpas"
    DPASW = "dpasw"
    MAD = "mad"
    MADM = "madm"
    SRND = "srnd"
    NOP = "nop"


class DataType(Enum):
    """Types of operands."""

    UB = "ub"
    UW = "uw"
    UD = "ud"
    UQ = "uq"
    B = "b"
    W = "w"
    D = "d"
    Q = "q"
    HF = "hf"
    F = "f"
    DF = "df"
    BF = "bf"
    BF8 = "bf8"  # factors of dpas only
    TF32 = "tf32"  # factors of dpas only
    UV = "uv"  # eight packed unsigned nibbles, immediates only
    V = "v"  # eight packed signed nibbles, immediates only
    VF = "vf"  # four packed 8-bit floats, immediates only

    @property
    def size(self) -> int:
        """Bytes of one element; those of the whole immediate for packed vectors."""
        return _TYPE_SIZES[self]

    @property
    def is_floating(self) -> bool:
        """Whether elements are floating-point numbers."""
        return self in _FLOATING


_FLOATING = frozenset({DataType.HF, DataType.F, DataType.DF, DataType.BF, DataType.VF})
_FLOATING |= {DataType.BF8, DataType.TF32}
_TYPE_SIZES = {
    DataType.UB: 1,
    DataType.UW: 2,
    DataType.UD: 4,
    DataType.UQ: 8,
    DataType.B: 1,
    DataType.W: 2,
    DataType.D: 4,
    DataType.Q: 8,
    DataType.HF: 2,
    DataType.F: 4,
    DataType.DF: 8,
    DataType.BF: 2,
    DataType.BF8: 1,
    DataType.TF32: 4,
    DataType.UV: 4,
    DataType.V: 4,
    DataType.VF: 4,
}


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
