"""The work-items of the group that a stopped thread is of, which other threads execute, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.group.local_memory import LocalMemory
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import BuiltIn
from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.changed_memory import MemoryBefore
from zedbg.spirv.work_item.local_loads import LocalLoads
from zedbg.values.inputs.memory_before import StoredBefore
from zedbg.values.inputs.recorded_results import CompiledFunction, RecordedOfGroup, RecordedResults
from zedbg.values.source.frame_context import lookup_address
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.work_items import LaneItem, WorkItems
from zedbg.values.typed.locate import SLM_POINTER_TAG, generic_local_address
from zedbg.xe.coordinates import lanes_of

_MOST = 1024  # work-items
_MOST_BYTES = 1 << 24
_Ids = tuple[int, int, int]


class WorkGroupItems:
    """That of the thread ``context``, whose own work-items are ``items``, in ``kernel``; see
    :class:`zedbg.spirv.group.local_memory.WorkGroup`."""

    def __init__(
        self, context: ThreadContext, items: WorkItems, model: Model, kernel: Function
    ) -> None:
        self._model = model
        self._kernel = kernel
        self.begin_stop(context, items)
        self._readable = 0  # bytes of local memory that are known to be there
        self._sizes: _Ids | None = None
        self._local_ids: list[_Ids] = []

    def begin_stop(self, context: ThreadContext, items: WorkItems) -> None:
        """Asks these from now on."""
        self._context = context
        self._items = items
        self.argument = items.argument
        self.page = items.page
        self.may_share_memory = items.may_share_memory
        self._executing: dict[_Ids, tuple[ThreadContext, int]] | None = None

    @property
    def count(self) -> int:
        """How many they are. Raises UnknownValue."""
        x, y, z = self._size
        return x * y * z

    @property
    def _size(self) -> _Ids:
        if self._sizes is None:
            found = self._items.built_in(BuiltIn.WORKGROUP_SIZE)
            if isinstance(found, list) or not 0 < found[0] * found[1] * found[2] <= _MOST:
                raise UnknownValue("the size of the work-group is not known")
            self._sizes = found
        return self._sizes

    def number_of(self, local_id: _Ids) -> int:
        """Which one of the group's work-items has that. Raises UnknownValue."""
        (x, y, z), (width, height, _) = local_id, self._size
        return x + width * (y + height * z)

    def item(self, number: int) -> GroupItem:
        """One of them. Raises UnknownValue."""
        return GroupItem(self, self._items, number)

    def before(self, number: int) -> MemoryBefore:
        """What that one finds in global memory that the kernel writes to."""
        item = self.item(number)
        return StoredBefore(self._context, self._items, self._model, self._kernel, item)

    def held(self, number: int, kernel: InlinedKernel) -> RecordedOfGroup | None:
        """What the device has recorded of that one; None where its thread is not stopped, or you
        changed its registers."""
        if self._executing is None:
            self._executing = self._find_executing()
        found = self._executing.get(self._in_group()[number])
        info = self._context.debug_info
        if found is None or info is None:
            return None
        code = CompiledFunction(info, self._model, lookup_address(self._context), self._kernel)
        return RecordedOfGroup(kernel, RecordedResults(code, *found))

    def _find_executing(self) -> dict[_Ids, tuple[ThreadContext, int]]:
        """By the local ids of the group's work-items, the threads and lanes that execute them."""
        found: dict[_Ids, tuple[ThreadContext, int]] = {}
        for thread in self._context.threads_of_group():
            ids = thread.local_ids()
            if isinstance(ids, Missing) or thread.is_changed_by_hand:
                continue
            found |= {ids[lane]: (thread, lane) for lane in lanes_of(thread.dispatch_lanes)}
        return found

    def identity(self, arguments: Sequence[int]) -> None:
        """It is not one of a thread."""

    def built_in(self, which: int) -> _Ids | list[_Ids]:
        """A :class:`BuiltIn`: one for all of them, or one of each. Raises UnknownValue."""
        if which == BuiltIn.LOCAL_INVOCATION_ID:
            return self._in_group()
        if which == BuiltIn.GLOBAL_INVOCATION_ID:
            begin = self._begin()
            return [(begin[0] + x, begin[1] + y, begin[2] + z) for x, y, z in self._in_group()]
        return self._items.built_in(which)

    def _in_group(self) -> list[_Ids]:
        """The local ids of all of them."""
        if not self._local_ids:
            x, y, z = self._size
            self._local_ids = [(a, b, c) for c in range(z) for b in range(y) for a in range(x)]
        return self._local_ids

    def _begin(self) -> _Ids:
        """The global id of the group's first work-item."""
        both = [
            self._items.built_in(which)
            for which in (BuiltIn.GLOBAL_INVOCATION_ID, BuiltIn.LOCAL_INVOCATION_ID)
        ]
        own = [each[self._lane] if isinstance(each, list) else each for each in both]
        (a, b, c), (x, y, z) = own
        return a - x, b - y, c - z

    @property
    def _lane(self) -> int:
        """One that has a work-item."""
        lanes = self._context.dispatch_lanes
        return (lanes & -lanes).bit_length() - 1

    def require_local_memory(self, address: int | None, size: int) -> None:
        """Raises UnknownValue where these bytes are not the group's, or may hold something else
        than the program stored there. ``address`` None: they are the group's."""
        if self._context.is_memory_changed_by_hand(generic_local_address(address or 0), size):
            raise UnknownValue("you changed local memory while the kernel ran")
        if address is None:
            return
        end = address - SLM_POINTER_TAG + size
        if not 0 < end <= _MOST_BYTES:
            raise UnknownValue("it is loaded from outside of local memory")
        if end > self._readable:
            try:
                self._context.read_memory(MemorySpace.SLM, end - 1, 1)
            except LevelZeroError as error:
                raise UnknownValue("it is loaded from outside of local memory") from error
            self._readable = end


