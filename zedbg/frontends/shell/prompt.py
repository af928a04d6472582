"""The interactive shell: reads lines and runs them, with events above the prompt."""

from __future__ import annotations

from zedbg.commands.framework.context import EndOfSession
from zedbg.commands.rows.events import Event, StopEvent
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import BLOCK_PROMPT, PROMPT
from zedbg.frontends.shell.line_editor import LineDropped, LineEditor


def run_prompt(interpreter: Interpreter) -> None:
    """Reads and runs lines until ``quit`` or the end of input."""
    interpreter.context.interactive = True
    editor = LineEditor(interpreter)
    interpreter.context.confirm = lambda question: _confirm(interpreter, question)
    interpreter.context.emit = lambda event: _emit(interpreter, event)
    while True:
        # Ctrl-C may come at any moment; commands that take it do, elsewhere it gives a new prompt.
        try:
            with interpreter.busy:
                interpreter.context.show_pending_events()
            try:
                line = editor.read(BLOCK_PROMPT if interpreter.reads_block else PROMPT)
            except EOFError:
                line = "end" if interpreter.reads_block else "quit"
            interpreter.execute(line)
        except LineDropped:
            interpreter.drop_block()
        except KeyboardInterrupt:
            # After the line that the terminal began with ^C; the command has not begun.
            print("\nInterrupted.", flush=True)
            interpreter.drop_block()
        except EndOfSession:
            return


def _emit(interpreter: Interpreter, event: Event) -> None:
    if isinstance(event, StopEvent) and event.reason == "interrupt":
        print()  # the line that the terminal began with ^C
    interpreter.output.event(event)


def _confirm(interpreter: Interpreter, question: str) -> bool:
    """What the user says; the end of input says yes, as in GDB."""
    if not interpreter.context.settings.is_on("confirm"):
        return True
    try:
        return input(f"{question} (y or n) ").strip().lower() in ("y", "yes")
    except EOFError:
        print("yes (the input has ended)")
        return True
    except KeyboardInterrupt:
        return False
