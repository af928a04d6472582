"""Contexts and USM allocations."""

from __future__ import annotations

from enum import Enum
from typing import Self

from zedbg.levelzero.core_driver import Device, Driver
from zedbg.levelzero.enums import StructureType
from zedbg.levelzero.level_zero_errors import check
from zedbg.levelzero.loader import CData, ffi, library, new_structure


class MemoryKind(Enum):
    """Who can reach an allocation."""

    DEVICE = "device"
    HOST = "host"
    SHARED = "shared"


class Context:
    """A context; a context manager that destroys it at the end of its block."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        description = new_structure("ze_context_desc_t", StructureType.CONTEXT_DESC)
        handle = ffi.new("ze_context_handle_t *")
        check(library().zeContextCreate(driver.handle, description, handle), "create a context")
        self.handle: CData = handle[0]

    def allocate(
        self, kind: MemoryKind, size: int, device: Device | None = None, alignment: int = 64
    ) -> Allocation:
        """``size`` bytes; ``device`` is required for device and shared memory."""
        return Allocation(self, kind, size, device, alignment)

    def close(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeContextDestroy(handle), "destroy the context")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Allocation:
    """USM memory of ``size`` bytes at ``address`` (the same number on host and device)."""

    def __init__(
        self, context: Context, kind: MemoryKind, size: int, device: Device | None, alignment: int
    ) -> None:
        if kind is not MemoryKind.HOST and device is None:
            raise ValueError(f"{kind.value} memory needs a device")
        self.context = context
        self.kind = kind
        self.size = size
        self.pointer: CData = None
        pointer = ffi.new("void **")
        on_device = new_structure("ze_device_mem_alloc_desc_t", StructureType.DEVICE_MEM_ALLOC_DESC)
        on_host = new_structure("ze_host_mem_alloc_desc_t", StructureType.HOST_MEM_ALLOC_DESC)
        lib = library()
        if kind is MemoryKind.HOST:
            result = lib.zeMemAllocHost(context.handle, on_host, size, alignment, pointer)
        elif kind is MemoryKind.DEVICE:
            assert device is not None
            result = lib.zeMemAllocDevice(
                context.handle, on_device, size, alignment, device.handle, pointer
            )
        else:
            assert device is not None
            result = lib.zeMemAllocShared(
                context.handle, on_device, on_host, size, alignment, device.handle, pointer
            )
        check(result, f"allocate {size} bytes of {kind.value} memory")
        self.pointer = pointer[0]

    @property
    def address(self) -> int:
        return int(ffi.cast("uintptr_t", self.pointer))

    def view(self) -> memoryview:
        """The memory itself, writable; host and shared memory only. Raises ValueError."""
        if self.kind is MemoryKind.DEVICE:
            raise ValueError("device memory is not accessible from the host: copy it")
        return memoryview(ffi.buffer(self.pointer, self.size))

    def free(self) -> None:
        if self.pointer is not None:
            pointer, self.pointer = self.pointer, None
            check(library().zeMemFree(self.context.handle, pointer), "free memory")
