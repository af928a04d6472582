"""A thread of which something is seen otherwise than it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.missing import Missing
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace
from zedbg.xe.registers import RegisterKind, RegisterLayout


class ThreadView:
    """A :class:`ThreadContext` that is ``thread`` in everything that a subclass does not change."""

    def __init__(self, thread: ThreadContext) -> None:
        self.thread = thread

    @property
    def pc(self) -> int:
        return self.thread.pc

    @property
    def active_lanes(self) -> int:
        return self.thread.active_lanes

    @property
    def simd_width(self) -> int:
        return self.thread.simd_width

    @property
    def dispatch_lanes(self) -> int:
        return self.thread.dispatch_lanes

    @property
    def focused_lane(self) -> int:
        return self.thread.focused_lane

    @property
    def debug_info(self) -> DebugInfo | None:
        return self.thread.debug_info

    @property
    def debug_info_advice(self) -> str:
        return self.thread.debug_info_advice

    @property
    def register_layout(self) -> RegisterLayout:
        return self.thread.register_layout

    def read_registers(self, kind: RegisterKind) -> bytes:
        return self.thread.read_registers(kind)

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        self.thread.write_registers(kind, start, data)

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        return self.thread.read_memory(space, address, size)

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        self.thread.write_memory(space, address, data)

    def global_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.thread.global_ids()

    def local_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.thread.local_ids()

    def kernel_argument(self, index: int) -> bytes | Missing:
        return self.thread.kernel_argument(index)

    def work_identity(self, arguments: Sequence[int]) -> object | None:
        return self.thread.work_identity(arguments)

    def loaded_payload(self, address: int, first: int, size: int) -> bytes | Missing:
        return self.thread.loaded_payload(address, first, size)

    def most_groups(self) -> tuple[int, int, int] | Missing:
        return self.thread.most_groups()

    def memory_at_launch(self, address: int, size: int) -> bytes | Missing:
        return self.thread.memory_at_launch(address, size)

    def recorded_writes(
        self, places: tuple[WrittenPlace, ...]
    ) -> Mapping[WrittenPlace, Sequence[RecordedWrite]] | Missing:
        return self.thread.recorded_writes(places)

    def recorded_executions(
        self, instruction: int, until: Sequence[tuple[int, int]]
    ) -> Sequence[int] | Missing:
        return self.thread.recorded_executions(instruction, until)

    def threads_of_group(self) -> Sequence[ThreadContext]:
        return self.thread.threads_of_group()

    def may_share_memory(self, address: int, other: int) -> bool:
        return self.thread.may_share_memory(address, other)

    @property
    def stop_cache(self) -> dict[object, object]:
        return self.thread.stop_cache

    @property
    def group_cache(self) -> dict[object, object]:
        return self.thread.group_cache

    @property
    def launch_findings(self) -> dict[object, object] | None:
        return self.thread.launch_findings

    @property
    def is_changed_by_hand(self) -> bool:
        return self.thread.is_changed_by_hand

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        return self.thread.is_memory_changed_by_hand(address, size)

    def convenience(self, name: str) -> object | Missing:
        return self.thread.convenience(name)

    def keep(self, name: str, value: object) -> None:
        self.thread.keep(name, value)
