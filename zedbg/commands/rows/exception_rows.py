"""Reports of exceptions: what was accessed, by which work-items, and what lies nearest."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zedbg.commands.rows.fault_surroundings import AllocationRow, PointerRow, surroundings
from zedbg.commands.rows.row import Row
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.memory.mapped_memory import PAGE_BYTES, first_unmapped
from zedbg.engine.memory.memory_access import AccessedRange, MemoryAccess, access_at
from zedbg.engine.memory.misaligned_access import MisalignedAccess, misaligned_access
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.coordinates import lanes_of

_MOST_LANES = 4  # whose work-items are named


@dataclass(frozen=True, kw_only=True)
class ExceptionRow(Row):
    """Why a thread cannot go on. What does not apply, or is not known, is None or empty.

    ``nearest`` is the memory nearest to ``address``; ``other`` what lies on the other side, when it
    may be meant as well; ``pointer`` an argument that points to where no memory is.
    ``driver_reason``: the driver's own words for why it does not execute an illegal instruction.
    """

    kind: str
    address: int | None
    access: str | None
    lanes: tuple[int, ...]
    work_items: tuple[tuple[int, int, int], ...]
    nearest: AllocationRow | None
    text: str
    other: AllocationRow | None = None
    pointer: PointerRow | None = None
    driver_reason: str | None = None


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
    return ExceptionRow(
        kind=kind, address=None, access=None, lanes=(), work_items=(), nearest=None, text=text
    )


def _active_row(kind: str, text: str, thread: HardwareThread, mask: int) -> ExceptionRow:
    """With the lanes of ``mask``, which were active: it is known of them only."""
    lanes = tuple(lanes_of(mask))
    items = _work_items(thread, lanes)
    suffix = f"; active: {_named(items)}" if items else ""
    return ExceptionRow(
        kind=kind,
        address=None,
        access=None,
        lanes=lanes,
        work_items=items,
        nearest=None,
        text=text + suffix,
    )


def _named(items: Sequence[tuple[int, int, int]]) -> str:
    """The first few of ``items``, and how many more."""
    shown = ", ".join("({},{},{})".format(*item) for item in items[:_MOST_LANES])
    more = f" and {len(items) - _MOST_LANES} more" if len(items) > _MOST_LANES else ""
    return f"work-item{'s' if len(items) > 1 else ''} {shown}{more}"


def _illegal_instruction(thread: HardwareThread, mask: int) -> ExceptionRow:
    instruction = thread.device.code.instruction(thread.pc)
    if instruction is None:
        return _row("illegal-opcode", f"there is no code at {thread.pc:#x}")
    decoded, text = instruction.decoded, f"instruction {instruction.data.hex(' ', 4)}: "
    misaligned = misaligned_access(thread, decoded)
    if misaligned is not None:
        row = _misaligned_row(thread, misaligned, text)
    else:
        why = decoded.invalid_reason or "the device does not execute it"
        row = _active_row("illegal-opcode", text + why, thread, mask)
    reason = thread.driver_reason()
    if reason is not None and reason != decoded.invalid_reason:
        row = replace(row, text=f"{row.text}; the driver says: {reason}")
    return replace(row, driver_reason=reason)


def _misaligned_row(
    thread: HardwareThread, misaligned: MisalignedAccess, instruction: str
) -> ExceptionRow:
    """With the lanes whose addresses are misaligned."""
    lanes = tuple(lanes_of(misaligned.lanes))
    items = _work_items(thread, lanes)
    access, address = misaligned.access, misaligned.address
    what = f"{access.value} {misaligned.size} bytes at {address:#x}"
    text = f"{instruction}{what}, not a multiple of {misaligned.alignment}"
    suffix = f", by {_named(items)}" if items else ""
    name = access.name.lower()
    return ExceptionRow(
        kind="illegal-opcode",
        address=address,
        access=name,
        lanes=lanes,
        work_items=items,
        nearest=None,
        text=text + suffix,
    )


def _page_fault(thread: HardwareThread, reported: int | None) -> ExceptionRow:
    """``reported``: the address that the driver reported, if it did."""
    found = access_at(thread)
    if isinstance(found, Missing):
        if reported is None:
            return _row("page-fault", f"the address is not known: {found.reason}")
        return _fault_row(thread, reported, None, f"at {reported:#x}")
    culprits = _culprits(thread, found.ranges, reported)
    if not culprits:
        return _elsewhere(thread, found, reported)
    address = next((each for _, each in culprits if each == reported), culprits[0][1])
    lanes = tuple(lanes_of(functools.reduce(operator.or_, (mask for mask, _ in culprits))))
    items = _work_items(thread, lanes)
    suffix = f" by {_named(items)}" if items else ""
    text = f"{found.access.value} {address:#x}{suffix}"
    return _fault_row(thread, address, found.access.name.lower(), text, lanes, items)


def _culprits(
    thread: HardwareThread, ranges: Sequence[AccessedRange], reported: int | None
) -> list[tuple[int, int]]:
    """Lanes (a mask) and first inaccessible byte of each access that cannot be done. Without one
    that is not mapped it is memory that can be read only: then all in the page that the driver
    reported, since drivers need not know more than the page.
    """
    unmapped = [
        (each.lanes, address)
        for each in ranges
        if (address := first_unmapped(thread, each.address, each.size)) is not None
    ]
    if unmapped or reported is None:
        return unmapped or [(each.lanes, each.address) for each in ranges]
    page = reported // PAGE_BYTES
    return [
        (each.lanes, each.address)
        for each in ranges
        if each.address // PAGE_BYTES <= page <= (each.address + each.size - 1) // PAGE_BYTES
    ]


def _elsewhere(thread: HardwareThread, access: MemoryAccess, reported: int | None) -> ExceptionRow:
    """A fault at ``reported`` where the instruction at the pc accesses nothing that is known: a
    device may be further than the access when it stops."""
    if reported is None:
        why = access.unknown or "the instruction at the pc accesses nothing"
        name = access.access.name.lower()
        return ExceptionRow(
            kind="page-fault",
            address=None,
            access=name,
            lanes=(),
            work_items=(),
            nearest=None,
            text=f"the address is not known: {why}",
        )
    kind = access.access.name.lower() if access.unknown else None
    verb = f"{access.access.value} {reported:#x}" if access.unknown else f"at {reported:#x}"
    return _fault_row(thread, reported, kind, verb)


def _fault_row(
    thread: HardwareThread,
    address: int,
    access: str | None,
    text: str,
    lanes: tuple[int, ...] = (),
    items: tuple[tuple[int, int, int], ...] = (),
) -> ExceptionRow:
    """A fault at ``address``, which ``text`` describes, with what lies around."""
    around = surroundings(thread, address)
    return ExceptionRow(
        kind="page-fault",
        address=address,
        access=access,
        lanes=lanes,
        work_items=items,
        nearest=around.nearest,
        text=text + around.text,
        other=around.other,
        pointer=around.pointer,
    )


def _work_items(thread: HardwareThread, lanes: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    ids = thread.global_ids()
    return () if isinstance(ids, Missing) else tuple(ids[lane] for lane in lanes)
