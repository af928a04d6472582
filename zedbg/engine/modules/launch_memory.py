"""Global memory as it was when the launch began that runs, where the driver has recorded that."""

from __future__ import annotations

from zedbg.engine.ground.signals import signals_held
from zedbg.levelzero.debug import ALL_THREADS, ProgramDebug
from zedbg.levelzero.device_time import PRESENT, Recording, RecordingState
from zedbg.levelzero.enums import DebugMemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing

_BLOCKS = (1 << 16, 1 << 12)  # bytes that are read together: what is near is soon asked for, too
_MOST_KEPT = 256  # blocks


class LaunchMemory:
    """That of the device which ``debug`` is a session of."""

    def __init__(self, debug: ProgramDebug) -> None:
        self._debug = debug
        self._launch = 0
        self._kept: dict[int, bytes] = {}  # by address
        self._findings: dict[object, object] = {}

    def read(self, address: int, size: int) -> bytes | Missing:
        """``size`` bytes at ``address``; of the launch that the device shows."""
        try:
            recording = self._recording()
            if isinstance(recording, Missing):
                return recording
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            known = self._known(address, size)
            if known is not None:
                return known
            with signals_held():  # the device is in another time
                return self._read(recording, address, size)
        except LevelZeroError as error:
            return Missing(f"memory at the launch cannot be read: {error}")

    def findings(self) -> dict[object, object] | None:
        """For what is found out about the launch that the device shows, and stays so: another one
        has others. None where no launch is recorded from its beginning."""
        try:
            recording = self._recording()
        except LevelZeroError:
            return None
        return None if isinstance(recording, Missing) else self._findings

    def _recording(self) -> Recording | Missing:
        """Of the launch that the device shows; what is kept is of that. Raises LevelZeroError."""
        calls = self._debug.time
        if calls is None:
            return Missing("the driver records no launches")
        recording = calls.recording(0)
        is_shown = recording.state in (RecordingState.RECORDS, RecordingState.IN_PAST)
        if not is_shown or recording.first:
            return Missing("the driver has not recorded the launch from its beginning")
        if recording.launch != self._launch:
            self._kept.clear()
            self._findings.clear()
            self._launch = recording.launch
        return recording

    def _known(self, address: int, size: int) -> bytes | None:
        for block in _BLOCKS:
            start = address % block
            data = self._kept.get(address - start, b"")[start : start + size]
            if len(data) == size:
                return data
        return None

    def _read(self, recording: Recording, address: int, size: int) -> bytes:
        """The same, where it has not been read. Raises LevelZeroError. The driver shows the
        launch's beginning for that moment."""
        calls = self._debug.time
        assert calls is not None
        is_past = recording.state is RecordingState.IN_PAST
        calls.go_to(recording.launch, 0)
        try:
            for block in _BLOCKS:
                start = address % block
                if start + size <= block:
                    try:
                        data = self._there(address - start, block)
                    except LevelZeroError:
                        continue  # the allocation does not have all of it
                    self._kept[address - start] = data
                    return data[start : start + size]
            return self._there(address, size)
        finally:
            calls.go_to(*((recording.launch, recording.now) if is_past else (0, PRESENT)))

    def _there(self, address: int, size: int) -> bytes:
        return self._debug.read_memory(ALL_THREADS, DebugMemorySpace.DEFAULT, address, size)
