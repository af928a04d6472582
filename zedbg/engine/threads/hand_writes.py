"""What the user wrote to registers and memory, and which threads may have another state for it than
the program gave them.

- A thread whose registers were written may have anything, until it ends.
- Memory that the host allocated: launches that were running then may have loaded from it before.
  What they load from that allocation is not loaded again; later launches find what is there now.
- A thread whose registers were written may write anywhere: for other threads of its launch this
  holds of all memory.
- Local memory: all threads of the launch may have loaded something else from it.
- Other memory (private variables, arguments): all threads of the launches that were running then.
- What belongs to a module (its variables and constants, its code) stays: so does the doubt.

A launch is known by its kernel and by where its payload lies, which a later one may use again: then
it is over when a thread stands where its code cannot have led it from where it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from zedbg.dwarf import DebugInfo, DebugInfoError
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.typed.locate import generic_local_address
from zedbg.xe.coordinates import ThreadId
from zedbg.xe.registers import ThreadHeader

_EVERYWHERE = (0, 1 << 64)
_LOCAL = (generic_local_address(0), generic_local_address(-1) + 1)


class ChangedThread(Protocol):
    """A stopped thread, as far as it matters whether its launch is the same."""

    @property
    def place(self) -> ThreadId: ...
    @property
    def header(self) -> ThreadHeader: ...
    @property
    def kernel_name(self) -> str | None: ...
    @property
    def kernel_pc(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def debug_info(self) -> DebugInfo | None: ...
    @property
    def stop_cache(self) -> dict[object, object]: ...


class _Stood(NamedTuple):
    """A thread as it stood when something was written: how often it had been resumed, and where in
    the kernel it was."""

    header: ThreadHeader
    pc: int
    moves: int

    @classmethod
    def of(cls, thread: ChangedThread) -> _Stood:
        return cls(thread.header, thread.kernel_pc, thread.moves)


@dataclass
class _Launch:
    """A launch that was running when the user wrote something. ``threads``: those that were there;
    ``changed``: those with written registers; ``memory``: addresses that were written, or may have
    been."""

    kernel: str | None
    payload: int
    threads: dict[ThreadId, _Stood] = field(default_factory=dict)
    changed: set[ThreadId] = field(default_factory=set)
    memory: list[tuple[int, int]] = field(default_factory=list)
    is_all_changed: bool = False

    def has(self, thread: ChangedThread) -> bool:
        """Whether ``thread`` may be of this launch."""
        stood = self.threads.get(thread.place)
        if stood is not None and stood.header == thread.header:
            return True
        return (self.kernel, self.payload) == (thread.kernel_name, thread.header.payload_offset)

    def is_another(self, thread: ChangedThread) -> bool:
        """Whether ``thread`` must be of a later launch of the same kernel with the same payload: it
        is not the one that stood at its place."""
        stood, info = self.threads.get(thread.place), thread.debug_info
        if stood is None or info is None:
            return False
        if thread.header != stood.header or thread.moves == stood.moves:
            return False
        try:
            return not info.code.may_lead(stood.pc, thread.kernel_pc)
        except DebugInfoError:
            return False


class HandWrites:
    """What was written on ``device``; ``stopped`` gives its threads that are stopped."""

    def __init__(
        self, device: DeviceContents, stopped: Callable[[], Sequence[ChangedThread]]
    ) -> None:
        self._device = device
        self._stopped = stopped
        self._launches: list[_Launch] = []
        self._lasts = False

    def registers_written(self, thread: ChangedThread) -> None:
        """Those of ``thread``, just before: to be followed by :meth:`thread_stands`."""
        for launch in self._running():
            if thread.place in launch.threads and launch.has(thread):
                launch.changed.add(thread.place)
            launch.memory.append(_EVERYWHERE)

    def thread_stands(self, thread: ChangedThread) -> None:
        """The registers of ``thread`` were written: it may stand elsewhere."""
        for launch in self._launches:
            if thread.place in launch.changed:
                launch.threads[thread.place] = _Stood.of(thread)

    def memory_written(self, address: int, size: int) -> None:
        """``size`` bytes of global memory are written, just before."""
        if any(each.owner_at(address) is not None for each in self._device.modules):
            self._lasts = True
            return
        allocation = self._device.allocations().at(address)
        for launch in self._running():
            if allocation is None or not allocation.contains(address + size - 1):
                launch.is_all_changed = True
            else:
                first = allocation.address
                launch.memory.append((first, first + max(allocation.size, 1)))

    def local_memory_written(self, thread: ChangedThread) -> None:
        """That of the work-group of ``thread``, just before."""
        for launch in self._running():
            if launch.has(thread):
                launch.memory.append(_LOCAL)

    @property
    def are_any(self) -> bool:
        """Whether launches that may still run have anything that was written."""
        return self._lasts or bool(self._launches)

    def is_changed(self, thread: ChangedThread) -> bool:
        """Whether anything of ``thread`` may be other than the program made it."""
        launch = self._launch_of(thread)
        if launch is None:
            return self._lasts
        if self._lasts or launch.is_all_changed:
            return True
        stood = launch.threads.get(thread.place)
        return (
            thread.place in launch.changed and stood is not None and stood.header == thread.header
        )

    def is_memory_changed(self, thread: ChangedThread, address: int, size: int) -> bool:
        """Whether ``thread`` may have loaded something else than what is now in the ``size`` bytes
        at ``address``."""
        launch = self._launch_of(thread)
        return launch is not None and any(
            address < end and first < address + size for first, end in launch.memory
        )

    def _running(self) -> list[_Launch]:
        """The launches that run, as far as they have threads: without any they have read nothing.
        Where not all threads are stopped, what is written now lasts."""
        if not self._device.stands_still:
            self._lasts = True
        found = []
        for thread in self._stopped():
            thread.stop_cache.clear()
            try:
                launch = self._launch_of(thread)
                if launch is None:
                    launch = _Launch(thread.kernel_name, thread.header.payload_offset)
                    self._launches.append(launch)
                launch.threads[thread.place] = _Stood.of(thread)
            except (LevelZeroError, ValueError):
                self._lasts = True
                continue
            if launch not in found:
                found.append(launch)
        return found

    def _launch_of(self, thread: ChangedThread) -> _Launch | None:
        """That of ``thread``, if anything was written while it ran."""
        if not self._launches:
            return None
        for launch in [each for each in self._launches if each.has(thread)]:
            if self._device.in_past:
                return launch
            others = () if thread.place in launch.threads else self._stopped()
            if not any(launch.is_another(each) for each in (thread, *others)):
                return launch
            self._launches.remove(launch)
        return None
