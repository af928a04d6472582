"""The interactive shell: reads lines and runs them, with events above the prompt."""

from __future__ import annotations

import os
from collections.abc import Mapping

import zedbg
from zedbg.commands.framework.context import EndOfSession
from zedbg.commands.framework.settings import Settings
from zedbg.commands.rows.events import Event, StopEvent
from zedbg.commands.scripting.files import goes_on
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import BLOCK_PROMPT, PROMPT, TextOutput
from zedbg.frontends.shell.line_editor import (
    LineDropped,
    LineEditor,
    NothingDropped,
    readline_editing_mode,
)
from zedbg.frontends.shell.terminal_output import MORE, TerminalOutput

GREETING = f"""\
zedbg {zedbg.__version__} debugs the code that runs on Intel GPUs. What next?
  demo             a kernel on the simulated GPU, to try it; it says what to type
  file PROGRAM     the program to debug; then break KERNEL, and run ARGUMENTS
  attach PID       debug a program that runs
  help             all commands; help NAME for one; Tab completes
  quit             or Ctrl-D"""
_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


def run_prompt(interpreter: Interpreter) -> None:
    """Reads and runs lines until ``quit`` or the end of input."""
    context = interpreter.context
    context.interactive = True
    adapt_to_terminal(context.settings, os.environ)
    editor = LineEditor(interpreter)
    output = TerminalOutput(context.settings, lambda: _more(editor))
    if isinstance(interpreter.output, TextOutput):
        output.log = interpreter.output.log
    editor.while_asking = output.progress.paused
    interpreter.output = output
    context.columns = lambda: output.columns
    context.confirm = lambda question: _confirm(interpreter, editor, question)
    context.emit = lambda event: _emit(output, event)
    if context.greets and not context.program and context.process is None:
        print(GREETING, flush=True)
    try:
        _run_lines(interpreter, editor, output)
    finally:
        editor.close()


def _run_lines(interpreter: Interpreter, editor: LineEditor, output: TerminalOutput) -> None:
    context = interpreter.context

    def shows_progress() -> bool:
        return not context.settings.is_on("plain") and not interpreter.reads_block

    begun = ""  # of a line that goes on in the next one
    nothing_dropped = False  # whether the last key was Ctrl-C on an empty line
    while True:
        # Ctrl-C may come at any moment; commands that take it do, elsewhere it gives a new prompt.
        asks, nothing_dropped = nothing_dropped, False
        before, begun = begun, ""
        try:
            with interpreter.busy:
                context.show_pending_events()
            try:
                in_line = interpreter.reads_block or bool(before)
                line = before + editor.read(BLOCK_PROMPT if in_line else PROMPT)
            except EOFError:
                line = before or ("end" if interpreter.reads_block else "quit")
            if goes_on(line):
                begun = line[:-1]
                continue
            if line.strip():
                context.typed.append(line)
            try:
                if shows_progress():
                    output.progress.begin(line, context)
                interpreter.execute(line)
            finally:
                output.progress.end()
            if not interpreter.reads_block:
                editor.forget_block()
        except NothingDropped:
            interpreter.drop_block()
            if asks and _asked(editor, _leaving_question(interpreter)):
                return
            nothing_dropped = not asks
        except LineDropped:
            interpreter.drop_block()
        except KeyboardInterrupt:
            # After the line that the terminal began with ^C; the command has not begun.
            print("\nInterrupted.", flush=True)
            interpreter.drop_block()
            editor.forget_pasted()
        except EndOfSession:
            return


def _more(editor: LineEditor) -> bool | None:
    """Asks after a page; see :class:`TerminalOutput`. What is no answer is the next command."""
    if editor.has_pasted:
        return False
    try:
        answer = editor.ask(MORE).strip()
    except (EOFError, KeyboardInterrupt, LineDropped):
        return None
    if answer in ("q", "c", ""):
        return None if answer == "q" else answer == ""
    editor.take_later(answer)
    return None


def adapt_to_terminal(settings: Settings, environment: Mapping[str, str]) -> None:
    """What the user has set up for all programs: no colours (``NO_COLOR``), a terminal that can do
    little (``TERM=dumb``), readline's keys."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        settings.set("style enabled", "off")
    if environment.get("TERM") == "dumb":
        settings.set("plain", "on")
    settings.set("editing-mode", readline_editing_mode(environment))


def _emit(output: TerminalOutput, event: Event) -> None:
    is_interrupt = isinstance(event, StopEvent) and event.reason == "interrupt"
    if is_interrupt and not output.progress.erase():
        print()  # the line that the terminal began with ^C
    output.event(event)


def _leaving_question(interpreter: Interpreter) -> str:
    process = interpreter.context.process
    if process is None or not process.can_run:
        return "Quit zedbg?"
    what = "killed" if process.is_child else "detached"
    return f"Quit zedbg? Process {process.pid} will be {what}."


def _confirm(interpreter: Interpreter, editor: LineEditor, question: str) -> bool:
    """What the user says, if the setting confirm is on."""
    return not interpreter.context.settings.is_on("confirm") or _asked(editor, question)


def _asked(editor: LineEditor, question: str) -> bool:
    """What the user says; the end of input says yes, as in GDB. Lines that were typed ahead and are
    no answer are commands for later."""
    others: list[str] = []
    try:
        while (answer := editor.ask(f"{question} (y or n) ").strip()).lower() not in _ANSWERS:
            others += [answer] if answer else []
            print("Please answer y or n.")
        return _ANSWERS[answer.lower()]
    except EOFError:
        print("yes (the input has ended)")
        return True
    except (KeyboardInterrupt, LineDropped):
        return False
    finally:
        for line in reversed(others):
            editor.take_later(line)
