"""The line at the bottom of the terminal: device, focus, what the program does, locking."""

from __future__ import annotations

import re

from zedbg.commands.framework.context import CommandContext
from zedbg.engine.ground.session_state import SessionState

_SEPARATOR = " | "
# What the names of all devices have.
_NOT_TELLING = re.compile(r"\((?:R|TM)\)|\bIntel\b|\bGraphics\b")


def toolbar_text(context: CommandContext, columns: int) -> str:
    """One line of at most ``columns`` characters; nothing is read from a device for it.

    The parts that matter least are left out where the terminal is narrow.
    """
    session = context.session
    focus = session.selected
    parts = [session.state.value]
    if focus is not None and session.state is SessionState.STOPPED:
        parts.insert(0, f"{focus.thread.id}:{focus.lane}")
    if session.non_stop:
        parts.append("non-stop")
    parts.append(f"scheduler-locking {context.settings.text('scheduler-locking')}")
    if session.devices:
        device = focus.thread.device if focus is not None else session.devices[0]
        name = device.properties.name
        parts.insert(0, name)
        if len(_SEPARATOR.join(parts)) > columns - 2:
            parts[0] = " ".join(_NOT_TELLING.sub(" ", name).split())
    while parts[1:] and len(_SEPARATOR.join(parts)) > columns - 2:
        del parts[0]
    return f" {_SEPARATOR.join(parts)} "[:columns]
