"""What one device has under debug, its threads left out: modules, code, memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Protocol

from zedbg.engine.engine_errors import PastError
from zedbg.engine.ground.variables import Variables
from zedbg.engine.modules.code_memory import CodeMemory
from zedbg.engine.modules.code_place import CodePlace
from zedbg.engine.modules.launch_memory import LaunchMemory
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.modules.read_ahead import ReadAhead
from zedbg.engine.modules.thread_history import ThreadHistory
from zedbg.host.noted_launches import NotedLaunches
from zedbg.host.usm_allocations import NotedAllocations, UsmAllocations
from zedbg.levelzero.debug import ALL_THREADS, RegsetProperties
from zedbg.levelzero.enums import DebugMemorySpace, RegsetFlag
from zedbg.xe.coordinates import ThreadId, Topology
from zedbg.xe.registers import RegisterKind, RegisterLayout, RegisterSet

_MOST_UNLOADED = 64  # modules


class AddressSpace(Protocol):
    """A stopped thread, as far as memory is read and written in its address space."""

    @property
    def isa_base(self) -> int:
        """A number that identifies an address space."""

    @property
    def place(self) -> ThreadId:
        """Where the thread is on the device."""


class DeviceContents:
    """Device ``number`` (from 1) of a session, as its threads see it.

    ``variables``: the values of the user's names in expressions.
    """

    def __init__(
        self, number: int, opened: OpenedDevice, variables: Variables | None = None
    ) -> None:
        debug, properties = opened.debug, opened.properties
        launches, allocations = opened.launches, opened.allocations
        self.number = number
        self.debug = debug
        self.properties = properties
        self.pci_address = opened.pci_address
        self.variables = variables or Variables()
        self.launch_memory = LaunchMemory(debug)
        self.thread_history = ThreadHistory(debug)
        self._saved_launches = launches
        self._saved_allocations = allocations
        self.topology = Topology(
            properties.slices,
            properties.subslices_per_slice,
            properties.eus_per_subslice,
            properties.threads_per_eu,
        )
        self.register_layout = layout_from(opened.register_sets)
        self.modules: list[LoadedModule] = []
        self._unloaded: list[LoadedModule] = []  # which launches that are recorded may have run
        self.code = CodeMemory(debug, self._code_range_at, self.register_layout.platform)
        self.attached = True  # to the program: it is debugged here
        # Everything was interrupted, and nothing resumed since: no stop can wait to be read.
        self.stands_still = False
        # Called before the user writes to its memory: an address, and how many bytes.
        self.before_write: Callable[[int, int], None] | None = None
        self.in_past = False  # what it shows is another time than the present
        self._read_ahead: ReadAhead | None = None
        self._code_places: dict[int, CodePlace] = {}
        self._noted_allocations = NotedAllocations(debug.pid)

    @property
    def name(self) -> str:
        """The device's name, as its driver says it."""
        return self.properties.name

    @cached_property
    def noted_launches(self) -> NotedLaunches:
        """The launches of the program, as far as they were noted."""
        return NotedLaunches(self.debug.pid, self._saved_launches)

    def allocations(self) -> UsmAllocations:
        """The USM memory of the program, as far as it was noted."""
        if self._saved_allocations is not None:
            return self._saved_allocations
        if self._read_ahead is None:
            return self._noted_allocations.now()
        return self._read_ahead.allocations(self._noted_allocations.now)

    def __repr__(self) -> str:
        return f"<Device {self.number} {self.name!r}>"

    def module_at(self, address: int) -> LoadedModule | None:
        """The module whose code ``address`` lies in; in the past also one that is gone now."""
        return next((each for each in self.known_modules() if each.contains(address)), None)

    def known_modules(self) -> list[LoadedModule]:
        """The modules that are loaded; in the past, after them, those that were, the newest
        first."""
        return [*self.modules, *reversed(self._unloaded)] if self.in_past else self.modules

    @contextlib.contextmanager
    def showing_past(self) -> Iterator[None]:
        """Around looks at another time than the one that is shown: its modules are known."""
        before = self.in_past
        self.in_past = True
        self._code_places.clear()
        try:
            yield
        finally:
            self.in_past = before
            self._code_places.clear()

    def code_place(self, address: int) -> CodePlace:
        """What is known of the code at ``address``."""
        found = self._code_places.get(address)
        if found is None:
            found = self._code_places[address] = CodePlace(
                self.module_at(address), address, self.code
            )
        return found

    def add_module(self, module: LoadedModule) -> None:
        """The program has loaded ``module``."""
        self.modules.append(module)
        self._code_places.clear()

    def remove_module(self, module: LoadedModule) -> None:
        """The program has unloaded ``module``, which the past still shows."""
        self.modules.remove(module)
        self._unloaded = [*self._unloaded[1 - _MOST_UNLOADED :], module]
        self._code_places.clear()

    def _code_range_at(self, address: int) -> tuple[int, int] | None:
        module = self.module_at(address)
        return None if module is None else module.code_range_at(address)

    def read_memory(self, address: int, size: int, space: AddressSpace | None = None) -> bytes:
        """``size`` bytes of global memory as the program has them: zedbg's breakpoints do not show.

        ``space``: the stopped thread in whose address space to look; without one, any. Raises
        LevelZeroError when the driver refuses.
        """
        if self._read_ahead is None or space is None:
            return self._read_memory(space, address, size)
        read = partial(self._read_memory, space)
        return self._read_ahead.read(space.isa_base, address, size, read)

    @property
    def reads_ahead(self) -> bool:
        """Whether memory is read in blocks, each of them once."""
        return self._read_ahead is not None

    @property
    def findings(self) -> dict[object, object]:
        """What was worked out of global memory alone; kept while that is read ahead."""
        return {} if self._read_ahead is None else self._read_ahead.findings

    def _read_memory(self, space: AddressSpace | None, address: int, size: int) -> bytes:
        fields = ALL_THREADS if space is None else space.place.fields
        data = self.debug.read_memory(fields, DebugMemorySpace.DEFAULT, address, size)
        return self.code.hide(address, data)

    @contextlib.contextmanager
    def reading_ahead(self, kept: ReadAhead | None = None) -> Iterator[None]:
        """While many threads are looked at: reads memory in blocks, each of them once.

        ``kept``: what was read before, which still holds; what is read now is added to it.
        """
        outer = self._read_ahead
        self._read_ahead = outer or kept or ReadAhead()
        try:
            yield
        finally:
            self._read_ahead = outer

    def require_present(self) -> None:
        """PastError when it shows the past, in which nothing can be changed."""
        if self.in_past:
            raise PastError

    def write_memory(self, address: int, data: bytes, space: AddressSpace | None = None) -> None:
        """Writes global memory; zedbg's breakpoints stay. PastError in the past, LevelZeroError
        where that fails."""
        self.require_present()
        if self.before_write is not None:
            self.before_write(address, len(data))
        fields = ALL_THREADS if space is None else space.place.fields
        self.debug.write_memory(
            fields, DebugMemorySpace.DEFAULT, address, self.code.overlay(address, data)
        )
        if self._read_ahead is not None:
            self._read_ahead = ReadAhead()


def layout_from(register_sets: list[RegsetProperties]) -> RegisterLayout:
    """The driver's list of register sets, in its order; kinds that zedbg does not know are left
    out."""
    known = {kind.value: kind for kind in RegisterKind}
    return RegisterLayout(
        {
            known[one.type]: RegisterSet(
                known[one.type],
                one.count,
                one.byte_size,
                bool(one.flags & RegsetFlag.READABLE),
                bool(one.flags & RegsetFlag.WRITEABLE),
            )
            for one in register_sets
            if one.type in known and one.count
        }
    )
