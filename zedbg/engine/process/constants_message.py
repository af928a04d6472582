"""What ``libzedbg_hold.so`` (native/launch) says of the specialization constants of a module.

It sends a message to the debugger that started the program before it builds each module to whose
constants the program gives values, and keeps the same messages, one after the other, in a file in
memory: a debugger that is attached later finds them there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from zedbg.engine.modules.module_constants import ModuleConstants

# Magic, version, pid; how many constants, bytes and CRC-32 of the SPIR-V, reserved; and each
# constant: its id, how many bytes of the value are known, the value.
HEAD = struct.Struct("<4sII")
MAGIC = b"ZCST"
VERSION = 1
_CONSTANTS = struct.Struct("<IQII")
_CONSTANT = struct.Struct("<II8s")
_MOST_CONSTANTS = 1 << 16
_RECORD = "/memfd:zedbg-constants"
_MOST_RECORDED = 64 << 20  # bytes that are read of a record


def read_constants(take: Callable[[int], bytes], pid: int) -> ModuleConstants | None:
    """The message of process ``pid`` after its :data:`HEAD`; None when it is damaged.

    ``take`` gives the next bytes, fewer at the end.
    """
    data = take(_CONSTANTS.size)
    if len(data) != _CONSTANTS.size:
        return None
    count, input_size, input_crc, _reserved = _CONSTANTS.unpack(data)
    if count > _MOST_CONSTANTS:
        return None
    values: dict[int, bytes] = {}
    for _ in range(count):
        data = take(_CONSTANT.size)
        if len(data) != _CONSTANT.size:
            return None
        identifier, known, value = _CONSTANT.unpack(data)
        values[identifier] = value[:known]
    return ModuleConstants(pid, input_size, input_crc, values)


def recorded_constants(pid: int) -> tuple[ModuleConstants, ...]:
    """What process ``pid`` has said so far, in its order; nothing when it keeps no record."""
    record = _record_of(pid)
    return () if record is None else tuple(_messages(record, pid))


def _record_of(pid: int) -> bytes | None:
    folder = Path(f"/proc/{pid}/fd")
    try:
        for descriptor in folder.iterdir():
            if str(descriptor.readlink()).startswith(_RECORD):
                with descriptor.open("rb") as file:
                    return file.read(_MOST_RECORDED)
    except OSError:
        return None
    return None


def _messages(record: bytes, pid: int) -> Iterator[ModuleConstants]:
    stream = BytesIO(record)
    while True:
        data = stream.read(HEAD.size)
        if len(data) != HEAD.size or HEAD.unpack(data)[:2] != (MAGIC, VERSION):
            return
        message = read_constants(stream.read, pid)
        if message is None:
            return
        yield message
