"""Memory as bytes."""

from __future__ import annotations

import base64
import binascii

from zedbg.frontends.dap.protocol.arguments import ReadMemoryArguments, WriteMemoryArguments
from zedbg.frontends.dap.protocol.bodies import ReadMemoryBody, WriteMemoryBody
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.memory_references import MemoryPlace, device_of, parse_reference
from zedbg.frontends.dap.session.registry import Answer, request
from zedbg.levelzero.level_zero_errors import LevelZeroError

_PAGE = 4096
_MOST = 16 << 20


@request("readMemory", supports_read_memory_request=True)
def read_memory(adapter: Adapter, arguments: ReadMemoryArguments) -> Answer:
    """Bytes up to the first that cannot be read; RequestError for more than can be asked for."""
    if not 0 <= arguments.count <= _MOST:
        raise RequestError(f"Up to {_MOST} bytes can be read at once, not {arguments.count}.")
    place = parse_reference(adapter.session, arguments.memory_reference, arguments.offset)
    data = _readable(adapter, place, arguments.count)
    return ReadMemoryBody(
        address=f"{place.address:#x}",
        data=base64.b64encode(data).decode() if data else None,
        unreadable_bytes=arguments.count - len(data) or None,
    )


def _readable(adapter: Adapter, place: MemoryPlace, count: int) -> bytes:
    """At most ``count`` bytes: all if they can be read at once, else page by page."""
    try:
        return _read(adapter, place, 0, count) if count else b""
    except LevelZeroError:
        pass
    found = bytearray()
    while len(found) < count:
        adapter.check_cancelled()
        left = _PAGE - (place.address + len(found)) % _PAGE
        try:
            found += _read(adapter, place, len(found), min(left, count - len(found)))
        except LevelZeroError:
            break
    return bytes(found)


def _read(adapter: Adapter, place: MemoryPlace, offset: int, count: int) -> bytes:
    address = place.address + offset
    if place.thread is not None:
        return place.thread.read_memory(place.space, address, count)
    return device_of(adapter.session, place).read_memory(address, count)


@request("writeMemory", supports_write_memory_request=True)
def write_memory(adapter: Adapter, arguments: WriteMemoryArguments) -> Answer:
    """Bytes in base64; zedbg's own breakpoints stay in code that is written. RequestError for what
    is no base64."""
    try:
        data = base64.b64decode(arguments.data, validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("The data to write is no base64.") from None
    place = parse_reference(adapter.session, arguments.memory_reference, arguments.offset)
    if data and place.thread is not None:
        place.thread.write_memory(place.space, place.address, data)
    elif data:
        device_of(adapter.session, place).write_memory(place.address, data)
    adapter.memory_changed(arguments.memory_reference, arguments.offset, len(data))
    adapter.values_changed()
    return WriteMemoryBody(bytes_written=len(data))
