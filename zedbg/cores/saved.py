"""What a core file holds, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zedbg.host.noted_launches import NotedLaunch
from zedbg.host.usm_allocations import UsmAllocation
from zedbg.levelzero.core_driver import DeviceProperties
from zedbg.levelzero.debug import RegsetProperties
from zedbg.levelzero.debug_events import ThreadFields


@dataclass(frozen=True)
class Stretch:
    """Bytes of device memory from ``address`` on. Those after ``data`` are zero."""

    address: int
    size: int
    data: bytes

    @property
    def end(self) -> int:
        """The address after its last byte."""
        return self.address + self.size

    def read(self, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``, all of which lie in it."""
        start = address - self.address
        return self.data[start : start + size].ljust(size, b"\0")


@dataclass(frozen=True)
class SharedLocalMemory:
    """The shared local memory of one work-group, and the threads that see it."""

    threads: tuple[ThreadFields, ...]
    data: bytes


@dataclass(frozen=True)
class SavedModule:
    """A loaded module: its ELF is at [begin, end) of the memory, ``load`` its lowest address on the
    device."""

    begin: int
    end: int
    load: int


@dataclass(frozen=True)
class SavedThread:
    """A stopped thread.

    ``registers`` are the whole sets, by the driver's number of the set. ``general_registers`` is
    how many GRFs it has. ``took_exception``: it stopped by itself; otherwise it was halted with the
    rest. ``reason``: the driver's words for why it does not execute its instruction.
    """

    place: ThreadFields
    took_exception: bool
    general_registers: int
    registers: dict[int, bytes]
    reason: str | None = None


@dataclass(frozen=True)
class SavedDevice:
    """A device. ``left_out``: memory (address, bytes) that was there, and that the limit on the
    file's size left no room for. ``fault_address``: where the driver saw a page fault."""

    properties: DeviceProperties
    register_sets: list[RegsetProperties]
    pci_address: str | None
    modules: list[SavedModule]
    threads: list[SavedThread]
    memory: list[Stretch]  # by address, none overlaps another
    local_memory: list[SharedLocalMemory]
    left_out: list[tuple[int, int]] = field(default_factory=list)
    fault_address: int | None = None


@dataclass(frozen=True)
class SavedFocus:
    """The thread and the lane that the user looked at; ``device`` counts from 1."""

    device: int
    place: ThreadFields
    lane: int


@dataclass(frozen=True)
class SavedBreakpoint:
    """A breakpoint at a place, ``text`` as the user named it, with what restricts it. Its commands
    are not saved: who opens a core file of somebody else must not get commands with it."""

    text: str
    condition: str | None
    enabled: bool
    stops: int
    hits: int
    thread: tuple[int, int] | None
    lane: int | None
    work_item: tuple[int, int, int] | None
    workgroup: tuple[int, int, int] | None


@dataclass(frozen=True)
class Core:
    """A core file's contents. ``made``: when, in the words of ISO 8601; ``zedbg``: by which
    version; ``sources``: the texts of source files by name, where they were wanted; ``host``: what
    commands said of the program on the processor, in their own words; ``launches`` and
    ``allocations``: all of the program, oldest first, where these are known."""

    pid: int
    made: str
    zedbg: str
    devices: list[SavedDevice]
    focus: SavedFocus | None = None
    sources: dict[str, str] = field(default_factory=dict)
    breakpoints: list[SavedBreakpoint] = field(default_factory=list)
    host: dict[str, Any] = field(default_factory=dict)
    launches: list[NotedLaunch] = field(default_factory=list)
    allocations: list[UsmAllocation] = field(default_factory=list)
