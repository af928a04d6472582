"""What an expression needs from a stopped thread, as a protocol.

The engine's threads implement it; tests implement it over plain bytes. Nothing in `values` knows
how registers and memory are reached, and nothing is read before it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.missing import Missing
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace
from zedbg.xe.registers import RegisterKind, RegisterLayout

__all__ = ["MemorySpace", "Missing", "ThreadContext"]


class ThreadContext(Protocol):
    """A stopped hardware thread at one frame, as far as evaluating an expression goes.

    Register and memory access raise :class:`zedbg.levelzero.level_zero_errors.LevelZeroError` when
    the driver refuses; evaluation turns that into :class:`Missing` or a command error.
    """

    @property
    def pc(self) -> int:
        """Global address of the next instruction."""

    @property
    def simd_width(self) -> int:
        """Lanes of the kernel: 1, 8, 16 or 32."""

    @property
    def active_lanes(self) -> int:
        """Mask of the lanes enabled at ``pc`` (CE and dispatch mask)."""

    @property
    def dispatch_lanes(self) -> int:
        """Mask of the lanes that hold a work-item (sr0.2)."""

    @property
    def focused_lane(self) -> int:
        """The lane that plain ``print`` evaluates in."""

    @property
    def debug_info(self) -> DebugInfo | None:
        """DWARF of the module that ``pc`` lies in, None when it has none."""

    @property
    def debug_info_advice(self) -> str:
        """What to do to have debug information there, where it has none."""

    @property
    def register_layout(self) -> RegisterLayout:
        """The thread's register sets, as the driver lists them: counts, sizes, access."""

    def read_registers(self, kind: RegisterKind) -> bytes:
        """All registers of a set, packed, as zetDebugReadRegisters gives them; cached per stop."""

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        """Writes whole registers of a set from register ``start`` on."""

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``, without the debugger's own breakpoint bits."""

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        """Writes ``data`` at ``address``."""

    def global_ids(self) -> list[tuple[int, int, int]] | Missing:
        """Global id of each lane's work-item, one entry a lane."""

    def local_ids(self) -> list[tuple[int, int, int]] | Missing:
        """Local id of each lane's work-item, one entry a lane."""

    def kernel_argument(self, index: int) -> bytes | Missing:
        """The bytes that the host passed for the kernel's argument ``index``."""

    def work_identity(self, arguments: Sequence[int]) -> object | None:
        """What is equal, at any stop of any thread of a kernel, only for the same ids and sizes of
        work-items, and the same bytes in ``arguments``; None where that is not known."""

    def loaded_payload(self, address: int, first: int, size: int) -> bytes | Missing:
        """What the instruction at ``address`` put into ``size`` bytes of the general registers,
        from byte ``first`` on counted from r0, where it is of the code in front of the kernel's
        entry, which loads what every thread is passed."""

    def most_groups(self) -> tuple[int, int, int] | Missing:
        """How many work-groups the launch has at most, in each dimension."""

    def memory_at_launch(self, address: int, size: int) -> bytes | Missing:
        """Bytes of global memory as they were when the launch began that the thread is of."""

    def recorded_writes(
        self, places: tuple[WrittenPlace, ...]
    ) -> Mapping[WrittenPlace, Sequence[RecordedWrite]] | Missing:
        """What the thread has written to each of ``places`` each time that it executed the
        instruction, the latest first."""

    def recorded_executions(
        self, instruction: int, until: Sequence[tuple[int, int]]
    ) -> Sequence[int] | Missing:
        """The lanes (masks) for which the thread has executed the instruction at an address, the
        latest execution first, since it was in one of the ranges ``until`` of addresses."""

    def threads_of_group(self) -> Sequence[ThreadContext]:
        """The stopped threads that execute work-items of its work-group, itself among them."""

    def may_share_memory(self, address: int, other: int) -> bool:
        """Whether both may lie in the same memory that the host allocated."""

    @property
    def stop_cache(self) -> dict[object, object]:
        """For what is found out about the thread: emptied when it goes on, or the user writes to it
        or to memory."""

    @property
    def group_cache(self) -> dict[object, object]:
        """For what is found out about all work-items of its group: emptied at the latest when one
        of them may go on."""

    @property
    def launch_findings(self) -> dict[object, object] | None:
        """For what is found out about the launch of its kernel, and stays so. None where the driver
        does not record that from its beginning, or the user has written to registers or memory."""

    @property
    def is_changed_by_hand(self) -> bool:
        """Whether its values need not be those that the program makes, for the user wrote to its
        registers, or to memory of which it is not known who reads it."""

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        """Whether it may have loaded other bytes from there than those that are there now, for the
        user wrote to registers or memory."""

    def convenience(self, name: str) -> object | Missing:
        """Value of ``$name`` for the names that the engine defines (``_workgroup``...)."""

    def keep(self, name: str, value: object) -> None:
        """Gives the user's own ``$name`` a value."""
