"""Exceptions, told in full: what was accessed, by which work-items, and what lies nearest."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.commands.rows import Row
from zedbg.dwarf.machine import Missing
from zedbg.dwarf.types import PointerType
from zedbg.engine.argument_values import buffer_address
from zedbg.engine.mapped_memory import PAGE_BYTES, MappedRange, first_unmapped, mapped_range
from zedbg.engine.memory_access import AccessedRange, MemoryAccess, access_at
from zedbg.engine.stops import Stop, StopReason
from zedbg.engine.thread import HardwareThread
from zedbg.levelzero.errors import LevelZeroError
from zedbg.values import api
from zedbg.values.errors import EvaluationError
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments

_MOST_LANES = 4  # whose work-items are told


@dataclass(frozen=True)
class AllocationRow(Row):
    """Mapped memory from ``begin`` up to ``end``; ``argument`` points into it. ``distance``: bytes
    from it to the faulting address, negative when that lies before it."""

    argument: str
    begin: int
    end: int
    distance: int


@dataclass(frozen=True)
class ExceptionRow(Row):
    """Why a thread cannot go on. What does not apply, or is not known, is None or empty."""

    kind: str
    address: int | None
    access: str | None
    lanes: tuple[int, ...]
    work_items: tuple[tuple[int, int, int], ...]
    nearest: AllocationRow | None
    text: str


def exception_row(stop: Stop) -> ExceptionRow | None:
    """The exception of the focused thread; None when it stopped for something else."""
    if stop.focus is None:
        return None
    thread = stop.focus.thread
    try:
        match stop.reason:
            case StopReason.PAGE_FAULT:
                return _page_fault(thread, stop.fault_address)
            case StopReason.ILLEGAL_INSTRUCTION:
                return _illegal_instruction(thread, stop.focus.lanes)
            case StopReason.SOFTWARE_EXCEPTION:
                text = "the kernel raised an exception: an assert failed, or abort"
                return _active_row("assert", text, thread, stop.focus.lanes)
    except LevelZeroError as error:
        return _row(stop.reason.value, str(error))
    return None


def _row(kind: str, text: str) -> ExceptionRow:
    return ExceptionRow(kind, None, None, (), (), None, text)


def _active_row(kind: str, text: str, thread: HardwareThread, mask: int) -> ExceptionRow:
    """With the lanes of ``mask``, which were active: it is known of them only."""
    lanes = tuple(lanes_of(mask))
    items = _work_items(thread, lanes)
    who = f"; active: {_named(items)}" if items else ""
    return ExceptionRow(kind, None, None, lanes, items, None, text + who)


def _named(items: Sequence[tuple[int, int, int]]) -> str:
    """The first few of ``items``, and how many more."""
    shown = ", ".join("({},{},{})".format(*item) for item in items[:_MOST_LANES])
    more = f" and {len(items) - _MOST_LANES} more" if len(items) > _MOST_LANES else ""
    return f"work-item{'s' if len(items) > 1 else ''} {shown}{more}"


def _illegal_instruction(thread: HardwareThread, mask: int) -> ExceptionRow:
    instruction = thread.device.code.instruction(thread.pc)
    if instruction is None:
        return _row("illegal-opcode", f"there is no code at {thread.pc:#x}")
    why = instruction.decoded.invalid_reason or "the device does not execute it"
    text = f"instruction {instruction.data.hex(' ', 4)}: {why}"
    return _active_row("illegal-opcode", text, thread, mask)


def _page_fault(thread: HardwareThread, told: int | None) -> ExceptionRow:
    """``told``: the address that the driver named, if it did."""
    found = access_at(thread)
    if isinstance(found, Missing):
        if told is None:
            return _row("page-fault", f"the address is not known: {found.reason}")
        nearest = _nearest(thread, told)
        return ExceptionRow(
            "page-fault", told, None, (), (), nearest, f"at {told:#x}{_near(nearest)}"
        )
    culprits = _culprits(thread, found.ranges, told)
    if not culprits:
        return _elsewhere(thread, found, told)
    address = next((each for _, each in culprits if each == told), culprits[0][1])
    lanes = tuple(lanes_of(functools.reduce(operator.or_, (mask for mask, _ in culprits))))
    items = _work_items(thread, lanes)
    nearest = _nearest(thread, address)
    who = f" by {_named(items)}" if items else ""
    text = f"{found.access.value} {address:#x}{who}{_near(nearest)}"
    return ExceptionRow(
        "page-fault", address, found.access.name.lower(), lanes, items, nearest, text
    )


def _culprits(
    thread: HardwareThread, ranges: Sequence[AccessedRange], told: int | None
) -> list[tuple[int, int]]:
    """Lanes (a mask) and first inaccessible byte of each access that cannot be done. Without one
    that is not mapped it is memory that can be read only: then all in the page that the driver told
    of, since drivers need not know more than the page.
    """
    unmapped = [
        (each.lanes, address)
        for each in ranges
        if (address := first_unmapped(thread, each.address, each.size)) is not None
    ]
    if unmapped or told is None:
        return unmapped or [(each.lanes, each.address) for each in ranges]
    page = told // PAGE_BYTES
    return [
        (each.lanes, each.address)
        for each in ranges
        if each.address // PAGE_BYTES <= page <= (each.address + each.size - 1) // PAGE_BYTES
    ]


def _elsewhere(thread: HardwareThread, access: MemoryAccess, told: int | None) -> ExceptionRow:
    """A fault at ``told`` where the instruction at the pc accesses nothing that is known: devices
    may be further than the access when they stop."""
    if told is None:
        why = access.unknown or "the instruction at the pc accesses nothing"
        name = access.access.name.lower()
        return ExceptionRow(
            "page-fault", None, name, (), (), None, f"the address is not known: {why}"
        )
    nearest = _nearest(thread, told)
    kind = access.access.name.lower() if access.unknown else None
    verb = f"{access.access.value} {told:#x}" if access.unknown else f"at {told:#x}"
    return ExceptionRow("page-fault", told, kind, (), (), nearest, f"{verb}{_near(nearest)}")


def _work_items(thread: HardwareThread, lanes: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    ids = thread.global_ids()
    return () if isinstance(ids, Missing) else tuple(ids[lane] for lane in lanes)


def _near(allocation: AllocationRow | None) -> str:
    if allocation is None:
        return ""
    where = "behind" if allocation.distance > 0 else "before"
    place = f"{abs(allocation.distance):#x} bytes {where}" if allocation.distance else "inside"
    return (
        f"; {place} {allocation.begin:#x}-{allocation.end:#x}, where argument "
        f"{allocation.argument} points"
    )


def _nearest(thread: HardwareThread, address: int) -> AllocationRow | None:
    """The memory that an argument of the kernel points to and that is nearest to ``address``."""
    best: AllocationRow | None = None
    seen: list[MappedRange] = []
    for name, pointer in pointer_arguments(thread):
        if any(not each.distance(pointer) for each in seen):
            continue
        found = mapped_range(thread, pointer)
        if found is None:
            continue
        seen.append(found)
        row = AllocationRow(name, found.begin, found.end, found.distance(address))
        if best is None or abs(row.distance) < abs(best.distance):
            best = row
    return best


def pointer_arguments(thread: HardwareThread) -> list[tuple[str, int]]:
    """The pointers among the arguments of the frames' functions, the kernel's last: from debug
    information, else from the kernel's payload."""
    if thread.debug_info is None:
        return _payload_pointers(thread)
    try:
        variables = list(api.variables(thread, parameters=True))
    except EvaluationError:
        return []
    found = []
    for each in variables:
        value = each.values.first
        if isinstance(value, Value) and _is_pointer(value) and each.variable.name:
            found.append((each.variable.name, int.from_bytes(value.data[:8], "little")))
    return found or _payload_pointers(thread)


def _payload_pointers(thread: HardwareThread) -> list[tuple[str, int]]:
    """The pointers that the kernel was given, by the names or numbers of its arguments."""
    info = None if thread.kernel is None else thread.kernel.info
    found = []
    for each in () if info is None else kernel_arguments(info):
        if each.kind is ArgumentKind.BUFFER:
            value = buffer_address(thread, each)
            if value is not None:
                found.append((each.name or str(each.index), value))
    return found


def _is_pointer(value: Value) -> bool:
    return isinstance(value.type.stripped(), PointerType) and len(value.data) == 8
