"""What ``libzedbg_hold.so`` (native/launch/host_calls.hpp) has noted in a program.

The notes are memory of the program: a mapping of a file without a name on a disk. Two tables follow
a head: objects (memory, modules, kernels), and the newest launches as a ring. Each note has the
registers of the thread that called, and the top of its stack.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from zedbg.host.mappings import Memory, ProcessMemory

RECORD_NAME = "/memfd:zedbg-host-calls"
_MAGIC = b"ZHCL"
_VERSION = 4
# Magic, version, pid, bytes of the head; count and bytes of the objects' and the launches' notes;
# how many objects found no room, how many calls were noted, how many changed launches in lists.
_HEAD = struct.Struct("<4s7I3Q")
# Sequence, order, order of the end; kind, number, thread, bytes of the stack; handle, size,
# alignment, device, parent; groups, bytes of the name; registers; name; count of arguments, and
# these.
_MOST_ARGUMENTS = 64
_ARGUMENT = struct.Struct("<2I16s")  # bytes of it, what value it has, the first bytes of that
_AT_LEAST = 2  # more bytes than belong to it were noted, perhaps
_NOTE = struct.Struct(f"<3Q4I5Q3II17Q512sQ{_MOST_ARGUMENTS * _ARGUMENT.size}s")
_SEQUENCE = struct.Struct("<Q")
_MOST_NOTES = 1 << 16
_MOST_NOTE_BYTES = 1 << 20
_ATTEMPTS = 4  # to read a note that is being written
_STACK_POINTER = 7
_PROGRAM_COUNTER = 16


class CallKind(IntEnum):
    """What a call made."""

    DEVICE_ALLOCATION = 1
    HOST_ALLOCATION = 2
    SHARED_ALLOCATION = 3
    MODULE = 4
    KERNEL = 5
    LAUNCH = 6

    @property
    def is_allocation(self) -> bool:
        """Whether it is USM."""
        return self <= CallKind.SHARED_ALLOCATION

    @property
    def word(self) -> str:
        """In a text: ``shared`` for shared memory."""
        return self.name.partition("_")[0].lower()


@dataclass(frozen=True)
class CallStack:
    """Where a call came from: ``registers`` by their DWARF numbers, and ``stack``, the bytes from
    the stack pointer on."""

    registers: dict[int, int]
    stack: bytes

    @property
    def pc(self) -> int:
        """Where the thread was, in the library that noted it."""
        return self.registers[_PROGRAM_COUNTER]

    def read(self, address: int, size: int) -> bytes:
        """Implements :class:`zedbg.host.mappings.Memory` for the stack."""
        start = address - self.registers[_STACK_POINTER]
        return self.stack[start : start + size] if start >= 0 else b""


@dataclass(frozen=True)
class HostCall:
    """A call of the program. ``number`` counts the calls of its kind from 1 (memory is one kind),
    ``order`` all of them; ``gone`` is the order of the call that ended what it made, 0 while it is
    there. ``handle``: the address of memory, the handle of a module or kernel, the kernel of a
    launch; ``parent``: the context of memory, the module of a kernel, the list of a launch.
    ``groups`` is None where the device reads them. ``arguments`` of a launch: the first 16 bytes of
    each that has a value, by its index; of those in ``longer`` some may belong to no argument."""

    kind: CallKind
    number: int
    order: int
    gone: int
    thread: int
    handle: int
    size: int
    alignment: int
    device: int
    parent: int
    groups: tuple[int, int, int] | None
    name: str
    arguments: dict[int, bytes]
    stack: CallStack
    longer: frozenset[int] = frozenset()


@dataclass(frozen=True)
class HostCalls:
    """All that was noted. ``not_noted``: objects that found no room; each list is in the order of
    the calls."""

    allocations: tuple[HostCall, ...]
    modules: tuple[HostCall, ...]
    kernels: tuple[HostCall, ...]
    launches: tuple[HostCall, ...]
    not_noted: int = 0


@dataclass(frozen=True)
class Record:
    """Where the notes of a process are: two tables, at the addresses ``objects`` and ``launches``.
    ``noted`` is how many calls there were up to now, those that ended something too; ``changes``
    how many of these change launches that are in lists already. ``place``: address, size."""

    memory: Memory
    objects: int
    object_count: int
    object_bytes: int
    launches: int
    launch_count: int
    launch_bytes: int
    not_noted: int
    noted: int
    changes: int
    place: tuple[int, int]

    def now(self) -> Record | None:
        """The same record as it is now; None where it cannot be read any more."""
        return read_record(self.memory, *self.place)

    def calls(self) -> HostCalls:
        """All that is noted."""
        found = sorted(
            [
                *_notes(self.memory, self.objects, self.object_count, self.object_bytes),
                *_notes(self.memory, self.launches, self.launch_count, self.launch_bytes),
            ],
            key=lambda call: call.order,
        )
        return HostCalls(
            tuple(call for call in found if call.kind.is_allocation),
            tuple(call for call in found if call.kind is CallKind.MODULE),
            tuple(call for call in found if call.kind is CallKind.KERNEL),
            tuple(call for call in found if call.kind is CallKind.LAUNCH),
            self.not_noted,
        )

    def allocations(self) -> list[HostCall]:
        """The memory that is noted, in the order of the calls, without their stacks: quicker."""
        found = _notes(self.memory, self.objects, self.object_count, self.object_bytes, _NOTE.size)
        return sorted(
            (call for call in found if call.kind.is_allocation), key=lambda call: call.order
        )

    def all_launches(self) -> list[HostCall] | None:
        """Every launch of the program, without stacks; None where older ones are not noted any
        more, or launches have been changed since."""
        found = list(
            _notes(self.memory, self.launches, self.launch_count, self.launch_bytes, _NOTE.size)
        )
        is_whole = {call.number for call in found} == set(range(1, len(found) + 1))
        return found if is_whole and not self.changes and all(call.name for call in found) else None


def record_of_process(memory: ProcessMemory) -> Record | None:
    """Where the notes are in a process; None when there are none: zedbg did not start it."""
    for mapping in memory.mappings_named(RECORD_NAME):
        if mapping.offset == 0:
            found = read_record(memory, mapping.begin, mapping.end - mapping.begin)
            if found is not None:
                return found
    return None


def read_record(memory: Memory, address: int, size: int) -> Record | None:
    """The record of ``size`` bytes at ``address``; None when it is none."""
    head = memory.read(address, _HEAD.size)
    if len(head) != _HEAD.size:
        return None
    magic, version, _, head_bytes, *shape, not_noted, noted, changes = _HEAD.unpack(head)
    objects, object_bytes, launches, launch_bytes = shape
    whole = head_bytes + objects * object_bytes + launches * launch_bytes
    if magic != _MAGIC or version != _VERSION or whole > size:
        return None
    if max(objects, launches) > _MOST_NOTES or max(object_bytes, launch_bytes) > _MOST_NOTE_BYTES:
        return None
    start = address + head_bytes
    return Record(
        memory,
        start,
        objects,
        object_bytes,
        start + objects * object_bytes,
        launches,
        launch_bytes,
        not_noted,
        noted,
        changes,
        (address, size),
    )


def _notes(
    memory: Memory, start: int, count: int, size: int, wanted: int | None = None
) -> Iterator[HostCall]:
    """The notes of one table, ``wanted`` bytes of each: places are used from the first one on."""
    for index in range(count):
        address = start + index * size
        head = memory.read(address, _SEQUENCE.size)
        if len(head) != _SEQUENCE.size or not any(head):
            return
        call = _note(memory, address, min(size, wanted or size))
        if call is not None:
            yield call


def _note(memory: Memory, address: int, size: int) -> HostCall | None:
    """The note at ``address``; None for one that is damaged, or is written all the time."""
    for _ in range(_ATTEMPTS):
        data = memory.read(address, size)
        if len(data) < _NOTE.size:
            return None
        again = memory.read(address, _SEQUENCE.size)
        (sequence,) = _SEQUENCE.unpack_from(data)
        if sequence % 2 == 0 and data.startswith(again):
            return _call(data)
    return None


def _call(data: bytes) -> HostCall | None:
    _, order, gone, kind, number, thread, stack_bytes, *rest = _NOTE.unpack_from(data)
    handle, size, alignment, device, parent, *rest = rest
    groups, name_bytes, registers = tuple(rest[:3]), rest[3], rest[4:-3]
    name, argument_count, arguments = rest[-3:]
    try:
        found = CallKind(kind)
    except ValueError:
        return None
    stack = data[_NOTE.size : _NOTE.size + stack_bytes]
    is_launch = found is CallKind.LAUNCH
    every = list(_ARGUMENT.iter_unpack(arguments))[: argument_count if is_launch else 0]
    return HostCall(
        found,
        number,
        order,
        gone,
        thread,
        handle,
        size,
        alignment,
        device,
        parent,
        (groups[0], groups[1], groups[2]) if any(groups) else None,
        name[:name_bytes].decode("utf-8", "replace"),
        {index: value[:size] for index, (size, kind, value) in enumerate(every) if kind and size},
        CallStack(dict(enumerate(registers)), stack),
        frozenset(index for index, (_, kind, _) in enumerate(every) if kind == _AT_LEAST),
    )
