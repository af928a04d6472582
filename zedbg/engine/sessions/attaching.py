"""Opens debug sessions on the devices that a process can be debugged on."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from zedbg.engine.engine_errors import AttachError, NothingToDebug
from zedbg.engine.ground.signals import raise_held_signal
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.levelzero.core_driver import Device, all_devices
from zedbg.levelzero.debug import (
    DebugSession,
    device_register_sets,
    process_exists,
)
from zedbg.levelzero.level_zero_errors import (
    AlreadyAttached,
    InsufficientPermissions,
    LevelZeroError,
    NotAvailable,
    NotReady,
    UnsupportedFeature,
)
from zedbg.xe.coordinates import ThreadId

_RETRY_SECONDS = 0.05


CoreFocus = tuple[int, ThreadId, int]
"""What a core file's maker looked at: the number of the device, the thread's place, the lane."""

Opener = Callable[[int, float], list[OpenedDevice]]
"""Takes a pid and how many seconds to wait for it to be ready; AttachError when it cannot be."""


def open_devices(pid: int, patience: float) -> list[OpenedDevice]:
    """A session for ``pid`` on every device that can debug it, which it has ``patience`` seconds to
    be ready for; at least one, or AttachError, which is NothingToDebug where there is no such
    process."""
    if not process_exists(pid):
        raise NothingToDebug(f"No such process: {pid}.")
    candidates = [device for device in all_devices() if device.is_gpu and device.can_be_debugged]
    if not candidates:
        raise AttachError("No device of this driver can be debugged.")
    deadline = time.monotonic() + patience
    opened: list[OpenedDevice] = []
    refusal: LevelZeroError | None = None
    for device in candidates:
        try:
            opened.append(_open(device, pid, deadline))
        except UnsupportedFeature as error:
            # A device that is debugged tile by tile refuses as a whole.
            tiles = _open_tiles(device, pid, deadline)
            opened += tiles
            if not tiles:
                refusal = refusal or error
        except LevelZeroError as error:
            refusal = error
        except (KeyboardInterrupt, SystemExit):
            for each in opened:
                with contextlib.suppress(LevelZeroError):
                    each.debug.detach()
            raise
    if not opened:
        raise _explain(pid, refusal)
    return opened


def _open(device: Device, pid: int, deadline: float) -> OpenedDevice:
    session = _attach(lambda: DebugSession(device, pid), deadline)
    try:
        sets = device_register_sets(device)
        return OpenedDevice(session, device.properties, sets, device.pci_address)
    except BaseException:
        with contextlib.suppress(LevelZeroError):
            session.detach()  # else no debugger could attach to the process any more
        raise


def _open_tiles(device: Device, pid: int, deadline: float) -> list[OpenedDevice]:
    """A session on each sub-device that allows one."""
    opened = []
    for tile in device.sub_devices():
        if tile.can_be_debugged:
            with contextlib.suppress(LevelZeroError):
                opened.append(_open(tile, pid, deadline))
    return opened


def _attach(attach: Callable[[], DebugSession], deadline: float) -> DebugSession:
    while True:
        try:
            return attach()
        except NotReady:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)
            raise_held_signal()


def _explain(pid: int, error: LevelZeroError | None) -> AttachError:
    """What keeps zedbg from attaching, and what to do, in one line."""
    start = f"Cannot attach to process {pid}: "
    if not process_exists(pid):
        return NothingToDebug(f"{start}it has ended.")
    if isinstance(error, AlreadyAttached):
        return AttachError(
            f"{start}another session of this zedbg debugs it; detach that one first."
        )
    if isinstance(error, InsufficientPermissions):
        return AttachError(f"{start}permission denied; run zedbg as the user that owns it.")
    if _debugging_enabled(pid) is False:
        return NothingToDebug(
            f"{start}it runs without program debug; start it with ZET_ENABLE_PROGRAM_DEBUGGING=1."
        )
    if isinstance(error, NotReady):
        return NothingToDebug(f"{start}it has not initialised Level Zero yet; try again later.")
    if isinstance(error, NotAvailable):
        return AttachError(
            f"{start}it is being debugged by another debugger, or does not use this driver's "
            "devices."
        )
    if isinstance(error, UnsupportedFeature):
        return AttachError(
            f"{start}no device supports it, or zedbg debugs another process on the device."
        )
    return AttachError(start + (str(error) if error is not None else "no device supports it."))


def _debugging_enabled(pid: int) -> bool | None:
    """Whether its environment asks for program debug; None when that cannot be read."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return any(
        entry.startswith(b"ZET_ENABLE_PROGRAM_DEBUGGING=")
        and entry.partition(b"=")[2] not in (b"", b"0")
        for entry in environment
    )
