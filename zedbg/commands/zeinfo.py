"""What a module says of a kernel: resources, arguments, payload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from zedbg.commands.describe.constant_values import constant_values
from zedbg.commands.describe.program_images import program_image
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.image_rows import image_detail
from zedbg.commands.rows.module_rows import kernel_detail, kernel_source
from zedbg.commands.rows.row import Row, Text
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.sycl.kernel_names import demangled
from zedbg.sycl.sycl_errors import SyclError


@builtin.command(
    "zeinfo",
    Category.STATUS,
    "Show what zeinfo says about a kernel: its resources, arguments and payload",
    arguments=(
        Argument(
            "kernel",
            Kind.KERNEL,
            "name or glob; default: the focused kernel",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.PROCESS,
    example="zeinfo vadd",
    description="For a SYCL program, the kernel's device image is shown, too: removed arguments, "
    "specialization constants. `zedbg inspect FILE` shows the same for a file.",
)
def zeinfo_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = invocation.optional(0)
    if pattern is None:
        focused = context.thread.kernel
        if focused is None:
            raise CommandError("No kernel's thread is stopped: name one, as in: zeinfo vadd")
        pattern = focused.name
    rows: list[Row] = []
    for device in context.session.devices:
        for module in device.modules:
            rows += _pages(context, module, pattern)
    if not rows:
        raise CommandError(f'No kernel matches "{pattern}" in the loaded modules.')
    return rows


def _pages(context: CommandContext, module: LoadedModule, pattern: str) -> Iterator[Row]:
    """The pages of the module's kernels that ``pattern`` means, and of the image after them."""
    if module.image is None:
        return
    found = False
    for name in module.image.kernel_names:
        if not any(n == pattern or fnmatchcase(n, pattern) for n in (name, demangled(name))):
            continue
        kernel = module.image.kernel(name)
        if kernel is not None:
            found = True
            source = kernel_source(kernel, module.debug_info)
            yield kernel_detail(module.image, kernel, source)
    image = program_image(context, module) if found else None
    if image is not None:
        try:
            values = constant_values(context, module, image.image)
            yield image_detail(image.number, image.image, values)
        except SyclError as error:
            yield Text(f"The device image cannot be shown: {error}")
