"""One run of zedbg: a session, the command line's commands, the prompt, and a clean end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.batch_status import BatchStatus
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.commands.framework.killing import kill_process
from zedbg.commands.framework.permanence import permanent
from zedbg.commands.rows.row import Text
from zedbg.commands.scripting.files import whole_lines
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.ground.signals import signals_held
from zedbg.frontends.shared.batch_status import BatchRecord
from zedbg.frontends.shared.ending import TimeLimit, discard_output
from zedbg.frontends.shared.idle_events import IdleEvents
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.logged_output import Log
from zedbg.frontends.shared.output import PROMPT, CommandLine, JsonOutput, Output, TextOutput
from zedbg.frontends.shared.plugin_loading import load_plugins
from zedbg.frontends.shared.resource_files import run_resource_files
from zedbg.levelzero.level_zero_errors import LevelZeroError

if TYPE_CHECKING:
    from zedbg.engine.sessions.session import Session


_NO_PROGRAM = 255  # as of GDB: the program did not come to its end


@dataclass(frozen=True)
class Serving:
    """Instead of a prompt, clients that connect to a socket use the session: to that at ``path``,
    or where it is empty to one of its own. ``while_input``: until standard input ends, else until a
    signal comes."""

    path: str
    while_input: bool = False


@dataclass(frozen=True, kw_only=True)
class SessionOptions:
    """What a run of zedbg is to do.

    ``program`` and its arguments are what ``run`` starts. ``first_commands`` come before the
    user's resource files, ``commands`` after them; ``echo`` shows each of these after the prompt,
    as if someone typed it. With ``batch`` it ends then: after ``timeout`` seconds at the latest,
    and with ``returns_program_status`` with the program's exit status.
    """

    program: Sequence[str] = ()
    simulated_device: str | None = None
    settings: Sequence[tuple[str, str]] = ()
    first_commands: Sequence[str] = ()
    commands: Sequence[str] = ()
    echo: bool = False
    batch: bool = False
    timeout: float | None = None
    returns_program_status: bool = False
    loads_plugins: bool = True
    greets: bool = True
    as_json: bool = False
    serving: Serving | None = None


def run_session(options: SessionOptions) -> int:
    """Runs the commands, then the prompt unless ``batch``; the exit status, which of a batch is
    that of :class:`BatchStatus`, or the program's.

    A process that zedbg started ends with it; one that it attached to continues.
    """
    output: Output = JsonOutput() if options.as_json else TextOutput()
    context = _context(options, output)
    interpreter = Interpreter(context, output)
    served = ExitStack()
    context.serve = partial(_share, served, interpreter)
    if options.loads_plugins:
        load_plugins(context, output)
    record = BatchRecord(context)
    failed, status = False, None
    limit = TimeLimit(options.timeout if options.batch else None)
    try:
        for succeeded in _run_commands(options, interpreter):
            failed |= not succeeded
        if options.serving is not None:
            failed |= not _serve(options.serving, interpreter)
        elif not options.batch:
            read_lines = _line_reader(as_json=options.as_json)
            with IdleEvents(interpreter):
                read_lines(interpreter)
    except EndOfSession as end:
        status = end.status
    except KeyboardInterrupt:
        failed = True
    except SystemExit:
        if not limit.is_over:
            raise
        failed = True
        status = BatchStatus.TIMEOUT
        context.show_message(f"Not finished within {options.timeout:g} s.", warning=True)
    except BrokenPipeError:
        failed = True
        discard_output()
    finally:
        limit.end()
        with signals_held():
            served.close()
            leave(context)
    if status is not None:
        return int(status)
    if options.batch and options.returns_program_status and not failed:
        return _NO_PROGRAM if record.program is None else record.program
    if options.batch:
        return int(record.status(command_failed=failed))
    return int(failed and options.serving is not None)


def _context(options: SessionOptions, output: Output) -> CommandContext:
    context = CommandContext(
        _open_session,
        catalogue(),
        program=options.program,
        simulated_device=options.simulated_device,
        captures_output=options.as_json or options.serving is not None,
    )
    context.greets = options.greets
    if isinstance(output, TextOutput):
        output.log = log = Log(context.settings)
        context.log_changed = log.follow
    for name, value in options.settings:
        context.settings.set(name, value)
    return context


def _run_commands(options: SessionOptions, interpreter: Interpreter) -> Iterator[bool]:
    """Runs the command line's commands and the resource files; whether each command succeeded."""
    for line in options.first_commands:
        yield interpreter.execute(line)
    # A script counts on one answer for each command.
    if options.loads_plugins and not options.as_json and options.serving is None:
        run_resource_files(interpreter)
    for line in options.commands:
        if options.echo:
            shown = Text(f"{PROMPT}{line}")
            interpreter.output.result(CommandLine("echo", line), [shown])
        yield interpreter.execute(line)
    yield interpreter.end_of_input()


def _serve(serving: Serving, interpreter: Interpreter) -> bool:
    """Serves the session until it is to end; False where that cannot be done."""
    if not interpreter.execute(f"serve {serving.path}"):
        return False
    with IdleEvents(interpreter):
        if serving.while_input:
            sys.stdin.buffer.read()
        else:
            threading.Event().wait()  # for a signal
    return True


def _share(served: ExitStack, interpreter: Interpreter, path: str | None) -> Path:
    """Serves the session until ``served`` ends; where. Raises ServingError."""
    from zedbg.frontends.serving.address import default_address
    from zedbg.frontends.serving.server import Server

    place = Path(path).expanduser() if path else default_address()
    served.enter_context(Server(interpreter, place))
    return place


def _open_session() -> Session:
    """A session, and with it the engine: loaded when a command needs them."""
    with permanent(), signals_held():
        from zedbg.engine.sessions.session import Session

    return Session()


def _line_reader(*, as_json: bool) -> Callable[[Interpreter], None]:
    """What reads lines and runs them: the shell in a terminal, which is loaded for that alone."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or as_json:
        return _run_input
    with permanent():
        from zedbg.frontends.shell.prompt import run_prompt

    return run_prompt


def _run_input(interpreter: Interpreter) -> None:
    """Runs what is in standard input."""
    for _, line in whole_lines(each.removesuffix("\n") for each in sys.stdin):
        interpreter.execute(line)
    interpreter.end_of_input()


def leave(context: CommandContext) -> None:
    """Ends the session: what zedbg started is killed, what it attached to continues."""
    process = context.process
    try:
        if process is not None and process.is_child:
            kill_process(context)
        elif process is not None:
            context.session.close()
    except (EngineError, LevelZeroError) as error:
        context.show_message(str(error), warning=True)
    context.show_pending_events()
