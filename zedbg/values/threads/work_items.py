"""What is known of a thread's work-items from outside of the code: as the SPIR-V's model asks."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.module.operations import BuiltIn
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import KnownValues
from zedbg.spirv.work_item.memory_pages import PAGE, PAGE_BITS
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.kept_values import KeptValues

_SIZES: dict[int, str] = {
    BuiltIn.NUM_WORKGROUPS: "_num_groups",
    BuiltIn.WORKGROUP_ID: "_workgroup",
    BuiltIn.WORKGROUP_SIZE: "_workitem_local_size",
    BuiltIn.ENQUEUED_WORKGROUP_SIZE: "_workitem_local_size",
    BuiltIn.GLOBAL_SIZE: "_workitem_global_size",
    BuiltIn.GLOBAL_OFFSET: "_global_offset",
}


class WorkItems:
    """Those of the stopped thread ``context``; what was asked for once is kept."""

    def __init__(self, context: ThreadContext) -> None:
        self._context = context
        self._arguments: dict[int, bytes | Missing] = {}
        self._pages: dict[int, bytes | None] = {}
        self._pages_at_launch: dict[int, bytes | Missing] = {}
        self._built_ins: dict[int, object] = {}
        self._neighbours: dict[tuple[int, int], bool] = {}

    def argument(self, index: int, size: int) -> bytes:
        """The bytes that the host passed for a kernel's parameter. Raises UnknownValue."""
        if index not in self._arguments:
            self._arguments[index] = self._context.kernel_argument(index)
        found = self._arguments[index]
        if isinstance(found, Missing):
            raise UnknownValue(f"an argument is not known any more: {found.reason}")
        if len(found) < size:
            raise UnknownValue("an argument is not known: it is not passed whole")
        return found[:size]

    def built_in(self, which: int) -> tuple[int, int, int] | list[tuple[int, int, int]]:
        """A :class:`BuiltIn` of three components: one for all lanes, or one of each. Raises
        UnknownValue."""
        if which not in self._built_ins:
            self._built_ins[which] = self._find(which)
        found = self._built_ins[which]
        if isinstance(found, list):
            return found
        if isinstance(found, tuple) and len(found) == 3:
            return found[0], found[1], found[2]
        raise UnknownValue("the thread does not say its ids or sizes")

    def _find(self, which: int) -> object:
        if which == BuiltIn.GLOBAL_INVOCATION_ID:
            return self._context.global_ids()
        if which == BuiltIn.LOCAL_INVOCATION_ID:
            return self._context.local_ids()
        name = _SIZES.get(which)
        return None if name is None else self._context.convenience(name)

    @property
    def subgroup(self) -> tuple[int, bool]:
        """How many work-items a subgroup has, and whether this one has so many."""
        width = self._context.simd_width
        return width, self._context.dispatch_lanes == (1 << width) - 1

    def identity(self, arguments: Sequence[int]) -> object | None:
        """What is equal only for work-items with the same ids, sizes and ``arguments``, at any
        stop; None where that is not known."""
        return self._context.work_identity(arguments)

    def known_values(self, kernel: Function, lane: int) -> KnownValues | None:
        """What is known of the work-item of a lane at all stops of the launch of ``kernel``; None
        where that is not kept."""
        findings = self._context.launch_findings
        identity = None if findings is None else self.identity(range(len(kernel.parameters)))
        if findings is None or identity is None:
            return None
        kept = findings.setdefault(KeptValues, KeptValues())
        assert isinstance(kept, KeptValues)
        return kept.of((kernel.result, identity, lane))

    def page(self, number: int) -> bytes | None:
        """Page ``number`` of global memory; None where it cannot be read whole, or may be older."""
        if self._context.is_memory_changed_by_hand(number << PAGE_BITS, PAGE):
            return None
        if number not in self._pages:
            self._pages[number] = self._read(number << PAGE_BITS, PAGE)
        return self._pages[number]

    def load(self, address: int, size: int) -> bytes:
        """Bytes of global memory. Raises UnknownValue."""
        if self._context.is_memory_changed_by_hand(address, size):
            raise UnknownValue("you changed memory while the kernel ran: it may be older")
        number, start = divmod(address, PAGE)
        if start + size <= PAGE:
            found = self.page(number)  # neighbours are asked for soon
            if found is not None:
                return found[start : start + size]
        data = self._read(address, size)
        if data is None:
            raise UnknownValue(f"memory at {address:#x} cannot be read")
        return data

    def load_at_launch(self, address: int, size: int) -> bytes:
        """Bytes that global memory had when the launch began. Raises UnknownValue."""
        if self._context.is_memory_changed_by_hand(address, size):
            raise UnknownValue("you changed memory while the kernel ran")
        number, start = divmod(address, PAGE)
        if number not in self._pages_at_launch:
            self._pages_at_launch[number] = self._context.memory_at_launch(number * PAGE, PAGE)
        page = self._pages_at_launch[number]
        if not isinstance(page, Missing) and start + size <= PAGE:
            return page[start : start + size]
        found = self._context.memory_at_launch(address, size)
        if isinstance(found, Missing):
            raise UnknownValue(f"the kernel may have written to it since: {found.reason}")
        return found

    def may_share_memory(self, address: int, other: int) -> bool:
        """Whether both may lie in the same memory that the host allocated."""
        pair = address, other
        if pair not in self._neighbours:
            self._neighbours[pair] = self._context.may_share_memory(address, other)
        return self._neighbours[pair]

    def _read(self, address: int, size: int) -> bytes | None:
        try:
            return self._context.read_memory(MemorySpace.GLOBAL, address, size)
        except LevelZeroError:
            return None


class LaneItem:
    """The work-item of one lane, as :class:`zedbg.spirv.work_item.given_values.WorkItem`."""

    def __init__(self, items: WorkItems, lane: int) -> None:
        self._items = items
        self._lane = lane
        self.argument = items.argument
        self.load = items.load
        self.may_share_memory = items.may_share_memory

    def built_in(self, which: int) -> tuple[int, int, int]:
        """A :class:`BuiltIn` of three components. Raises UnknownValue."""
        in_subgroup = self._in_subgroup(which)
        if in_subgroup is not None:
            return in_subgroup, 0, 0
        found = self._items.built_in(which)
        return found[self._lane] if isinstance(found, list) else found

    def _in_subgroup(self, which: int) -> int | None:
        """Its number in its subgroup, which is its thread, or that one's size; None: that is not
        asked for, or not known."""
        width, whole = self._items.subgroup
        match which:
            case BuiltIn.SUBGROUP_LOCAL_INVOCATION_ID:
                return self._lane
            case BuiltIn.SUBGROUP_MAX_SIZE:
                return width
            case BuiltIn.SUBGROUP_SIZE if whole:
                return width
        return None
