"""Reads a core file. It may be damaged, or made to do harm: everything is checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from zedbg.cores import layout
from zedbg.cores.core_file_error import CoreFileError
from zedbg.cores.layout import NoteKind, ThreadFlag
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
from zedbg.host.noted_launches import NotedLaunch
from zedbg.host.usm_allocations import UsmAllocation
from zedbg.levelzero.core_driver import DeviceProperties
from zedbg.levelzero.debug import RegsetProperties
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.enums import DeviceFlag, RegsetFlag
from zedbg.xe.coordinates import ThreadId, Topology

_OLD_PROGRAM = 1  # the note of a program in version 1 of the layout
_MOST_DEVICES = 64
_MOST_PARTS = 1 << 12  # of a device: slices, subslices of one, EUs of one, threads of one
_MOST_THREADS = 1 << 20  # of a device
_MOST_BREAKPOINTS = 1 << 12
_MOST_LAUNCHES = 1 << 12
_MOST_ALLOCATIONS = 1 << 16
_MOST_REGISTER_BYTES = 1 << 16  # of a set
_LARGEST_ADDRESS = 1 << 64
# What comes of JSON that is something else than it should be.
_NONSENSE = (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError)


class _Damaged(Exception):
    """The file is not as it should be; the text says where."""


def read_core(path: Path) -> Core:
    """The contents of the core file at ``path``; CoreFileError when it cannot be read, or is none
    of zedbg's."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CoreFileError(f"Cannot read {path}: {error.strerror}.") from None
    except MemoryError:
        raise CoreFileError(f"Cannot read {path}: it does not fit into memory.") from None
    try:
        return _core(data)
    except _Damaged as damage:
        raise CoreFileError(f"Cannot read {path}: {damage}.") from None


def _core(data: bytes) -> Core:
    segments = list(_segments(data))
    notes = [
        note
        for kind, offset, _address, _device, size, _memory in segments
        if kind == layout.PT_NOTE
        for note in _notes(data[offset : offset + size])
    ]
    programs = [contents for kind, contents in notes if kind in (NoteKind.PROGRAM, _OLD_PROGRAM)]
    if len(programs) != 1:
        raise _Damaged("it is no core file of zedbg")
    memory: dict[int, list[Stretch]] = {}
    for kind, offset, address, device, size, whole in segments:
        if kind == layout.PT_LOAD:
            stretch = Stretch(address, whole, data[offset : offset + size])
            memory.setdefault(device, []).append(stretch)
    threads: dict[int, list[SavedThread]] = {}
    local: dict[int, list[SharedLocalMemory]] = {}
    for kind, contents in notes:
        if kind == NoteKind.THREAD:
            device, thread = _thread(contents)
            threads.setdefault(device, []).append(thread)
        elif kind == NoteKind.LOCAL_MEMORY:
            device, shared = _local_memory(contents)
            local.setdefault(device, []).append(shared)
    core = _program(programs[0], memory, threads, local)
    for saved in core.devices:
        for module in saved.modules:
            if not 0 <= module.end - module.begin <= len(data):
                raise _Damaged("the size of a module cannot be")
    return core


def _segments(data: bytes) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Of each: type, offset and address, the device's number, bytes in the file and in memory."""
    table = len(layout.IDENTIFICATION) + layout.HEADER.size
    if len(data) < table or not data.startswith(layout.IDENTIFICATION):
        raise _Damaged("it is no core file")
    header = layout.HEADER.unpack_from(data, len(layout.IDENTIFICATION))
    if header[0] != layout.ET_CORE or header[1] != layout.EM_INTELGT:
        raise _Damaged("it is no core file of an Intel GPU")
    start, count = header[4], header[9]
    if start + count * layout.SEGMENT.size > len(data):
        raise _Damaged("it ends within its program headers")
    claimed = 0
    for number in range(count):
        kind, _, offset, address, device, size, memory, _ = layout.SEGMENT.unpack_from(
            data, start + number * layout.SEGMENT.size
        )
        claimed += size
        if offset + size > len(data) or claimed > len(data):
            raise _Damaged(f"its segment {number} is not all there")
        if size > memory or address + memory > _LARGEST_ADDRESS:
            raise _Damaged(f"its segment {number} has a size that cannot be")
        yield kind, offset, address, device, size, memory


def _notes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and contents of zedbg's own notes."""
    at = 0
    while at + layout.NOTE.size <= len(data):
        name_size, size, kind = layout.NOTE.unpack_from(data, at)
        name_at = at + layout.NOTE.size
        start = name_at + layout.padded(name_size)
        if start + size > len(data):
            raise _Damaged("a note is not all there")
        if data[name_at : name_at + name_size] == layout.OWNER:
            yield kind, data[start : start + size]
        at = start + layout.padded(size)


def _thread(contents: bytes) -> tuple[int, SavedThread]:
    if len(contents) < layout.THREAD.size:
        raise _Damaged("the note of a thread is too short")
    device, *place, flags, general, count, reason_size = layout.THREAD.unpack_from(contents)
    at = layout.THREAD.size + reason_size
    reason = contents[layout.THREAD.size : at].decode("utf-8", "replace")
    registers: dict[int, bytes] = {}
    for _ in range(count):
        if at + layout.REGISTER_SET.size > len(contents):
            raise _Damaged("the note of a thread is too short")
        kind, size = layout.REGISTER_SET.unpack_from(contents, at)
        at += layout.REGISTER_SET.size
        if at + size > len(contents):
            raise _Damaged("the note of a thread is too short")
        registers[kind] = contents[at : at + size]
        at += size
    took_exception = bool(flags & ThreadFlag.TOOK_EXCEPTION)
    return device, SavedThread(_place(place), took_exception, general, registers, reason or None)


