"""Names of device addresses, by the USM memory that the program allocated."""

from __future__ import annotations

from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.fault_surroundings import payload_pointers, pointer_arguments
from zedbg.engine.threads.thread import HardwareThread
from zedbg.host.usm_allocations import NotedAllocations, UsmAllocation, UsmAllocations
from zedbg.levelzero.level_zero_errors import LevelZeroError


class AllocationNames:
    """What is allocated is asked once a stop, and the arguments of a thread's kernel too."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context
        self._notes: NotedAllocations | None = None
        self._state: object = None
        self._allocations = UsmAllocations()
        self._arguments: dict[HardwareThread, list[tuple[int, str]]] = {}

    def at(self, address: int) -> UsmAllocation | None:
        """The memory that ``address`` lies in."""
        self._refresh()
        return self._allocations.at(address)

    def symbol(self, address: int, thread: HardwareThread | None) -> str | None:
        """``<in+16 in shared USM allocation 3>`` for an address after the one that the kernel of
        ``thread`` has as argument ``in``, ``<shared USM allocation 3>`` for that one itself, and
        for what no argument points before. None elsewhere."""
        allocation = self.at(address)
        if allocation is None:
            return None
        offset = address - allocation.address
        plain = f"<{allocation.name}{f'+{offset}' if offset else ''}>"
        if thread is None or not offset:
            return plain
        before = [
            each
            for each in self._arguments_of(thread)
            if allocation.contains(each[0]) and each[0] <= address
        ]
        pointer, name = max(before, default=(address, ""))
        return plain if pointer == address else f"<{name}+{address - pointer} in {allocation.name}>"

    def _arguments_of(self, thread: HardwareThread) -> list[tuple[int, str]]:
        found = self._arguments.get(thread)
        if found is None:
            try:
                # A variable may have moved on; what was passed is not always there any more.
                pointers = dict(pointer_arguments(thread)) | dict(payload_pointers(thread))
            except LevelZeroError:
                pointers = {}
            found = self._arguments[thread] = [
                (pointer, name) for name, pointer in pointers.items()
            ]
        return found

    def _refresh(self) -> None:
        session, process = self._context.session, self._context.process
        # The stop itself, not its id: another stop may get the same one.
        state = process, session.stop, session.modules_loaded, self._context.resumptions
        if self._state is not None and state == self._state:
            return
        self._state = state
        self._arguments.clear()
        if session.devices:
            self._allocations = session.devices[0].allocations()  # they are of the program
        elif process is None:
            self._allocations = UsmAllocations()
        else:
            if self._notes is None or self._notes.pid != process.pid:
                self._notes = NotedAllocations(process.pid)
            self._allocations = self._notes.now()
