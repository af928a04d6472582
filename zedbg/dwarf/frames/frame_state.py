"""The registers and memory of a stopped thread as one of its frames sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zedbg.dwarf.expressions.machine import Machine, MemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import MissingError
from zedbg.xe.registers import (
    DWARF_INSTRUCTION_POINTER,
    ISA_BASE_INDEX,
    SCRATCH_BASE_INDEX,
    Register,
    RegisterKind,
    dwarf_register,
)

ALL_BYTES = -1  # of a register: of which all is lost
_SPACE_SHIFT = 56
_SCRATCH_SPACE = 9


@dataclass(frozen=True)
class FrameState:
    """A frame of a stopped thread: frame 0 is the thread itself, further ones are its callers.

    ``saved`` holds the caller's registers that its callees saved (a prefix of the register is
    enough), ``lost`` those that a callee was free to overwrite, with a set bit for each byte of
    which that holds. ``entered_by``: the lanes that its function was entered with, None where that
    is not known.
    """

    machine: Machine
    pc: int
    level: int = 0
    saved: Mapping[Register, bytes] = field(default_factory=dict)
    lost: Mapping[Register, int] = field(default_factory=dict)
    entered_by: int | None = None

    @classmethod
    def of(cls, machine: Machine) -> FrameState:
        """Frame 0 of ``machine``."""
        return cls(machine, machine.pc)

    @property
    def isa_base(self) -> int:
        """Global address that the IP counts from."""
        return int.from_bytes(self.register(Register(RegisterKind.SBA, ISA_BASE_INDEX)), "little")

    def register(self, register: Register) -> bytes:
        """The bytes of ``register``; MissingError when this frame does not have all of them."""
        if self.lost.get(register):
            raise MissingError(f"{register.name} was not saved by the called function")
        return self.known_bytes(register)

    def known_bytes(self, register: Register) -> bytes:
        """The same, but those that are lost may be anything. Raises MissingError."""
        if register in self.saved:
            return self.saved[register]
        registers = self.machine.register_layout.get(register.kind)
        if registers is None:
            raise MissingError(f"this device has no register {register.name}")
        try:
            data = registers.slice(self.machine.read_registers(register.kind), register.index)
        except LevelZeroError as error:
            raise MissingError(f"register {register.name} cannot be read: {error}") from error
        if len(data) < registers.byte_size:
            raise MissingError(f"this thread has no register {register.name}")
        return data

    def register_bits(self, number: int, bit_offset: int, bit_size: int) -> int:
        """Bits of the register that DWARF calls ``number``; ``bit_size`` 0 means all of it.

        Raises MissingError when there is no such register or it has fewer bits.
        """
        register = dwarf_register(number)
        if number == DWARF_INSTRUCTION_POINTER or register is None:
            data = self.register_bytes(number)
        else:
            data = self.known_bytes(register)
        if bit_size == 0:
            bit_size = len(data) * 8 - bit_offset
        if bit_offset < 0 or bit_offset + bit_size > len(data) * 8:
            raise MissingError(
                f"bits {bit_offset} to {bit_offset + bit_size - 1} lie outside DWARF register "
                f"{number}"
            )
        wanted = ((1 << bit_size) - 1) << bit_offset
        lost = 0 if register is None else self.lost.get(register, 0)
        if lost and any(lost >> at & 1 and wanted >> 8 * at & 0xFF for at in range(len(data))):
            assert register is not None
            raise MissingError(f"{register.name} was not saved by the called function")
        return (int.from_bytes(data, "little") & wanted) >> bit_offset

    def register_bytes(self, number: int) -> bytes:
        """The bytes of the register that DWARF calls ``number``. Raises MissingError."""
        if number == DWARF_INSTRUCTION_POINTER:
            return (self.pc - self.isa_base & 0xFFFFFFFF).to_bytes(4, "little")
        register = dwarf_register(number)
        if register is None:
            raise MissingError(f"DWARF register {number} stands for no register")
        return self.register(register)

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``; MissingError when the driver cannot read them."""
        if space is not MemorySpace.SLM:
            address = self.untagged(address)
        try:
            return self.machine.read_memory(space, address, size)
        except LevelZeroError as error:
            raise MissingError(f"cannot access memory at address {address:#x}") from error

    def untagged(self, address: int) -> int:
        """A global address: call frame information of older compilers says in the top byte that
        one counts from the scratch base."""
        if address >> _SPACE_SHIFT != _SCRATCH_SPACE:
            return address
        base = self.register(Register(RegisterKind.SBA, SCRATCH_BASE_INDEX))
        return int.from_bytes(base, "little") + (address & (1 << _SPACE_SHIFT) - 1)
