"""What run control asks of an instruction in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zedbg.xe.decoding import decode
from zedbg.xe.disassembly import breakpoint_bit, instruction_length
from zedbg.xe.instruction import COMPACT_LENGTH, NATIVE_LENGTH, Decoded, RegisterFile
from zedbg.xe.isa.names import Arf, Predicate, SyncFunction
from zedbg.xe.isa.opcodes import Format, Opcode
from zedbg.xe.isa.platform import Platform

_BRANCHES = frozenset({Format.ILLEGAL, Format.JUMP, Format.DIVERGE, Format.CALL})

__all__ = ["COMPACT_LENGTH", "NATIVE_LENGTH", "InstructionBits"]


@dataclass(frozen=True)
class InstructionBits:
    """One instruction; ``data`` are its bytes, 8 if compacted, else 16."""

    data: bytes
    platform: Platform = Platform.XE_HPG

    @classmethod
    def at(cls, data: bytes, platform: Platform = Platform.XE_HPG) -> InstructionBits:
        """The instruction that ``data`` begins with; ValueError when it is cut off."""
        if len(data) < COMPACT_LENGTH:
            raise ValueError(f"an instruction has 8 or 16 bytes, not {len(data)}")
        size = instruction_length(data, platform)
        if len(data) < size:
            raise ValueError(f"the instruction is cut off after {len(data)} of {size} bytes")
        return cls(data[:size], platform)

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)

    @cached_property
    def breakpoint_bit(self) -> int:
        """Number of the bit that makes it trap."""
        return breakpoint_bit(self.data, self.platform)

    @cached_property
    def has_breakpoint(self) -> bool:
        """Whether that bit is set."""
        byte, bit = divmod(self.breakpoint_bit, 8)
        return bool(self.data[byte] >> bit & 1)

    @cached_property
    def decoded(self) -> Decoded:
        return decode(self.platform, self.data)

    @property
    def ends_thread(self) -> bool:
        """Whether nothing follows it: there is no stop after it."""
        return self.decoded.is_end_of_thread

    @property
    def is_call(self) -> bool:
        return self.decoded.is_call

    @property
    def is_return(self) -> bool:
        return self.decoded.opcode is Opcode.RET

    @property
    def is_branch(self) -> bool:
        """Whether it may send the thread, or lanes, elsewhere."""
        return self.decoded.opcode.format in _BRANCHES

    @property
    def waits_for_barrier(self) -> bool:
        """Whether it goes on only when all threads of the work-group arrived at the barrier; or, as
        unoptimised code for Xe-HPC does in a loop, asks whether they have."""
        if self.decoded.opcode is Opcode.SYNC:
            return self.decoded.sync is SyncFunction.BAR
        return any(
            source.file is RegisterFile.ARF and source.arf is Arf.NOTIFICATION
            for source in self.decoded.sources
        )

    @cached_property
    def ways(self) -> tuple[int, ...] | None:
        """Distances, in bytes, to the instructions that may be executed next by the same thread.

        None for those after which it may be anywhere, or nowhere, or has to wait for others:
        calls, returns, jumps to what a register says, barriers, the end of the thread.
        """
        decoded = self.decoded
        layout = decoded.opcode.format
        if self.ends_thread or self.waits_for_barrier or decoded.opcode is Opcode.RET:
            return None
        if layout is Format.JUMP and decoded.jip is not None:
            always = decoded.opcode is Opcode.JMPI and decoded.predicate is Predicate.NONE
            return (decoded.jip,) if always else (self.size, decoded.jip)
        if layout is Format.DIVERGE and decoded.jip is not None and decoded.uip is not None:
            return (self.size, decoded.jip, decoded.uip)
        moves = (
            decoded.destination is not None
            and decoded.destination.file is RegisterFile.ARF
            and decoded.destination.arf is Arf.INSTRUCTION_POINTER
        )
        return None if moves or layout in _BRANCHES else (self.size,)
