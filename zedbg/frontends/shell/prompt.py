"""The interactive shell: history, completion, and events above the prompt."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout

from zedbg.commands.completion import suggest, words
from zedbg.commands.context import EndOfSession
from zedbg.commands.events import Event, StopEvent
from zedbg.commands.vocabulary import SessionVocabulary
from zedbg.frontends.interpreter import Interpreter
from zedbg.frontends.output import BLOCK_PROMPT, PROMPT


class CommandCompleter(Completer):
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


def run_prompt(interpreter: Interpreter) -> None:
    """Reads and runs lines until ``quit`` or the end of input."""
    interpreter.context.interactive = True
    session: PromptSession[str] = PromptSession(
        history=_history(),
        completer=CommandCompleter(interpreter),
        complete_while_typing=False,
        interrupt_exception=_LineDropped,
    )
    interpreter.context.confirm = lambda question: _confirm(interpreter, question)
    interpreter.context.emit = lambda event: _emit(interpreter, event)
    while True:
        # Ctrl-C may come at any moment; commands that take it do, elsewhere it gives a new prompt.
        try:
            with interpreter.busy:
                interpreter.context.show_pending_events()
            try:
                with patch_stdout():
                    line = session.prompt(BLOCK_PROMPT if interpreter.reads_block else PROMPT)
            except EOFError:
                line = "end" if interpreter.reads_block else "quit"
            interpreter.execute(line)
        except _LineDropped:
            interpreter.drop_block()
        except KeyboardInterrupt:
            # Behind the line that the terminal began with ^C; the command has not begun.
            print("\nInterrupted.", flush=True)
            interpreter.drop_block()
        except EndOfSession:
            return


class _LineDropped(Exception):
    """Ctrl-C while a line was edited: the editor has gone to a new line itself."""


def _emit(interpreter: Interpreter, event: Event) -> None:
    if isinstance(event, StopEvent) and event.reason == "interrupt":
        print()  # the line that the terminal began with ^C
    interpreter.output.event(event)


def _confirm(interpreter: Interpreter, question: str) -> bool:
    if not interpreter.context.settings.is_on("confirm"):
        return True
    try:
        return input(f"{question} (y or n) ").strip().lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        return False


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
