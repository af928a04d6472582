"""Runs one kernel of a module through Level Zero, as any host program would."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from zedbg.frontends.kernel.arguments import Buffer, ElementType, KernelArgument, Local, Scalar
from zedbg.levelzero.core_commands import CommandList, CommandQueue
from zedbg.levelzero.core_driver import Device, all_devices
from zedbg.levelzero.core_memory import Allocation, Context, MemoryKind
from zedbg.levelzero.core_module import Kernel, Module

_POLL_NANOSECONDS = 100_000_000
"""How long one wait lasts: Python answers Ctrl-C between two of them."""

Size = tuple[int, int, int]


class HostError(Exception):
    """The launch cannot be made as asked; the message is the line for the user."""


@dataclass(frozen=True)
class BufferResult:
    """A buffer after the kernel ran."""

    argument: int
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
        kernel.set_group_size(*group_size)
        memory = _bind(context, device, kernel, arguments)
        _launch(context, device, kernel, group_count, arguments, memory)
        buffers = [
            BufferResult(index, argument.type, argument.count, bytes(memory[index].view()))
            for index, argument in enumerate(arguments)
            if isinstance(argument, Buffer)
        ]
        for allocation in memory.values():
            allocation.free()
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
    kernels = [name for name in names if name != "Intel_Symbol_Table_Void_Program"]
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


def _bind(
    context: Context, device: Device, kernel: Kernel, arguments: list[KernelArgument]
) -> dict[int, Allocation]:
    """Sets every argument; the host memory that holds each buffer's content, by index."""
    memory: dict[int, Allocation] = {}
    for index, argument in enumerate(arguments):
        match argument:
            case Scalar(_, data):
                kernel.set_argument_bytes(index, data)
            case Local(size):
                kernel.set_argument_local(index, size)
            case Buffer(_, _, data, _):
                memory[index] = context.allocate(MemoryKind.HOST, len(data))
                memory[index].view()[:] = data
    return memory


def _launch(
    context: Context,
    device: Device,
    kernel: Kernel,
    group_count: Size,
    arguments: list[KernelArgument],
    memory: dict[int, Allocation],
) -> None:
    commands = CommandList(context, device)
    on_device: dict[int, Allocation] = {}
    for index, host in memory.items():
        on_device[index] = context.allocate(MemoryKind.DEVICE, host.size, device)
        kernel.set_argument_memory(index, on_device[index])
        commands.append_copy(on_device[index], host, host.size)
    commands.append_barrier()
    commands.append_launch(kernel, group_count)
    commands.append_barrier()
    for index, host in memory.items():
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
