"""What the driver of a device has recorded of a launch."""

from __future__ import annotations

from zedbg.engine.engine_errors import TimeTravelError
from zedbg.engine.threads.device import Device
from zedbg.levelzero.device_time import DeviceTime, Recording, RecordingState


def time_calls(device: Device) -> DeviceTime:
    """The driver's calls for the past of ``device``; TimeTravelError when there are none."""
    calls = device.debug.time
    if calls is None:
        raise TimeTravelError(
            f"Device {device.number} cannot go back: its driver records no launches."
        )
    return calls


def recorded_launch(device: Device, launch: int = 0) -> Recording:
    """The recording of ``launch``, which can be visited; 0: of the one that runs, or else the last
    one. TimeTravelError says why it cannot; LevelZeroError when the driver refuses."""
    found = time_calls(device).recording(launch)
    if launch and not found.oldest <= launch <= found.launches:
        raise TimeTravelError(
            f"Launch {launch} of device {device.number} is not recorded: see info recordings."
        )
    if found.state is RecordingState.OFF:
        raise TimeTravelError(
            f"Nothing is recorded on device {device.number}. A launch is recorded from its "
            "beginning: use set record on, and launch a kernel."
        )
    if not found.launch:
        raise TimeTravelError(
            f"Nothing is recorded on device {device.number} yet: the next launch will be, from "
            "its beginning."
        )
    if found.state is RecordingState.UNRECORDABLE:
        raise TimeTravelError(f"Launch {found.launch} cannot be recorded: {found.text}.")
    if found.state is RecordingState.GAVE_UP:
        raise TimeTravelError(
            f"Launch {found.launch} is not recorded any more: {found.text}. "
            "Use: set record-budget MIB"
        )
    return found
