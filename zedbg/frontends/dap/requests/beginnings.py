"""How a debug session begins and ends: initialize to disconnect."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import msgspec

from zedbg.engine.breakpoints.breakpoint_specs import LaunchSpec
from zedbg.engine.sessions.opening import launch_options, open_session
from zedbg.engine.sessions.session import Session
from zedbg.frontends.dap.protocol.arguments import (
    AttachArguments,
    DisconnectArguments,
    InitializeArguments,
    LaunchArguments,
    NoArguments,
    RestartArguments,
)
from zedbg.frontends.dap.protocol.capabilities import Capabilities
from zedbg.frontends.dap.protocol.events import InitializedEvent, ProcessEvent
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.happenings import Happenings
from zedbg.frontends.dap.session.registry import Answer, Needs, Then, capabilities, request
from zedbg.levelzero.selection import DriverChoice
from zedbg.user_error import UserError

_STOP_SECONDS = 15.0
_POINTER_BITS = 64


@request(
    "initialize",
    Needs.NOTHING,
    supports_value_formatting_options=True,
    supports_cancel_request=True,  # the server itself answers that
)
def initialize(adapter: Adapter, arguments: InitializeArguments) -> Answer:
    """Tells what there is to ask for; RequestError for a client that names files by URIs."""
    if arguments.path_format not in (None, "path"):
        raise RequestError("zedbg names files by paths only: set pathFormat to path.")
    adapter.client = arguments
    return Capabilities(**capabilities())


@request("launch", Needs.NOTHING)
def launch(adapter: Adapter, arguments: LaunchArguments) -> Answer:
    """Prepares the start of a program, which comes with ``configurationDone``."""
    return _prepare(adapter, arguments)


@request("attach", Needs.NOTHING)
def attach(adapter: Adapter, arguments: AttachArguments) -> Answer:
    """The same for a process that runs, or a core file. RequestError when it names neither."""
    if (arguments.pid is None) == (arguments.core_file is None):
        raise RequestError("attach takes a pid, or a coreFile.", shown=True)
    return _prepare(adapter, arguments)


def _prepare(adapter: Adapter, arguments: LaunchArguments | AttachArguments) -> Answer:
    if adapter.is_open:
        raise RequestError("A program is being debugged already: restart it, or disconnect.")
    choice: DriverChoice | None = None
    if isinstance(arguments, AttachArguments) and arguments.core_file is not None:
        session = Session()
    else:
        session, choice = open_session(arguments.sim)
    adapter.open(session, choice)
    Happenings(adapter)
    if choice is not None and choice.message:
        adapter.output(choice.message + "\n", "console")
    adapter.start = arguments
    adapter.started = Future()
    for recorded, now in arguments.source_map:
        adapter.sources.files.substitute(recorded, Path(now).expanduser())
    folders = list(arguments.source_folders)
    if isinstance(arguments, LaunchArguments) and arguments.cwd is not None:
        folders.append(arguments.cwd)
    adapter.sources.files.directories = [Path(each).expanduser() for each in folders]
    try:
        for line in arguments.commands:
            adapter.output(adapter.console.run(line) + "\n", "console")
    except RequestError as error:
        raise RequestError(f"{line}: {error}", shown=True) from None
    adapter.send(InitializedEvent())
    return adapter.started


@request("configurationDone", Needs.SESSION, supports_configuration_done_request=True)
def configuration_done(adapter: Adapter, arguments: NoArguments) -> Answer:
    """Starts the program: its breakpoints are known. RequestError when it has been started."""
    if adapter.started.done() or adapter.session.process is not None:
        raise RequestError("The program has been started already.")
    return Then(None, lambda: adapter.move(lambda: _start(adapter)))


def _start(adapter: Adapter) -> None:
    """Starts the program, or attaches to it, and lets it run; on the runner's thread."""
    started = adapter.started
    try:
        adapter.program_starts()
        runs = _begin(adapter)
    except UserError as error:
        started.set_exception(RequestError(error.line, shown=True))
        return
    if not started.done():
        started.set_result(None)
    if runs:
        adapter.session.continue_()


