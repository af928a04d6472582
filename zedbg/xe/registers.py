"""The registers of an Xe execution unit as program debug names and lays them out.

Register sets come from ``zetDebugGetRegisterSetProperties``; their names are those of Intel's
distribution of GDB, so that people and scripts can move between the two. DWARF register numbers
are those that Intel's graphics compiler emits.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag
from functools import lru_cache
from typing import NamedTuple

from zedbg.xe.isa.platform import Platform


class RegisterKind(IntEnum):
    """A register set; the values are ``zet_debug_regset_type_intel_gpu_t``."""

    GRF = 1
    ADDR = 2
    FLAG = 3
    CE = 4
    SR = 5
    CR = 6
    TDR = 7
    ACC = 8
    MME = 9
    SP = 10
    SBA = 11
    DBG = 12
    FC = 13
    MSG = 14
    MODE_FLAGS = 15
    DEBUG_SCRATCH = 16
    THREAD_SCRATCH = 17
    SCALAR = 18
    STATUS = 19
    RANDOM = 20
    DIRECT = 21


class ElementType(Enum):
    """How the bytes of a register are read: the suffix used in Xe assembly (``r10.f``).

    The value is the element size in bytes and the ``struct`` code of one element.
    """

    UB = (1, "B")
    B = (1, "b")
    UW = (2, "H")
    W = (2, "h")
    UD = (4, "I")
    D = (4, "i")
    UQ = (8, "Q")
    Q = (8, "q")
    HF = (2, "e")
    F = (4, "f")
    DF = (8, "d")

    @property
    def suffix(self) -> str:
        """The assembly suffix: ``ud``."""
        return self.name.lower()

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return self.value[0]

    @property
    def is_float(self) -> bool:
        """Whether elements are floating point."""
        return self in (ElementType.HF, ElementType.F, ElementType.DF)

    @property
    def is_signed(self) -> bool:
        """Whether elements are signed; floating point counts as signed."""
        return not self.name.startswith("U")

    def unpack(self, data: bytes) -> list[int] | list[float]:
        """The elements in ``data``; a rest that fills no element is left out."""
        count = len(data) // self.size
        return list(struct.unpack_from(f"<{count}{self.value[1]}", data))

    @classmethod
    def from_suffix(cls, suffix: str) -> ElementType | None:
        """The type that ``suffix`` names, None for no such suffix."""
        return cls.__members__.get(suffix.upper()) if suffix.islower() else None


@dataclass(frozen=True)
class RegisterSet:
    """One register set of a device or thread: ``count`` registers of ``byte_size`` bytes each."""

    kind: RegisterKind
    count: int
    byte_size: int
    readable: bool = True
    writeable: bool = True

    def slice(self, data: bytes, index: int) -> bytes:
        """Register ``index`` out of ``data``, the whole set packed; empty when out of range."""
        return data[index * self.byte_size : (index + 1) * self.byte_size]


# The registers of a set, in the set's order, as Intel's distribution of GDB names them.
STATE_BASES = (
    "genstbase",
    "sustbase",
    "dynbase",
    "iobase",
    "isabase",
    "blsustbase",
    "blsastbase",
    "btbase",
    "scrbase",
    "scrbase2",
)
GENERAL_BASE_INDEX = STATE_BASES.index("genstbase")
SURFACE_BASE_INDEX = STATE_BASES.index("sustbase")
BINDLESS_BASE_INDEX = STATE_BASES.index("blsustbase")
BINDING_TABLE_BASE_INDEX = STATE_BASES.index("btbase")
ISA_BASE_INDEX = STATE_BASES.index("isabase")
SCRATCH_BASE_INDEX = STATE_BASES.index("scrbase")

_NUMBERED_PREFIX = {
    RegisterKind.GRF: "r",
    RegisterKind.ADDR: "a",
    RegisterKind.FLAG: "f",
    RegisterKind.SR: "sr",
    RegisterKind.CR: "cr",
    RegisterKind.TDR: "tdr",
    RegisterKind.ACC: "acc",
    RegisterKind.MME: "mme",
    RegisterKind.DBG: "dbg",
    RegisterKind.FC: "fc",
    RegisterKind.MSG: "msg",
    RegisterKind.DEBUG_SCRATCH: "dbgscratch",
    RegisterKind.THREAD_SCRATCH: "thrscratch",
    RegisterKind.SCALAR: "s",
    RegisterKind.STATUS: "stat",
    RegisterKind.RANDOM: "rnd",
    RegisterKind.DIRECT: "dir",
}
_SINGLE_NAME = {
    RegisterKind.CE: "ce",
    RegisterKind.SP: "sp",
    RegisterKind.MODE_FLAGS: "modeflags",
}
_KIND_BY_PREFIX = {prefix: kind for kind, prefix in _NUMBERED_PREFIX.items()}

_DEFAULT_ELEMENT = {
    RegisterKind.ADDR: ElementType.UW,
    RegisterKind.FLAG: ElementType.UW,
    RegisterKind.TDR: ElementType.UW,
    RegisterKind.SP: ElementType.UQ,
    RegisterKind.SBA: ElementType.UQ,
    RegisterKind.DEBUG_SCRATCH: ElementType.UQ,
    RegisterKind.THREAD_SCRATCH: ElementType.UQ,
}

# Groups of `info registers GROUP`, as in Intel's distribution of GDB.
REGISTER_GROUPS: Mapping[str, frozenset[RegisterKind]] = {
    "grf": frozenset({RegisterKind.GRF}),
    "arf": frozenset(RegisterKind) - {RegisterKind.GRF, RegisterKind.SBA},
    "virtual": frozenset({RegisterKind.SBA}),
    "all": frozenset(RegisterKind),
}


def default_element(kind: RegisterKind) -> ElementType:
    """The element type in which registers of ``kind`` are shown when none is asked for."""
    return _DEFAULT_ELEMENT.get(kind, ElementType.UD)


@dataclass(frozen=True, order=True)
class Register:
    """One register: number ``index`` of the set ``kind``."""

    kind: RegisterKind
    index: int

    @property
    def name(self) -> str:
        """The register's name: ``r10``, ``cr0``, ``ce``, ``isabase``."""
        if self.kind is RegisterKind.SBA and self.index < len(STATE_BASES):
            return STATE_BASES[self.index]
        if self.kind in _SINGLE_NAME:
            return _SINGLE_NAME[self.kind]
        return f"{_NUMBERED_PREFIX.get(self.kind, self.kind.name.lower())}{self.index}"

    @classmethod
    def parse(cls, name: str) -> Register | None:
        """The register called ``name`` (without ``$``), None when no register is called so."""
        if name in STATE_BASES:
            return cls(RegisterKind.SBA, STATE_BASES.index(name))
        for kind, single in _SINGLE_NAME.items():
            if name == single:
                return cls(kind, 0)
        match = re.fullmatch(r"([a-z]+)(0|[1-9][0-9]*)", name)
        if match and match[1] in _KIND_BY_PREFIX:
            return cls(_KIND_BY_PREFIX[match[1]], int(match[2]))
        return None


