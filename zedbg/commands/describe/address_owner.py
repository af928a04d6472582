"""What an address of device memory belongs to: code or data of a module, memory of the program."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.describe.host_side import host_name
from zedbg.commands.framework.allocation_names import AllocationNames
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.fault_surroundings import pointer_arguments
from zedbg.engine.memory.mapped_memory import mapped_range
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.sycl.kernel_names import demangled
from zedbg.zebin.module import AddressOwner

_PRIVATE_BASE = "private_base_stateless"
_NEAR = 1 << 24  # bytes: what is farther away says nothing of an address


def owner_text(context: CommandContext, address: int) -> str:
    """One line; CommandError when nothing is at ``address``, which says what lies nearest."""
    for device in context.session.devices:
        for module in device.modules:
            owner = module.owner_at(address)
            if owner is not None:
                return module_owner_text(module, owner, address)
    name = host_name(context, address)
    focus = context.session.focus
    if focus is not None:
        return _as_thread_sees_it(context, focus.thread, address, name)
    if name is not None:
        return f"{address:#x} is {name}"
    if any(_is_readable(device, address) for device in context.session.devices):
        return f"{address:#x} is mapped, but in no module: stop a kernel to see what points there"
    raise CommandError(f"No symbol matches {address:#x}: nothing is mapped there.")


def module_owner_text(module: LoadedModule, owner: AddressOwner, address: int) -> str:
    """``scale + 16 in kernel blur of module 1``, ``table + 4 in .data.const of module 1``."""
    if owner.kernel is None:
        name = owner.section.name if owner.symbol is None else owner.symbol.name
        home = owner.section.name
        offset = owner.offset
    else:
        name = demangled(module.locate(address).function or owner.section.name)
        home = f"kernel {demangled(owner.kernel)}"
        bounds = module.function_range_at(address)
        offset = owner.offset if bounds is None else address - bounds[0]
    return f"{name}{f' + {offset}' if offset else ''} in {home} of module {module.number}"


def _as_thread_sees_it(
    context: CommandContext, thread: HardwareThread, address: int, name: str | None
) -> str:
    """What of the memory that the thread's kernel was given ``address`` lies in or near to;
    ``name`` is what the host knows of it."""
    around = mapped_range(thread, address)
    known = [(address - pointer, what) for what, pointer in _pointers(thread)]
    if around is None and name is not None:
        return f"{address:#x} is {name}"
    if around is None:
        near = min((abs(each), _place(each, what)) for each, what in [*known, (_NEAR, "")])
        where = f"; it is {near[1]}" if near[0] < _NEAR else ""
        raise CommandError(f"No symbol matches {address:#x}: nothing is mapped there{where}.")
    # Memory is mapped in pages, and allocations share ranges: after a pointer is likelier.
    inside = [
        (distance < 0, abs(distance), _place(distance, what))
        for distance, what in known
        if not around.distance(address - distance)
    ]
    if not inside and name is not None:
        return f"{address:#x} is {name}"
    allocation = context.kept(AllocationNames).at(address)
    if inside and allocation is not None:
        return f"{address:#x} is {min(inside)[2]}, in {allocation.name}"
    place = min(inside)[2] if inside else "of no module, and no argument of the kernel points there"
    return f"{address:#x} is {place}, in memory mapped at {around.begin:#x}-{around.end:#x}"


def _pointers(thread: HardwareThread) -> Iterator[tuple[str, int]]:
    for name, pointer in pointer_arguments(thread):
        yield f"where argument {name} points", pointer
    info = None if thread.kernel is None else thread.kernel.info
    for entry in () if info is None else info.payload_arguments:
        if entry.arg_type == _PRIVATE_BASE and entry.size == 8:
            try:
                data = thread.work.payload_bytes(entry.offset, entry.size)
            except LevelZeroError:
                return
            if not isinstance(data, Missing):
                yield "the base of the kernel's private memory", int.from_bytes(data, "little")


def _place(distance: int, what: str) -> str:
    """``where argument a points``, ``0x10 bytes after where argument a points``."""
    if not distance:
        return what
    return f"{abs(distance):#x} bytes {'after' if distance > 0 else 'before'} {what}"


def _is_readable(device: Device, address: int) -> bool:
    try:
        device.read_memory(address, 1)
    except LevelZeroError:
        return False
    return True
