"""The line editor of the shell: history, completion, and what signals mean while it works."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout

from zedbg.commands.framework.completion import suggest, words
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.engine.ground.signals import signals_held
from zedbg.frontends.shared.interpreter import Interpreter


class LineDropped(Exception):
    """Ctrl-C while a line was edited: the editor has gone to a new line itself."""


class LineEditor:
    """Reads lines in a terminal."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(),
            completer=_CommandCompleter(interpreter),
            complete_while_typing=False,
            interrupt_exception=LineDropped,
        )
        self._application: Application[Any] | None = None
        self._signalled = False

    def read(self, prompt: str) -> str:
        """A line, without its end. Raises LineDropped, EOFError at the end of input, and what a
        signal raises; never in the middle of the editor, whose event loop would not bear that: it
        is left first."""
        self._signalled = False
        with signals_held(self._leave), patch_stdout():
            try:
                return self._session.prompt(prompt, pre_run=self._begin, handle_sigint=False)
            except _Signalled:
                return ""  # the signal is raised after the block
            finally:
                self._application = None

    def _begin(self) -> None:
        self._application = get_app()
        if self._signalled:
            self._exit()

    def _leave(self) -> None:
        """Called in the middle of anything, as a signal has come."""
        self._signalled = True
        loop = self._application.loop if self._application is not None else None
        if loop is not None:
            loop.call_soon_threadsafe(self._exit)

    def _exit(self) -> None:
        application = self._application
        if application is not None and application.is_running and not application.is_done:
            application.exit(exception=_Signalled())


class _Signalled(Exception):
    """Leaves the editor for the signal's handler."""


class _CommandCompleter(Completer):
    """Completes command lines from the declarations and from what the session knows."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._registry = interpreter.context.registry
        self._vocabulary = SessionVocabulary(interpreter.context)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        suggestion = suggest(document.text_before_cursor, self._registry)
        for word in words(suggestion, self._vocabulary):
            yield Completion(word, start_position=-len(suggestion.prefix))


def _history() -> History:
    """The history file of the user; memory where it cannot be written."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "zedbg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "history"
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
