"""What location expressions and frame unwinding need from a stopped thread, as a protocol."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from zedbg.xe.registers import RegisterKind, RegisterLayout


class MemorySpace(Enum):
    """An address space of the device, named as users write it after ``@``. ``PRIVATE`` is that part
    of the global one which nothing but the thread itself writes: its frames."""

    GLOBAL = "global"
    SLM = "slm"
    PRIVATE = "private"


#: DW_AT_address_class of what lies in SLM.
SLM_ADDRESS_CLASS = 1


class Machine(Protocol):
    """A stopped hardware thread as far as DWARF reads it: registers, memory and lanes."""

    @property
    def pc(self) -> int:
        """Global address of the next instruction."""

    @property
    def register_layout(self) -> RegisterLayout:
        """The thread's register sets: how the bytes of ``read_registers`` divide."""

    def read_registers(self, kind: RegisterKind) -> bytes:
        """All registers of a set, packed, as zetDebugReadRegisters gives them; cached per stop."""

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``, without the debugger's own breakpoint bits."""
