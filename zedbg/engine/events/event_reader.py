"""Reads one device session's events on a thread of its own, and keeps the engine's state true."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from zedbg.dwarf import DebugInfoError
from zedbg.engine.breakpoints.breakpoint_specs import ModuleChange
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.module_catches import ModuleCatch
from zedbg.engine.events.notifications import ModuleLoaded, ModuleUnloaded
from zedbg.engine.ground.notifier import Message, Severity
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.levelzero import debug_events as events
from zedbg.levelzero.debug import ALL_THREADS, ANY
from zedbg.levelzero.enums import DebugMemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.coordinates import ThreadId
from zedbg.zebin import Module, ZebinError

_Result = TypeVar("_Result")

# How long a read blocks. Nothing depends on it but how fast a session can be closed.
_BLOCK_MILLISECONDS = 50
# A driver that says "no event" at once, again and again, must not take a whole core.
_EARLY_SECONDS = 0.001
_PAUSE_SECONDS = 0.01
# A command that moves one thread reads events itself: that thread stops within microseconds, and
# waking another thread to hear of it takes as long again. The reader rests for as long as such
# commands follow each other closely.
_REST_SECONDS = 0.05
_SOON_MILLISECONDS = 2


class EventReader(threading.Thread):
    """Blocks in zetDebugReadEvent; handles each event with the session's lock held."""

    def __init__(self, state: EngineState, device: Device) -> None:
        super().__init__(name=f"zedbg-events-{device.number}", daemon=True)
        self._state = state
        self._device = device
        self.finished = False
        self._closing = False
        self._detached = False
        self._reading = threading.Lock()  # held by the one thread that reads
        self._rest_until = 0.0
        self._end_of_rest = threading.Event()
        # After the answer to an interrupt: read on until no event is left, then the stop is whole.
        self._draining = False
        # Threads whose stops were read just now: they count when no more events are there, so that
        # what stopped together is judged together.
        self._arrived: list[HardwareThread] = []
        # Threads whose interrupt hit nothing: what a thread did by itself comes after that answer.
        self._missed: list[HardwareThread] = []

    def close(self) -> None:
        """Asks the thread to end; it sets ``finished`` when it has left the driver for good."""
        self._closing = True
        self._end_of_rest.set()

    def read_soon(self, done: Callable[[], bool]) -> None:
        """Reads events in the thread of a command that expects one, and holds the session's lock,
        until ``done`` or none comes for a moment: then, or if it reads just now, the reader does.
        """
        self._rest_until = time.monotonic() + _REST_SECONDS
        if not self._reading.acquire(blocking=False):
            return
        try:
            while not (self._detached or done()):
                patience = 0 if self._draining or self._missed else _SOON_MILLISECONDS
                if not self._read_event(patience) and patience:
                    self._rest_until = 0.0
                    self._end_of_rest.set()
                    return
                if self._arrived and not (self._draining or self._missed):
                    self._nothing_more()  # nothing else runs that could stop together with it
        finally:
            self._reading.release()

    def run(self) -> None:
        try:
            self._read_events()
        finally:
            with self._state.condition:
                self.finished = True
                self._state.condition.notify_all()

    def _read_events(self) -> None:
        while not (self._closing or self._detached):
            if not self._more_to_come:
                self._rest()
            with self._reading:
                patience = 0 if self._more_to_come else _BLOCK_MILLISECONDS
                began = time.monotonic()
                is_early = not self._read_event(patience) and patience > 0
            if is_early and time.monotonic() - began < _EARLY_SECONDS:
                time.sleep(_PAUSE_SECONDS)

    @property
    def _more_to_come(self) -> bool:
        return bool(self._draining or self._arrived or self._missed)

    def _rest(self) -> None:
        """Leaves the events to commands for as long as these read them."""
        self._end_of_rest.clear()
        while not self._closing and (remaining := self._rest_until - time.monotonic()) > 0:
            self._end_of_rest.wait(remaining)

    def _read_event(self, patience: int) -> bool:
        """Reads one event, for which it waits ``patience`` milliseconds, and handles it; whether
        there was one. With no patience, all have been read if there was none."""
        condition = self._state.condition
        try:
            event = self._device.debug.read_event(patience)
        except LevelZeroError as error:
            with condition:
                self._give_up(error)
                condition.notify_all()
            return False
        with condition:
            if event is None:
                self._state.page_faults.quiet(self._device)
                if patience == 0:
                    self._nothing_more()
                    condition.notify_all()
                return False
            self._handle(event)
            if not self._arrived:
                condition.notify_all()
        return True

    def _give_up(self, error: LevelZeroError) -> None:
        """Nothing will be heard of the device any more: the program must not wait for us there."""
        device = self._device
        self._left()
        text = f"Device {device.number} is left alone: {error}"
        self._state.notifier.notify(Message(text, Severity.ERROR))
        device.release()
        with contextlib.suppress(LevelZeroError):
            device.debug.detach()

    def _left(self) -> None:
        self._detached = True
        self._device.attached = False
        self._device.interrupts_pending = 0
        self._device.asked.clear()
        if not self._arrived:
            self._state.page_faults.left(self._device)

    def _handle(self, event: events.DebugEvent) -> None:
        match event:
            case events.ModuleLoad():
                self._load(event)
                return  # acknowledged there
            case events.ModuleUnload():
                self._unload(event)
                return  # there, too
            case events.ThreadStopped():
                self._stopped(event.thread)
            case events.ThreadUnavailable():
                self._unavailable(event.thread)
            case events.PageFault():
                self._state.page_faults.happened(self._device, event.address)
            case events.ProcessEntry():
                self._device.process_entered = True
            case events.ProcessExit():
                self._device.process_entered = False
            case events.Detached():
                self._left()
            case events.UnknownEvent():
                self._state.warn(f"The driver sent an event of unknown type {event.type}.")
        if event.needs_acknowledge:
            self._acknowledge(event)

    def _stopped(self, fields: events.ThreadFields) -> None:
        if ANY in fields:
            self._device.halted_unknown = True
            self._answered()
            return
        thread = self._device.thread_of(fields)
        if thread is None:
            name = ThreadId(*fields).name
            self._state.warn(f"The driver reports a stop of {name}, which is not on the device.")
            return
        self._arrived.append(thread)

    def _unavailable(self, fields: events.ThreadFields) -> None:
        """An interrupt hit nothing: no thread at all, or not the one that it was for."""
        if ANY in fields:
            self._answered()
            return
        thread = self._device.thread_of(fields)
        if thread is not None:
            self._missed.append(thread)

    def _nothing_more(self) -> None:
        """Every event that there was has been read."""
        for thread in self._arrived:
            thread.mark_stopped(ThreadState.STOPPED)
            self._device.new_stops[thread] = None
        self._device.asked.difference_update(self._arrived, self._missed)
        self._arrived.clear()
        self._missed.clear()
        if self._draining:
            self._draining = False
            self._device.interrupts_pending -= 1

    def _answered(self) -> None:
        if self._device.interrupts_pending > 0:
            self._draining = True

    def _load(self, event: events.ModuleLoad) -> None:
        """Indexes the module and inserts breakpoints; acknowledges whatever happens."""
        device = self._device
        self._state.debuggee.modules_loaded += 1
        number = self._state.debuggee.modules_loaded
        caught = False
        try:
            image = self._read_image(event)
            module = LoadedModule(
                image=image,
                number=number,
                pid=device.debug.pid,
                begin=event.begin,
                end=event.end,
                load=event.load,
            )
            device.add_module(module)
            self._state.breakpoints.module_loaded(device, module)
            self._state.notifier.notify(ModuleLoaded(module))
            caught = self._caught(module, ModuleChange.LOAD, event)
        except Exception as error:  # whatever it is: a debugger must not hang the program
            self._state.warn(f"Module {number} could not be taken in whole: {error}")
        finally:
            if event.needs_acknowledge and not caught:
                self._acknowledge(event)

    def _caught(self, module: LoadedModule, change: ModuleChange, event: events.DebugEvent) -> bool:
        """Whether a catchpoint waits for this: the program goes on with the next resume only."""
        catchpoint = self._state.breakpoints.catching_module(module, change)
        if catchpoint is None:
            return False
        self._state.caught_modules.append(ModuleCatch(catchpoint, module, change))
        if event.needs_acknowledge:
            self._device.unanswered.append(event)
        return True

    def _read_image(self, event: events.ModuleLoad) -> Module | None:
        size = event.end - event.begin
        if size <= 0:
            return None
        try:
            data = _twice(
                lambda: self._device.debug.read_memory(
                    ALL_THREADS, DebugMemorySpace.DEFAULT, event.begin, size
                )
            )
            image = Module.from_bytes(data, f"module at {event.load:#x}")
            # What breakpoints need is read now, so that damage shows here.
            _ = image.symbols
        except (LevelZeroError, ZebinError, DebugInfoError) as error:
            self._state.warn(f"A module was loaded that cannot be read: {error}")
            return None
        return image

    def _unload(self, event: events.ModuleUnload) -> None:
        caught = False
        for module in self._device.modules:
            if module.begin == event.begin and module.load == event.load:
                self._device.remove_module(module)
                self._state.breakpoints.module_unloaded(module)
                sections = [] if module.image is None else module.image.code_sections
                for section in sections:
                    self._device.code.forget(section.address, section.address + section.size)
                self._state.notifier.notify(ModuleUnloaded(module))
                caught = self._caught(module, ModuleChange.UNLOAD, event)
                break
        if event.needs_acknowledge and not caught:
            self._acknowledge(event)

    def _acknowledge(self, event: events.DebugEvent) -> None:
        try:
            _twice(lambda: self._device.debug.acknowledge(event))
        except LevelZeroError as error:
            self._state.warn(f"The program may hang: {error}")


def _twice(call: Callable[[], _Result]) -> _Result:
    """What ``call`` gives. There is one chance to take a module in, and the program waits for it:
    what is refused for a moment's reason is tried once more."""
    try:
        return call()
    except LevelZeroError:
        return call()
