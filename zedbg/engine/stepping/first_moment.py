"""The first moment at which a condition holds in a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import HitKind, Search

_TOGETHER = 4096


class _Executed(NamedTuple):
    time: int
    address: int


class FirstMoment:
    """Searches all that ``thread`` of ``device`` executes in the recorded launch; made anew for
    each command. Calls are made with the lock held.

    ``holds``: whether the condition does, in the thread as it is shown now.
    """

    def __init__(
        self,
        state: EngineState,
        device: Device,
        thread: HardwareThread,
        holds: Callable[[HardwareThread], bool],
    ) -> None:
        self._state = state
        self._past = state.past
        self._device = device
        self._thread = thread
        self._holds = holds
        self._launch = state.past.moment(device).launch

    def go(self, bisect: bool) -> bool:
        """Goes to the first moment; False when there is none, and where the device is then does not
        matter. ``bisect``: the condition goes on to hold once it does."""
        executed = self._executed()
        starts = [number for number, each in enumerate(executed) if self._starts(each)]
        if executed and (not starts or starts[-1] != len(executed) - 1):
            starts.append(len(executed) - 1)
        found = self._bisected(executed, starts) if bisect else self._scanned(executed, starts)
        if found is None:
            return False
        before = starts[found - 1] + 1 if found else 0
        for number in range(before, starts[found] + 1):
            if self._holds_at(executed[number].time):
                return True
        return False

    def _scanned(self, executed: Sequence[_Executed], starts: Sequence[int]) -> int | None:
        """The position in ``starts`` of the first one at which the condition holds."""
        for position, number in enumerate(starts):
            if self._holds_at(executed[number].time):
                return position
        return None

    def _bisected(self, executed: Sequence[_Executed], starts: Sequence[int]) -> int | None:
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if self._holds_at(executed[starts[middle]].time):
                high = middle
            else:
                low = middle + 1
        return low if low < len(starts) else None

    def _holds_at(self, time: int) -> bool:
        self._past.give_up_if(self._state.interrupt_requested)
        self._past.go_to(self._device, Moment(self._launch, time))
        return self._thread.is_stopped and self._holds(self._thread)

    def _starts(self, executed: _Executed) -> bool:
        module = self._device.module_at(executed.address)
        return module is not None and module.starts_statement(executed.address)

    def _executed(self) -> list[_Executed]:
        """What the thread executes from its beginning to its end. Where the recording ends before
        that, the last one is what it would execute next."""
        now = self._past.moment(self._device).time
        recording = self._past.recorded(self._device, self._launch)
        search = Search(
            self._launch,
            recording.first,
            recording.end,
            HitKind.EXECUTES,
            thread=self._thread.place.fields,
            limit=_TOGETHER,
        )
        found: list[_Executed] = []
        for hit in self._past.find(self._device, search, lambda: self._state.interrupt_requested):
            found.append(_Executed(hit.time, hit.instruction))
            instruction = self._device.code.instruction(hit.instruction)
            if instruction is not None and instruction.ends_thread:
                if hit.time >= now:
                    break
                found.clear()  # of a thread that was in its place before
        else:
            if found:
                found.append(_Executed(recording.end, found[-1].address))
        return found
