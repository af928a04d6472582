"""Ends the process under debug, for commands and for the end of zedbg."""

from __future__ import annotations

from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.events import ExitEvent, ProcessEvent


def kill_process(context: CommandContext) -> None:
    """Ends the process under debug, and says so instead of reporting the signal that did it."""
    process = context.session.process
    context.is_killing = True
    try:
        context.show_pending_events()
    finally:  # also where that cannot be written, as the terminal is gone
        context.session.kill()
    for event in context.take_pending_events():
        if not isinstance(event, ExitEvent):
            context.emit(event)
    context.is_killing = False
    if process is not None:
        context.emit(ProcessEvent("killed", process.pid))
