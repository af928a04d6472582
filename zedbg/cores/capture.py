"""Takes what a core file holds from the stopped threads of a session.

Program debug has no list of the program's memory. What is saved is what the threads can reach:
their modules, states and stacks, what the kernels' arguments point to, and what the general
registers point to; each with all mapped memory around it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from zedbg.cores.memory_ranges import Limit, MemoryRanges
from zedbg.cores.saved import (
    Core,
    SavedBreakpoint,
    SavedDevice,
    SavedFocus,
    SavedModule,
    SavedThread,
    SharedLocalMemory,
    Stretch,
)
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.memory.argument_values import buffer_address
from zedbg.engine.memory.shared_local import readable_local_size
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.registers_together import read_general_registers, read_together
from zedbg.engine.threads.surfaces import state_base
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.host.noted_launches import NotedLaunch
from zedbg.levelzero.debug import RegsetProperties
from zedbg.levelzero.enums import RegsetFlag
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.registers import (
    BINDLESS_BASE_INDEX,
    GENERAL_BASE_INDEX,
    SCRATCH_BASE_INDEX,
    SURFACE_BASE_INDEX,
    ExceptionReason,
    RegisterKind,
)
from zedbg.zebin import ZebinError
from zedbg.zebin.arguments import kernel_arguments
from zedbg.zebin.elf import SHF_ALLOC

_REFUSED = (ExceptionReason.ILLEGAL_OPCODE, ExceptionReason.PAGE_FAULT)
_READ_BYTES = 16 << 20  # at a time


def capture(session: Session, limit_bytes: int) -> Core:
    """What is stopped now. ``limit_bytes``: of memory, on all devices together; what has no room
    is named as left out. NotRunningError, ProgramRunsError or LevelZeroError where nothing can be
    looked at."""
    with session.condition:
        threads = session.stopped_threads()
        process = session.process
        focus = session.focus
        limit = Limit(limit_bytes)
        stop = session.stop
        return Core(
            pid=0 if process is None else process.pid,
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            zedbg=version("zedbg"),
            devices=[
                _device(
                    device,
                    [thread for thread in threads if thread.device is device],
                    limit,
                    None if stop is None else stop.fault_address,
                )
                for device in session.devices
            ],
            breakpoints=[
                SavedBreakpoint(
                    each.text,
                    None if each.condition is None else each.condition.text,
                    each.enabled,
                    each.stops,
                    each.hits,
                    each.thread,
                    each.lane,
                    each.work_item,
                    each.workgroup,
                )
                for each in session.breakpoints
                if each.has_places and each.log is None and not each.is_catchpoint
            ],
            focus=None
            if focus is None
            else SavedFocus(focus.thread.device.number, focus.thread.place.fields, focus.lane),
            launches=[
                NotedLaunch(each.name, each.groups, each.arguments)
                for device in session.devices[:1]  # they are of the program
                for each in device.noted_launches.now()
            ],
            allocations=[each for device in session.devices[:1] for each in device.allocations()],
        )


def _device(
    device: Device, threads: list[HardwareThread], limit: Limit, fault_address: int | None
) -> SavedDevice:
    kinds = [each.kind for each in device.register_layout if each.readable]
    read_together(device, threads, *(kind for kind in kinds if kind is not RegisterKind.GRF))
    read_general_registers(device, threads)
    saved = [_thread(thread, kinds) for thread in threads]
    ranges = _ranges(device, threads)
    memory: list[Stretch] = []
    for begin, end in ranges.within(limit):
        memory += _stretches(device, ranges.reader(begin), begin, end)
    faulted = any(each.took_exception for each in saved)
    return SavedDevice(
        properties=device.properties,
        register_sets=[
            RegsetProperties(
                type=each.kind,
                version=0,
                flags=(RegsetFlag.READABLE if each.readable else RegsetFlag(0))
                | (RegsetFlag.WRITEABLE if each.writeable else RegsetFlag(0)),
                count=each.count,
                bit_size=8 * each.byte_size,
                byte_size=each.byte_size,
            )
            for each in device.register_layout
        ],
        pci_address=device.pci_address,
        modules=[SavedModule(each.begin, each.end, each.load) for each in device.modules],
        threads=saved,
        memory=memory,
        local_memory=_local_memory(threads),
        left_out=ranges.left_out,
        fault_address=fault_address if faulted else None,
    )


def _thread(thread: HardwareThread, kinds: Iterable[RegisterKind]) -> SavedThread:
    registers = {}
    for kind in kinds:
        try:
            registers[int(kind)] = thread.read_registers(kind)
        except LevelZeroError:
            continue  # this thread has none
    general = thread.register_layout.get(RegisterKind.GRF)
    took_exception = thread.state is ThreadState.STOPPED
    return SavedThread(
        place=thread.place.fields,
        took_exception=took_exception,
        general_registers=0 if general is None else general.count,
        registers=registers,
        reason=thread.driver_reason() if took_exception and _is_refused(thread) else None,
    )


def _is_refused(thread: HardwareThread) -> bool:
    """Whether the driver may say more of why it stopped: thousands stop at a breakpoint."""
    return thread.control.reason in _REFUSED


# --- memory ----------------------------------------------------------------------------------


def _ranges(device: Device, threads: Sequence[HardwareThread]) -> MemoryRanges:
    """What of the device's memory is worth saving."""
    ranges = MemoryRanges()
    for module in device.modules:
        ranges.add(module.begin, module.end)
        for section in [] if module.image is None else module.image.sections:
            if section.flags & SHF_ALLOC and section.address and section.size:
                ranges.add(section.address, section.address + section.size)
    launches = set()
    for thread in threads:
        try:
            launch = thread.kernel_place.location.kernel, thread.header.payload_offset
            bases = thread.read_registers(RegisterKind.SBA)
        except (LevelZeroError, NoThreadError, ValueError):
            continue
        if (launch, bases) not in launches:
            launches.add((launch, bases))
            _add_launch(ranges, thread)
    for thread in threads:
        data = thread.read_registers(RegisterKind.GRF)
        ranges.add_pointers(thread, struct.unpack_from(f"<{len(data) // 8}Q", data))
    return ranges


