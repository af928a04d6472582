"""The few fields of an instruction that run control looks at, the same on every Xe platform.

Native instructions have 16 bytes, compacted ones 8. Source: the Xe instruction format; what the
bits mean for debugging is as Intel's distribution of GDB has it.
"""

from __future__ import annotations

from dataclasses import dataclass

NATIVE_BYTES = 16
COMPACT_BYTES = 8

_OPCODE_MASK = 0x7F
_COMPACT_BIT = 29
_BREAKPOINT_BIT_NATIVE = 30
_BREAKPOINT_BIT_COMPACT = 7
_END_OF_THREAD_BIT = 34
_SYNC = 0x01
_CALLA, _CALL, _RET = 0x2B, 0x2C, 0x2D
_SEND, _SENDC = 0x31, 0x32
_SYNC_FUNCTION_SHIFT = 92
_SYNC_BAR = 0xE


@dataclass(frozen=True)
class InstructionBits:
    """The raw bits of one instruction; ``data`` has 8 bytes if compacted, else 16."""

    data: bytes

    @classmethod
    def at(cls, data: bytes) -> InstructionBits:
        """The instruction that ``data`` (8 bytes or more) begins with; ValueError when short."""
        if len(data) < COMPACT_BYTES:
            raise ValueError(f"an instruction has 8 or 16 bytes, not {len(data)}")
        compact = int.from_bytes(data[:COMPACT_BYTES], "little") >> _COMPACT_BIT & 1
        size = COMPACT_BYTES if compact else NATIVE_BYTES
        if len(data) < size:
            raise ValueError(f"the instruction is cut off after {len(data)} of {size} bytes")
        return cls(data[:size])

    @property
    def word(self) -> int:
        return int.from_bytes(self.data, "little")

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)

    @property
    def is_compact(self) -> bool:
        return self.size == COMPACT_BYTES

    @property
    def opcode(self) -> int:
        return self.word & _OPCODE_MASK

    @property
    def breakpoint_bit(self) -> int:
        """Number of the debug control bit in this form."""
        return _BREAKPOINT_BIT_COMPACT if self.is_compact else _BREAKPOINT_BIT_NATIVE

    @property
    def has_breakpoint(self) -> bool:
        return bool(self.word >> self.breakpoint_bit & 1)

    @property
    def ends_thread(self) -> bool:
        """Whether it is a send with EOT (never compacted)."""
        is_send = self.opcode in (_SEND, _SENDC) and not self.is_compact
        return is_send and bool(self.word >> _END_OF_THREAD_BIT & 1)

    @property
    def is_call(self) -> bool:
        return self.opcode in (_CALL, _CALLA)

    @property
    def is_return(self) -> bool:
        return self.opcode == _RET

    @property
    def waits_for_barrier(self) -> bool:
        """Whether it is ``sync.bar``: goes on when all threads of the work-group arrived."""
        if self.opcode != _SYNC or self.is_compact:
            return False
        return self.word >> _SYNC_FUNCTION_SHIFT & 0xF == _SYNC_BAR
