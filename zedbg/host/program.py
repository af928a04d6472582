"""The host side of a process: its files, threads, calls, and the frames of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from zedbg.host.host_calls import CallStack, HostCall, HostCalls, record_of_process
from zedbg.host.image import HostImage
from zedbg.host.mappings import Memory, ProcessMemory
from zedbg.host.thread_registers import with_thread_stopped
from zedbg.host.threads import HostThread, threads_of
from zedbg.host.unwinding import STACK_POINTER, HostStack, unwind

HOLD_LIBRARY = "libzedbg_hold.so"
_STACK_BYTES = 1 << 20  # that are read of a thread's stack at most


class HostProgram:
    """What is known of process ``pid`` at one moment: what is read once stays as it was."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.memory = ProcessMemory(pid)
        self._images: dict[int, HostImage | None] = {}  # by their lowest address

    @cached_property
    def calls(self) -> HostCalls | None:
        """The calls that were noted; None where zedbg did not start the program."""
        record = record_of_process(self.memory)
        return None if record is None else record.calls()

    def threads(self) -> list[HostThread]:
        """The threads as they are now."""
        return threads_of(self.pid)

    def images(self) -> Iterator[HostImage]:
        """The files with code, by their addresses."""
        seen: set[int] = set()
        for mapping in self.memory.mappings:
            image = self.image_at(mapping.begin) if mapping.is_code else None
            if image is not None and image.text is not None and image.load not in seen:
                seen.add(image.load)
                yield image

    def image_at(self, address: int) -> HostImage | None:
        """The file that has the code at ``address``."""
        mapping = self.memory.mapping_at(address)
        if mapping is None or not mapping.is_file:
            return None
        # A file can be there twice: linker namespaces have their own C library.
        starts = (
            each
            for each in reversed(self.memory.mappings)
            if each.begin <= address and each.name == mapping.name and not each.offset
        )
        first = next(starts, mapping)
        if first.begin not in self._images:
            path = self.memory.file_of(mapping)
            self._images[first.begin] = (
                None if path is None else HostImage.mapped(path, mapping.name, first)
            )
        return self._images[first.begin]

    def stack_of_call(self, call: HostCall) -> HostStack:
        """Where ``call`` came from, without the frames of the library that noted it."""
        stack = self._stack(call.stack.registers, call.stack)
        frames = stack.frames
        while frames and (frames[0].library or "").endswith(HOLD_LIBRARY):
            frames = frames[1:]
        return HostStack(frames, stack.end)

    def stack_of_thread(self, thread: int) -> HostStack:
        """Where a thread is now; it is stopped for a moment. Raises HostThreadError."""
        found: list[CallStack] = []

        def keep(registers: dict[int, int]) -> None:
            start = registers[STACK_POINTER]
            mapping = self.memory.mapping_at(start)
            room = 0 if mapping is None else min(mapping.end - start, _STACK_BYTES)
            found.append(CallStack(registers, self.memory.read(start, room)))

        with_thread_stopped(self.pid, thread, keep)
        return self._stack(found[0].registers, found[0])

    def name_at(self, address: int) -> str | None:
        """``<main+4>`` for an address in a function; None elsewhere."""
        image = self.image_at(address)
        symbol = None if image is None else image.symbol_at(address)
        if symbol is None:
            return None
        offset = address - symbol.address
        return f"<{symbol.name}{f'+{offset}' if offset else ''}>"

    def _stack(self, registers: dict[int, int], memory: Memory) -> HostStack:
        return unwind(registers, memory, self.image_at)
