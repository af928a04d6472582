"""Reads one device session's events on a thread of its own, and keeps the engine's state true."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from zedbg.dwarf import DebugInfoError
from zedbg.engine.modules import LoadedModule
from zedbg.engine.notifications import Message, ModuleLoaded, ModuleUnloaded, Severity
from zedbg.engine.thread import ThreadState
from zedbg.levelzero import debug_events as events
from zedbg.levelzero.debug import ALL_THREADS, ANY
from zedbg.levelzero.enums import DebugMemorySpace
from zedbg.levelzero.errors import LevelZeroError
from zedbg.xe.coordinates import ThreadId
from zedbg.zebin import Module, ZebinError

if TYPE_CHECKING:
    from zedbg.engine.device import Device
    from zedbg.engine.session import Session
    from zedbg.engine.thread import HardwareThread

# How long a read blocks. Nothing depends on it but how fast a session can be closed.
_BLOCK_MILLISECONDS = 250
# A driver that says "no event" at once, again and again, must not take a whole core.
_EARLY_SECONDS = 0.001
_PAUSE_SECONDS = 0.01


class EventReader(threading.Thread):
    """Blocks in zetDebugReadEvent; handles each event with the session's lock held."""

    def __init__(self, session: Session, device: Device) -> None:
        super().__init__(name=f"zedbg-events-{device.number}", daemon=True)
        self._session = session
        self._device = device
        self.finished = False
        self._closing = False
        # After the answer to an interrupt: read on until no event is left, then the stop is whole.
        self._draining = False
        # Threads whose stops were read just now: they count when no more events are there, so that
        # what stopped together is judged together.
        self._arrived: list[HardwareThread] = []

    def close(self) -> None:
        """Asks the thread to end; it sets ``finished`` when it has left the driver for good."""
        self._closing = True

    def run(self) -> None:
        try:
            self._read_events()
        finally:
            with self._session.condition:
                self.finished = True
                self._session.condition.notify_all()

    def _read_events(self) -> None:
        condition = self._session.condition
        while not self._closing:
            began = time.monotonic()
            try:
                patience = 0 if self._draining or self._arrived else _BLOCK_MILLISECONDS
                event = self._device.debug.read_event(patience)
            except LevelZeroError as error:
                with condition:
                    self._device.attached = False
                    self._session.notify(Message(str(error), Severity.ERROR))
                    condition.notify_all()
                return
            if event is None:
                if patience == 0:
                    with condition:
                        self._nothing_more()
                        condition.notify_all()
                elif time.monotonic() - began < _EARLY_SECONDS:
                    time.sleep(_PAUSE_SECONDS)
                continue
            with condition:
                self._handle(event)
                if not self._arrived:
                    condition.notify_all()
            if isinstance(event, events.Detached):
                return

    def _handle(self, event: events.DebugEvent) -> None:
        match event:
            case events.ModuleLoad():
                self._load(event)
                return  # acknowledged there
            case events.ModuleUnload():
                self._unload(event)
            case events.ThreadStopped():
                self._stopped(event.thread)
            case events.ThreadUnavailable():
                self._answered()
            case events.PageFault():
                self._session.page_fault(self._device, event.address)
            case events.ProcessEntry():
                self._device.process_entered = True
            case events.ProcessExit():
                self._device.process_entered = False
            case events.Detached():
                self._device.attached = False
                self._device.interrupts_pending = 0
            case events.UnknownEvent():
                self._warn(f"The driver sent an event of unknown type {event.type}.")
        if event.needs_acknowledge:
            self._acknowledge(event)

    def _stopped(self, fields: events.ThreadFields) -> None:
        if ANY in fields:
            self._device.halted_unknown = True
            self._answered()
            return
        place = ThreadId(*fields)
        if not self._device.topology.contains(place):
            self._warn(f"The driver reports a stop of {place.name}, which is not on the device.")
            return
        self._arrived.append(self._device.thread(place))

    def _nothing_more(self) -> None:
        """Every event that there was has been read."""
        for thread in self._arrived:
            thread.mark_stopped(ThreadState.STOPPED)
            self._device.new_stops[thread] = None
        self._arrived.clear()
        if self._draining:
            self._draining = False
            self._device.interrupts_pending -= 1

    def _answered(self) -> None:
        if self._device.interrupts_pending > 0:
            self._draining = True

    def _load(self, event: events.ModuleLoad) -> None:
        """Indexes the module and inserts breakpoints; acknowledges whatever happens."""
        device = self._device
        number = self._session.next_module_number()
        try:
            image = self._read_image(event)
            module = LoadedModule(number, device, event.begin, event.end, event.load, image)
            device.modules.append(module)
            self._session.breakpoints.module_loaded(module)
            self._session.notify(ModuleLoaded(module))
        except Exception as error:  # whatever it is: a debugger must not hang the program
            self._warn(f"Module {number} could not be taken in whole: {error}")
        finally:
            if event.needs_acknowledge:
                self._acknowledge(event)

    def _read_image(self, event: events.ModuleLoad) -> Module | None:
        size = event.end - event.begin
        if size <= 0:
            return None
        try:
            data = self._device.debug.read_memory(
                ALL_THREADS, DebugMemorySpace.DEFAULT, event.begin, size
            )
            image = Module.from_bytes(data, f"module at {event.load:#x}")
            # What breakpoints need is read now, so that damage shows here.
            _ = image.symbols
        except (LevelZeroError, ZebinError, DebugInfoError) as error:
            self._warn(f"A module was loaded that cannot be read: {error}")
            return None
        return image

    def _unload(self, event: events.ModuleUnload) -> None:
        for module in self._device.modules:
            if module.begin == event.begin and module.load == event.load:
                self._device.modules.remove(module)
                self._session.breakpoints.module_unloaded(module)
                sections = [] if module.image is None else module.image.code_sections
                for section in sections:
                    self._device.code.forget(section.address, section.address + section.size)
                self._session.notify(ModuleUnloaded(module))
                return

    def _acknowledge(self, event: events.DebugEvent) -> None:
        try:
            self._device.debug.acknowledge(event)
        except LevelZeroError as error:
            self._warn(f"The program may hang: {error}")

    def _warn(self, text: str) -> None:
        self._session.notify(Message(text, Severity.WARNING))
