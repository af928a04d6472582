"""The call stacks of all threads."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe.stacks import stack_rows
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Category, Invocation, Requirement, builtin
from zedbg.commands.rows.row import Nothing, Row


@builtin.command(
    "stacks",
    Category.STACK,
    "Show where every stopped thread is: threads with the same call stack together",
    requires=Requirement.PROCESS,
    description="The largest group comes first. After the groups come the variables of the focused "
    "lane. zedbg stacks PID shows the same of a program that runs, and lets it go on.",
    example="stacks",
    python="print(session.stacks())",
)
def stacks_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return stack_rows(context.session) or [Nothing("No thread of a device is stopped.")]
