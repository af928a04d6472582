"""Disassembly of Xe instructions, and what a debugger asks of instruction bytes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from zedbg.xe.decoding import decode, decode_once, is_compacted
from zedbg.xe.instruction import COMPACT_LENGTH, NATIVE_LENGTH, Decoded, Operand
from zedbg.xe.isa.encoding import ENCODINGS
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform
from zedbg.xe.syntax import instruction_text


@dataclass(frozen=True)
class Instruction:
    """One instruction at its address."""

    address: int
    code: bytes  # 16 bytes, 8 if compacted; fewer where the code ends inside the instruction
    text: str  # in the syntax of Intel's assembler
    decoded: Decoded
    branch_targets: tuple[int, ...]  # addresses: JIP, then UIP where the instruction has one

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.code)

    @property
    def mnemonic(self) -> str:
        """The operation with its function: `mov`, `math.inv`, `send.ugm`."""
        return self.decoded.mnemonic

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The destination, where there is one, then the sources."""
        destination = self.decoded.destination
        return (*(() if destination is None else (destination,)), *self.decoded.sources)

    @property
    def is_illegal(self) -> bool:
        """Whether the bytes are no instruction, or the illegal one."""
        return self.decoded.opcode is Opcode.ILLEGAL

    @property
    def is_compacted(self) -> bool:
        """Whether the instruction has the 8-byte form."""
        return self.decoded.is_compacted

    @property
    def is_end_of_thread(self) -> bool:
        """Whether the thread ends here."""
        return self.decoded.is_end_of_thread

    @property
    def is_call(self) -> bool:
        """Whether a step over the instruction has to wait for a return."""
        return self.decoded.is_call

    @property
    def is_return(self) -> bool:
        """Whether the instruction leaves its function."""
        return self.decoded.opcode is Opcode.RET

    @property
    def breakpoint(self) -> bool:
        """Whether the breakpoint bit is set."""
        return self.decoded.breakpoint


def disassemble(
    code: bytes,
    address: int = 0,
    platform: Platform = Platform.XE_HPG,
    label: Callable[[int], str] | None = None,
) -> list[Instruction]:
    """All instructions of `code`, whose first byte is at `address`.

    `label` names branch targets by their addresses; without one they are hexadecimal addresses.
    Bytes that are no instruction give a line `illegal` with the raw words, never an exception.
    """
    return list(instructions(code, address, platform, label))


def instructions(
    code: bytes,
    address: int = 0,
    platform: Platform = Platform.XE_HPG,
    label: Callable[[int], str] | None = None,
) -> Iterator[Instruction]:
    """The same, one by one; only the last one is in memory."""
    offset = 0
    while offset < len(code):
        window = code[offset : offset + NATIVE_LENGTH]
        decoded = decode_once(platform, window)
        instruction = _instruction(decoded, window, address + offset, platform, label)
        yield instruction
        offset += instruction.size


def disassemble_one(
    code: bytes,
    address: int = 0,
    platform: Platform = Platform.XE_HPG,
    label: Callable[[int], str] | None = None,
) -> Instruction:
    """The instruction at the start of `code`; see `disassemble`. It is kept for the next time."""
    decoded = decode(platform, code)
    if decoded.jip is not None or decoded.uip is not None:
        return _instruction(decoded, code, address, platform, label)
    text = _text_anywhere(platform, code[: decoded.length])
    return Instruction(address, code[: decoded.length], text, decoded, ())


@lru_cache(maxsize=8192)
def _text_anywhere(platform: Platform, code: bytes) -> str:
    """The text of an instruction that has no branch target: the same at any address."""
    return _instruction(decode(platform, code), code, 0, platform, None).text


def _instruction(
    decoded: Decoded,
    code: bytes,
    address: int,
    platform: Platform,
    label: Callable[[int], str] | None,
) -> Instruction:
    used = code[: decoded.length]
    if decoded.opcode is Opcode.ILLEGAL:
        return Instruction(address, used, _illegal_text(decoded, used), decoded, ())
    distances = (decoded.jip, decoded.uip)
    targets = tuple(address + distance for distance in distances if distance is not None)
    text = instruction_text(ENCODINGS[platform], decoded, address, label or hex)
    return Instruction(address, used, text, decoded, targets)


def instruction_length(code: bytes, platform: Platform = Platform.XE_HPG) -> int:
    """Bytes of the instruction that starts with the 8 bytes in `code`: 16, or 8 if compacted."""
    return COMPACT_LENGTH if is_compacted(platform, code) else NATIVE_LENGTH


def breakpoint_bit(code: bytes, platform: Platform = Platform.XE_HPG) -> int:
    """Position of the breakpoint bit in the instruction that starts with the bytes in `code`."""
    encoding = ENCODINGS[platform]
    compacted = is_compacted(platform, code)
    field = encoding.compact_breakpoint if compacted else encoding.common.breakpoint
    return field.segments[0].low


def _illegal_text(decoded: Decoded, code: bytes) -> str:
    """`illegal`; with the raw dwords and the reason unless it is zero padding."""
    if not any(code):
        return "illegal"
    words = (code[start : start + 4][::-1].hex() for start in range(0, len(code), 4))
    return f"illegal {{0x{' 0x'.join(words)}}} // {decoded.invalid_reason}"