def _begin(adapter: Adapter) -> bool:
    """Starts the program, or attaches to it; whether it is to go on now. Raises UserError."""
    arguments, session = adapter.start, adapter.session
    if isinstance(arguments, AttachArguments) and arguments.core_file is not None:
        line = f"core-file {arguments.core_file}"
        with adapter.progress(line):
            adapter.output(adapter.console.run(line) + "\n", "console")
        return False
    if isinstance(arguments, AttachArguments):
        assert arguments.pid is not None
        session.attach(arguments.pid)
        _tell_process(adapter, _name_of_process(arguments.pid), arguments.pid, "attach")
        return not arguments.stop_on_entry
    assert arguments is not None
    assert adapter.choice is not None
    if arguments.stop_on_entry:
        adapter.entry = session.catch("launch *", LaunchSpec("*"), temporary=True)
    options = launch_options(
        adapter.choice,
        [arguments.program, *arguments.args],
        folder=arguments.cwd,
        environment=arguments.env,
        stdin=arguments.stdin,
        output=lambda stream, text: adapter.output(text, stream),
    )
    pid = session.launch(options)
    _tell_process(adapter, arguments.program, pid, "launch")
    return True


def _tell_process(adapter: Adapter, name: str, pid: int, method: str) -> None:
    body = ProcessEvent(
        name=name,
        system_process_id=pid,
        is_local_process=True,
        start_method=method,
        pointer_size=_POINTER_BITS,
    )
    adapter.send(body)


def _name_of_process(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return f"process {pid}"


@request("restart", Needs.SESSION, supports_restart_request=True)
def restart(adapter: Adapter, arguments: RestartArguments) -> Answer:
    """Starts the program from its beginning, or attaches to it again; breakpoints stay.
    RequestError for arguments that are none."""
    kind = type(adapter.start)
    if kind in (LaunchArguments, AttachArguments) and bytes(arguments.arguments):
        try:
            adapter.start = msgspec.json.decode(arguments.arguments, type=kind)
        except msgspec.ValidationError as error:
            raise RequestError(f"restart: {error}") from None
    leave(adapter, terminate=isinstance(adapter.start, LaunchArguments))
    adapter.started = Future()
    return Then(None, lambda: adapter.move(lambda: _start(adapter)))


@request("terminate", Needs.SESSION, supports_terminate_request=True)
def terminate(adapter: Adapter, arguments: NoArguments) -> Answer:
    """Ends the program."""
    leave(adapter, terminate=True)
    return Then(None, lambda: adapter.move_ended(None))


@request("disconnect", Needs.NOTHING, support_terminate_debuggee=True)
def disconnect(adapter: Adapter, arguments: DisconnectArguments) -> Answer:
    """Ends the session; a program that was launched ends with it, unless it shall not."""
    end(adapter, arguments.terminate_debuggee)
    return None


def end(adapter: Adapter, terminate_: bool | None = None) -> None:
    """Leaves the program: without ``terminate_``, one that was launched is ended."""
    if not adapter.is_open:
        return
    is_ours = isinstance(adapter.start, LaunchArguments)
    had_process = adapter.session.process is not None
    leave(adapter, terminate=is_ours if terminate_ is None else terminate_)
    if had_process:
        adapter.move_ended(None)


def leave(adapter: Adapter, *, terminate: bool) -> None:
    """Ends the process, or lets it go on alone; RequestError when it cannot be stopped for that."""
    session = adapter.session
    adapter.is_leaving = True
    try:
        if adapter.runner.is_busy:
            session.interrupt()
            if not adapter.runner.wait(_STOP_SECONDS) and not terminate:
                raise RequestError("The device does not stop: the program cannot be left alone.")
        with session.condition:
            if session.process is not None and terminate:
                session.kill()
            elif session.process is not None:
                session.close()
            session.interrupt_requested = False
    finally:
        adapter.is_leaving = False
    adapter.forget_stop()
