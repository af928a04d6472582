"""Commands that start, run, stop and leave programs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.counting import COUNT, count_of
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.framework.killing import kill_process
from zedbg.commands.framework.parsing import split_arguments
from zedbg.commands.framework.python_calls import quoted
from zedbg.commands.program import set_program
from zedbg.commands.rows.events import ProcessEvent
from zedbg.commands.rows.row import Row
from zedbg.commands.scripting.files import user_path
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.process.process import LaunchOptions


def _run_in_python(context: CommandContext, invocation: Invocation) -> str:
    given = invocation.optional(0)
    words = shlex.split(context.settings.text("args") if given is None else given)
    program = ", ".join(quoted(each) for each in (*context.program, *words))
    device = context.simulated_device
    options = f", sim={quoted(device)}" if device else ""
    return f"session = zedbg.launch([{program}]{options})\nstop = session.continue_()"


@builtin.command(
    "run",
    Category.RUNNING,
    "Start the program and run it to its first stop",
    aliases=("r",),
    arguments=(
        Argument(
            "arguments",
            Kind.FILE,
            "arguments of the program, < FILE and > FILE included; default: those given last. "
            "Where no program is known yet, the first is the program",
            optional=True,
            rest=True,
        ),
    ),
    example="run",
    description="The program is what follows -- on zedbg's command line, or what file names. "
    "Breakpoints are inserted before its first kernel can run.",
    repeats=Repeat.NO,
    background=True,
    python=_run_in_python,
)
def run_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _run(context, invocation)
    return []


@builtin.command(
    "start",
    Category.RUNNING,
    "Start the program and run it to its first launch of a kernel",
    arguments=(Argument("arguments", Kind.FILE, "as for run", optional=True, rest=True),),
    description="It is tcatch launch, then run.",
    repeats=Repeat.NO,
    background=True,
)
def start_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _run(context, invocation, before=lambda: context.execute("tcatch launch"))
    return []


def _run(
    context: CommandContext,
    invocation: Invocation,
    before: Callable[[], object] = lambda: None,
) -> None:
    given = invocation.optional(0)
    if given is not None and not context.program:
        words = split_arguments(given)
        name, given = words[0], given.strip()[len(words[0]) :].strip()
        set_program(context, name)
    if not context.program:
        raise CommandError(
            "No program. Name one: run PROGRAM ARGUMENTS, or zedbg -- PROGRAM ARGUMENTS"
        )
    arguments = context.settings.text("args") if given is None else given
    program = _command_line(context.program[0], arguments)
    if context.session.state is not SessionState.NO_PROCESS:
        if not context.confirm("The program is running already. Start it from the beginning?"):
            raise CommandError("Program not restarted.")
        kill_process(context)
    context.settings.set("args", arguments)
    if invocation.background:
        context.session.require_non_stop()
    before()
    context.driver()
    output = context.program_wrote if context.captures_output else None
    folder = context.settings.text("cwd")
    options = LaunchOptions(
        program,
        folder=user_path(folder) if folder else None,
        environment=context.environment,
        output=output,
        stdin=None if context.terminal is None else Path(context.terminal),
        terminal=None if context.terminal is None else Path(context.terminal),
    )
    context.session.launch(options)
    context.session.continue_(background=invocation.background)


def _command_line(program: str, arguments: str) -> list[str]:
    """``program`` with ``arguments``; through a shell where these say more than words."""
    if re.search(r"[<>|&;*?$`(){}\[\]~]", re.sub(r"'[^']*'", "", arguments)):
        return ["/bin/sh", "-c", f"exec {shlex.quote(program)} {arguments}"]
    return [program, *split_arguments(arguments)]


@builtin.command(
    "attach",
    Category.RUNNING,
    "Attach to a running process",
    arguments=(Argument("pid", Kind.PROCESS, "process id"),),
    example="attach 4711",
    description="If the program was started with LD_AUDIT set to libzedbg_hold.so (zedbg doctor "
    "prints its path), the values that it gave specialization constants before are known, too.",
    repeats=Repeat.NO,
    background=True,
    python="session = zedbg.attach({arguments})",
)
def attach_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0)
    if not text.isdecimal():
        raise CommandError(f'"{text}" is not a process id.')
    context.driver(int(text))
    context.session.attach(int(text), background=invocation.background)
    return []


@builtin.command(
    "detach",
    Category.RUNNING,
    "Detach from the process: it continues without breakpoints",
    requires=Requirement.PROCESS,
    repeats=Repeat.NO,
    python="session.detach()",
)
def detach_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    process = context.session.process
    pid = process.pid if process else 0
    context.session.detach()
    context.show_pending_events()
    context.emit(ProcessEvent("detached", pid))
    return []


@builtin.command(
    "kill",
    Category.RUNNING,
    "Kill the process",
    aliases=("k",),
    requires=Requirement.PROCESS,
    repeats=Repeat.NO,
    python="session.kill()",
)
def kill_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.require_confirmation("Kill the program being debugged?")
    kill_process(context)
    return []


def _continue_in_python(_context: CommandContext, invocation: Invocation) -> str:
    match invocation.optional(0):
        case None:
            return "stop = session.continue_()"
        case "-a":
            return "stop = session.continue_(all_threads=True)"
        case count:
            ignored = count_of(invocation) - 1
            skip = f"session.stop.breakpoint.ignore_count = {ignored}  # {count} hits"
            return f"{skip}\nstop = session.continue_()"


@builtin.command(
    "continue",
    Category.RUNNING,
    "Continue until the next stop",
    aliases=("c", "fg"),
    arguments=(
        Argument(
            "count",
            Kind.NUMBER,
            "ignore the breakpoint's next COUNT - 1 hits; or -a: every stopped thread, in non-stop "
            "mode",
            optional=True,
        ),
    ),
    requires=Requirement.PROCESS,
    description="In non-stop mode it resumes the focused thread, or all threads with -a. It "
    "returns at the next stop of any thread, or at once with &.",
    background=True,
    python=_continue_in_python,
)
def continue_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    all_threads = invocation.optional(0) == "-a"
    if all_threads:
        context.session.require_non_stop()
    count = 1 if all_threads else count_of(invocation)
    stop = context.session.stop
    if count > 1:
        if stop is None or stop.breakpoint is None:
            raise CommandError("Not stopped at a breakpoint: a count has no meaning here.")
        stop.breakpoint.ignore_count = count - 1
    if context.goes_back:
        context.session.time.continue_()
    else:
        context.session.continue_(all_threads=all_threads, background=invocation.background)
    return []


@builtin.command(
    "step",
    Category.RUNNING,
    "Step to the next source line, entering calls",
    aliases=("s",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description="The focused thread steps, all others stay stopped.",
    background=True,
    python="{thread}.step({arguments})",
)
def step_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _step_line(context, invocation, over_calls=False)
    return []


@builtin.command(
    "next",
    Category.RUNNING,
    "Step to the next source line, but step over calls",
    aliases=("n",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description="The focused thread steps, all others stay stopped.",
    background=True,
    python="{thread}.next({arguments})",
)
def next_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _step_line(context, invocation, over_calls=True)
    return []


def _step_line(context: CommandContext, invocation: Invocation, *, over_calls: bool) -> None:
    context.session.settings.steps_into_code_without_lines = context.settings.is_on("step-mode")
    count, follow_lane = count_of(invocation), context.settings.is_on("follow-lane")
    moves = context.session.time if context.goes_back else context.session
    context.move(invocation, lambda: moves.step_line(count, over_calls, follow_lane))


@builtin.command(
    "stepi",
    Category.RUNNING,
    "Execute one instruction",
    aliases=("si",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description="The focused thread steps, all others stay stopped.",
    background=True,
    python="{thread}.step_instruction({arguments})",
)
def stepi_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    count = count_of(invocation)
    moves = context.session.time if context.goes_back else context.session
    context.move(invocation, lambda: moves.step_instruction(count))
    return []


@builtin.command(
    "nexti",
    Category.RUNNING,
    "Execute one instruction, but step over calls",
    aliases=("ni",),
    arguments=(COUNT,),
    requires=Requirement.STOPPED_THREAD,
    description="The focused thread steps, all others stay stopped.",
    background=True,
)
def nexti_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    count = count_of(invocation)
    moves = context.session.time if context.goes_back else context.session
    context.move(invocation, lambda: moves.step_instruction(count, over_calls=True))
    return []
