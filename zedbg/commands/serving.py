"""Sharing the session with other programs."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.rows.row import Row, Text


@builtin.command(
    "serve",
    Category.SUPPORT,
    "Let other programs of yours use this session, through a Unix socket",
    arguments=(Argument("socket", Kind.FILE, "where", optional=True, rest=True),),
    example="serve /tmp/session",
    description="`zedbg connect SOCKET` is a shell in it, and zedbg.connect(SOCKET) a session for "
    "a script. Nobody else can connect.",
)
def serve_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    path = context.serve(invocation.optional(0))
    return [Text(f"Serving at {path}")]
