"""What an instruction word says, as typed data: Python's native/eu/isa/instruction.hpp."""

from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.isa.messages import MESSAGE_LENGTH, RESPONSE_LENGTH
from zedbg.xe.isa.names import (
    Arf,
    Condition,
    DataType,
    MathFunction,
    Predicate,
    SharedFunction,
    SyncFunction,
)
from zedbg.xe.isa.opcodes import Format, Opcode
from zedbg.xe.scoreboard import NO_ANNOTATION, Scoreboard

NO_MATH_MACRO = 8


class RegisterFile(Enum):
    """Where an operand is."""

    GRF = auto()
    ARF = auto()
    IMMEDIATE = auto()


@dataclass(frozen=True)
class Region:
    """`<vertical; width, horizontal>`, strides in elements.

    `vertical_by_address` is the VxH form `<width, horizontal>`, with one address sub-register for
    each row.
    """

    vertical: int = 0
    width: int = 1
    horizontal: int = 0
    vertical_by_address: bool = False


@dataclass(frozen=True)
class Operand:
    """One operand, with its position in bytes."""

    file: RegisterFile = RegisterFile.ARF
    arf: Arf = Arf.NULL
    register_number: int = 0
    byte_offset: int = 0
    type: DataType = DataType.UD
    negate: bool = False  # bitwise not for logic operations
    absolute: bool = False
    indirect: bool = False  # r[a0.address_subregister, address_immediate]
    address_subregister: int = 0  # in 16-bit words of a0
    address_immediate: int = 0  # bytes
    region: Region = Region()  # destinations use `horizontal` only
    math_macro_register: int | None = None  # mmeN of an operand of a math macro, or NO_MATH_MACRO
    immediate: int = 0  # raw bits

    @property
    def is_null(self) -> bool:
        """Whether this is the null register."""
        return self.file is RegisterFile.ARF and self.arf is Arf.NULL


@dataclass(frozen=True)
class Send:
    """What `send` has besides its operands."""

    function: SharedFunction
    descriptor: int | None  # None: in a0.0
    extended_descriptor: int | None  # bits 31:11; None: in a0.N
    extended_descriptor_subregister: int  # that N
    extended_bindless_offset: bool  # ExBSO
    extended_offset: int  # bits 31:11 to add to a0.N (since Xe2)
    source1_length: int | None  # GRFs; None: in the extended descriptor of a0.N
    end_of_thread: bool
    serialize: bool
    coarse_pixel: bool  # CPS

    @property
    def source0_length(self) -> int | None:
        """GRFs of the first source; None where the descriptor is in a register."""
        return None if self.descriptor is None else MESSAGE_LENGTH.of(self.descriptor)

    @property
    def response_length(self) -> int | None:
        """GRFs of the destination; None where the descriptor is in a register."""
        return None if self.descriptor is None else RESPONSE_LENGTH.of(self.descriptor)


@dataclass(frozen=True)
class Decoded:
    """One instruction."""

    opcode: Opcode
    length: int  # bytes: 16 native, 8 compacted
    invalid_reason: str | None = None  # set with Opcode.ILLEGAL
    scoreboard: Scoreboard = NO_ANNOTATION
    execution_size: int = 1  # lanes
    channel_offset: int = 0  # first lane
    no_mask: bool = False
    predicate: Predicate = Predicate.NONE
    predicate_inverted: bool = False
    flag_register: int = 0
    flag_subregister: int = 0
    condition: Condition = Condition.NONE
    saturate: bool = False
    accumulator_write: bool = False
    atomic: bool = False
    breakpoint: bool = False
    branch_control: bool = False
    math: MathFunction = MathFunction.NONE
    sync: SyncFunction = SyncFunction.NOP
    boolean_function: int = 0
    dpas_depth: int = 0
    dpas_repeat: int = 0
    dpas_bits: tuple[int, int] = (8, 8)  # of an element of sources 1 and 2, where of a byte type
    destination: Operand | None = None
    sources: tuple[Operand, ...] = ()
    jip: int | None = None  # bytes from this instruction
    uip: int | None = None
    send: Send | None = None

    @property
    def is_compacted(self) -> bool:
        """Whether the instruction has the 8-byte form."""
        return self.length == COMPACT_LENGTH

    @property
    def is_call(self) -> bool:
        """Whether lanes go to another function, and come back to the next instruction."""
        return self.opcode.format is Format.CALL

    @property
    def is_end_of_thread(self) -> bool:
        """Whether the thread ends here."""
        return self.send is not None and self.send.end_of_thread

    @property
    def mnemonic(self) -> str:
        """The operation with its function: `mov`, `math.inv`, `send.ugm`, `goto.b`."""
        name = self.opcode.value
        if self.opcode is Opcode.MATH:
            return f"{name}.{self.math.value}"
        if self.opcode is Opcode.SYNC:
            return f"{name}.{self.sync.value}"
        if self.send is not None:
            return f"{name}.{self.send.function.value}"
        return f"{name}.b" if self.branch_control else name


NATIVE_LENGTH = 16
COMPACT_LENGTH = 8
