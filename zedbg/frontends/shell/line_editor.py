"""The line editor of the shell: history, completion, and what signals mean while it works."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory, DummyAutoSuggest
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import CompletionsMenu, FloatContainer, HSplit
from prompt_toolkit.output import ColorDepth

from zedbg.commands.framework.completion import FORMATS, suggest, words
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.commands.scripting.blocks import block_size
from zedbg.engine.ground.signals import signals_held
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import BLOCK_PROMPT
from zedbg.frontends.shell.highlighting import CommandLexer
from zedbg.frontends.shell.history import line_history
from zedbg.frontends.shell.output_above import OutputAbove
from zedbg.frontends.shell.preloading import preload
from zedbg.frontends.shell.toolbar import toolbar_text

# A menu of more words helps nobody, and takes longer to draw than to type on.
_MOST_WORDS = 300


class LineDropped(Exception):
    """Ctrl-C while a line was edited: the editor has gone to a new line itself."""


class NothingDropped(LineDropped):
    """The same, and the line was empty."""


class LineEditor:
    """Reads lines in a terminal."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._context = interpreter.context
        settings = self._context.settings
        self._session: PromptSession[str] = PromptSession(
            history=line_history(settings),
            completer=_CommandCompleter(interpreter),
            complete_while_typing=False,
            multiline=Condition(self._is_in_block),
            prompt_continuation=BLOCK_PROMPT,
            lexer=CommandLexer(self._context.registry, lambda: settings.is_on("style enabled")),
            key_bindings=_keys(self._is_in_block),
        )
        _leave_out_unused(self._session)
        self._question: PromptSession[str] | None = None
        self._application: Application[Any] | None = None
        # A loop and a thread that are made for each line would take as long as many a command.
        self._runner = asyncio.Runner()
        self._output_above = OutputAbove()
        self._signalled = False
        self._is_loaded = False
        self._pasted: deque[str] = deque()
        self._body: deque[str] = deque()  # of the block that was typed last, with its end
        self._takes_blocks = False
        self.while_asking: Callable[[], AbstractContextManager[None]] = nullcontext

    def read(self, prompt: str) -> str:
        """A line, without its end. Raises LineDropped, EOFError at the end of input, and what a
        signal raises; never in the middle of the editor, whose event loop would not bear that: it
        is left first."""
        settings, session = self._context.settings, self._session
        if self._body:
            return self._body.popleft()
        self._takes_blocks = prompt != BLOCK_PROMPT
        if not self._pasted:
            is_vi = settings.text("editing-mode") == "vi"
            session.editing_mode = EditingMode.VI if is_vi else EditingMode.EMACS
            is_plain = settings.is_on("plain")
            session.auto_suggest = DummyAutoSuggest() if is_plain else AutoSuggestFromHistory()
            has_toolbar = settings.is_on("toolbar") and not is_plain
            session.bottom_toolbar = self._toolbar if has_toolbar else None
            is_coloured = settings.is_on("style enabled")
            session.color_depth = ColorDepth.DEPTH_4_BIT if is_coloured else ColorDepth.MONOCHROME
        return self._line(session, prompt)

    def ask(self, question: str) -> str:
        """The answer to a question; what was typed ahead answers it. Raises as :meth:`read`."""
        if self._question is None:
            self._question = PromptSession(
                history=InMemoryHistory(),
                interrupt_exception=LineDropped,
                color_depth=ColorDepth.MONOCHROME,
            )
            _leave_out_unused(self._question)
        with self.while_asking():
            return self._line(self._question, question)

    def _line(self, session: PromptSession[str], prompt: str) -> str:
        if self._pasted:
            line = self._pasted.popleft()
            print(f"{prompt}{line}", flush=True)
            return line
        self._signalled = False
        with signals_held(self._leave), self._output_above.shown():
            try:
                text = self._runner.run(
                    session.prompt_async(prompt, pre_run=self._begin, handle_sigint=False)
                )
            except _Signalled:
                return ""  # the signal is raised after the block
            finally:
                self._application = None
        line, *rest = text.split("\n")
        size = block_size(text) if session is self._session and self._takes_blocks else 0
        if size:  # a command with its block: what is there is shown already
            self._body.extend(rest[: size - 1])
            rest = rest[size - 1 :]
        # Lines that were pasted together are given one by one.
        self._pasted.extend(each for each in rest if each.strip())
        return line

    def close(self) -> None:
        """No line is read any more."""
        self._runner.close()

    def _is_in_block(self) -> bool:
        """Whether Enter begins another line: of the block that a command began."""
        text = get_app().current_buffer.text
        return self._takes_blocks and block_size(text) is None

    @property
    def has_pasted(self) -> bool:
        """Whether lines that were pasted wait to be read."""
        return bool(self._pasted)

    def take_later(self, line: str) -> None:
        """``line`` is what is read next: it was typed ahead."""
        self._pasted.appendleft(line)

    def forget_pasted(self) -> None:
        """What was pasted and not carried out yet is not meant any more."""
        self._pasted.clear()
        self.forget_block()

    def forget_block(self) -> None:
        """The command that the block belongs to has failed."""
        self._body.clear()

    def _toolbar(self) -> str:
        return toolbar_text(self._context, get_app().output.get_size().columns)

    def _begin(self) -> None:
        self._application = get_app()
        if self._signalled:
            self._exit()
        elif not self._is_loaded:
            self._application.create_background_task(self._load())

    async def _load(self) -> None:
        await preload()
        self._is_loaded = True

    def _leave(self) -> None:
        """Called in the middle of anything, as a signal has come."""
        self._signalled = True
        loop = self._application.loop if self._application is not None else None
        if loop is not None:
            loop.call_soon_threadsafe(self._exit)

    def _exit(self) -> None:
        application = self._application
        if not self._signalled or application is None:
            return  # it was meant for the line before
        if application.is_running and not application.is_done:
            application.exit(exception=_Signalled())


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


