"""What a work-item finds in global memory where it has not stored yet, but the kernel stores."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.missing import Missing
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.global_stores import GlobalStores
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.changed_memory import LoadHere
from zedbg.spirv.work_item.given_values import WorkItem
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.work_items import WorkItems


@dataclass(frozen=True)
class StoredBefore:
    """That of ``item``, one of ``items``, which the stopped thread ``context`` executes; see
    :class:`zedbg.spirv.work_item.changed_memory.MemoryBefore`."""

    context: ThreadContext
    items: WorkItems
    model: Model
    kernel: Function
    item: WorkItem

    def bytes_at(self, address: int, size: int, roots: frozenset[int]) -> bytes:
        # What is stored may be there already, in whatever order the compiler chose.
        is_stored = self._stores.at(address, size, roots, self.item).is_own
        load = self.items.load_at_launch if is_stored else self.items.load
        return load(address, size)

    def require_own(self, address: int, size: int, roots: frozenset[int], load: LoadHere) -> None:
        if self._stores.at(address, size, roots, self.item, load).are_others:
            raise UnknownValue("it is loaded from memory that other work-items may write to")

    @property
    def _stores(self) -> GlobalStores:
        return _stores(self.context, self.model, self.kernel, self.item)


def _stores(context: ThreadContext, model: Model, kernel: Function, item: WorkItem) -> GlobalStores:
    """The stores of the launch, kept for as long as the thread is stopped; those of its group may
    be kept by another thread. Raises UnknownValue."""
    key = GlobalStores, kernel.result
    found = context.stop_cache.get(key) or context.group_cache.get(key)
    if not isinstance(found, GlobalStores | UnknownValue):
        try:
            groups = context.most_groups()
            if isinstance(groups, Missing):
                raise UnknownValue(f"the size of the launch is not known: {groups.reason}")
            found = GlobalStores(model, kernel, item, groups)
        except UnknownValue as error:
            found = error
        context.stop_cache[key] = context.group_cache[key] = found
    if isinstance(found, UnknownValue):
        raise found
    return found
