"""The values of a module's specialization constants in the program under debug.

The compiler of SPIR-V is given them, of which the debugger hears; what was compiled ahead reads
them from a buffer, which SYCL programs pass after the arguments of the kernel's source.
"""

from __future__ import annotations

from collections.abc import Mapping

from zedbg.commands.describe.program_images import program_image
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.image_rows import ImageConstant, image_constants
from zedbg.engine.memory.argument_values import argument_value
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.module_constants import (
    ModuleConstants,
    buffer_size,
    built_value,
    recorded_build,
    values_in_buffer,
)
from zedbg.engine.process.constants_message import recorded_constants
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.property_values import SpecializationConstant
from zedbg.sycl.sycl_errors import SyclError
from zedbg.zebin.arguments import ArgumentKind, KernelArgument, kernel_arguments
from zedbg.zebin.formats import FileFormat

# As the SYCL compiler calls the argument: __specialization_constants_buffer, after _arg_.
_BUFFER_NAME = "specialization_constants_buffer"
# Its type; modules that keep no names of arguments may keep their types.
_BUFFER_TYPES = frozenset({"char*", "uchar*"})
_NO_THREAD = Missing("passed to each kernel: known while a thread of it is stopped")
_NO_BUFFER = Missing("the kernel has no argument for them")
_UNHEARD = Missing(
    "given when the module was built: known only if zedbg started the program, or it has loaded "
    "libzedbg_hold.so (help attach)"
)
_NO_DEFAULT = Missing("given no value when the module was built, and the image has no default")

ConstantValues = Mapping[str, bytes | Missing]


def constant_values(
    context: CommandContext, module: LoadedModule, image: DeviceImage
) -> ConstantValues:
    """The bytes of each specialization constant of ``image``, from which ``module`` was made.

    By the constants' symbols; Missing where a value is not known. Raises SyclError when the image
    is damaged.
    """
    constants = image.property_sets.specialization_constants
    if not constants:
        return {}
    if image.format is FileFormat.SPIRV:
        return _given_at_build(context, module, image, constants)
    focus = context.session.focus
    thread = None if focus is None else focus.thread
    if thread is None or thread.module is not module:
        return {constant.name: _NO_THREAD for constant in constants}
    buffer = _buffer(thread, image, buffer_size(constants))
    if isinstance(buffer, Missing):
        return {constant.name: buffer for constant in constants}
    return values_in_buffer(constants, buffer)


def module_constants(
    context: CommandContext, module: LoadedModule | None
) -> tuple[ImageConstant, ...]:
    """The specialization constants of the image that ``module`` was made from, with their values.

    None where the program has no such image, or a damaged one.
    """
    found = program_image(context, module)
    if module is None or found is None:
        return ()
    try:
        return image_constants(found.image, constant_values(context, module, found.image))
    except SyclError:
        return ()


def _given_at_build(
    context: CommandContext,
    module: LoadedModule,
    image: DeviceImage,
    constants: tuple[SpecializationConstant, ...],
) -> ConstantValues:
    session = context.session
    spirv = image.data()
    pid = module.pid
    built = session.built_modules.of_module(module.number, pid, spirv)
    if built is None and (session.process is None or not session.process.is_child):
        recorded = recorded_build(recorded_constants(pid), spirv)
        if not isinstance(recorded, ModuleConstants):
            reason = _UNHEARD if recorded is None else _differing(recorded)
            return {constant.name: reason for constant in constants}
        built = recorded
    values: dict[str, bytes | Missing] = {}
    for constant in constants:
        value = constant.default if built is None else built_value(constant, built)
        values[constant.name] = _NO_DEFAULT if value is None else value
    return values


def _differing(builds: int) -> Missing:
    return Missing(f"the program built {builds} modules of this image, with different values")


def _buffer(thread: HardwareThread, image: DeviceImage, size: int) -> bytes | Missing:
    """The buffer of the values that the kernel of ``thread`` was passed: ``size`` bytes."""
    kernel = thread.kernel
    if kernel is None or kernel.info is None:
        return _NO_BUFFER
    added = image.property_sets.implicit_local_argument(kernel.name)
    arguments = [each for each in kernel_arguments(kernel.info) if each.index != added]
    argument = _buffer_argument(arguments)
    if argument is None:
        return _NO_BUFFER
    address = argument_value(thread, argument)
    if isinstance(address, Missing):
        return address
    if not isinstance(address, int) or address == 0:
        return Missing("the program passed no buffer of them")
    try:
        return thread.device.read_memory(address, size, thread)
    except LevelZeroError as error:
        return Missing(f"the buffer at {address:#x} cannot be read: {error}")


def _buffer_argument(arguments: list[KernelArgument]) -> KernelArgument | None:
    """The argument that is the buffer: by its name, or the last one if it is nameless bytes."""
    for argument in arguments:
        if argument.name is not None and argument.name.endswith(_BUFFER_NAME):
            return argument
    if not arguments or arguments[-1].name or arguments[-1].kind is not ArgumentKind.BUFFER:
        return None
    last = arguments[-1]
    return last if (last.type_name or "char*") in _BUFFER_TYPES else None
