"""Signals: Ctrl-C while the engine waits reaches the devices instead of the debugger; none comes
where it would leave something half done."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

_Handler = Callable[[int, FrameType | None], object] | int | None


class Interruptible(Protocol):
    """A session, as far as Ctrl-C goes; ``interrupt_requested``: a stop was asked for."""

    interrupt_requested: bool

    def interrupt(self) -> None:
        """Asks for a stop."""

    def wake(self) -> None:
        """Commands that wait look again."""


@dataclass(eq=False)
class _Held:
    """One signal in one block that holds it. Handlers run in the main thread, as blocks do."""

    number: signal.Signals
    handler: _Handler = None  # what it had before the block
    came: bool = False


# In the order in which they are let in: an end is not turned into an interrupt.
_NUMBERS = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)
# In the order in which they began.
_held: list[_Held] = []
# Signals whose handler can be put back; what a program that embeds Python has set cannot.
_can_be_put_back: set[signal.Signals] = set()


class EndedBySignal(SystemExit):
    """SIGTERM or SIGHUP ends zedbg; ``code`` is the exit status. No other code catches it."""


@contextlib.contextmanager
def interrupt_on_sigint(session: Interruptible) -> Iterator[None]:
    """For the length of the block SIGINT asks for a stop; a second one raises KeyboardInterrupt.

    Only in the main thread, which alone may set signal handlers; elsewhere nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    came = False

    def handle(_signal: int, _frame: FrameType | None) -> None:
        nonlocal came
        if session.interrupt_requested:
            raise KeyboardInterrupt
        came = True
        session.interrupt()
        # This may be inside of the wait, before it can be woken: only another thread, which has to
        # wait for the lock, wakes it after that. (threading's own start is not for such a moment.)
        _thread.start_new_thread(session.wake, ())

    previous = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if came:  # too late for this command, it is not for the next one
            session.interrupt_requested = False


def _nothing() -> None:
    return


@contextlib.contextmanager
def signals_held(on_arrival: Callable[[], None] = _nothing) -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP wait until the block has ended: half done, it would leave a
    program that waits for a debugger which has forgotten it, or a terminal that no line editor
    tidied up. ``on_arrival`` is called when one comes. Only in the main thread, as above."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with contextlib.ExitStack() as blocks:
        for number in reversed(_NUMBERS):
            blocks.enter_context(_hold(number, on_arrival))
        yield


@contextlib.contextmanager
def _hold(number: signal.Signals, on_arrival: Callable[[], None]) -> Iterator[None]:
    if number not in _can_be_put_back:  # to ask for a handler takes as long as to set one
        if signal.getsignal(number) is None:
            yield
            return
        _can_be_put_back.add(number)
    held = _Held(number)

    def keep(_signal: int, _frame: FrameType | None) -> None:
        held.came = True
        on_arrival()

    held.handler = signal.signal(number, keep)
    try:
        _held.append(held)
        yield
    finally:
        signal.signal(number, held.handler)
        _held.remove(held)
        if held.came and not isinstance(sys.exception(), (SystemExit, KeyboardInterrupt)):
            signal.raise_signal(number)


class SignalGate:
    """:func:`signals_held` for blocks that follow one another: to set a handler takes longer than
    many a command, so the handlers of the gate stay until :meth:`remove`. A block is what comes
    between :meth:`close`, in a try statement, and :meth:`open`, in its finally clause. To be made
    in the main thread. What sets a handler between two blocks takes the place of the gate's."""

    def __init__(self) -> None:
        handlers = {number: signal.getsignal(number) for number in _NUMBERS}
        # One that Python has not set cannot be put back; one that is ignored does no harm.
        self._held = {
            number: _Held(number, handler)
            for number, handler in handlers.items()
            if handler not in (None, signal.SIG_IGN)
        }
        self._blocks = list(self._held.values())
        self._on_arrival: Callable[[], None] | None = None  # of the block, while there is one
        for number in self._held:
            signal.signal(number, self._arrive)

    def close(self, on_arrival: Callable[[], None]) -> None:
        """From now on signals wait, and ``on_arrival`` is called when one comes."""
        self._on_arrival = on_arrival  # first: from here on no handler raises
        for held in self._blocks:
            held.came = False
        _held.extend(self._blocks)

    def open(self) -> None:
        """Lets in what came since :meth:`close`; nothing where that was not reached."""
        if self._on_arrival is None:
            return
        del _held[len(_held) - len(self._blocks) :]
        self._on_arrival = None  # from here on handlers may raise
        if not isinstance(sys.exception(), (SystemExit, KeyboardInterrupt)):
            for held in self._blocks:
                if held.came:
                    signal.raise_signal(held.number)

    def remove(self) -> None:
        """Puts back the handlers that were there before."""
        for number, held in self._held.items():
            if signal.getsignal(number) == self._arrive:
                signal.signal(number, held.handler)

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        held = self._held[signal.Signals(number)]
        if self._on_arrival is not None:
            held.came = True
            self._on_arrival()
        elif callable(held.handler):
            held.handler(number, frame)
        else:  # what the system does by itself
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)


def held_blocks() -> int:
    """How many signals the blocks of :func:`signals_held` that have begun hold, counted for each
    block: a number that grows with each and shrinks again."""
    return len(_held)


def raise_held_signal() -> None:
    """Where :func:`signals_held` may be left early: raises what the handler of a signal that came
    in it raises, KeyboardInterrupt or SystemExit."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _NUMBERS:
        blocks = [held for held in _held if held.number == number]
        if not any(held.came for held in blocks):
            continue
        for held in blocks:
            held.came = False
        handler = blocks[0].handler
        if callable(handler):
            handler(number, None)
