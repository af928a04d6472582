"""Where every stopped thread is, as text."""

from __future__ import annotations

from zedbg.commands.describe.stacks import stack_rows
from zedbg.engine.sessions.session import Session
from zedbg.frontends.text.rendering import render


def stack_report(session: Session) -> str:
    """Groups of threads with the same call stack, then the variables of the focused lane, as the
    command ``stacks`` shows them. Raises ProgramRunsError."""
    return "\n".join(render(stack_rows(session))) or "No thread of a device is stopped."
