"""The work of one stopped thread: what its header and its payload say."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, cast

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.modules.code_place import CodePlace
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.threads.surfaces import Surface, bindless_surface
from zedbg.engine.threads.work import (
    GroupIds,
    Ids,
    global_ids,
    group_ids,
    group_size_from_ids,
)
from zedbg.host.noted_launches import Launch, argument_passed, launches_of_kernel
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.typed.locate import SLM_POINTER_TAG
from zedbg.xe.registers import RegisterKind, ThreadHeader
from zedbg.zebin import Kernel
from zedbg.zebin.arguments import ArgumentKind, KernelArgument
from zedbg.zebin.payload import PayloadMap

_NO_ZEINFO = Missing("the module says nothing of the kernel's payload")
_POINTER_BYTES = 8
_BINDLESS = "bindless"  # how zeinfo says that an argument's bytes are a surface's handle
_BUFFER_OFFSET = "buffer_offset"
_NO_LAST_THREAD = Missing("the last thread of the work-group is not stopped: its size is unknown")
_IDS = struct.Struct("<3I")
_GROUP_SIZES = ("enqueued_local_size", "local_size")  # fields of the payload
_NO_IDS = Missing("the kernel does not use local ids")


class WorkingThread(Protocol):
    """A stopped thread, as far as its work-items are found out."""

    @property
    def device(self) -> DeviceContents: ...
    @property
    def number(self) -> int: ...
    @property
    def pc(self) -> int: ...
    @property
    def isa_base(self) -> int: ...
    @property
    def kernel(self) -> Kernel | None: ...
    @property
    def kernel_name(self) -> str | None: ...
    @property
    def kernel_place(self) -> CodePlace: ...
    @property
    def header(self) -> ThreadHeader: ...
    @property
    def workgroup(self) -> tuple[int, int, int]: ...
    @property
    def simd_width(self) -> int: ...
    @property
    def dispatch_lanes(self) -> int: ...
    @property
    def focused_lane(self) -> int: ...
    @property
    def debug_info(self) -> DebugInfo | None: ...
    @property
    def launch_findings(self) -> dict[object, object] | None: ...
    def kernel_argument(self, index: int) -> bytes | Missing: ...
    def registers_after_prologue(
        self, prologue: range, first: int, size: int
    ) -> bytes | Missing: ...
    def read_registers(self, kind: RegisterKind) -> bytes: ...
    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes: ...


class _CrossThread(NamedTuple):
    """``data`` in memory for all threads of a launch; ``arguments`` that are all there, by index,
    as far as they were asked for."""

    data: bytes
    arguments: dict[int, bytes]


class ThreadWork:
    """Work coordinates of ``thread``, valid until it resumes; each is read when asked for.

    ``last_of_a_group`` returns a stopped thread with the last work-items of a group of the launch.
    """

    def __init__(
        self, thread: WorkingThread, last_of_a_group: Callable[[], WorkingThread | None]
    ) -> None:
        self._thread = thread
        self._last_of_a_group = last_of_a_group
        self._payloads_read: dict[tuple[int, int], bytes] = {}  # of so many threads from one on

    @cached_property
    def layout(self) -> PayloadMap | None:
        """Where the kernel's payload lies; None when the module does not say."""
        kernel, module = self._thread.kernel, self._thread.kernel_place.module
        grf = self._thread.device.register_layout.get(RegisterKind.GRF)
        if kernel is None or module is None or grf is None or not kernel.simd_width:
            return None
        return module.payload_of(kernel, grf.byte_size)

    @cached_property
    def payload_address(self) -> int:
        """Where the cross-thread data in memory begins."""
        bases = self._thread.read_registers(RegisterKind.SBA)
        general_state_base: int = struct.unpack_from("<Q", bases)[0]
        start = general_state_base + self._thread.header.payload_offset
        return start + self._implicit_size

    @property
    def _implicit_size(self) -> int:
        """Bytes of the implicit arguments, which come first; 0 for a kernel that has none."""
        module, kernel = self._thread.kernel_place.module, self._thread.kernel
        place = None if module is None or kernel is None else module.implicit_size_place(kernel)
        if module is None or place is None:
            return 0
        if place not in module.implicit_sizes:
            size: int = struct.unpack("<I", self._read(place, 4))[0]
            module.implicit_sizes[place] = size
        return module.implicit_sizes[place]

    @cached_property
    def local_ids(self) -> list[Ids] | Missing:
        """Local id of each lane."""
        layout = self.layout
        if layout is None:
            return _NO_ZEINFO
        if layout.local_id is None:
            return _NO_IDS
        header = self._thread.header
        index = header.thread_in_group
        try:
            if header.threads_in_group == 1:
                return self._group_ids.ids
            return group_ids(layout, self._per_thread_payload(layout, index, 1)).ids
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")

    @cached_property
    def group_size(self) -> Ids | Missing:
        """Work-items of a work-group in each dimension, as enqueued."""
        layout, kernel = self.layout, self._thread.kernel
        if layout is None or kernel is None or kernel.info is None:
            return _NO_ZEINFO
        required = kernel.execution.required_work_group_size
        if len(required) == 3 and all(required):
            return required[0], required[1], required[2]
        try:
            for kind in _GROUP_SIZES:
                words = self._cross_thread_words(layout, kind)
                if words is not None:
                    return words
            return self._group_size_from_payload(layout)
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")

    @cached_property
    def global_size(self) -> Ids | Missing:
        """Work-items of the whole launch in each dimension, where the kernel was given it."""
        layout = self.layout
        if layout is None:
            return _NO_ZEINFO
        try:
            size = self._cross_thread_words(layout, "global_size")
            if size is not None:
                return size
            count, group = self._cross_thread_words(layout, "group_count"), self.group_size
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")
        if count is None:
            return Missing("the kernel does not use the global size")
        if isinstance(group, Missing):
            return group
        return count[0] * group[0], count[1] * group[1], count[2] * group[2]

    @cached_property
    def num_groups(self) -> Ids | Missing:
        """Work-groups of the launch in each dimension, where the kernel was given their number, or
        the sizes of the launch and of a group."""
        layout = self.layout
        if layout is None:
            return _NO_ZEINFO
        try:
            count = self._cross_thread_words(layout, "group_count")
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")
        if count is not None:
            return count
        whole, group = self.global_size, self.group_size
        if isinstance(whole, Missing):
            return whole
        if isinstance(group, Missing):
            return group
        if not all(group):
            return Missing("the size of a work-group is not known")
        x, y, z = (-(-a // b) for a, b in zip(whole, group, strict=True))
        return x, y, z

    @cached_property
    def global_offset(self) -> Ids:
        """What global ids count from: zero where the payload in memory does not say otherwise.

        The core API has no way to set one; it stays zero unless a driver's extension is used.
        """
        layout = self.layout
        if layout is None:
            return 0, 0, 0
        try:
            return self._cross_thread_words(layout, "global_id_offset") or (0, 0, 0)
        except LevelZeroError:
            return 0, 0, 0

    @cached_property
    def global_ids(self) -> list[Ids] | Missing:
        """Global id of each lane."""
        local = self.local_ids
        if isinstance(local, Missing):
            return local
        group = self._thread.workgroup
        size = self.group_size if any(group[1:]) else self._row_size
        if isinstance(size, Missing):
            return size
        return global_ids(local, group, size, self.global_offset)

    @cached_property
    def _row_size(self) -> Ids | Missing:
        """The group's size as far as it matters in the first row of groups: in X."""
        layout = self.layout
        if layout is None:
            return _NO_ZEINFO
        try:
            return self._group_ids.row_length, 1, 1
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")

    def identity(self, arguments: Sequence[int]) -> object | None:
        """What is equal, at any stop of any thread of the kernel, only for the same ids and sizes,
        and the same bytes in ``arguments``; None where the payload cannot be read."""
        layout, kernel, common = self.layout, self._thread.kernel, self._identity
        if common is None or layout is None or kernel is None:
            return None
        in_registers = [
            (each.index, self._thread.kernel_argument(each.index))
            for each in kernel.passed_arguments
            if each.index in arguments
            and each.pieces[:1]
            and each.pieces[0].offset < layout.inline_size
        ]
        return common, *in_registers

    @cached_property
    def _identity(self) -> object | None:
        """Without arguments in registers: the header, and what memory has for the thread."""
        layout, header = self.layout, self._thread.header
        if layout is None:
            return None
        try:
            data = (
                self._cross_thread.data,
                self._per_thread_payload(layout, header.thread_in_group, 1),
            )
        except LevelZeroError:
            return None
        if any(map(layout.field_of, _GROUP_SIZES)):
            return header, data
        return header, data, self.group_size, self._row_size

    @cached_property
    def _cross_thread(self) -> _CrossThread:
        """The part of the payload in memory that all threads of the launch share. Raises
        LevelZeroError."""
        layout, address = self.layout, self.payload_address
        if layout is None:
            return _CrossThread(b"", {})
        findings, key = self._thread.device.findings, (_CrossThread, self._thread.isa_base, address)
        found = findings.get(key)
        if not isinstance(found, _CrossThread):
            found = findings[key] = _CrossThread(self._read(address, layout.memory_size), {})
        return found

    def convenience(self, name: str) -> object | Missing:
        """Value of ``$name``; names as in Intel's distribution of GDB."""
        thread = self._thread
        lane = thread.focused_lane
        match name:
            case "_simd_lane":
                return lane
            case "_simd_width":
                return thread.simd_width
            case "_thread":
                return thread.number
            case "_device":
                return thread.device.number
            case "_thread_workgroup" | "_workgroup":
                return thread.workgroup
            case "_workitem_local_id":
                local = self.local_ids
                return local if isinstance(local, Missing) else local[lane]
            case "_workitem_global_id":
                everywhere = self.global_ids
                return everywhere if isinstance(everywhere, Missing) else everywhere[lane]
            case "_workitem_local_size":
                return self.group_size
            case "_workitem_global_size":
                return self.global_size
            case "_global_offset":
                return self.global_offset
            case "_num_groups":
                return self.num_groups
            case "_kernel":
                return thread.kernel_name or Missing("no kernel is known here")
            case _:
                return thread.device.variables.get(name)

    def payload_bytes(self, offset: int, size: int) -> bytes | Missing:
        """``size`` bytes at ``offset`` of the kernel's cross-thread data.

        From memory, where they stay; what travelled in a register, from there, from the end of the
        prologue on and as long as nothing has written there, or from the driver's recording. Raises
        LevelZeroError when that cannot be read.
        """
        layout, kernel = self.layout, self._thread.kernel
        if layout is None or kernel is None:
            return Missing("the module has no zeinfo for this kernel")
        if offset >= layout.inline_size:
            start = offset - layout.inline_size
            return self._cross_thread.data[start : start + size]
        start = layout.inline_register * layout.grf_bytes + offset
        if not self._is_kept(start, size, kernel):
            found = self._recorded_inline_data
            if isinstance(found, Missing):
                return Missing("it travelled in a register, which the kernel may have used since")
            return found[offset : offset + size]
        registers = self._thread.read_registers(RegisterKind.GRF)
        return registers[start : start + size]

    @cached_property
    def _recorded_inline_data(self) -> bytes | Missing:
        """What travelled in registers, the same for all threads of the launch, by the recording.
        Raises LevelZeroError."""
        layout, kernel, thread = self.layout, self._thread.kernel, self._thread
        findings = thread.launch_findings
        if findings is None or layout is None or kernel is None or kernel.entry is None:
            return Missing("the launch was not recorded, or you have changed something")
        if thread.pc <= kernel.entry:
            return Missing("the thread is not known to have executed the prologue")
        key = "inline data", thread.isa_base, self.payload_address
        found = findings.get(key)
        if isinstance(found, bytes):
            return found
        first = layout.inline_register * layout.grf_bytes
        prologue = range(kernel.address, kernel.entry)
        recorded = thread.registers_after_prologue(prologue, first, layout.inline_size)
        if isinstance(recorded, bytes):
            findings[key] = recorded
        return recorded

    def loaded_payload(self, address: int, first: int, size: int) -> bytes | Missing:
        """What the instruction at ``address``, in front of the kernel's entry, put into ``size``
        bytes of the registers, from byte ``first`` on, if they are of the cross-thread data. Raises
        LevelZeroError as :meth:`payload_bytes`."""
        layout, kernel = self.layout, self._thread.kernel
        entry = None if kernel is None else kernel.entry
        if layout is None or kernel is None or entry is None:
            return Missing("the module says nothing of the kernel's payload")
        offset = layout.offset_in_registers(first, size)
        if offset is None or not kernel.address <= address < entry:
            return Missing("it is not of the payload")
        return self.payload_bytes(offset, size)

    def _is_kept(self, start: int, size: int, kernel: Kernel) -> bool:
        """Whether bytes of the registers are as they were at the kernel's beginning."""
        pc, entry = self._thread.pc, kernel.entry
        info = self._thread.debug_info
        if info is None or entry is None or pc <= entry:
            return pc == entry  # code in front of the entry loads the payload
        return info.code.registers_are_kept(start, start + size, entry, pc)

    def argument_bytes(self, argument: KernelArgument) -> bytes | Missing:
        """What was passed for ``argument`` of the kernel; of a pointer its address.

        What travelled in a register, which is used for something else since, is what every launch
        passed that the thread may be of; or the address where the buffer's surface begins. Raises
        LevelZeroError when the payload cannot be read.
        """
        passed = self._in_payload(argument)
        if isinstance(passed, bytes):
            return passed
        noted = self._as_noted(argument)
        if noted is not None:
            return noted
        address = self._surface_address(argument)
        return passed if address is None else address.to_bytes(_POINTER_BYTES, "little")

    def local_address(self, argument: KernelArgument) -> bytes | Missing:
        """The pointer to shared local memory that the kernel has for ``argument``, with the tag of
        such addresses.

        The payload has how many bytes of arguments come before it, none before the first. The
        kernel's own variables come before all arguments. Raises LevelZeroError as
        :meth:`argument_bytes`.
        """
        kernel = self._thread.kernel
        if kernel is None or kernel.info is None or not argument.pieces:
            return Missing("the module says nothing of the kernel's payload")
        own, piece = kernel.info.execution.slm_size, argument.pieces[0]
        if own % (piece.slm_alignment or 1):
            return Missing("the compiler's padding before it is not known")
        local = (each for each in kernel.passed_arguments if each.kind is ArgumentKind.LOCAL)
        before = self._in_payload(argument)
        if isinstance(before, Missing):
            if next(local).index != argument.index:
                return before
            before = bytes(piece.size)
        address = SLM_POINTER_TAG | own + int.from_bytes(before, "little")
        return address.to_bytes(_POINTER_BYTES, "little")

    @property
    def group_count(self) -> Ids | None:
        """How many work-groups the launch has; None where that is not known."""
        try:
            whole, group = self.global_size, self.group_size
        except LevelZeroError:
            return None
        if isinstance(whole, Missing) or isinstance(group, Missing) or not all(group):
            return None
        return whole[0] // group[0], whole[1] // group[1], whole[2] // group[2]

    @property
    def most_groups(self) -> Ids | Missing:
        """How many work-groups the launch has at most, in each dimension."""
        found = self.num_groups
        if not isinstance(found, Missing):
            return found
        noted = [each.groups for each in self._noted_launches()]
        known = [each for each in noted if each is not None]
        if not known or len(known) < len(noted):
            return Missing("neither the kernel nor a noted call has it")
        x, y, z = (max(each) for each in zip(*known, strict=True))
        return x, y, z

    def _noted_launches(self) -> Sequence[Launch]:
        """Those that were noted of the kernel, and may be the thread's; none where not all launches
        were noted."""
        kernel, launches = self._thread.kernel, self._thread.device.noted_launches.now()
        if not launches or kernel is None or kernel.info is None:
            return ()
        try:
            group = self._thread.workgroup
        except (LevelZeroError, ValueError):
            group = (0, 0, 0)
        return launches_of_kernel(launches, kernel.name, self.group_count, group)

    def _as_noted(self, argument: KernelArgument) -> bytes | None:
        """What all launches passed that may be the thread's: those that were noted of its kernel,
        with the numbers that it has in its payload."""
        kernel, found = self._thread.kernel, self._noted_launches()
        if not found or kernel is None:
            return None
        values = {
            each.index: data
            for each in kernel.passed_arguments
            if each.kind is ArgumentKind.VALUE and isinstance(data := self._in_payload(each), bytes)
        }
        size = _POINTER_BYTES
        if argument.kind is ArgumentKind.VALUE:
            size = max(max(each.source_offset, 0) + each.size for each in argument.pieces)
        return argument_passed(found, argument.index, size, values)

    def _in_payload(self, argument: KernelArgument) -> bytes | Missing:
        layout, pieces = self.layout, argument.pieces
        if layout is None or not pieces or pieces[0].offset < layout.inline_size:
            return self._joined(argument)
        known = self._cross_thread.arguments
        found = known.get(argument.index)
        if found is None:
            joined = self._joined(argument)
            if isinstance(joined, Missing):
                return joined
            found = known[argument.index] = joined
        return found

    def _joined(self, argument: KernelArgument) -> bytes | Missing:
        """Its pieces in the payload together."""
        passed = bytearray()
        for piece in argument.pieces:
            data = self.payload_bytes(piece.offset, piece.size)
            if isinstance(data, Missing):
                return data
            start = max(piece.source_offset, 0)
            passed.extend(bytes(max(start - len(passed), 0)))
            passed[start : start + piece.size] = data
            if argument.kind is not ArgumentKind.VALUE:
                break  # a handle can follow the address
        return bytes(passed)

    def _surface_address(self, argument: KernelArgument) -> int | None:
        """Where the buffer of ``argument`` begins by its surface, of which the payload has the
        handle, and by the offset in that; None where these are not known."""
        handles = [each for each in argument.pieces if each.addrmode == _BINDLESS]
        offsets = [each for each in argument.entries if each.arg_type == _BUFFER_OFFSET]
        if argument.kind is not ArgumentKind.BUFFER or not handles:
            return None
        handle = self.payload_bytes(handles[0].offset, handles[0].size)
        # The compiler asks for no offset where buffers begin at their surfaces' beginning.
        offset: bytes | Missing = bytes(4)
        if offsets:
            offset = self.payload_bytes(offsets[0].offset, offsets[0].size)
        if isinstance(handle, Missing) or isinstance(offset, Missing):
            return None
        surface = bindless_surface(self._thread, int.from_bytes(handle, "little"))
        if not isinstance(surface, Surface):
            return None
        return surface.base + int.from_bytes(offset, "little")

    def _cross_thread_words(self, layout: PayloadMap, kind: str) -> Ids | None:
        """Three 32-bit words of an implicit argument; None when it is not in memory."""
        field = layout.field_of(kind)
        if field is None or field.memory_offset is None:
            return None
        x, y, z = _IDS.unpack_from(self._cross_thread.data, field.memory_offset)
        return x, y, z

    def _per_thread_payload(self, layout: PayloadMap, index: int, count: int) -> bytes:
        key = index, count
        if key not in self._payloads_read:
            address = self.payload_address + layout.memory_size + index * layout.per_thread_size
            self._payloads_read[key] = self._read(address, count * layout.per_thread_size)
        return self._payloads_read[key]

    def _group_size_from_payload(self, layout: PayloadMap) -> Ids | Missing:
        ids = self._group_ids.ids
        if not ids:
            return _NO_IDS
        findings = self._thread.launch_findings
        key = "group size", self._thread.isa_base, self.payload_address
        last = self._last_of_a_group()
        if last is None:
            found = None if findings is None else findings.get(key)
            known = cast("Ids | None", found) or self._group_size_in_registers(layout)
            return known or _NO_LAST_THREAD
        full = (self._thread.header.threads_in_group - 1) * layout.simd_width
        size = group_size_from_ids(ids, full + last.dispatch_lanes.bit_count())
        if findings is not None and not isinstance(size, Missing):
            findings[key] = size
        return size

    def _group_size_in_registers(self, layout: PayloadMap) -> Ids | None:
        """The size of a group that travelled in a register, if it is known still. Raises
        LevelZeroError."""
        for field in filter(None, map(layout.field_of, _GROUP_SIZES)):
            data = self.payload_bytes(field.offset, _IDS.size)
            if isinstance(data, bytes) and len(data) == _IDS.size:
                x, y, z = _IDS.unpack(data)
                return x, y, z
        return None

    @cached_property
    def _group_ids(self) -> GroupIds:
        """Local ids of all lanes of all threads of the work-group; none when it uses none."""
        layout = self.layout
        if layout is None or layout.local_id is None:
            return GroupIds([], 1)
        threads = self._thread.header.threads_in_group
        return group_ids(layout, self._per_thread_payload(layout, 0, threads))

    def _read(self, address: int, size: int) -> bytes:
        return self._thread.read_memory(MemorySpace.GLOBAL, address, size)
