"""The line editor of the shell: history, completion, and what signals mean while it works."""

from __future__ import annotations

import asyncio
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session, get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import is_dumb_terminal

from zedbg.commands.framework.completion import FORMATS, suggest, words
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.commands.scripting.blocks import block_size
from zedbg.engine.ground.signals import SignalGate
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import BLOCK_PROMPT
from zedbg.frontends.shell.highlighting import CommandLexer
from zedbg.frontends.shell.history import line_history
from zedbg.frontends.shell.line_session import LeftForSignal, LineInput, LineSession
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
        self._history = line_history(settings)
        self._completer = _CommandCompleter(interpreter)
        self._lexer = CommandLexer(self._context.registry, lambda: settings.is_on("style enabled"))
        keys = LineInput(sys.stdin)
        # A session that is given an output does not look whether the terminal is dumb.
        with create_app_session(output=_DumbOutput.of_terminal()):
            self._session: PromptSession[str] = PromptSession(
                input=keys,
                history=self._history,
                complete_while_typing=False,
                multiline=Condition(self._is_in_block),
                prompt_continuation=BLOCK_PROMPT,
                key_bindings=_keys(self._is_in_block),
            )
        self._lines = LineSession(self._session, keys, self._prepare, self._is_in_block)
        self._output_above = OutputAbove(self._lines)
        self._signals = SignalGate()
        self._answers = InMemoryHistory()
        self._preloading: asyncio.Task[None] | None = None
        self._is_loaded = False
        self._pasted: deque[str] = deque()
        self._body: deque[str] = deque()  # of the block that was typed last, with its end
        self._takes_blocks = False
        self._asks = False
        self.while_asking: Callable[[], AbstractContextManager[None]] = nullcontext

    def read(self, prompt: str) -> str:
        """A line, without its end. Raises LineDropped, EOFError at the end of input, and what a
        signal raises; never in the middle of the editor, whose event loop would not bear that: it
        is left first."""
        if self._body:
            return self._body.popleft()
        self._takes_blocks = prompt != BLOCK_PROMPT
        self._asks = False
        return self._line(prompt)

    def ask(self, question: str) -> str:
        """The answer to a question; what was typed ahead answers it. Raises as :meth:`read`."""
        self._takes_blocks = False
        self._asks = True
        with self.while_asking():
            return self._line(question)

    def _line(self, prompt: str) -> str:
        if self._pasted:
            line = self._pasted.popleft()
            print(f"{prompt}{line}", flush=True)
            return line
        try:
            self._signals.close(self._lines.leave)
            self._output_above.begin()
            text = self._lines.edit(prompt)
        except LeftForSignal:
            return ""  # the signal is raised at the end
        finally:
            self._output_above.end()
            self._signals.open()
        if "\n" not in text:
            return text
        line, *rest = text.split("\n")
        size = block_size(text) if self._takes_blocks else 0
        if size:  # a command with its block: what is there is shown already
            self._body.extend(rest[: size - 1])
            rest = rest[size - 1 :]
        # Lines that were pasted together are given one by one.
        self._pasted.extend(each for each in rest if each.strip())
        return line

    def _prepare(self) -> None:
        """Sets the editor up for a line, or for a question's answer, as the settings are now."""
        settings, session, asks = self._context.settings, self._session, self._asks
        is_plain = settings.is_on("plain")
        is_vi = settings.text("editing-mode") == "vi" and not asks
        has_toolbar = settings.is_on("toolbar") and not is_plain and not asks
        is_coloured = settings.is_on("style enabled") and not asks
        session.editing_mode = EditingMode.VI if is_vi else EditingMode.EMACS
        session.default_buffer.history = self._answers if asks else self._history
        session.completer = None if asks else self._completer
        session.auto_suggest = None if asks or is_plain else AutoSuggestFromHistory()
        session.lexer = None if asks else self._lexer
        session.bottom_toolbar = self._toolbar if has_toolbar else None
        session.color_depth = ColorDepth.DEPTH_4_BIT if is_coloured else ColorDepth.MONOCHROME
        is_loading = self._preloading is not None and not self._preloading.done()
        if session.app.is_running and not self._is_loaded and not is_loading:
            self._preloading = session.app.create_background_task(self._load())

    def close(self) -> None:
        """No line is read any more."""
        self._lines.close()
        self._signals.remove()

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

    async def _load(self) -> None:
        await preload()
        self._is_loaded = True


class _DumbOutput(Vt100_Output):
    """That of a terminal which shows control sequences as text: one would come at the start."""

    @classmethod
    def of_terminal(cls) -> Vt100_Output | None:
        """None where the terminal is not such a one."""
        return cls.from_pty(sys.stdout, "dumb") if is_dumb_terminal() else None

    def show_cursor(self) -> None:
        pass


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
