"""How memory is named: ``0x7f0012340000`` for global memory, ``slm:1.17:0x40`` for the shared local
memory of the work-group of thread 1.17."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.session.errors import RequestError

_SLM = re.compile(r"slm:(\d+)\.(\d+):(0[xX][0-9a-fA-F]+|\d+)")
_MOST = 1 << 64


@dataclass(frozen=True)
class MemoryPlace:
    """``address`` in ``space``; ``thread`` is the one that sees it, None for any."""

    space: MemorySpace
    address: int
    thread: HardwareThread | None

    def at(self, offset: int) -> str:
        """The reference of what lies ``offset`` bytes further on."""
        return reference(self.space, self.address + offset, self.thread)


def reference(space: MemorySpace, address: int, thread: HardwareThread | None) -> str:
    """The name of ``address``."""
    if space is MemorySpace.SLM and thread is not None:
        return f"slm:{thread.id}:{address:#x}"
    return f"{address:#x}"


def parse_reference(session: Session, text: str, offset: int = 0) -> MemoryPlace:
    """The place that ``text`` names, ``offset`` bytes further on; RequestError when it names none,
    NoThreadError when its thread is not stopped."""
    match = _SLM.fullmatch(text.strip())
    thread: HardwareThread | None
    if match:
        thread = session.thread(int(match[1]), int(match[2]))
        space, address = MemorySpace.SLM, int(match[3], 0)
    else:
        focus = session.focus
        thread, space = (None if focus is None else focus.thread), MemorySpace.GLOBAL
        try:
            address = int(text, 0)
        except ValueError:
            raise RequestError(f'"{text}" is no memory reference.') from None
    if not 0 <= address + offset < _MOST:
        raise RequestError(f"{text} and {offset} bytes is outside of memory.")
    return MemoryPlace(space, address + offset, thread)


def device_of(session: Session, place: MemoryPlace) -> DeviceContents:
    """The device whose memory ``place`` is in: that of its thread, else the first with code there;
    RequestError when there is none."""
    with_code = [each for each in session.devices if each.module_at(place.address) is not None]
    if place.thread is not None and (place.thread.device in with_code or not with_code):
        return place.thread.device
    devices = with_code or session.devices
    if not devices:
        raise RequestError("The program uses no device.")
    return devices[0]
