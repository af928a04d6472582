"""The device images of the program under debug, for commands."""

from __future__ import annotations

from zedbg.commands.framework.context import CommandContext
from zedbg.engine.modules.device_images import ProgramImage, image_of_module
from zedbg.engine.modules.loaded_module import LoadedModule


def program_image(context: CommandContext, module: LoadedModule | None) -> ProgramImage | None:
    """The device image that ``module`` was made from; None when none of the program's is it."""
    if context.session.process is None or module is None or module.image is None:
        return None
    # Of the program that uses the device: it may be a child of the process that was started.
    return image_of_module(module.pid, tuple(module.image.kernel_names))


def image_text(context: CommandContext, module: LoadedModule) -> str | None:
    """The image as ``info modules`` names it: its file and its number there."""
    found = program_image(context, module)
    return None if found is None else f"{found.path.name}, image {found.number}"
