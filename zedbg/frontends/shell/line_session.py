"""prompt_toolkit's session, whose application is kept from one line to the next.

To begin and to end an application takes longer than most commands. So it is only suspended while a
command runs: its event loop stands still. A prompt is written before anything else is done; the
rest (the toolbar, the lookup of the history) follows while the user reads it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import vi_insert_mode
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.layout import CompletionsMenu, FloatContainer, HSplit
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.utils import get_cwidth, is_dumb_terminal

from zedbg.engine.ground.signals import signals_held

# Of xterm and all that follow it. Written at once: prompt_toolkit's way takes twice as long.
_PASTE_ON, _PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
_ENTER = "\r"
_LINE_END = b"\x1b[J\r\n" + _PASTE_OFF  # nothing stays below the line


class LeftForSignal(Exception):
    """The line was given up, for a signal has come."""


@dataclass(frozen=True)
class _Drawn:
    """A line as it is drawn, and what is written when Enter ends it."""

    document: Document
    end: bytes


class LineSession:
    """Reads one line after another with ``session``, whose keys come from ``keys``; ``prepare`` is
    called for each, when its prompt is there and no key has been looked at. ``is_in_block``:
    whether Enter begins another line of what is typed."""

    def __init__(
        self,
        session: PromptSession[str],
        keys: LineInput,
        prepare: Callable[[], None],
        is_in_block: Callable[[], bool],
    ) -> None:
        self._session = session
        self._prepare = prepare
        self._is_in_block = is_in_block
        keys.takes_keys = self._takes_keys
        keys.takes = self._ends_line
        _leave_out_unused(session)
        self._application: Application[str] = session.app
        self._application.after_render += self._note_drawn
        # It keeps its loop between lines, and the loop keeps the task.
        self._runner = asyncio.Runner()
        self.loop = self._runner.get_loop()
        self._task: asyncio.Task[str] | None = None  # that runs the application
        self._drawn: _Drawn | None = None  # if Enter ends it
        self._accepted: str | None = None
        self._is_unsaved = False  # the line before, in the history: a file is slow
        self._is_left = False
        self._is_dumb = is_dumb_terminal()
        self._descriptor = session.output.fileno()
        self._written = 0  # cells of a prompt that is to be drawn over itself
        self._wakeup = -1  # what tells the loop that the terminal has another size

    def edit(self, prompt: str) -> str:
        """What was typed. Raises LeftForSignal after :meth:`leave`, and what keys raise."""
        session, loop, hook = self._session, self.loop, sys.breakpointhook
        session.message = prompt
        self._is_left = False
        self._accepted = None
        # The application's own mode is inside of this one, and outlasts the line.
        with session.input.raw_mode():
            if self._is_dumb:
                self._prepare()
                self._start(session.prompt_async(handle_sigint=False))
            else:
                self._write_prompt(prompt)
                if self._task is None or self._task.done():
                    self._start(session.prompt_async(pre_run=self._begin, handle_sigint=False))
                else:
                    signal.set_wakeup_fd(self._wakeup)
                    self._application.loop = loop
                    assert self._application.context is not None
                    # Before the loop runs: a drawing may be due there, of the line before.
                    self._application.context.run(self._resume)
            loop.run_forever()
        sys.breakpointhook = hook
        if self._accepted is not None:
            # Nothing is drawn any more, and what others print is not kept for the next line. That
            # will be drawn for the size that the terminal has then.
            self._application.loop = None
            self._wakeup = signal.set_wakeup_fd(-1)
            return self._accepted
        task, self._task = self._task, None
        assert task is not None
        return task.result()

    def _write_prompt(self, prompt: str) -> None:
        """So that it is drawn over itself; where it is longer than a row, it is only drawn."""
        width = get_cwidth(prompt)
        self._written = width if width < self._columns() else 0
        if self._written:
            encoding = self._session.output.encoding()
            os.write(self._descriptor, _PASTE_ON + prompt.encode(encoding, "replace"))

    def _columns(self) -> int:
        return self._session.output.get_size().columns  # of a terminal that says none, too

    def _go_to_begin(self) -> None:
        """To the begin of the prompt that is written; that goes out with the drawing."""
        self._session.output.cursor_backward(self._written)

    def _start(self, run: Coroutine[None, None, str]) -> None:
        self._task = self.loop.create_task(run)
        self._task.add_done_callback(lambda _task: self.loop.stop())

    def leave(self) -> None:
        """The line is given up. To be called at any moment, also in the middle of anything."""
        self._is_left = True
        self.loop.call_soon_threadsafe(self._give_up)

    def show_above(self, text: str, stream: TextIO) -> None:
        """Writes ``text``, whole lines, above the line. To be called by the loop."""
        renderer = get_app().renderer
        renderer.erase()
        stream.write(text)
        stream.flush()
        self._draw()

    def close(self) -> None:
        """No line is read any more."""
        with signals_held():
            self._save()
            if self._task is not None:  # draws once more at its end, and puts back the raw mode
                output = DummyOutput()
                self._application.output = self._application.renderer.output = output
            with self._session.input.raw_mode():
                self._runner.close()

    def _give_up(self) -> None:
        if not self._is_left or self._accepted is not None:
            return  # it was meant for the line before, or comes too late for this one
        application = get_app()
        if application.is_running and not application.is_done:
            application.exit(exception=LeftForSignal())

    # --- the beginning of a line -----------------------------------------------------------------

    def _begin(self) -> None:
        self._go_to_begin()
        self._drawn = None
        self._save()
        self._prepare()
        self._session.default_buffer.reset()
        if self._is_left:
            self._give_up()

    def _resume(self) -> None:
        """What Application does when it begins to run."""
        application = self._application
        application.renderer.reset()
        application.key_processor.reset()
        application.layout.reset()
        application.vi_state.reset()
        application.emacs_state.reset()
        self._begin()
        for each in application.pre_run_callables:
            each()
        application.pre_run_callables.clear()
        application.key_processor.feed_multiple(get_typeahead(application.input))
        application.key_processor.process_keys()
        self._draw()

    def _draw(self) -> None:
        """Soon, and the toolbar when the terminal has said where the prompt is."""
        application = get_app()
        if self._accepted is None and not application.is_done:
            application.renderer.request_absolute_cursor_position()
            application.invalidate()

    def _save(self) -> None:
        """Puts the line before into the history."""
        if self._is_unsaved:
            self._is_unsaved = False
            self._session.default_buffer.append_to_history()

    # --- the end of a line -----------------------------------------------------------------------

    def _takes_keys(self) -> bool:
        """The line has not ended, or the terminal must still answer where the cursor is."""
        if self._drawn is not None:
            return True
        application = get_app()
        waits = application.renderer.waiting_for_cpr
        return self._accepted is None and (application.is_running or waits)

    def _ends_line(self, typed: str) -> bool:
        """Whether Enter alone was ``typed``, and the line stands as it is drawn: then the
        application is suspended, and neither asks each key binding nor draws once more. The
        renderer is not told: the next line begins with that."""
        drawn, self._drawn = self._drawn, None
        if typed != _ENTER or drawn is None:
            return False
        application, renderer = self._application, self._application.renderer
        # The answer where the cursor is would come while a command runs.
        waits = renderer.waiting_for_cpr and renderer.cpr_support is not CPR_Support.NOT_SUPPORTED
        processor = application.key_processor
        if (
            self._session.default_buffer.document is not drawn.document
            or renderer.last_rendered_screen is None  # something has erased it
            or waits
            or processor.key_buffer
            or processor.input_queue
        ):
            return False
        os.write(self._descriptor, drawn.end)
        self._accepted = drawn.document.text
        self._is_unsaved = True
        self.loop.stop()
        return True

    def _note_drawn(self, application: Application[str]) -> None:
        """The line, if it is drawn as it will stay and Enter ends it. To find that out takes longer
        than a line's end may: here nobody waits."""
        buffer, vi = self._session.default_buffer, application.vi_state
        line = f"{self._session.message}{buffer.text}"
        stays = (
            application.layout.current_buffer is buffer
            and not application.is_done
            # Nothing but the line is worked at: no search, menu, selection, repeat count.
            and application.key_processor.arg is None
            and buffer.complete_state is None
            and buffer.selection_state is None
            and not buffer.multiple_cursor_positions
            and not application.quoted_insert
            and not (application.emacs_state.is_recording or vi.recording_register)
            and (application.editing_mode is EditingMode.EMACS or vi_insert_mode())
            and not self._is_in_block()
            and line.isprintable()
            and get_cwidth(line) < self._columns()
        )
        document = buffer.document
        cells = get_cwidth(document.text_after_cursor)
        to_end = b"\x1b[%dC" % cells if cells else b""
        self._drawn = _Drawn(document, to_end + _LINE_END) if stays else None


