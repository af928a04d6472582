"""The opcodes, one row each: from it the Python tables, the enumerations and the dispatch of the
simulated GPU, docs/coverage.md and the tests derive.

What computes an operation is a case in `native/eu/execute`, in the file of its `Operation`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto

from zedbg.xe.isa.platform import Platform


class Format(Enum):
    """How the fields of an instruction are laid out; one decoding routine each."""

    ILLEGAL = auto()
    NOP = auto()
    SYNC = auto()
    UNARY = auto()
    BINARY = auto()
    MATH = auto()
    TERNARY = auto()
    BFN = auto()
    MADM = auto()
    DPAS = auto()
    JUMP = auto()  # one target (JIP), which may be a register
    DIVERGE = auto()  # two targets (JIP, UIP)
    CALL = auto()  # destination and one target
    SEND = auto()


class Operation(Enum):
    """Which part of the execution unit computes it, and how it chooses the type of lanes."""

    ILLEGAL = auto()
    BRANCH = auto()  # no lanes
    EXTERNAL = auto()  # no lanes: messages, synchronisation
    SYSTOLIC = auto()  # blocks of registers
    MOVE = auto()  # bits where it can, else values
    INDEXED_MOVE = auto()
    COMPARISON = auto()  # values
    LOGIC = auto()  # integers, modulo their size
    BIT_FIELD = auto()  # 32 bits
    STOCHASTIC = auto()  # bits
    MATH = auto()  # floating point
    ARITHMETIC = auto()  # floating point, or integers


class Feature(Flag):
    """What an operation may lack; the bits that others have for it mean nothing there."""

    NONE = 0
    PREDICATE = auto()
    CONDITION = auto()
    SATURATION = auto()
    SOURCE_MODIFIERS = auto()


class Trait(Flag):
    """What some operations have in common."""

    NONE = 0
    BRANCH_CONTROL = auto()  # a branch that may go backwards (`.b`)
    BITWISE = auto()  # the negation of a source is a bitwise complement
    WITHOUT_EXECUTION_SIZE = auto()  # assembler text has none
    ACCUMULATES = auto()  # reads or writes an accumulator that is no operand
    NEEDS_CONDITION = auto()  # a condition modifier is part of the operation
    GIVES_MASK = auto()  # the result is all ones or zero
    WIDE_LANES = auto()  # integers are computed in 64 bits
    EXACT_RESULT = auto()  # an overflow needs more bits than the lanes have
    EXACT_COMPARISON = auto()  # values of signed and unsigned 64 bits are compared


class TypeGroup(Enum):
    """Operations that encode the same types of operands."""

    COMMON = auto()
    BFLOAT = auto()
    MOVED = auto()
    LOW_PRODUCT = auto()
    ROUNDED = auto()
    MATH = auto()


_ALL = frozenset(Platform)
_XE_HPG_ONLY = frozenset({Platform.XE_HPG})
_SINCE_XE_HPC = _ALL - _XE_HPG_ONLY


@dataclass(frozen=True)
class Row:
    """What there is to know of an opcode."""

    mnemonic: str
    number: int  # 7 bits
    format: Format
    operation: Operation
    lacks: Feature = Feature.NONE
    lacks_also: Mapping[Platform, Feature] = field(default_factory=dict)  # there
    traits: Trait = Trait.NONE
    types: TypeGroup = TypeGroup.COMMON
    platforms: frozenset[Platform] = _ALL

    def has(self, feature: Feature, platform: Platform) -> bool:
        """Whether the operation has ``feature`` on ``platform``."""
        return not feature & (self.lacks | self.lacks_also.get(platform, Feature.NONE))


_F, _T, _G, _L, _X = Feature, Trait, TypeGroup, Format, Operation
_LACKS_OF_BITS = _F.CONDITION | _F.SATURATION | _F.SOURCE_MODIFIERS


class Opcode(Enum):
    """Operations, by number. The value is the assembler's mnemonic."""

    row: Row
    _value_: str

    def __new__(cls, row: Row) -> "Opcode":
        """A member of one row."""
        member = object.__new__(cls)
        member._value_ = row.mnemonic
        member.row = row
        return member

    __hash__ = object.__hash__  # quicker than that of the name, and very often asked for

    ILLEGAL = Row("illegal", 0x00, _L.ILLEGAL, _X.ILLEGAL, traits=_T.WITHOUT_EXECUTION_SIZE)
    SYNC = Row(
        "sync", 0x01, _L.SYNC, _X.EXTERNAL, lacks=_F.PREDICATE, traits=_T.WITHOUT_EXECUTION_SIZE
    )
    JMPI = Row("jmpi", 0x20, _L.JUMP, _X.BRANCH, traits=_T.WITHOUT_EXECUTION_SIZE)
    BRD = Row("brd", 0x21, _L.JUMP, _X.BRANCH)
    IF = Row("if", 0x22, _L.DIVERGE, _X.BRANCH, traits=_T.BRANCH_CONTROL)
    BRC = Row("brc", 0x23, _L.DIVERGE, _X.BRANCH)
    ELSE = Row("else", 0x24, _L.DIVERGE, _X.BRANCH, lacks=_F.PREDICATE, traits=_T.BRANCH_CONTROL)
    ENDIF = Row("endif", 0x25, _L.JUMP, _X.BRANCH, lacks=_F.PREDICATE)
    WHILE = Row("while", 0x27, _L.JUMP, _X.BRANCH)
    BREAK = Row("break", 0x28, _L.DIVERGE, _X.BRANCH)
    CONT = Row("cont", 0x29, _L.DIVERGE, _X.BRANCH)
    HALT = Row("halt", 0x2A, _L.DIVERGE, _X.BRANCH)
    CALLA = Row("calla", 0x2B, _L.CALL, _X.BRANCH)
    CALL = Row("call", 0x2C, _L.CALL, _X.BRANCH)
    RET = Row("ret", 0x2D, _L.JUMP, _X.BRANCH)
    GOTO = Row("goto", 0x2E, _L.DIVERGE, _X.BRANCH, traits=_T.BRANCH_CONTROL)
    JOIN = Row("join", 0x2F, _L.JUMP, _X.BRANCH)
    SEND = Row("send", 0x31, _L.SEND, _X.EXTERNAL)
    SENDC = Row("sendc", 0x32, _L.SEND, _X.EXTERNAL)
    MATH = Row("math", 0x38, _L.MATH, _X.MATH, types=_G.MATH)
    ADD = Row("add", 0x40, _L.BINARY, _X.ARITHMETIC, traits=_T.EXACT_RESULT, types=_G.BFLOAT)
    MUL = Row("mul", 0x41, _L.BINARY, _X.ARITHMETIC, traits=_T.EXACT_RESULT, types=_G.BFLOAT)
    AVG = Row("avg", 0x42, _L.BINARY, _X.ARITHMETIC, traits=_T.WIDE_LANES | _T.EXACT_RESULT)
    FRC = Row("frc", 0x43, _L.UNARY, _X.ARITHMETIC, lacks=_F.SATURATION)
    RNDU = Row("rndu", 0x44, _L.UNARY, _X.ARITHMETIC)
    RNDD = Row("rndd", 0x45, _L.UNARY, _X.ARITHMETIC)
    RNDE = Row("rnde", 0x46, _L.UNARY, _X.ARITHMETIC)
    RNDZ = Row("rndz", 0x47, _L.UNARY, _X.ARITHMETIC)
    MAC = Row("mac", 0x48, _L.BINARY, _X.ARITHMETIC, traits=_T.ACCUMULATES, types=_G.BFLOAT)
    MACH = Row(
        "mach",
        0x49,
        _L.BINARY,
        _X.ARITHMETIC,
        lacks=_F.CONDITION | _F.SATURATION,
        traits=_T.ACCUMULATES,
    )
    LZD = Row(
        "lzd",
        0x4A,
        _L.UNARY,
        _X.BIT_FIELD,
        lacks_also={Platform.XE2: _F.SATURATION | _F.SOURCE_MODIFIERS},
    )
    FBH = Row("fbh", 0x4B, _L.UNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    FBL = Row("fbl", 0x4C, _L.UNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    CBIT = Row("cbit", 0x4D, _L.UNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    ADDC = Row(
        "addc",
        0x4E,
        _L.BINARY,
        _X.ARITHMETIC,
        lacks=_F.SATURATION | _F.SOURCE_MODIFIERS,
        traits=_T.WIDE_LANES,
    )
    SUBB = Row(
        "subb", 0x4F, _L.BINARY, _X.ARITHMETIC, lacks=_F.SOURCE_MODIFIERS, traits=_T.WIDE_LANES
    )
    ADD3 = Row("add3", 0x52, _L.TERNARY, _X.ARITHMETIC, traits=_T.EXACT_RESULT)
    MACL = Row(
        "macl",
        0x53,
        _L.BINARY,
        _X.ARITHMETIC,
        lacks=_F.CONDITION | _F.SATURATION,
        traits=_T.ACCUMULATES,
        types=_G.LOW_PRODUCT,
        platforms=_SINCE_XE_HPC,
    )
    SRND = Row(
        "srnd",
        0x54,
        _L.BINARY,
        _X.STOCHASTIC,
        lacks=_F.PREDICATE | _F.CONDITION | _F.SOURCE_MODIFIERS,
        lacks_also={Platform.XE2: _F.SATURATION},
        types=_G.ROUNDED,
        platforms=_SINCE_XE_HPC,
    )
    DP4A = Row(
        "dp4a", 0x58, _L.TERNARY, _X.ARITHMETIC, lacks=_F.SOURCE_MODIFIERS, traits=_T.WIDE_LANES
    )
    DPAS = Row("dpas", 0x59, _L.DPAS, _X.SYSTOLIC, lacks=_F.PREDICATE | _F.SATURATION)
    DPASW = Row(
        "dpasw",
        0x5A,
        _L.DPAS,
        _X.SYSTOLIC,
        lacks=_F.PREDICATE | _F.SATURATION,
        platforms=_XE_HPG_ONLY,
    )
    MAD = Row("mad", 0x5B, _L.TERNARY, _X.ARITHMETIC, traits=_T.EXACT_RESULT, types=_G.BFLOAT)
    MADM = Row("madm", 0x5D, _L.MADM, _X.ARITHMETIC, lacks=_F.CONDITION | _F.SATURATION)
    NOP = Row("nop", 0x60, _L.NOP, _X.EXTERNAL, traits=_T.WITHOUT_EXECUTION_SIZE)
    MOV = Row("mov", 0x61, _L.UNARY, _X.MOVE, traits=_T.EXACT_RESULT, types=_G.MOVED)
    SEL = Row("sel", 0x62, _L.BINARY, _X.COMPARISON, traits=_T.EXACT_COMPARISON, types=_G.BFLOAT)
    MOVI = Row("movi", 0x63, _L.BINARY, _X.INDEXED_MOVE, lacks=_F.CONDITION)
    NOT = Row("not", 0x64, _L.UNARY, _X.LOGIC, lacks=_F.SATURATION, traits=_T.BITWISE)
    AND = Row("and", 0x65, _L.BINARY, _X.LOGIC, lacks=_F.SATURATION, traits=_T.BITWISE)
    OR = Row("or", 0x66, _L.BINARY, _X.LOGIC, lacks=_F.SATURATION, traits=_T.BITWISE)
    XOR = Row("xor", 0x67, _L.BINARY, _X.LOGIC, lacks=_F.SATURATION, traits=_T.BITWISE)
    SHR = Row("shr", 0x68, _L.BINARY, _X.LOGIC)
    SHL = Row("shl", 0x69, _L.BINARY, _X.LOGIC, traits=_T.EXACT_RESULT)
    BFN = Row("bfn", 0x6B, _L.BFN, _X.LOGIC, lacks=_F.SATURATION | _F.SOURCE_MODIFIERS)
    ASR = Row("asr", 0x6C, _L.BINARY, _X.LOGIC)
    ROR = Row("ror", 0x6E, _L.BINARY, _X.LOGIC, lacks=_F.SATURATION | _F.SOURCE_MODIFIERS)
    ROL = Row("rol", 0x6F, _L.BINARY, _X.LOGIC, lacks=_F.SATURATION | _F.SOURCE_MODIFIERS)
    CMP = Row(
        "cmp",
        0x70,
        _L.BINARY,
        _X.COMPARISON,
        lacks=_F.SATURATION,
        traits=_T.NEEDS_CONDITION | _T.GIVES_MASK | _T.EXACT_COMPARISON,
        types=_G.BFLOAT,
    )
    CMPN = Row(
        "cmpn",
        0x71,
        _L.BINARY,
        _X.COMPARISON,
        lacks=_F.SATURATION,
        traits=_T.NEEDS_CONDITION | _T.GIVES_MASK | _T.EXACT_COMPARISON,
    )
    CSEL = Row(
        "csel", 0x72, _L.TERNARY, _X.COMPARISON, lacks=_F.PREDICATE, traits=_T.NEEDS_CONDITION
    )
    BFREV = Row("bfrev", 0x77, _L.UNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    BFE = Row("bfe", 0x78, _L.TERNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    BFI1 = Row("bfi1", 0x79, _L.BINARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)
    BFI2 = Row("bfi2", 0x7A, _L.TERNARY, _X.BIT_FIELD, lacks=_LACKS_OF_BITS)

    @property
    def format(self) -> Format:
        """How its fields are laid out."""
        return self.row.format

    def has_trait(self, trait: Trait) -> bool:
        """Whether it is one of those."""
        return bool(self.row.traits & trait)


OPCODES: dict[Platform, dict[int, Opcode]] = {
    platform: {each.row.number: each for each in Opcode if platform in each.row.platforms}
    for platform in Platform
}
