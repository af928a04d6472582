"""Commands about core files: what is stopped now, to be looked at later and elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zedbg.commands.describe.saving_cores import core_name, save_core
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.core_rows import CoreRow
from zedbg.commands.rows.row import Row

if TYPE_CHECKING:
    from zedbg.cores.saved import Core


_WITH_SOURCES = "-s"


@builtin.command(
    "generate-core-file",
    Category.FILES,
    "Save what is stopped in a core file: threads, registers, memory, modules",
    aliases=("gcore",),
    arguments=(
        Argument(
            "file",
            Kind.FILE,
            "where to; default: core.PID. Before it, -s: with the texts of source files",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="generate-core-file -s /tmp/core",
    description="`zedbg core FILE` opens it, on any machine. `set core-limit` says how many MiB of "
    "memory are saved at most.",
)
def generate_core_file_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    given = invocation.optional(0) or ""
    option, _, rest = given.partition(" ")
    with_sources = option == _WITH_SOURCES
    name = rest.strip() if with_sources else given
    path = Path(name).expanduser() if name else Path(core_name(context))
    return [save_core(context, path, with_sources=with_sources)]


@builtin.command(
    "core-file",
    Category.FILES,
    "Look at a core file: every command works that needs nothing to run",
    arguments=(Argument("file", Kind.FILE, "the core file", rest=True),),
    example="core-file core.4711",
    description="`detach` leaves it.",
)
def core_file_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    from zedbg.cores.opening import open_core

    path = Path(invocation.text(0)).expanduser()
    core = open_core(context.session, path)
    for name, text in core.sources.items():
        context.sources.give(name, text)
    return [_opened(core, path)]


def _opened(core: Core, path: Path) -> CoreRow:
    return CoreRow(
        path=str(path),
        action="opened",
        pid=core.pid,
        made=core.made,
        threads=sum(len(device.threads) for device in core.devices),
        memory=sum(each.size for device in core.devices for each in device.memory),
        left_out=sum(size for device in core.devices for _, size in device.left_out),
        size=path.stat().st_size,
    )