class LineInput(Vt100Input):
    """The keys of a terminal. They are left there unless ``takes_keys``: those that come when the
    line has ended belong to the next one. Then ``takes`` is given what was typed, and answers
    whether that is dealt with."""

    def __init__(self, stdin: TextIO) -> None:
        super().__init__(stdin)
        self.takes_keys: Callable[[], bool] = lambda: True
        self.takes: Callable[[str], bool] = lambda _typed: False
        self._typed = ""

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        def ready() -> None:
            if not self.takes_keys():
                return
            self._typed = self.stdin_reader.read()
            if not self.takes(self._typed):
                input_ready_callback()

        return super().attach(ready)

    def read_keys(self) -> list[KeyPress]:
        self.vt100_parser.feed(self._typed)
        self._typed = ""
        keys, self._buffer = self._buffer, []
        return keys


def _leave_out_unused(session: PromptSession[str]) -> None:
    """Each key walks several times through all that could be drawn: the line is there a second
    time, in a frame, and with menus and a second prompt that no setting shows."""
    layout = session.layout.container
    if not isinstance(layout, HSplit):
        return
    layout.children = [
        getattr(each, "alternative_content", None) or each for each in layout.children
    ]
    for each in layout.children:
        if isinstance(each, FloatContainer):
            each.floats = [one for one in each.floats if isinstance(one.content, CompletionsMenu)]
