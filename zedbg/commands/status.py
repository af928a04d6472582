"""Commands that list what is there: devices, modules, kernels."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from zedbg.commands.describe.constant_values import module_constants
from zedbg.commands.describe.core_answers import core_constants, core_image
from zedbg.commands.describe.program_images import image_text
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.rows.row import Nothing, Row
from zedbg.commands.rows.session_rows import DeviceRow, KernelRow, ModuleRow
from zedbg.sycl.kernel_names import demangled


@builtin.command(
    "info devices",
    Category.STATUS,
    "List the devices under debug",
    requires=Requirement.PROCESS,
)
def info_devices_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = []
    for device in context.session.devices:
        properties, shape = device.properties, device.topology
        rows.append(
            DeviceRow(
                number=device.number,
                name=device.name,
                vendor_id=properties.vendor_id,
                device_id=properties.device_id,
                slices=shape.slices,
                subslices=shape.subslices_per_slice,
                eus=shape.eus_per_subslice,
                threads_per_eu=shape.threads_per_eu,
                threads=shape.thread_count,
                state="attached" if device.attached else "detached",
            )
        )
    return rows or [Nothing("No devices.")]


@builtin.command(
    "info modules",
    Category.STATUS,
    "List the modules that the program has loaded",
    requires=Requirement.PROCESS,
)
def info_modules_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = [
        ModuleRow(
            number=module.number,
            device=device.number,
            load=module.load,
            size=module.end - module.begin,
            kernels=tuple(map(demangled, module.kernel_names)),
            debug_info=module.debug_info is not None,
            debug_info_advice=module.debug_info_advice if module.debug_info is None else None,
            build_options=module.build_options,
            image=core_image(context, module) or image_text(context, module),
            constants={
                each.name: each.value_number if each.value_number is not None else each.value
                for each in core_constants(context, module) or module_constants(context, module)
            },
        )
        for device in context.session.devices
        for module in device.modules
    ]
    return rows or [Nothing("No modules loaded.")]


@builtin.command(
    "info kernels",
    Category.STATUS,
    "List the kernels of the loaded modules and the resources that they use",
    arguments=(Argument("pattern", Kind.KERNEL, "name or glob", optional=True),),
    requires=Requirement.PROCESS,
    example="info kernels v*",
)
def info_kernels_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = invocation.optional(0) or "*"
    rows: list[Row] = []
    for device in context.session.devices:
        for module in device.modules:
            for kernel in module.kernels:
                name = demangled(kernel.name)
                if not (fnmatchcase(kernel.name, pattern) or fnmatchcase(name, pattern)):
                    continue
                execution = kernel.execution
                rows.append(
                    KernelRow(
                        name=name,
                        module=module.number,
                        address=kernel.address,
                        size=kernel.size,
                        simd=execution.simd_size,
                        grf=execution.grf_count,
                        slm=execution.slm_size,
                        barriers=execution.barrier_count,
                        private=execution.private_size,
                        spill=execution.spill_size,
                        arguments=len(kernel.arguments),
                        symbol=kernel.name,
                    )
                )
    if not rows:
        return [Nothing("No kernels." if pattern == "*" else f'No kernel matches "{pattern}".')]
    return rows