class RegisterLayout:
    """The register sets of a device or thread, in the order in which the driver lists them."""

    def __init__(self, sets: Mapping[RegisterKind, RegisterSet]) -> None:
        self._sets = dict(sets)

    def __iter__(self) -> Iterator[RegisterSet]:
        return iter(self._sets.values())

    def __contains__(self, kind: RegisterKind) -> bool:
        return kind in self._sets

    def get(self, kind: RegisterKind) -> RegisterSet | None:
        """The set ``kind``, None when the device has none."""
        return self._sets.get(kind)

    @property
    def platform(self) -> Platform:
        """The instruction set of the device: its generations differ in their register sets.

        Only Xe-HPG has registers of 32 bytes among those that decode here, and Xe2 a cr0 of three
        dwords.
        """
        general, control = self.get(RegisterKind.GRF), self.get(RegisterKind.CR)
        if general is None or general.byte_size == 32:
            return Platform.XE_HPG
        return Platform.XE_HPC if control and control.byte_size == 16 else Platform.XE2

    def registers(self, group: str = "all") -> list[Register]:
        """Every register of ``group`` (a key of :data:`REGISTER_GROUPS`), in listing order."""
        kinds = REGISTER_GROUPS[group]
        return [
            Register(registers.kind, index)
            for registers in self
            if registers.kind in kinds
            for index in range(registers.count)
        ]


def _layout(*sets: tuple[RegisterKind, int, int]) -> RegisterLayout:
    read_only = {RegisterKind.CE, RegisterKind.TDR, RegisterKind.SBA, RegisterKind.MODE_FLAGS}
    return RegisterLayout(
        {
            kind: RegisterSet(kind, count, size, writeable=kind not in read_only)
            for kind, count, size in sets
        }
    )


# What Intel's driver reports for Xe-HPG threads with 128 registers; for tools and tests that have
# no device at hand. Counts and sizes in bytes.
XE_HPG_LAYOUT = _layout(
    (RegisterKind.GRF, 128, 32),
    (RegisterKind.ADDR, 1, 32),
    (RegisterKind.FLAG, 2, 4),
    (RegisterKind.CE, 1, 4),
    (RegisterKind.SR, 1, 16),
    (RegisterKind.CR, 1, 16),
    (RegisterKind.ACC, 4, 32),
    (RegisterKind.MME, 8, 32),
    (RegisterKind.SBA, 9, 8),
    (RegisterKind.DBG, 1, 8),
)