class _Signalled(Exception):
    """Leaves the editor for the signal's handler."""


def _keys(is_in_block: Callable[[], bool]) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-d", filter=Condition(is_in_block))
    def end(event: KeyPressEvent) -> None:
        """At the beginning of an empty line it ends the block, elsewhere it deletes."""
        buffer = event.app.current_buffer
        if buffer.document.current_line.strip():
            buffer.delete()
            return
        buffer.insert_text("end")
        if not is_in_block():
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=False)

    @keys.add("c-c")
    def drop(event: KeyPressEvent) -> None:
        """Clears the line, and says whether there was anything to clear."""
        kind = LineDropped if event.app.current_buffer.text.strip() else NothingDropped
        event.app.exit(exception=kind(), style="class:aborting")

    return keys


class _CommandCompleter(Completer):
    """Completes command lines from the declarations and from what the session knows."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._registry = interpreter.context.registry
        self._vocabulary = SessionVocabulary(interpreter.context)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        line = document.current_line_before_cursor
        suggestion = suggest(line, self._registry)
        for word in words(suggestion, self._vocabulary)[:_MOST_WORDS]:
            yield Completion(
                word,
                start_position=-len(suggestion.prefix),
                display=_last_part(word, suggestion.prefix),
                display_meta=FORMATS.get(word) if line.endswith("/" + suggestion.prefix) else None,
            )


def _last_part(word: str, prefix: str) -> str:
    """What the menu shows of a path, a place or a lane: the part that is chosen."""
    kept = max(prefix.rfind("/"), prefix.rfind(":")) + 1
    return word[kept:]


def readline_editing_mode(environment: Mapping[str, str]) -> str:
    """``vi`` where the user's readline is so set up, else ``emacs``."""
    path = Path(environment.get("INPUTRC") or Path.home() / ".inputrc")
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return "emacs"
    found = re.findall(r"^\s*set\s+editing-mode\s+(\w+)", text, re.MULTILINE)
    return "vi" if found[-1:] == ["vi"] else "emacs"
