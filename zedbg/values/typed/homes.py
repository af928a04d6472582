"""Where a value lies, in one lane: what assignment writes to and ``&`` takes the address of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.xe.registers import Register


class MemoryHome(NamedTuple):  # of which there are very many: a dataclass takes longer to make
    """In memory. For SLM the address is the byte offset in the work-group's memory."""

    space: MemorySpace
    address: int

    @property
    def text(self) -> str:
        """As it is written in an expression: ``0x410000002000``, ``@slm 0x40``."""
        return f"{'@slm ' if self.space is MemorySpace.SLM else ''}{self.address:#x}"

    def moved(self, offset: int) -> MemoryHome:
        """``offset`` bytes further on."""
        return MemoryHome(self.space, self.address + offset)


@dataclass(frozen=True)
class InterleavedHome:
    """In memory, in parts of ``partition`` bytes that lie ``step`` bytes apart.

    ``address`` is that of the first part; ``skip`` leading bytes are left out.
    """

    space: MemorySpace
    address: int
    partition: int
    step: int
    skip: int = 0

    def moved(self, offset: int) -> InterleavedHome:
        """``offset`` bytes further on."""
        return replace(self, skip=self.skip + offset)

    def parts(self, size: int) -> list[tuple[MemoryHome, int]]:
        """The places of ``size`` bytes: each with how many of them it holds."""
        found = []
        position, end = self.skip, self.skip + size
        while position < end:
            part, inside = divmod(position, self.partition)
            count = min(self.partition - inside, end - position)
            address = self.address + part * self.step + inside
            found.append((MemoryHome(self.space, address), count))
            position += count
        return found


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
class ComputedHome(DataHome):
    """As that, of a variable whose value was computed again."""

    def moved(self, offset: int) -> ComputedHome:
        """``offset`` bytes further on."""
        return ComputedHome(self.data[offset:])


@dataclass(frozen=True)
class PartlyKnownHome:
    """Nowhere that can be written: a variable of which the bytes with the numbers ``known`` were
    computed again; ``reason`` says why the others are not known. ``skip`` leading bytes are left
    out."""

    data: bytes
    known: frozenset[int]
    reason: str
    skip: int = 0

    def moved(self, offset: int) -> PartlyKnownHome:
        """``offset`` bytes further on."""
        return replace(self, skip=self.skip + offset)


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


Home = MemoryHome | InterleavedHome | RegisterHome | DataHome | PartlyKnownHome | PartsHome


class Source(Enum):
    """Where a value that is shown comes from."""

    REGISTER = "register"
    MEMORY = "memory"
    RECOMPUTED = "recomputed"  # from the module's SPIR-V
    CONSTANT = "constant"  # the compiler says it, or how to compute it


def source_of(home: Home) -> Source:
    """What kind of place ``home`` is; of several places that of the first one."""
    match home:
        case ComputedHome() | PartlyKnownHome():
            return Source.RECOMPUTED
        case MemoryHome() | InterleavedHome():
            return Source.MEMORY
        case RegisterHome():
            return Source.REGISTER
        case PartsHome(parts) if parts and parts[0].home is not None:
            return source_of(parts[0].home)
        case _:
            return Source.CONSTANT
