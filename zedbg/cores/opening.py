"""Opens a core file in a session."""

from __future__ import annotations

import contextlib
from pathlib import Path

from zedbg.cores.core_debug import CoreDebug
from zedbg.cores.core_file_error import CoreFileError
from zedbg.cores.reading import read_core
from zedbg.cores.saved import Core
from zedbg.engine.engine_errors import AlreadyRunningError
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.process.core_process import CoreProcess
from zedbg.engine.sessions.session import Session
from zedbg.host.usm_allocations import UsmAllocations
from zedbg.user_error import UserError
from zedbg.xe.coordinates import ThreadId

LIMIT_BYTES = 256 << 20
"""Of memory in a core file, where the user says nothing else."""


def save_core(session: Session, path: Path, limit_bytes: int = LIMIT_BYTES) -> None:
    """Saves what is stopped at ``path``. Raises CoreFileError, and what
    :func:`zedbg.cores.capture.capture` does."""
    from zedbg.cores.capture import capture
    from zedbg.cores.writing import write_core

    write_core(capture(session, limit_bytes), path)


def open_core(session: Session, path: Path) -> Core:
    """Looks at the core file at ``path``; what it holds. No driver is needed.

    Raises CoreFileError, and AlreadyRunningError when the session has a process.
    """
    core = read_core(path)
    if not core.devices:
        raise CoreFileError(f"{path} has no device: the program did not use one.")
    opened = [
        OpenedDevice(
            CoreDebug(device),
            device.properties,
            device.register_sets,
            device.pci_address,
            core.launches,
            UsmAllocations(core.allocations),
        )
        for device in core.devices
    ]
    focus = core.focus
    known = focus is not None and any(
        thread.place == focus.place
        for device in core.devices[focus.device - 1 : focus.device]
        for thread in device.threads
    )
    try:
        session.open_core(
            CoreProcess(core.pid, core.host),
            opened,
            (focus.device, ThreadId(*focus.place), focus.lane) if known and focus else None,
        )
    except AlreadyRunningError:
        raise
    except UserError as error:
        session.detach()
        raise CoreFileError(f"{path} is damaged: {error}") from None
    for saved in core.breakpoints:
        with contextlib.suppress(UserError):
            made = session.break_at(
                saved.text,
                condition=saved.condition,
                thread=saved.thread,
                lane=saved.lane,
                work_item=saved.work_item,
                workgroup=saved.workgroup,
            )
            made.enabled, made.stops, made.hits = saved.enabled, saved.stops, saved.hits
    return core