def _add_launch(ranges: MemoryRanges, thread: HardwareThread) -> None:
    """Payload, states, stacks, and what the arguments of the kernel of ``thread`` point to."""
    general = state_base(thread, GENERAL_BASE_INDEX)
    ranges.add_around(thread, general + thread.header.payload_offset, is_needed=True)
    for index in (SURFACE_BASE_INDEX, BINDLESS_BASE_INDEX, SCRATCH_BASE_INDEX):
        base = state_base(thread, index)
        if base:
            ranges.add_around(thread, base, is_needed=True)
    kernel = thread.kernel
    if kernel is None or kernel.info is None:
        return
    try:
        arguments = kernel_arguments(kernel.info)
    except ZebinError:
        return
    for argument in arguments:
        address = buffer_address(thread, argument)
        if address is not None:
            ranges.add_around(thread, address)


def _stretches(
    device: Device, thread: HardwareThread | None, begin: int, end: int
) -> Iterable[Stretch]:
    """The memory from ``begin`` up to ``end``, without zedbg's breakpoints."""
    for start in range(begin, end, _READ_BYTES):
        size = min(_READ_BYTES, end - start)
        try:
            data = device.read_memory(start, size, thread)
        except LevelZeroError:
            continue  # it is gone
        yield Stretch(start, size, data.rstrip(b"\0"))


def _local_memory(threads: Iterable[HardwareThread]) -> list[SharedLocalMemory]:
    """That of each work-group, once."""
    groups: dict[tuple[object, ...], list[HardwareThread]] = {}
    for thread in threads:
        try:
            place = thread.place
            key = place.slice, place.subslice, thread.kernel_name, thread.workgroup
        except (LevelZeroError, ValueError):
            continue
        groups.setdefault(key, []).append(thread)
    found = []
    sizes: dict[tuple[object, ...], int] = {}  # of the groups of one launch: all have as much
    for members in groups.values():
        first = members[0]
        launch = first.kernel_name, first.header.payload_offset
        if launch not in sizes:
            sizes[launch] = readable_local_size(first)
        data = _local(first, sizes[launch])
        if data:
            places = tuple(each.place.fields for each in members)
            found.append(SharedLocalMemory(places, data))
    return found


def _local(thread: HardwareThread, size: int) -> bytes:
    """The first ``size`` bytes; none where they are not there."""
    try:
        return thread.read_memory(MemorySpace.SLM, 0, size) if size else b""
    except LevelZeroError:
        return b""
