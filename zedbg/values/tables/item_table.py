"""The values of many work-items, kept by thread: what a person does not look at is not made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from zedbg.dwarf.types.program_types import VOID, Type
from zedbg.missing import Missing
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.tables.bulk import keeping_all
from zedbg.values.typed.scalars import Number, decode_all, is_scalar
from zedbg.values.typed.value import Value

Place = tuple[int, int, int]


@dataclass(frozen=True)
class ThreadItems:
    """The work-items of one thread: one entry of ``data`` and of each list of ids for each of
    ``lanes``. ``thread`` is its short id; ``type`` is None where the expression had none."""

    thread: str
    workgroup: Place
    lanes: Sequence[int]
    global_ids: Sequence[Place] | None
    local_ids: Sequence[Place] | None
    type: Type | None
    data: Sequence[bytes | Missing]
    doubts: Sequence[str | None] = ()  # why values are doubtful; empty: none is

    @property
    def numbers(self) -> list[Number | Missing]:
        """Their numbers; none when the values are no scalars."""
        if self.type is None or not is_scalar(self.type):
            return []
        return decode_all(self.type, self.data)


@dataclass(frozen=True)
class Item:
    """A work-item with its value; ids are None where they are not known."""

    thread: str
    lane: int
    workgroup: Place
    global_id: Place | None
    local_id: Place | None
    value: Value | Missing
    text: str


class ItemTable:
    """Work-items by global id, X fastest; those whose id is not known by work-group, at the end."""

    def __init__(self, threads: Sequence[ThreadItems], options: FormatOptions) -> None:
        """``threads`` in the order in which work-items with one place come; ``options`` make the
        texts of items."""
        self.threads = threads
        self._options = options

    def __len__(self) -> int:
        return sum(len(each.lanes) for each in self.threads)

    def __iter__(self) -> Iterator[Item]:
        return self.first(len(self))

    def first(self, count: int) -> Iterator[Item]:
        """The first ``count`` work-items."""
        return (self._item(thread, position) for thread, position in self._order[:count])

    @property
    def type(self) -> Type:
        """The type of the values: that in the first thread that has one."""
        return next((each.type for each in self.threads if each.type is not None), VOID)

    @property
    def has_values(self) -> bool:
        """Whether the expression has a type in any thread."""
        return any(each.type is not None for each in self.threads)

    @property
    def data(self) -> list[bytes | Missing]:
        """The bytes of every value, in no order."""
        return [each for thread in self.threads for each in thread.data]

    @property
    def doubtful(self) -> int:
        """How many values are doubtful."""
        return sum(each is not None for thread in self.threads for each in thread.doubts)

    @property
    def numbers(self) -> list[Number | Missing]:
        """The numbers of every scalar, in no order."""
        return [each for thread in self.threads for each in thread.numbers]

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        """Index of the thread, and position in it, of each work-item in the table's order."""
        keys = []
        with keeping_all():
            for index, thread in enumerate(self.threads):
                unknown = thread.global_ids is None
                places = thread.global_ids or (thread.workgroup,) * len(thread.lanes)
                keys += [
                    (unknown, place[2], place[1], place[0], index, position)
                    for position, place in enumerate(places)
                ]
            return [key[4:] for key in sorted(keys)]

    def _item(self, index: int, position: int) -> Item:
        thread = self.threads[index]
        data = thread.data[position]
        doubt = thread.doubts[position] if thread.doubts else None
        of_type = thread.type or VOID
        value = data if isinstance(data, Missing) else Value(of_type, data, doubt=doubt)
        return Item(
            thread=thread.thread,
            lane=thread.lanes[position],
            workgroup=thread.workgroup,
            global_id=thread.global_ids[position] if thread.global_ids is not None else None,
            local_id=thread.local_ids[position] if thread.local_ids is not None else None,
            value=value,
            text=format_value(value, self._options),
        )
