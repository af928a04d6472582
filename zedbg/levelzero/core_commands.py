"""Command lists and queues, and what a host waits on: fences and events."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.levelzero.core_driver import Device
from zedbg.levelzero.core_images import Image
from zedbg.levelzero.core_memory import Allocation, Context
from zedbg.levelzero.core_module import Kernel
from zedbg.levelzero.enums import EventPoolFlag, EventScope, QueueMode, Result, StructureType
from zedbg.levelzero.level_zero_errors import check
from zedbg.levelzero.loader import CData, ffi, library, new_structure

FOREVER = 0xFFFFFFFFFFFFFFFF


class CommandList:
    """A regular command list: append, close, execute on a queue."""

    def __init__(self, context: Context, device: Device) -> None:
        description = new_structure("ze_command_list_desc_t", StructureType.COMMAND_LIST_DESC)
        description.commandQueueGroupOrdinal = device.compute_queue_ordinal
        handle = ffi.new("ze_command_list_handle_t *")
        check(
            library().zeCommandListCreate(context.handle, device.handle, description, handle),
            "create a command list",
            device.properties.name,
        )
        self.handle: CData = handle[0]

    def append_copy(
        self,
        destination: CData,
        source: CData,
        size: int,
        signal: Event | None = None,
        wait: Sequence[Event] = (),
    ) -> None:
        """Copies ``size`` bytes. Both ends: an Allocation, or a cffi pointer to host memory that
        lives until the copy is done."""
        waits, count = _events(wait)
        check(
            library().zeCommandListAppendMemoryCopy(
                self.handle, _pointer(destination), _pointer(source), size, _handle(signal),
                count, waits,
            ),
            f"append a copy of {size} bytes",
        )  # fmt: skip

    def append_copy_to_image(self, image: Image, source: Allocation) -> None:
        """Fills the whole image from rows of texels without gaps."""
        check(
            library().zeCommandListAppendImageCopyFromMemory(
                self.handle, image.handle, source.pointer, ffi.NULL, ffi.NULL, 0, ffi.NULL
            ),
            "append a copy to an image",
        )

    def append_copy_from_image(self, destination: Allocation, image: Image) -> None:
        """Copies the whole image into rows of texels without gaps."""
        check(
            library().zeCommandListAppendImageCopyToMemory(
                self.handle, destination.pointer, image.handle, ffi.NULL, ffi.NULL, 0, ffi.NULL
            ),
            "append a copy from an image",
        )

    def append_launch(
        self,
        kernel: Kernel,
        groups: tuple[int, int, int],
        signal: Event | None = None,
        wait: Sequence[Event] = (),
    ) -> None:
        """Launches ``groups`` work-groups in x, y and z."""
        count = ffi.new("ze_group_count_t *", list(groups))
        waits, wait_count = _events(wait)
        check(
            library().zeCommandListAppendLaunchKernel(
                self.handle, kernel.handle, count, _handle(signal), wait_count, waits
            ),
            "append the kernel's launch",
            kernel.name,
        )

    def append_barrier(self) -> None:
        check(
            library().zeCommandListAppendBarrier(self.handle, ffi.NULL, 0, ffi.NULL),
            "append a barrier",
        )

    def close(self) -> None:
        """Ends recording (zeCommandListClose)."""
        check(library().zeCommandListClose(self.handle), "close the command list")

    def reset(self) -> None:
        check(library().zeCommandListReset(self.handle), "reset the command list")

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeCommandListDestroy(handle), "destroy the command list")


class ImmediateCommandList(CommandList):
    """A command list whose commands execute as they are appended."""

    def __init__(
        self, context: Context, device: Device, mode: QueueMode = QueueMode.SYNCHRONOUS
    ) -> None:
        handle = ffi.new("ze_command_list_handle_t *")
        check(
            library().zeCommandListCreateImmediate(
                context.handle, device.handle, _queue_description(device, mode), handle
            ),
            "create an immediate command list",
            device.properties.name,
        )
        self.handle = handle[0]


class CommandQueue:
    """A queue that executes closed command lists."""

    def __init__(
        self, context: Context, device: Device, mode: QueueMode = QueueMode.DEFAULT
    ) -> None:
        handle = ffi.new("ze_command_queue_handle_t *")
        check(
            library().zeCommandQueueCreate(
                context.handle, device.handle, _queue_description(device, mode), handle
            ),
            "create a command queue",
            device.properties.name,
        )
        self.handle: CData = handle[0]

    def execute(self, lists: Sequence[CommandList], fence: Fence | None = None) -> None:
        handles = ffi.new("ze_command_list_handle_t[]", [entry.handle for entry in lists])
        check(
            library().zeCommandQueueExecuteCommandLists(
                self.handle, len(lists), handles, _handle(fence)
            ),
            "execute the command lists",
        )

    def synchronize(self, timeout_nanoseconds: int = FOREVER) -> bool:
        """Waits until the queue is idle; False when the time was over first."""
        result = library().zeCommandQueueSynchronize(self.handle, timeout_nanoseconds)
        return _waited(result, "wait for the queue")

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeCommandQueueDestroy(handle), "destroy the queue")


class Fence:
    """Signalled when an execution on its queue is done."""

    def __init__(self, queue: CommandQueue) -> None:
        description = new_structure("ze_fence_desc_t", StructureType.FENCE_DESC)
        handle = ffi.new("ze_fence_handle_t *")
        check(library().zeFenceCreate(queue.handle, description, handle), "create a fence")
        self.handle: CData = handle[0]

    def wait(self, timeout_nanoseconds: int = FOREVER) -> bool:
        """Whether it was signalled before the time was over."""
        result = library().zeFenceHostSynchronize(self.handle, timeout_nanoseconds)
        return _waited(result, "wait for the fence")

    def reset(self) -> None:
        check(library().zeFenceReset(self.handle), "reset the fence")

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeFenceDestroy(handle), "destroy the fence")


class EventPool:
    """Room for ``count`` events that the host can see."""

    def __init__(self, context: Context, device: Device, count: int = 1) -> None:
        description = new_structure("ze_event_pool_desc_t", StructureType.EVENT_POOL_DESC)
        description.flags = EventPoolFlag.HOST_VISIBLE
        description.count = count
        devices = ffi.new("ze_device_handle_t[]", [device.handle])
        handle = ffi.new("ze_event_pool_handle_t *")
        check(
            library().zeEventPoolCreate(context.handle, description, 1, devices, handle),
            "create an event pool",
        )
        self.handle: CData = handle[0]

    def event(self, index: int = 0) -> Event:
        return Event(self, index)

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeEventPoolDestroy(handle), "destroy the event pool")


class Event:
    """Entry ``index`` of a pool."""

    def __init__(self, pool: EventPool, index: int) -> None:
        description = new_structure("ze_event_desc_t", StructureType.EVENT_DESC)
        description.index = index
        description.signal = EventScope.HOST
        description.wait = EventScope.HOST
        handle = ffi.new("ze_event_handle_t *")
        check(library().zeEventCreate(pool.handle, description, handle), "create an event")
        self.handle: CData = handle[0]

    def wait(self, timeout_nanoseconds: int = FOREVER) -> bool:
        """Whether it was signalled before the time was over."""
        result = library().zeEventHostSynchronize(self.handle, timeout_nanoseconds)
        return _waited(result, "wait for the event")

    def signal(self) -> None:
        check(library().zeEventHostSignal(self.handle), "signal the event")

    def reset(self) -> None:
        check(library().zeEventHostReset(self.handle), "reset the event")

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeEventDestroy(handle), "destroy the event")


def _queue_description(device: Device, mode: QueueMode) -> CData:
    description = new_structure("ze_command_queue_desc_t", StructureType.COMMAND_QUEUE_DESC)
    description.ordinal = device.compute_queue_ordinal
    description.mode = mode
    return description


def _handle(owner: Event | Fence | None) -> CData:
    return ffi.NULL if owner is None else owner.handle


def _pointer(memory: CData) -> CData:
    return memory.pointer if isinstance(memory, Allocation) else memory


def _events(events: Sequence[Event]) -> tuple[CData, int]:
    if not events:
        return ffi.NULL, 0
    return ffi.new("ze_event_handle_t[]", [event.handle for event in events]), len(events)


def _waited(result: int, attempted: str) -> bool:
    if result == Result.NOT_READY:
        return False
    check(result, attempted)
    return True
