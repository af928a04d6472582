"""What a work-item wrote in one call to variables that lie in memory, its own or its callers'.

A work-item's way from the beginning of the function is followed, block by block, and what it
writes to a variable is noted as it comes to it. The last write noted before a moment counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import UnknownValue

Iterations = tuple[int | None, ...]  # of the loops around a block; None: not known


class NotReached(UnknownValue):
    """The work-item does not come to the block that a value was asked for in."""

    def __init__(self) -> None:
        super().__init__("a work-item does not come here")


@dataclass(frozen=True, slots=True)
class Visit:
    """A block that the work-item came to, with the iterations of the loops around."""

    block: int
    iterations: Iterations


@dataclass
class Way:
    """The blocks of one call in the order in which the work-item came to them, as far as that was
    asked for; ``rest`` has those after. ``places``: the number of the last visit of each."""

    rest: Iterator[Visit]
    visits: list[Visit] = field(default_factory=list)
    places: dict[Visit, int] = field(default_factory=dict)
    ended: UnknownValue | None = None  # why the way cannot be followed further
    is_followed: bool = False  # now: where it leads to is being found out

    def number(self, visit: Visit) -> int:
        """Which one of the visits it is. Raises NotReached when it is none, and
        UnknownValue."""
        while visit not in self.places:
            if not self._go_on():
                raise NotReached
        return self.places[visit]

    def last(self) -> int:
        """The number of the visit that the call ends with. Raises UnknownValue."""
        while self._go_on():
            pass
        return len(self.visits) - 1

    def _go_on(self) -> bool:
        """Notes the next visit; false where there is none. Raises UnknownValue."""
        if self.ended is not None:
            raise self.ended
        if self.is_followed:
            raise UnknownValue("the way of a work-item depends on what it writes on it")
        self.is_followed = True
        try:
            following = next(self.rest, None)
        except UnknownValue as error:
            self.ended = error
            raise
        except BaseException:
            self.ended = _NOT_LOOKED_AT  # the generator gives no more visits
            raise
        finally:
            self.is_followed = False
        if following is None:
            return False
        self.places[following] = len(self.visits)
        self.visits.append(following)
        return True


Byte = int | UnknownValue | None  # None: nothing has set it; or why it is not known
Bytes = Sequence[Byte]
#: Gives where in a variable an instruction of a visit writes, and the bytes. Raises UnknownValue
#: where it is not known whether it writes to it.
Written = Callable[[Instruction, Visit], Sequence[tuple[int, Bytes]]]
#: Gives the bytes of a variable, from one on, so many, that it has where the call begins.
Before = Callable[[int, int], Bytes]
#: By block, the instructions that may write to a variable, with their numbers in it.
Writers = Mapping[int, Sequence[tuple[int, Instruction]]]

#: Where a variable begins to have, or no longer has, what was written to it.
LIFETIMES = frozenset({Op.LIFETIME_START, Op.LIFETIME_STOP})
#: Those that may write to a variable.
MAY_WRITE = frozenset(
    {Op.STORE, Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED, Op.FUNCTION_CALL, Op.EXT_INST}
)
_NOT_LOOKED_AT = UnknownValue("too much would have to be computed for it")
_Moment = tuple[int, int]  # the number of a visit, and of an instruction in its block


def all_known(data: Bytes) -> list[int | None]:
    """``data``, where nothing of it is unknown. Raises UnknownValue."""
    found: list[int | None] = []
    for byte in data:
        if isinstance(byte, UnknownValue):
            raise byte
        found.append(byte)
    return found


class WrittenBytes:
    """What a work-item wrote to one variable on its way through one call."""

    def __init__(self, way: Way, writers: Writers, written: Written, before: Before) -> None:
        self._way = way
        self._writers = writers
        self._written = written
        self._before = before
        # When each byte was written, and with what.
        self._times: dict[int, list[_Moment]] = {}
        self._bytes: dict[int, list[Byte]] = {}
        # When something may have been written anywhere in it.
        self._unknown_times: list[_Moment] = []
        self._unknown: list[UnknownValue] = []
        self._visit = self._item = 0  # what is looked at next: of the writers of the visit's block
        self._looked_at: list[_Moment] = []  # of writes, which may ask for what they wrote

    def at(self, visit: Visit, index: int, start: int, size: int) -> list[Byte]:
        """``size`` bytes from byte ``start`` on in front of item ``index`` of a block, at one
        visit. Raises UnknownValue where the way to there is not known."""
        moment = self._way.number(visit), index
        if any(each < moment for each in self._looked_at):
            raise UnknownValue("what a work-item writes depends on itself")
        self._follow(moment)
        number = bisect_left(self._unknown_times, moment)
        since = self._unknown_times[number - 1] if number else None
        found: list[Byte] = []
        for position in range(start, start + size):
            times = self._times.get(position, [])
            last = bisect_left(times, moment)
            if since is not None and (not last or times[last - 1] < since):
                found.append(self._unknown[number - 1])
            elif last:
                found.append(self._bytes[position][last - 1])
            else:
                found.append(self._before_call(position))
        return found

    def _before_call(self, position: int) -> Byte:
        try:
            return self._before(position, 1)[0]
        except UnknownValue as error:
            return error

    def at_end(self) -> list[tuple[int, Bytes]]:
        """What the call has written to it when it ends, byte by byte. Raises UnknownValue."""
        end = self._way.last() + 1, 0
        if self._looked_at:
            raise UnknownValue("what a work-item writes depends on itself")
        self._follow(end)
        if self._unknown:
            raise self._unknown[-1]
        return [(position, data[-1:]) for position, data in self._bytes.items()]

    def _follow(self, end: _Moment) -> None:
        """Notes what is written in front of ``end``. What a write takes may lie in the variable
        itself, a moment earlier: so each is passed before it is looked at."""
        while self._visit <= end[0] and self._visit < len(self._way.visits):
            visit = self._way.visits[self._visit]
            items = self._writers.get(visit.block, ())
            if self._item >= len(items):
                self._visit, self._item = self._visit + 1, 0
                continue
            index, item = items[self._item]
            moment = self._visit, index
            if moment >= end:
                return
            self._item += 1
            self._note(moment, item, visit)

    def _note(self, moment: _Moment, item: Instruction, visit: Visit) -> None:
        self._looked_at.append(moment)
        try:
            changes = self._written(item, visit)
        except UnknownValue as error:
            self._unknown_times.append(moment)
            self._unknown.append(error)
            return
        except BaseException:
            self._unknown_times.append(moment)
            self._unknown.append(_NOT_LOOKED_AT)
            raise
        finally:
            self._looked_at.pop()
        for start, data in changes:
            for position, byte in enumerate(data, start):
                self._times.setdefault(position, []).append(moment)
                self._bytes.setdefault(position, []).append(byte)
