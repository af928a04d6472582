"""Opcode numbers and instruction formats."""

from enum import Enum, auto

from zedbg.xe.isa.names import Opcode
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


FORMATS: dict[Opcode, Format] = {
    Opcode.ILLEGAL: Format.ILLEGAL,
    Opcode.SYNC: Format.SYNC,
    Opcode.MOV: Format.UNARY,
    Opcode.SEL: Format.BINARY,
    Opcode.MOVI: Format.BINARY,
    Opcode.NOT: Format.UNARY,
    Opcode.AND: Format.BINARY,
    Opcode.OR: Format.BINARY,
    Opcode.XOR: Format.BINARY,
    Opcode.SHR: Format.BINARY,
    Opcode.SHL: Format.BINARY,
    Opcode.SMOV: Format.BINARY,
    Opcode.ASR: Format.BINARY,
    Opcode.ROR: Format.BINARY,
    Opcode.ROL: Format.BINARY,
    Opcode.CMP: Format.BINARY,
    Opcode.CMPN: Format.BINARY,
    Opcode.CSEL: Format.TERNARY,
    Opcode.BFREV: Format.UNARY,
    Opcode.BFE: Format.TERNARY,
    Opcode.BFI1: Format.BINARY,
    Opcode.BFI2: Format.TERNARY,
    Opcode.BFN: Format.BFN,
    Opcode.JMPI: Format.JUMP,
    Opcode.BRD: Format.JUMP,
    Opcode.IF: Format.DIVERGE,
    Opcode.BRC: Format.DIVERGE,
    Opcode.ELSE: Format.DIVERGE,
    Opcode.ENDIF: Format.JUMP,
    Opcode.WHILE: Format.JUMP,
    Opcode.BREAK: Format.DIVERGE,
    Opcode.CONT: Format.DIVERGE,
    Opcode.HALT: Format.DIVERGE,
    Opcode.CALLA: Format.CALL,
    Opcode.CALL: Format.CALL,
    Opcode.RET: Format.JUMP,
    Opcode.GOTO: Format.DIVERGE,
    Opcode.JOIN: Format.JUMP,
    Opcode.SEND: Format.SEND,
    Opcode.SENDC: Format.SEND,
    Opcode.MATH: Format.MATH,
    Opcode.ADD: Format.BINARY,
    Opcode.MUL: Format.BINARY,
    Opcode.AVG: Format.BINARY,
    Opcode.FRC: Format.UNARY,
    Opcode.RNDU: Format.UNARY,
    Opcode.RNDD: Format.UNARY,
    Opcode.RNDE: Format.UNARY,
    Opcode.RNDZ: Format.UNARY,
    Opcode.MAC: Format.BINARY,
    Opcode.MACH: Format.BINARY,
    Opcode.MACL: Format.BINARY,
    Opcode.LZD: Format.UNARY,
    Opcode.FBH: Format.UNARY,
    Opcode.FBL: Format.UNARY,
    Opcode.CBIT: Format.UNARY,
    Opcode.ADDC: Format.BINARY,
    Opcode.SUBB: Format.BINARY,
    Opcode.ADD3: Format.TERNARY,
    Opcode.DP4A: Format.TERNARY,
    Opcode.DPAS: Format.DPAS,
    Opcode.DPASW: Format.DPAS,
    Opcode.MAD: Format.TERNARY,
    Opcode.MADM: Format.MADM,
    Opcode.SRND: Format.BINARY,
    Opcode.NOP: Format.NOP,
}

# Numbers that all platforms share.
_SHARED: dict[int, Opcode] = {
    0x00: Opcode.ILLEGAL,
    0x01: Opcode.SYNC,
    0x20: Opcode.JMPI,
    0x21: Opcode.BRD,
    0x22: Opcode.IF,
    0x23: Opcode.BRC,
    0x24: Opcode.ELSE,
    0x25: Opcode.ENDIF,
    0x27: Opcode.WHILE,
    0x28: Opcode.BREAK,
    0x29: Opcode.CONT,
    0x2A: Opcode.HALT,
    0x2B: Opcode.CALLA,
    0x2C: Opcode.CALL,
    0x2D: Opcode.RET,
    0x2E: Opcode.GOTO,
    0x2F: Opcode.JOIN,
    0x31: Opcode.SEND,
    0x32: Opcode.SENDC,
    0x38: Opcode.MATH,
    0x40: Opcode.ADD,
    0x41: Opcode.MUL,
    0x42: Opcode.AVG,
    0x43: Opcode.FRC,
    0x44: Opcode.RNDU,
    0x45: Opcode.RNDD,
    0x46: Opcode.RNDE,
    0x47: Opcode.RNDZ,
    0x48: Opcode.MAC,
    0x49: Opcode.MACH,
    0x4A: Opcode.LZD,
    0x4B: Opcode.FBH,
    0x4C: Opcode.FBL,
    0x4D: Opcode.CBIT,
    0x4E: Opcode.ADDC,
    0x4F: Opcode.SUBB,
    0x52: Opcode.ADD3,
    0x58: Opcode.DP4A,
    0x59: Opcode.DPAS,
    0x5B: Opcode.MAD,
    0x5D: Opcode.MADM,
    0x60: Opcode.NOP,
    0x61: Opcode.MOV,
    0x62: Opcode.SEL,
    0x63: Opcode.MOVI,
    0x64: Opcode.NOT,
    0x65: Opcode.AND,
    0x66: Opcode.OR,
    0x67: Opcode.XOR,
    0x68: Opcode.SHR,
    0x69: Opcode.SHL,
    0x6B: Opcode.BFN,
    0x6C: Opcode.ASR,
    0x6E: Opcode.ROR,
    0x6F: Opcode.ROL,
    0x70: Opcode.CMP,
    0x71: Opcode.CMPN,
    0x72: Opcode.CSEL,
    0x77: Opcode.BFREV,
    0x78: Opcode.BFE,
    0x79: Opcode.BFI1,
    0x7A: Opcode.BFI2,
}

_SINCE_XE_HPC: dict[int, Opcode] = _SHARED | {0x53: Opcode.MACL, 0x54: Opcode.SRND}

OPCODES: dict[Platform, dict[int, Opcode]] = {
    Platform.XE_HPG: _SHARED | {0x5A: Opcode.DPASW},
    Platform.XE_HPC: _SINCE_XE_HPC,
    Platform.XE2: _SINCE_XE_HPC,
}

# Branches that may go backwards (`.b`).
WITH_BRANCH_CONTROL = frozenset({Opcode.IF, Opcode.ELSE, Opcode.GOTO})

# Here the negation of a source is a bitwise complement.
BITWISE = frozenset({Opcode.NOT, Opcode.AND, Opcode.OR, Opcode.XOR})
