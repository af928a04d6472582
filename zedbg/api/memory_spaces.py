"""The memory spaces of a thread, and where an address of each is on the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zedbg.api.memory import Memory
from zedbg.api.stopped_state import StoppedState
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.memory.shared_local import has_local_arguments
from zedbg.engine.origins.beginnings import KnownMemory
from zedbg.engine.threads.frame_contexts import frame_context
from zedbg.engine.threads.surfaces import state_base
from zedbg.engine.threads.thread import HardwareThread
from zedbg.user_error import UserError
from zedbg.values.expressions.api import variables
from zedbg.values.typed.homes import InterleavedHome, MemoryHome
from zedbg.values.typed.locate import memory_home
from zedbg.values.typed.value import Value
from zedbg.xe.registers import SCRATCH_BASE_INDEX
from zedbg.zebin.resources import kernel_resources

Parts = list[tuple[MemoryHome, int]]
"""Places, and how many bytes each has."""

Space = Callable[[int, int], Parts]
"""Where some bytes from an address on are; UserError for what is not in the space."""


def thread_memory(
    state: StoppedState, thread: HardwareThread, space: Callable[[], Space]
) -> Memory:
    """The memory of ``thread`` in what ``space`` gives, which is asked for each time."""

    def read(address: int, size: int) -> bytes:
        with state.looking():
            return b"".join(
                thread.read_memory(home.space, home.address, length)
                for home, length in space()(address, size)
            )

    def write(address: int, data: bytes) -> None:
        with state.looking():
            places = space()(address, len(data))
            state.changed()
            for home, length in places:
                thread.write_memory(home.space, home.address, data[:length])
                data = data[length:]

    return Memory(read, write)


def pointed_to(address: int, size: int) -> Parts:
    """Where ``size`` bytes at a pointer of a kernel are: in global or private memory, or SLM."""
    return [(memory_home(address, None), size)]


def shared_local(thread: HardwareThread) -> Space:
    """The SLM of the work-group of ``thread``. UserError where its kernel has none."""
    info = None if thread.kernel is None else thread.kernel.info

    def place(address: int, size: int) -> Parts:
        if info is not None and not info.execution.slm_size and not has_local_arguments(info):
            raise UserError(f"Kernel {info.name} has no shared local memory.")
        return [(MemoryHome(MemorySpace.SLM, address), size)]

    return place


def scratch(thread: HardwareThread) -> Space:
    """The scratch space of ``thread``, from 0. UserError beyond its end."""
    info = None if thread.kernel is None else thread.kernel.info
    room = None if info is None else kernel_resources(info).scratch_size

    def place(address: int, size: int) -> Parts:
        if room is not None and address + size > room:
            raise UserError(f"The kernel has {room} bytes of scratch space a thread.")
        base = state_base(thread, SCRATCH_BASE_INDEX)
        return [(MemoryHome(MemorySpace.GLOBAL, base + address), size)]

    return place


def private(thread: HardwareThread, lane: int) -> Space:
    """The private memory of ``lane`` by the addresses of its variables. Bytes of an array that the
    compiler interleaved with those of other lanes follow each other. UserError for other memory."""
    scattered = list(_scattered(thread, lane))
    known = KnownMemory.of(thread)

    def place(address: int, size: int) -> Parts:
        home = memory_home(address, None)
        _, buffer = known.nearest(home.address) or (0, None)
        if home.space is MemorySpace.SLM or buffer is not None:
            where = "SLM" if home.space is MemorySpace.SLM else f"buffer {buffer}"
            raise UserError(f"{address:#x} is in {where}, not in private memory: take .memory.")
        for variable, length in scattered:
            size_of_all = -(-length // variable.partition) * variable.step
            from_begin = home.address - variable.address + lane * variable.partition
            if not 0 <= from_begin < size_of_all:
                continue
            part, inside = divmod(from_begin, variable.step)
            owner, offset = divmod(inside, variable.partition)
            if owner != lane:
                raise UserError(f"{address:#x} is in an array of lane {owner}, not of lane {lane}.")
            begin = part * variable.partition + offset
            if begin + size > length:
                raise UserError(f"Only {length - begin} bytes of an array are left there.")
            return variable.moved(begin).parts(size)
        return [(home, size)]

    return place


def _scattered(thread: HardwareThread, lane: int) -> Iterator[tuple[InterleavedHome, int]]:
    """The interleaved variables in scope in any frame, and their sizes."""
    for frame in thread.backtrace().frames:
        for each in variables(frame_context(thread, frame), [lane]):
            value = each.values.of(lane)
            if isinstance(value, Value) and isinstance(value.home, InterleavedHome):
                yield value.home, len(value.data)