class GroupItem:
    """One work-item of ``group``, as :class:`zedbg.spirv.work_item.given_values.WorkItem`."""

    def __init__(self, group: WorkGroupItems, items: WorkItems, number: int) -> None:
        self._group = group
        self._number = number
        self.argument = items.argument
        self.load = items.load
        self.may_share_memory = items.may_share_memory

    def built_in(self, which: int) -> _Ids:
        """A :class:`BuiltIn` of three components. Raises UnknownValue."""
        found = self._group.built_in(which)
        return found[self._number] if isinstance(found, list) else found


class GroupLoads:
    """What the work-items of the stopped thread ``context`` load from local memory, in the kernel
    ``kernel``."""

    def __init__(
        self, context: ThreadContext, items: WorkItems, model: Model, kernel: Function
    ) -> None:
        self._group = WorkGroupItems(context, items, model, kernel)
        self._memory = LocalMemory(model, kernel, self._group)

    @classmethod
    def of(
        cls, context: ThreadContext, items: WorkItems, model: Model, kernel: Function
    ) -> GroupLoads:
        """Those of one stop, kept for as long as the thread is stopped; those of its group may be
        kept by another thread, or from an earlier stop. Raises UnknownValue."""
        key = cls, kernel.result
        found = context.stop_cache.get(key) or context.group_cache.get(key)
        if not isinstance(found, GroupLoads):
            found = cls._of_launch(context, items, model, kernel)
            context.stop_cache[key] = context.group_cache[key] = found
        return found

    @classmethod
    def _of_launch(
        cls, context: ThreadContext, items: WorkItems, model: Model, kernel: Function
    ) -> GroupLoads:
        """What is kept of all stops of the launch, as far as it is known at each of them."""
        findings, group = context.launch_findings, items.built_in(BuiltIn.WORKGROUP_ID)
        if findings is None or isinstance(group, list):
            return cls(context, items, model, kernel)
        key = cls, kernel.result, group
        found = findings.get(key)
        if isinstance(found, GroupLoads) and not found.is_of_stop:
            found._begin_stop(context, items)
        else:
            found = findings[key] = cls(context, items, model, kernel)
        return found

    def _begin_stop(self, context: ThreadContext, items: WorkItems) -> None:
        self._group.begin_stop(context, items)
        self._memory.begin_stop()

    @property
    def is_of_stop(self) -> bool:
        """Whether what was given may be known at this stop only."""
        return self._memory.is_of_stop

    def of_item(self, local_id: _Ids) -> LocalLoads:
        """Those of one work-item. Raises UnknownValue."""
        return self._memory.of(self._group.number_of(local_id))


@dataclass(frozen=True)
class LoadsOfLane:
    """What the work-item of ``lane`` of ``context`` loads from local memory; see
    :class:`zedbg.spirv.work_item.local_loads.LocalLoads`."""

    context: ThreadContext
    items: WorkItems
    model: Model
    kernel: Function
    lane: int

    @property
    def is_of_stop(self) -> bool:
        return self._of_group.is_of_stop

    def __call__(
        self, call: Activation, item: Instruction, source: Value | Place, visit: Visit
    ) -> Value:
        own = LaneItem(self.items, self.lane).built_in(BuiltIn.LOCAL_INVOCATION_ID)
        return self._of_group.of_item(own)(call, item, source, visit)

    @property
    def _of_group(self) -> GroupLoads:
        return GroupLoads.of(self.context, self.items, self.model, self.kernel)
