"""What commands say of the program on the processor, kept in core files: in its own rows.

The program is gone when a core file is looked at, and so are its files. The commands about it
therefore answer once when the file is made, and the file keeps that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from zedbg.commands.describe.constant_values import module_constants
from zedbg.commands.describe.host_frames import launch_rows
from zedbg.commands.describe.program_images import image_text, program_image
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.saved_rows import core_rows
from zedbg.commands.rows.image_rows import ImageConstant
from zedbg.commands.rows.row import Row
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.process.core_process import CoreProcess
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.zebin import ZebinError
from zedbg.zebin.arguments import kernel_arguments

COMMANDS = (
    "info allocations",
    "info allocations all",
    "info host-threads",
    "info launches",
    "info proc",
    "info sharedlibrary",
)
_LAUNCH = "host-backtrace"
_MOST_ROWS = 1 << 16


def answers(context: CommandContext) -> dict[str, Any]:
    """What a core file keeps of the host side of what is stopped now."""
    found: dict[str, Any] = {}
    lines = {each: each for each in COMMANDS}
    for line in lines:
        with contextlib.suppress(UserError):
            found[line] = _saved(context.execute(line))
    kernels = {thread.kernel_name: thread for thread in context.session.stopped_threads()}
    found["source arguments"] = {
        name: _source_arguments(context, thread) for name, thread in kernels.items()
    }
    for name, thread in kernels.items():
        with contextlib.suppress(UserError):
            found[f"{_LAUNCH} {name}"] = _saved(list(launch_rows(context, thread)))
    found["modules"] = {
        str(module.load): {
            "image": image_text(context, module),
            "constants": [each.to_json() for each in module_constants(context, module)],
        }
        for device in context.session.devices
        for module in device.modules
    }
    return found


def _source_arguments(context: CommandContext, thread: HardwareThread) -> dict[str, int | None]:
    """Which of the source's arguments each one of the kernel of ``thread`` is."""
    image, kernel = program_image(context, thread.module), thread.kernel
    if image is None or kernel is None or kernel.info is None:
        return {}
    try:
        arguments = kernel_arguments(kernel.info)
    except ZebinError:
        return {}
    return {str(each.index): image.source_argument(kernel.name, each.index) for each in arguments}


def core_source_argument(context: CommandContext, thread: HardwareThread, index: int) -> int | None:
    """The source's argument that argument ``index`` of the kernel of ``thread`` is, by the core
    file under debug."""
    process = context.process
    kernels = process.host.get("source arguments") if isinstance(process, CoreProcess) else None
    arguments = kernels.get(thread.kernel_name) if isinstance(kernels, dict) else None
    found = arguments.get(str(index)) if isinstance(arguments, dict) else None
    return found if isinstance(found, int) else None


def _saved(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [{"row": type(row).__name__, **row.to_json()} for row in rows]


def core_launch(context: CommandContext) -> Sequence[Row] | None:
    """From where the kernel of the focused thread was launched, by the core file under debug; as
    :func:`core_rows`."""
    if not isinstance(context.process, CoreProcess):
        return None
    return core_rows(context, f"{_LAUNCH} {context.thread.kernel_name}")


def core_image(context: CommandContext, module: LoadedModule) -> str | None:
    """The device image that ``module`` was made from, by the core file under debug."""
    image = _module(context, module).get("image")
    return image if isinstance(image, str) else None


def core_constants(context: CommandContext, module: LoadedModule) -> tuple[ImageConstant, ...]:
    """The specialization constants of ``module``, by the core file under debug."""
    said = _module(context, module).get("constants")
    found = (_constant(each) for each in (said if isinstance(said, list) else ())[:_MOST_ROWS])
    return tuple(each for each in found if each is not None)


def _module(context: CommandContext, module: LoadedModule) -> dict[str, Any]:
    process = context.process
    modules = process.host.get("modules") if isinstance(process, CoreProcess) else None
    found = modules.get(str(module.load)) if isinstance(modules, dict) else None
    return found if isinstance(found, dict) else {}


def _constant(said: object) -> ImageConstant | None:
    if not isinstance(said, dict):
        return None
    value = said.get("value")
    missing = Missing(str(value.get("missing"))) if isinstance(value, dict) else None
    with contextlib.suppress(msgspec.ValidationError):
        found: ImageConstant = msgspec.convert(
            said if missing is None else said | {"value": None}, ImageConstant
        )
        return found if missing is None else replace(found, value=missing)
    return None