def _local_memory(contents: bytes) -> tuple[int, SharedLocalMemory]:
    if len(contents) < layout.LOCAL_MEMORY.size:
        raise _Damaged("the note of shared local memory is too short")
    device, count = layout.LOCAL_MEMORY.unpack_from(contents)
    start = layout.LOCAL_MEMORY.size + count * layout.PLACE.size
    if start > len(contents):
        raise _Damaged("the note of shared local memory is too short")
    places = layout.PLACE.iter_unpack(contents[layout.LOCAL_MEMORY.size : start])
    return device, SharedLocalMemory(tuple(map(_place, places)), contents[start:])


def _place(fields: Sequence[int]) -> ThreadFields:
    slice_, subslice, eu, thread = fields
    return slice_, subslice, eu, thread


def _program(
    contents: bytes,
    memory: Mapping[int, list[Stretch]],
    threads: Mapping[int, list[SavedThread]],
    local: Mapping[int, list[SharedLocalMemory]],
) -> Core:
    try:
        said = json.loads(contents)
        if said["layout"] != layout.VERSION:
            raise _Damaged(
                f"its layout is version {said['layout']}, and this zedbg reads "
                f"version {layout.VERSION}: use zedbg {said['zedbg']}"
            )
        devices = [
            _device(each, memory.get(n, []), threads.get(n, []), local.get(n, []))
            for n, each in enumerate(said["devices"][:_MOST_DEVICES], 1)
        ]
        focus = said["focus"]
        return Core(
            int(said["pid"]),
            str(said["made"]),
            str(said["zedbg"]),
            devices,
            None
            if focus is None
            else SavedFocus(int(focus["device"]), _place(focus["place"]), int(focus["lane"])),
            {str(name): str(text) for name, text in said["sources"].items()},
            # What version 1 did not have from its beginning.
            [_breakpoint(each) for each in said.get("breakpoints", ())[:_MOST_BREAKPOINTS]],
            dict(said.get("host", {})),
            [_launch(each) for each in said.get("launches", ())[:_MOST_LAUNCHES]],
            [_allocation(each) for each in said.get("allocations", ())[:_MOST_ALLOCATIONS]],
        )
    except _NONSENSE as error:
        raise _Damaged(f"what it says of the program is damaged ({error})") from None


def _breakpoint(said: Mapping[str, Any]) -> SavedBreakpoint:
    work_item, workgroup = said["work_item"], said["workgroup"]
    thread, lane = said["thread"], said["lane"]
    return SavedBreakpoint(
        str(said["text"]),
        None if said["condition"] is None else str(said["condition"]),
        bool(said["enabled"]),
        int(said["stops"]),
        int(said["hits"]),
        None if thread is None else (int(thread[0]), int(thread[1])),
        None if lane is None else int(lane),
        None if work_item is None else _triple(work_item),
        None if workgroup is None else _triple(workgroup),
    )


def _launch(said: Mapping[str, Any]) -> NotedLaunch:
    groups = said["groups"]
    return NotedLaunch(
        str(said["name"]),
        None if groups is None else _triple(groups),
        {int(index): bytes.fromhex(data) for index, data in said["arguments"].items()},
    )


def _allocation(said: Sequence[Any]) -> UsmAllocation:
    number, usm, address, size, is_freed = said
    return UsmAllocation(int(number), str(usm), int(address), int(size), bool(is_freed))


def _triple(said: Sequence[Any]) -> tuple[int, int, int]:
    x, y, z = map(int, said)
    return x, y, z


def _device(
    said: Mapping[str, Any],
    memory: list[Stretch],
    threads: list[SavedThread],
    local: list[SharedLocalMemory],
) -> SavedDevice:
    words = dict(said["properties"])
    properties = DeviceProperties(
        **words | {"flags": DeviceFlag(words["flags"]), "uuid": bytes.fromhex(words["uuid"])}
    )
    shape = (
        properties.slices,
        properties.subslices_per_slice,
        properties.eus_per_subslice,
        properties.threads_per_eu,
    )
    if not all(isinstance(part, int) and 1 <= part <= _MOST_PARTS for part in shape):
        raise ValueError("the shape of a device")
    topology = Topology(*shape)
    if topology.thread_count > _MOST_THREADS or not isinstance(properties.name, str):
        raise ValueError("the shape of a device")
    sets = [_register_set(each) for each in said["register_sets"]]
    for thread in threads:
        _check_thread(thread, topology, sets)
    memory.sort(key=lambda each: each.address)
    return SavedDevice(
        properties,
        sets,
        None if said["pci_address"] is None else str(said["pci_address"]),
        [SavedModule(*_numbers(each, "begin", "end", "load")) for each in said["modules"]],
        threads,
        memory,
        local,
        [(int(address), int(size)) for address, size in said["left_out"]],
        None if said["fault_address"] is None else int(said["fault_address"]),
    )


def _numbers(said: Mapping[str, Any], *names: str) -> list[int]:
    return [int(said[name]) for name in names]


def _register_set(said: Mapping[str, Any]) -> RegsetProperties:
    kind, version, flags, count, bits, size = _numbers(
        said, "type", "version", "flags", "count", "bit_size", "byte_size"
    )
    if not (count > 0 and size > 0 and count * size <= _MOST_REGISTER_BYTES):
        raise ValueError("the size of a register set")
    return RegsetProperties(kind, version, RegsetFlag(flags & 3), count, bits, size)


def _check_thread(thread: SavedThread, topology: Topology, sets: list[RegsetProperties]) -> None:
    """ValueError when the device cannot have such a thread."""
    if not topology.contains(ThreadId(*thread.place)):
        raise ValueError("the place of a thread")
    for each in sets:
        data = thread.registers.get(each.type)
        if data is not None and len(data) % each.byte_size:
            raise ValueError("the registers of a thread")
