"""Where a value lies, in one lane: what assignment writes to and ``&`` takes the address of."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.dwarf.machine import MemorySpace
from zedbg.xe.registers import Register


@dataclass(frozen=True)
class MemoryHome:
    """In memory. For SLM the address is the byte offset in the work-group's memory."""

    space: MemorySpace
    address: int

    def moved(self, offset: int) -> MemoryHome:
        """``offset`` bytes further on."""
        return MemoryHome(self.space, self.address + offset)


@dataclass(frozen=True)
class RegisterHome:
    """In a register (and those after it) from bit ``bit_offset`` on."""

    register: Register
    bit_offset: int = 0

    def moved(self, offset: int) -> RegisterHome:
        """``offset`` bytes further on."""
        return RegisterHome(self.register, self.bit_offset + offset * 8)


@dataclass(frozen=True)
class DataHome:
    """Nowhere that can be written, but its bytes are known."""

    data: bytes

    def moved(self, offset: int) -> DataHome:
        """``offset`` bytes further on."""
        return DataHome(self.data[offset:])


@dataclass(frozen=True)
class Part:
    """Some bits of a value: ``home`` None means that they are lost, ``reason`` why."""

    home: MemoryHome | RegisterHome | DataHome | None
    bit_offset: int  # in the home
    bit_size: int


@dataclass(frozen=True)
class PartsHome:
    """In several places, lowest bits first; ``skip`` leading bytes are left out."""

    parts: tuple[Part, ...]
    skip: int = 0

    def moved(self, offset: int) -> PartsHome:
        """``offset`` bytes further on."""
        return PartsHome(self.parts, self.skip + offset)


Home = MemoryHome | RegisterHome | DataHome | PartsHome
