"""What a module says of a kernel: resources, arguments, payload."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from zedbg.commands.context import CommandContext
from zedbg.commands.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.errors import CommandError
from zedbg.commands.module_rows import kernel_detail
from zedbg.commands.rows import Row


@builtin.command(
    "zeinfo",
    Category.STATUS,
    "Show what the module says of a kernel: its resources, arguments and payload",
    arguments=(
        Argument("kernel", Kind.KERNEL, "name or glob; the focused kernel without", optional=True),
    ),
    requires=Requirement.PROCESS,
    example="zeinfo vadd",
    description="`zedbg inspect FILE` shows the same of a file.",
)
def zeinfo_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = invocation.optional(0)
    if pattern is None:
        focused = context.thread.kernel
        if focused is None:
            raise CommandError("No kernel's thread is stopped: name one, as in: zeinfo vadd")
        pattern = focused.name
    rows = [
        kernel_detail(module.image, kernel, module.debug_info)
        for device in context.session.devices
        for module in device.modules
        if module.image is not None
        for name in module.image.kernel_names
        if name == pattern or fnmatchcase(name, pattern)
        if (kernel := module.image.kernel(name)) is not None
    ]
    if not rows:
        raise CommandError(f'No kernel matches "{pattern}" in the loaded modules.')
    return rows
