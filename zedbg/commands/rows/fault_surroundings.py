"""What lies around an address that cannot be accessed, of what the kernel's arguments point to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.commands.rows.row import Row
from zedbg.dwarf.types.program_types import PointerType
from zedbg.engine.memory.argument_values import buffer_address
from zedbg.engine.memory.mapped_memory import MappedRange, mapped_range
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions import api
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments

# The memory on the other side may be meant, too, when it is at most so many times further away.
_AMBIGUOUS = 16


@dataclass(frozen=True)
class AllocationRow(Row):
    """Mapped memory from ``begin`` up to ``end``; ``argument`` points into it. ``distance``: bytes
    from it to the faulting address, negative when that lies before it."""

    argument: str
    begin: int
    end: int
    distance: int


@dataclass(frozen=True)
class PointerRow(Row):
    """``argument`` points to ``address``, where no memory is. ``distance``: bytes from there to the
    faulting address."""

    argument: str
    address: int
    distance: int


@dataclass(frozen=True)
class Surroundings:
    """What lies around an address: the ``nearest`` memory, the ``other`` side's when that is hardly
    further away, and the ``pointer`` without memory that is nearer than any."""

    nearest: AllocationRow | None = None
    other: AllocationRow | None = None
    pointer: PointerRow | None = None

    @property
    def text(self) -> str:
        """Follow the words for the access, each after a semicolon."""
        allocations = [each for each in (self.nearest, self.other) if each is not None]
        return "".join(f"; {each}" for each in (*_said(self.pointer), *map(_place, allocations)))


def surroundings(thread: HardwareThread, address: int) -> Surroundings:
    """What ``thread`` has around ``address``."""
    ranges: dict[MappedRange, list[tuple[int, str]]] = {}  # with the pointers into them
    nowhere: PointerRow | None = None
    for name, pointer in pointer_arguments(thread):
        found = next((each for each in ranges if not each.distance(pointer)), None)
        found = found or mapped_range(thread, pointer)
        if found is not None:
            ranges.setdefault(found, []).append((pointer, name))
        elif nowhere is None or abs(address - pointer) < abs(nowhere.distance):
            nowhere = PointerRow(name, pointer, address - pointer)
    rows = sorted(
        (_allocation(each, pointers, address) for each, pointers in ranges.items()),
        key=lambda row: abs(row.distance),
    )
    nearest = rows[0] if rows else None
    if nowhere is not None and nearest and abs(nowhere.distance) >= abs(nearest.distance):
        nowhere = None
    return Surroundings(nearest, _other_side(rows), nowhere)


def _allocation(
    memory: MappedRange, pointers: Sequence[tuple[int, str]], address: int
) -> AllocationRow:
    """``memory`` with the nearest of ``pointers``, one in front of ``address`` if there is any: a
    range is many allocations where there are no gaps between them."""
    distance = memory.distance(address)
    in_front = [each for each in pointers if each[0] <= address]
    chosen = max(in_front) if in_front else min(pointers)
    return AllocationRow(chosen[1], memory.begin, memory.end, distance)


def _other_side(rows: Sequence[AllocationRow]) -> AllocationRow | None:
    """The nearest of ``rows`` on the other side than the first's; None when it is much further."""
    if not rows or not rows[0].distance:
        return None
    first = rows[0]
    for each in rows[1:]:
        if (each.distance < 0) != (first.distance < 0):
            return each if abs(each.distance) <= _AMBIGUOUS * abs(first.distance) else None
    return None


def _said(pointer: PointerRow | None) -> list[str]:
    if pointer is None:
        return []
    if not pointer.address:
        return [f"argument {pointer.argument} is null"]
    where = f"argument {pointer.argument} points to {pointer.address:#x}, where no memory is"
    return [f"{where}: freed, or never allocated"]


def _place(allocation: AllocationRow) -> str:
    where = "after" if allocation.distance > 0 else "before"
    place = f"{abs(allocation.distance):#x} bytes {where}" if allocation.distance else "inside"
    return (
        f"{place} {allocation.begin:#x}-{allocation.end:#x}, where argument "
        f"{allocation.argument} points"
    )


def pointer_arguments(thread: HardwareThread) -> list[tuple[str, int]]:
    """The pointers among the arguments of the frames' functions, the kernel's last: from debug
    information, else from the kernel's payload."""
    if thread.debug_info is None:
        return payload_pointers(thread)
    try:
        variables = list(api.variables(thread, parameters=True))
    except EvaluationError:
        return []
    found = []
    for each in variables:
        value = each.values.first
        if isinstance(value, Value) and _is_pointer(value) and each.variable.name:
            found.append((each.variable.name, int.from_bytes(value.data[:8], "little")))
    return found or payload_pointers(thread)


def payload_pointers(thread: HardwareThread) -> list[tuple[str, int]]:
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
