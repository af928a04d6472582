"""What a place had before anything wrote to it: arguments, ids, contents of buffers, nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from zedbg.engine.threads.surfaces import state_base
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.flow.places import MemoryPlace, RegisterPlace, Space
from zedbg.xe.registers import SCRATCH_BASE_INDEX, RegisterKind
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments
from zedbg.zebin.payload import (
    LOCAL_IDS,
    PACKED_LOCAL_IDS,
    PayloadField,
    PayloadMap,
    PayloadPart,
)

_FAR = 1 << 28  # bytes: what is farther from a pointer is not what it points to
_SCRATCH_BYTES = 1 << 18  # of a thread, at most
_PRIVATE_BASE = "private_base_stateless"


class BeginningKind(Enum):
    """What kind of thing a value was at first."""

    ARGUMENT = "argument"
    IDS = "ids"  # of the work-item, or of its work-group
    RUNTIME = "runtime"  # what the runtime passes besides
    BUFFER = "buffer"  # as the launch found it
    UNWRITTEN = "unwritten"  # nobody has written it, so it may be anything
    CONSTANT = "constant"
    OUTSIDE = "outside"  # what is neither memory nor a register


@dataclass(frozen=True)
class Beginning:
    """``text`` says it in words: ``argument scale``."""

    kind: BeginningKind
    text: str


def beginning_of(place: RegisterPlace | MemoryPlace, thread: HardwareThread) -> Beginning:
    """What ``place`` had when the launch, or the work of ``thread``, began."""
    if isinstance(place, RegisterPlace):
        return _of_register(place, thread)
    if place.space is Space.LOCAL:
        text = f"shared local memory at {place.address:#x}, which its work-group has not written"
        return Beginning(BeginningKind.UNWRITTEN, text)
    try:
        return _of_payload(place, thread) or _of_memory(place, thread)
    except LevelZeroError:
        return Beginning(BeginningKind.BUFFER, f"memory at {place.address:#x}, before the launch")


def _of_register(place: RegisterPlace, thread: HardwareThread) -> Beginning:
    layout = thread.work.layout
    if place.kind is RegisterKind.GRF and layout is not None:
        register, inside = divmod(place.first, layout.grf_bytes)
        if register == 0:
            return Beginning(BeginningKind.IDS, _header_text(inside))
        for field in layout.fields:
            first = _delivered_at(field, layout, thread)
            if field.memory_offset is None and first <= place.first < first + field.size:
                return _of_field(field, thread)
    registers = thread.register_layout.get(place.kind)
    size = registers.byte_size if registers is not None else 4
    text = f"{place.text(size)}, which nothing has written"
    return Beginning(BeginningKind.UNWRITTEN, text)


def _delivered_at(field: PayloadField, layout: PayloadMap, thread: HardwareThread) -> int:
    """The first byte of the general registers that ``field`` has when its thread begins. A prologue
    finds the inline data after the header, moves them, and loads the rest."""
    kernel = thread.kernel
    has_prologue = kernel is not None and kernel.entry not in (None, kernel.section.address)
    if has_prologue and field.part is PayloadPart.INLINE:
        return layout.grf_bytes + field.offset
    return field.register * layout.grf_bytes + field.register_byte


_HEADER = {4: "the group id in x", 24: "the group id in y", 28: "the group id in z"}


def _header_text(inside: int) -> str:
    """What the header of a thread has ``inside`` bytes after its start, as ThreadHeader says."""
    return _HEADER.get(inside // 4 * 4, "the thread's header")


def _of_payload(place: MemoryPlace, thread: HardwareThread) -> Beginning | None:
    """What the runtime put into memory for this launch."""
    layout = thread.work.layout
    if layout is None:
        return None
    offset = place.address - thread.work.payload_address
    threads = layout.per_thread_size * thread.header.threads_in_group
    if layout.memory_size <= offset < layout.memory_size + threads:
        return Beginning(BeginningKind.IDS, "the local ids")
    for field in layout.fields:
        start = field.memory_offset
        if start is not None and start <= offset < start + field.size:
            return _of_field(field, thread)
    if 0 <= offset < layout.memory_size:
        return Beginning(BeginningKind.RUNTIME, "padding of the payload")
    return None


def _of_field(field: PayloadField, thread: HardwareThread) -> Beginning:
    if field.kind in (LOCAL_IDS, PACKED_LOCAL_IDS):
        return Beginning(BeginningKind.IDS, "the local ids")
    info = None if thread.kernel is None else thread.kernel.info
    if field.argument_index is None or info is None:
        return Beginning(BeginningKind.RUNTIME, f"{field.kind}, which the runtime passes")
    names = {each.index: each.name for each in kernel_arguments(info)}
    name = names.get(field.argument_index) or f"number {field.argument_index}"
    return Beginning(BeginningKind.ARGUMENT, f"argument {name}")


def _of_memory(place: MemoryPlace, thread: HardwareThread) -> Beginning:
    found = KnownMemory.of(thread).beginning_of(place)
    if found is not None:
        return found
    return Beginning(BeginningKind.BUFFER, f"memory at {place.address:#x}, before the launch")


@dataclass(frozen=True)
class KnownMemory:
    """The memory that a kernel was given: names and addresses of its buffers, no name for private
    memory; and where the scratch space of threads is. ``is_complete``: whether no buffer is left
    out, whose address the thread may not have any more."""

    pointers: tuple[tuple[str | None, int], ...]
    scratch: int
    is_complete: bool

    @classmethod
    def of(cls, thread: HardwareThread) -> KnownMemory:
        """By a thread that has its arguments still."""
        try:
            scratch = state_base(thread, SCRATCH_BASE_INDEX)
            found = tuple(_pointers(thread))
        except LevelZeroError:
            return cls((), 0, False)
        info = None if thread.kernel is None else thread.kernel.info
        buffers = [
            each
            for each in (() if info is None else kernel_arguments(info))
            if each.kind is ArgumentKind.BUFFER and each.pieces
        ]
        known = sum(name is not None for name, _ in found)
        return cls(found, scratch, info is not None and known == len(buffers))

    def beginning_of(self, place: MemoryPlace) -> Beginning | None:
        """What ``place`` of global memory had before the launch; None where it is in nothing that
        is known."""
        if self.is_private(place.address):
            text = f"private memory at {place.address:#x}, which nothing has written"
            return Beginning(BeginningKind.UNWRITTEN, text)
        nearest = self.nearest(place.address)
        if nearest is None:
            return None
        offset, name = nearest
        after = f" + {offset} bytes" if offset else ""
        return Beginning(BeginningKind.BUFFER, f"buffer {name}{after}, as it was before the launch")

    def is_private(self, address: int) -> bool:
        """Whether it is memory of a single work-item, as far as can be told."""
        if self.scratch and 0 <= address - self.scratch < _SCRATCH_BYTES:
            return True
        nearest = self.nearest(address)
        return nearest is not None and nearest[1] is None

    def nearest(self, address: int) -> tuple[int, str | None] | None:
        """Bytes from the last buffer that begins before ``address``, and its name."""
        near = [
            (address - pointer, name)
            for name, pointer in self.pointers
            if 0 <= address - pointer < _FAR
        ]
        return min(near, key=lambda each: each[0], default=None)


def _pointers(thread: HardwareThread) -> Iterator[tuple[str | None, int]]:
    """Names of buffers with their addresses; no name of the base of private memory."""
    info = None if thread.kernel is None else thread.kernel.info
    if info is None:
        return
    for argument in kernel_arguments(info):
        if argument.kind is ArgumentKind.BUFFER and argument.pieces:
            data = thread.work.argument_bytes(argument)
            if not isinstance(data, Missing):
                name = argument.name or f"number {argument.index}"
                yield name, int.from_bytes(data[:8], "little")
    for entry in info.payload_arguments:
        if entry.arg_type == _PRIVATE_BASE and entry.size == 8:
            data = thread.work.payload_bytes(entry.offset, entry.size)
            if not isinstance(data, Missing):
                yield None, int.from_bytes(data, "little")
