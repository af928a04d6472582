"""Modules and kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zedbg.levelzero.core_driver import Device
from zedbg.levelzero.core_images import Image, Sampler
from zedbg.levelzero.core_memory import Allocation, Context
from zedbg.levelzero.enums import ModuleFormat, StructureType
from zedbg.levelzero.level_zero_errors import LevelZeroError, check
from zedbg.levelzero.loader import CData, ffi, library, new_structure, text


@dataclass(frozen=True)
class KernelProperties:
    """ze_kernel_properties_t; sizes in bytes, ``required_group_size`` 0 where free."""

    argument_count: int
    required_group_size: tuple[int, int, int]
    max_subgroup_size: int
    local_memory: int
    private_memory: int
    spill_memory: int


class Module:
    """A module built from SPIR-V or a native binary; ``build_log`` is the driver's text."""

    def __init__(
        self,
        context: Context,
        device: Device,
        image: bytes,
        module_format: ModuleFormat = ModuleFormat.NATIVE,
        build_flags: str = "",
    ) -> None:
        self.context = context
        self.device = device
        self.build_log = ""
        description = new_structure("ze_module_desc_t", StructureType.MODULE_DESC)
        description.format = module_format
        description.inputSize = len(image)
        source = ffi.new("uint8_t[]", image) if image else ffi.NULL
        description.pInputModule = source
        flags = ffi.new("char[]", build_flags.encode())
        description.pBuildFlags = flags
        handle = ffi.new("ze_module_handle_t *")
        log = ffi.new("ze_module_build_log_handle_t *")
        result = library().zeModuleCreate(context.handle, device.handle, description, handle, log)
        if log[0] != ffi.NULL:
            self.build_log = _take_build_log(log[0])
        try:
            check(result, "build the module", device.properties.name)
        except LevelZeroError as error:
            if self.build_log.strip():
                error.add_note(self.build_log.strip())
            raise
        self.handle: CData = handle[0]

    @cached_property
    def kernel_names(self) -> list[str]:
        """The module's kernels, and what the compiler added for other functions."""
        count = ffi.new("uint32_t *")
        call = library().zeModuleGetKernelNames
        check(call(self.handle, count, ffi.NULL), "list the module's kernels")
        names = ffi.new("const char *[]", count[0])
        check(call(self.handle, count, names), "list the module's kernels")
        return [text(names[index]) for index in range(count[0])]

    def kernel(self, name: str) -> Kernel:
        """A kernel of its own, whose arguments are not set yet. LevelZeroError for a wrong name."""
        return Kernel(self, name)

    def debug_info(self) -> bytes:
        """The relocated ELF that a debugger gets; empty when the driver keeps none."""
        size = ffi.new("size_t *")
        call = library().zetModuleGetDebugInfo
        check(call(self.handle, 0, size, ffi.NULL), "read the module's debug information")
        if size[0] == 0:
            return b""
        data = ffi.new("uint8_t[]", size[0])
        check(call(self.handle, 0, size, data), "read the module's debug information")
        return bytes(ffi.buffer(data, size[0]))

    def close(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeModuleDestroy(handle), "destroy the module")


class Kernel:
    """A kernel of a module, with its arguments and group size as set so far."""

    def __init__(self, module: Module, name: str) -> None:
        self.module = module
        self.name = name
        description = new_structure("ze_kernel_desc_t", StructureType.KERNEL_DESC)
        name_bytes = ffi.new("char[]", name.encode())
        description.pKernelName = name_bytes
        handle = ffi.new("ze_kernel_handle_t *")
        check(
            library().zeKernelCreate(module.handle, description, handle),
            "create the kernel",
            name,
        )
        self.handle: CData = handle[0]

    @cached_property
    def properties(self) -> KernelProperties:
        raw = new_structure("ze_kernel_properties_t", StructureType.KERNEL_PROPERTIES)
        check(
            library().zeKernelGetProperties(self.handle, raw),
            "read the kernel's properties",
            self.name,
        )
        return KernelProperties(
            argument_count=raw.numKernelArgs,
            required_group_size=(
                raw.requiredGroupSizeX,
                raw.requiredGroupSizeY,
                raw.requiredGroupSizeZ,
            ),
            max_subgroup_size=raw.maxSubgroupSize,
            local_memory=raw.localMemSize,
            private_memory=raw.privateMemSize,
            spill_memory=raw.spillMemSize,
        )

    def set_group_size(self, x: int, y: int = 1, z: int = 1) -> None:
        check(
            library().zeKernelSetGroupSize(self.handle, x, y, z),
            f"set the work-group size to {x},{y},{z}",
            self.name,
        )

    def suggest_group_size(self, x: int, y: int = 1, z: int = 1) -> tuple[int, int, int]:
        """A work-group size for a global size of ``x``, ``y``, ``z`` work-items."""
        sizes = ffi.new("uint32_t[3]")
        check(
            library().zeKernelSuggestGroupSize(self.handle, x, y, z, sizes, sizes + 1, sizes + 2),
            "suggest a work-group size",
            self.name,
        )
        return sizes[0], sizes[1], sizes[2]

    def set_argument_bytes(self, index: int, data: bytes) -> None:
        """A by-value argument, little endian."""
        value = ffi.new("uint8_t[]", data)
        self._set_argument(index, len(data), value)

    def set_argument_memory(self, index: int, memory: Allocation) -> None:
        value = ffi.new("void **", memory.pointer)
        self._set_argument(index, ffi.sizeof("void *"), value)

    def set_argument_image(self, index: int, image: Image) -> None:
        self._set_argument(
            index, ffi.sizeof("void *"), ffi.new("ze_image_handle_t *", image.handle)
        )

    def set_argument_sampler(self, index: int, sampler: Sampler) -> None:
        self._set_argument(
            index, ffi.sizeof("void *"), ffi.new("ze_sampler_handle_t *", sampler.handle)
        )

    def set_argument_local(self, index: int, size: int) -> None:
        """``size`` bytes of local memory for a ``local`` pointer argument."""
        self._set_argument(index, size, ffi.NULL)

    def _set_argument(self, index: int, size: int, value: CData) -> None:
        check(
            library().zeKernelSetArgumentValue(self.handle, index, size, value),
            f"set argument {index} ({size} bytes)",
            self.name,
        )

    def close(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeKernelDestroy(handle), "destroy the kernel", self.name)


def _take_build_log(log: CData) -> str:
    size = ffi.new("size_t *")
    lib = library()
    log_text = ""
    if lib.zeModuleBuildLogGetString(log, size, ffi.NULL) == 0 and size[0] > 0:
        data = ffi.new("char[]", size[0])
        if lib.zeModuleBuildLogGetString(log, size, data) == 0:
            log_text = text(data, size[0])
    lib.zeModuleBuildLogDestroy(log)
    return log_text