# DWARF register numbers (Intel graphics compiler): single registers, then ranges (first, count).
DWARF_INSTRUCTION_POINTER = 0
DWARF_FIRST_GENERAL_REGISTER = 16  # r0; the others follow
FIRST_ARGUMENT_REGISTER = 26  # of what is passed to a function, and of what it returns
_DWARF_SINGLE = {
    1: Register(RegisterKind.CE, 0),
    5: Register(RegisterKind.SBA, STATE_BASES.index("btbase")),
    6: Register(RegisterKind.SBA, STATE_BASES.index("scrbase")),
    7: Register(RegisterKind.SBA, STATE_BASES.index("genstbase")),
    8: Register(RegisterKind.SBA, STATE_BASES.index("sustbase")),
    9: Register(RegisterKind.SBA, STATE_BASES.index("blsustbase")),
    10: Register(RegisterKind.SBA, STATE_BASES.index("blsastbase")),
    11: Register(RegisterKind.SBA, STATE_BASES.index("scrbase2")),
}
_DWARF_RANGES = (
    (16, 256, RegisterKind.GRF, 0),
    (272, 16, RegisterKind.ADDR, 0),
    (288, 16, RegisterKind.FLAG, 0),
    (304, 31, RegisterKind.ACC, 0),
    (335, 15, RegisterKind.MME, 0),
    (350, 256, RegisterKind.GRF, 256),
)


@lru_cache(maxsize=1024)
def dwarf_register(number: int) -> Register | None:
    """The register that DWARF calls ``number``; None for 0 (the IP) and unmapped numbers."""
    if number in _DWARF_SINGLE:
        return _DWARF_SINGLE[number]
    for first, count, kind, base in _DWARF_RANGES:
        if first <= number < first + count:
            return Register(kind, base + number - first)
    return None


class ControlBit(IntFlag):
    """Bits of cr0.0 that matter to a debugger."""

    LARGE_GRF = 1 << 13
    BREAKPOINT_SUPPRESS = 1 << 15


class ExceptionBit(IntFlag):
    """Status bits of cr0.1: why a thread entered the system routine."""

    PAGE_FAULT = 1 << 16
    FORCE_EXCEPTION = 1 << 26
    ILLEGAL_OPCODE = 1 << 28
    SOFTWARE_EXCEPTION = 1 << 29
    EXTERNAL_HALT = 1 << 30
    BREAKPOINT = 1 << 31


class ExceptionReason(Enum):
    """Why a thread stopped, as users read it; in order of precedence."""

    PAGE_FAULT = "page fault"
    BREAKPOINT = "breakpoint"
    ILLEGAL_OPCODE = "illegal instruction"
    SOFTWARE_EXCEPTION = "software exception"
    INTERRUPT = "interrupt"
    NONE = "no reason"


# Plain numbers: a stop of thousands of threads asks each, and flag objects are slow.
_REASON_BITS = (
    (int(ExceptionBit.PAGE_FAULT), ExceptionReason.PAGE_FAULT),
    (int(ExceptionBit.BREAKPOINT), ExceptionReason.BREAKPOINT),
    (int(ExceptionBit.ILLEGAL_OPCODE), ExceptionReason.ILLEGAL_OPCODE),
    (int(ExceptionBit.SOFTWARE_EXCEPTION), ExceptionReason.SOFTWARE_EXCEPTION),
    (int(ExceptionBit.FORCE_EXCEPTION | ExceptionBit.EXTERNAL_HALT), ExceptionReason.INTERRUPT),
)


class ControlRegister(NamedTuple):
    """The control register cr0 of a stopped thread, decoded: three or four dwords."""

    control: int
    exceptions: int
    instruction_pointer: int

    @classmethod
    def from_bytes(cls, data: bytes) -> ControlRegister:
        """Decodes the bytes of cr0; ValueError when there are fewer than twelve."""
        if len(data) < 12:
            raise ValueError(f"cr0 has {len(data)} bytes where 12 are the least")
        return cls._make(struct.unpack_from("<3I", data))

    @property
    def reason(self) -> ExceptionReason:
        """The reason that takes precedence among the exception bits that are set."""
        for bits, reason in _REASON_BITS:
            if self.exceptions & bits:
                return reason
        return ExceptionReason.NONE

    def bit_names(self) -> list[str]:
        """Names of the known bits that are set, for people: ``breakpoint suppress``."""
        set_bits = [
            *(bit for bit in ControlBit if self.control & bit),
            *(bit for bit in ExceptionBit if self.exceptions & bit),
        ]
        return [(bit.name or "").lower().replace("_", " ") for bit in set_bits]


class ThreadHeader(NamedTuple):
    """The r0 header that a thread starts with (Xe: layout as compiled code reads it)."""

    workgroup: tuple[int, int, int]
    thread_in_group: int
    threads_in_group: int
    payload_offset: int  # bytes from the general state base

    @classmethod
    def from_bytes(cls, data: bytes) -> ThreadHeader:
        """Decodes the bytes of r0; ValueError when there are fewer than 32."""
        if len(data) < 32:
            raise ValueError(f"r0 has {len(data)} bytes where 32 are the least")
        words = struct.unpack_from("<8I", data)
        return cls(
            workgroup=(words[1], words[6], words[7]),
            thread_in_group=words[2] & 0xFF,
            threads_in_group=words[2] >> 24,
            payload_offset=words[0] & ~0x3F,
        )
