"""Writes a core file."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from zedbg.cores import layout
from zedbg.cores.core_file_error import CoreFileError
from zedbg.cores.gdb_notes import OWNER as GDB_OWNER
from zedbg.cores.gdb_notes import gdb_notes
from zedbg.cores.layout import NoteKind, ThreadFlag
from zedbg.cores.saved import Core, SavedDevice, SavedThread, SharedLocalMemory
from zedbg.host.noted_launches import NotedLaunch

_MEGABYTE = 1 << 20


def write_core(core: Core, path: Path) -> int:
    """Writes ``core`` to ``path``, which only its owner may read; how many bytes it is long.

    The file is there whole or not at all. Raises CoreFileError.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CoreFileError(f"Cannot write {path}: {error.strerror}.") from None
    try:
        with os.fdopen(descriptor, "wb", buffering=_MEGABYTE) as file:
            for part in _parts(core):
                file.write(part)
            size = file.tell()
        Path(name).replace(path)
    except OSError as error:
        raise CoreFileError(f"Cannot write {path}: {error.strerror}.") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
    return size


def _parts(core: Core) -> Iterator[bytes]:
    notes = b"".join(_notes(core))
    stretches = [
        (number, each)
        for number, device in enumerate(core.devices, 1)
        for each in device.memory[: layout.MOST_SEGMENTS]
    ]
    count = 1 + len(stretches)
    table = len(layout.IDENTIFICATION) + layout.HEADER.size
    yield layout.IDENTIFICATION
    yield layout.HEADER.pack(
        *(layout.ET_CORE, layout.EM_INTELGT, 1, 0, table, 0, 0),
        *(table, layout.SEGMENT.size, count, 0, 0, 0),
    )
    offset = table + count * layout.SEGMENT.size
    yield layout.SEGMENT.pack(layout.PT_NOTE, 0, offset, 0, 0, len(notes), len(notes), 4)
    offset += len(notes)
    for number, each in stretches:
        yield layout.SEGMENT.pack(
            *(layout.PT_LOAD, layout.PF_R, offset, each.address),
            *(number, len(each.data), each.size, 1),
        )
        offset += len(each.data)
    yield notes
    for _, each in stretches:
        yield each.data


def _notes(core: Core) -> Iterator[bytes]:
    for kind, contents in gdb_notes(core):
        yield _note(kind, contents, GDB_OWNER)
    yield _note(NoteKind.PROGRAM, json.dumps(_program(core)).encode())
    for number, device in enumerate(core.devices, 1):
        for thread in device.threads:
            yield _note(NoteKind.THREAD, _thread(number, thread))
        for memory in device.local_memory:
            yield _note(NoteKind.LOCAL_MEMORY, _local_memory(number, memory))


def _note(kind: int, contents: bytes, owner: bytes = layout.OWNER) -> bytes:
    name = owner.ljust(layout.padded(len(owner)), b"\0")
    head = layout.NOTE.pack(len(owner), len(contents), kind)
    return head + name + contents.ljust(layout.padded(len(contents)), b"\0")


def _program(core: Core) -> dict[str, object]:
    return {
        "layout": layout.VERSION,
        "zedbg": core.zedbg,
        "made": core.made,
        "pid": core.pid,
        "focus": None if core.focus is None else dataclasses.asdict(core.focus),
        "sources": core.sources,
        "breakpoints": [dataclasses.asdict(each) for each in core.breakpoints],
        "host": core.host,
        "launches": [_launch(each) for each in core.launches],
        "allocations": [dataclasses.astuple(each) for each in core.allocations],
        "devices": [_device(device) for device in core.devices],
    }


def _launch(launch: NotedLaunch) -> dict[str, object]:
    values = {index: data.hex() for index, data in launch.arguments.items()}
    return {"name": launch.name, "groups": launch.groups, "arguments": values}


def _device(device: SavedDevice) -> dict[str, object]:
    return {
        "properties": dataclasses.asdict(device.properties)
        | {"flags": int(device.properties.flags), "uuid": device.properties.uuid.hex()},
        "register_sets": [
            dataclasses.asdict(each) | {"flags": int(each.flags)} for each in device.register_sets
        ],
        "pci_address": device.pci_address,
        "modules": [dataclasses.asdict(each) for each in device.modules],
        "left_out": device.left_out,
        "fault_address": device.fault_address,
    }


def _thread(device: int, thread: SavedThread) -> bytes:
    reason = (thread.reason or "").encode()
    flags = ThreadFlag.TOOK_EXCEPTION if thread.took_exception else 0
    parts = [
        layout.THREAD.pack(
            *(device, *thread.place, flags, thread.general_registers),
            *(len(thread.registers), len(reason)),
        ),
        reason,
    ]
    for kind, data in thread.registers.items():
        parts += [layout.REGISTER_SET.pack(kind, len(data)), data]
    return b"".join(parts)


def _local_memory(device: int, memory: SharedLocalMemory) -> bytes:
    head = layout.LOCAL_MEMORY.pack(device, len(memory.threads))
    places = (layout.PLACE.pack(*place) for place in memory.threads)
    return b"".join([head, *places, memory.data])
