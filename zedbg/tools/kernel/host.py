"""Runs one kernel of a module through Level Zero, as any host program would."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from zedbg.levelzero.core_commands import CommandList, CommandQueue
from zedbg.levelzero.core_driver import Device, all_devices
from zedbg.levelzero.core_images import Image, Sampler
from zedbg.levelzero.core_memory import Allocation, Context, MemoryKind
from zedbg.levelzero.core_module import Kernel, Module
from zedbg.levelzero.enums import ImageType
from zedbg.tools.kernel.arguments import Buffer, KernelArgument, Local, Scalar, Structure
from zedbg.tools.kernel.elements import ElementType
from zedbg.tools.kernel.images import ImageArgument, SamplerArgument
from zedbg.tools.kernel.kinds import check_kinds
from zedbg.user_error import UserError
from zedbg.zebin.elf import FUNCTIONS_NAME

_POLL_NANOSECONDS = 100_000_000
"""How long one wait lasts: Python answers Ctrl-C between two of them."""

Size = tuple[int, int, int]


class HostError(UserError):
    """The launch cannot be made as asked; the message is the line for the user."""


@dataclass(frozen=True)
class BufferResult:
    """A buffer or an image after the kernel ran.

    ``label`` is what it is, ``f32[64]`` or ``image2d[8x8,rgba8]``; ``data`` of an image are rows of
    texels without gaps.
    """

    argument: int
    label: str
    type: ElementType
    count: int
    data: bytes

    @property
    def crc32(self) -> int:
        """CRC-32 of the raw little-endian bytes."""
        return zlib.crc32(self.data)

    def values(self) -> list[int | float]:
        """All elements."""
        return self.type.unpack(self.data)


@dataclass(frozen=True)
class LaunchResult:
    """What a launch did."""

    kernel: str
    device: str
    group_size: Size
    group_count: Size
    buffers: list[BufferResult]


def run_kernel(
    image: bytes,
    kernel_name: str | None,
    global_size: Size,
    local_size: Size | None,
    arguments: list[KernelArgument],
) -> LaunchResult:
    """Loads ``image``, launches the kernel once, and gives the buffers as they are afterwards.

    Args:
        image: a native module (zebin).
        kernel_name: None takes the only kernel of the module.
        global_size: work-items in each dimension.
        local_size: work-items of a group in each dimension; None lets the driver choose.
        arguments: one for each kernel argument.

    Raises:
        HostError: no device, no such kernel, sizes or arguments that do not fit.
        ArgumentError: an image or sampler for what is none, or the reverse.
        LevelZeroError: the driver refuses a call.
    """
    device = _first_gpu()
    with Context(device.driver) as context:
        module = Module(context, device, image)
        kernel = module.kernel(_choose(module.kernel_names, kernel_name))
        group_size, group_count = _groups(kernel, global_size, local_size)
        expected = kernel.properties.argument_count
        if len(arguments) != expected:
            raise HostError(f"{kernel.name} takes {expected} arguments, {len(arguments)} are given")
        check_kinds(image, kernel.name, arguments)
        kernel.set_group_size(*group_size)
        resources = _bind(context, device, kernel, arguments)
        _launch(context, device, kernel, group_count, resources)
        buffers = [
            BufferResult(
                index, _label(argument), argument.type, argument.count,
                bytes(resources.memory[index].view()),
            )
            for index, argument in enumerate(arguments)
            if isinstance(argument, Buffer | ImageArgument)
        ]  # fmt: skip
        resources.release()
        kernel.close()
        module.close()
        return LaunchResult(kernel.name, device.properties.name, group_size, group_count, buffers)


def _first_gpu() -> Device:
    for device in all_devices():
        if device.is_gpu:
            return device
    raise HostError("no GPU: Level Zero's drivers list none")


def _choose(names: list[str], wanted: str | None) -> str:
    # Compilers add an entry for functions that are reachable from outside; it is no kernel.
    kernels = [name for name in names if name != FUNCTIONS_NAME]
    if wanted is None:
        if len(kernels) == 1:
            return kernels[0]
        raise HostError(f"the module has several kernels, name one: {', '.join(kernels)}")
    if wanted not in kernels:
        raise HostError(f"the module has no kernel {wanted!r}: it has {', '.join(kernels)}")
    return wanted


def _groups(kernel: Kernel, global_size: Size, local_size: Size | None) -> tuple[Size, Size]:
    required = kernel.properties.required_group_size
    if local_size is None:
        local_size = required if all(required) else kernel.suggest_group_size(*global_size)
    for axis, items, group in zip("XYZ", global_size, local_size, strict=True):
        if items % group:
            raise HostError(f"--global {axis}={items} is not a multiple of --local {axis}={group}")
    x, y, z = (items // group for items, group in zip(global_size, local_size, strict=True))
    return local_size, (x, y, z)


def _label(argument: Buffer | ImageArgument) -> str:
    if isinstance(argument, ImageArgument):
        return argument.label
    return f"{argument.type.label}[{argument.count}]"


@dataclass
class _Resources:
    """What a launch holds, by argument: host memory with the contents, images and samplers."""

    memory: dict[int, Allocation] = field(default_factory=dict)
    images: dict[int, Image] = field(default_factory=dict)
    samplers: dict[int, Sampler] = field(default_factory=dict)

    def release(self) -> None:
        for allocation in self.memory.values():
            allocation.free()
        for image in self.images.values():
            image.destroy()
        for sampler in self.samplers.values():
            sampler.destroy()


def _bind(
    context: Context, device: Device, kernel: Kernel, arguments: list[KernelArgument]
) -> _Resources:
    """Sets every argument but buffers, whose memory on the device is still to come."""
    resources = _Resources()
    for index, argument in enumerate(arguments):
        match argument:
            case Scalar(_, data) | Structure(data):
                kernel.set_argument_bytes(index, data)
            case Local(size):
                kernel.set_argument_local(index, size)
            case SamplerArgument(address, filter_mode, normalized):
                sampler = Sampler(context, device, address, filter_mode, normalized=normalized)
                resources.samplers[index] = sampler
                kernel.set_argument_sampler(index, sampler)
            case Buffer() | ImageArgument():
                if isinstance(argument, ImageArgument):
                    image = _image(context, device, argument)
                    resources.images[index] = image
                    kernel.set_argument_image(index, image)
                data = argument.data
                resources.memory[index] = context.allocate(MemoryKind.HOST, len(data))
                resources.memory[index].view()[:] = data
    return resources


def _image(context: Context, device: Device, argument: ImageArgument) -> Image:
    is_buffer = argument.shape is ImageType.TYPE_BUFFER  # whose width is in bytes
    return Image(
        context,
        device,
        argument.shape,
        argument.format,
        argument.width * (argument.type.size * argument.channels if is_buffer else 1),
        argument.height,
        argument.layers,
    )


def _launch(
    context: Context, device: Device, kernel: Kernel, group_count: Size, resources: _Resources
) -> None:
    commands = CommandList(context, device)
    on_device: dict[int, Allocation] = {}
    for index, host in resources.memory.items():
        if index in resources.images:
            commands.append_copy_to_image(resources.images[index], host)
            continue
        on_device[index] = context.allocate(MemoryKind.DEVICE, host.size, device)
        kernel.set_argument_memory(index, on_device[index])
        commands.append_copy(on_device[index], host, host.size)
    commands.append_barrier()
    commands.append_launch(kernel, group_count)
    commands.append_barrier()
    for index, host in resources.memory.items():
        if index in resources.images:
            commands.append_copy_from_image(host, resources.images[index])
        else:
            commands.append_copy(host, on_device[index], host.size)
    commands.close()
    queue = CommandQueue(context, device)
    queue.execute([commands])
    while not queue.synchronize(_POLL_NANOSECONDS):
        pass
    queue.destroy()
    commands.destroy()
    for allocation in on_device.values():
        allocation.free()
