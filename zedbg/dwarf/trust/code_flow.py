"""The ways through the instructions of one function.

A lane goes its own way: where lanes part, each way is looked at by itself, and what an instruction
does to lanes that it is not executed for does not count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from zedbg.dwarf.trust.steps import Step, steps_of
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

_TOGETHER = frozenset({Opcode.JMPI, Opcode.JOIN})
_LEAPS = frozenset({Opcode.GOTO, Opcode.JMPI})
# What the compilers do not emit, or seldom: lanes may go any of its ways.
_OTHER_LEAPS = frozenset(
    {
        *(Opcode.IF, Opcode.ELSE, Opcode.WHILE, Opcode.BREAK, Opcode.CONT, Opcode.HALT),
        *(Opcode.BRC, Opcode.BRD),
    }
)


class CodeFlow:
    """The instructions of a function, in their order, and which follow which."""

    def __init__(self, code: bytes, platform: Platform) -> None:
        self.grf_bytes = platform.grf_bytes
        self.steps = list(steps_of(code, platform))
        self._offsets = [step.offset for step in self.steps]
        self._before: list[list[int]] = [[] for _ in self.steps]
        self._successors: list[list[int]] = [[] for _ in self.steps]
        self.loops: list[tuple[int, int]] = []  # offsets of the head and of the jump back
        self._passed: dict[tuple[tuple[int, int], int, bool], bool] = {}
        for index, step in enumerate(self.steps):
            for target in self._targets(index, step):
                if target < len(self.steps):
                    self._before[target].append(index)
                    self._successors[index].append(target)
                    if target <= index:
                        self.loops.append((self.steps[target].offset, step.offset))
        self._block_first: list[int] = []  # of each instruction's block, the first one's number
        for index, before in enumerate(self._before):
            is_first = before != [index - 1]
            self._block_first.append(index if is_first else self._block_first[-1])
        self._block_last = list(range(len(self.steps)))  # and the last that all come to
        for index in reversed(range(len(self.steps) - 1)):
            if self._successors[index] == [index + 1]:
                self._block_last[index] = self._block_last[index + 1]

    def index_at(self, offset: int) -> int:
        """The number of the instruction at ``offset``, or of the next one after it."""
        return bisect_left(self._offsets, offset)

    def innermost(self, offset: int) -> tuple[int, int]:
        """The offsets of the first and the last instruction of the innermost loop around
        ``offset``, or of the code where none is."""
        loops = self.loops_around(offset)
        low = max((head for head, _ in loops), default=0)
        return low, min((tail for _, tail in loops), default=self.steps[-1].offset)

    def before(self, index: int) -> list[int]:
        """Numbers of the instructions that a lane may come from to the one of number ``index``."""
        return self._before[index] if index < len(self.steps) else []

    def after(self, index: int) -> list[int]:
        """Numbers of the instructions that a lane may execute after the one of number ``index``."""
        return self._successors[index] if index < len(self.steps) else []

    def thread_after(self, index: int) -> set[int]:
        """Numbers of the instructions that the thread may execute after the one of number
        ``index``, with whatever lanes; that of its function's end too."""
        step = self.steps[index]
        decoded = step.decoded
        if decoded.is_end_of_thread or decoded.opcode is Opcode.RET:
            return set()
        if decoded.is_call:
            return {index + 1}
        ways = {self.index_at(step.offset + each) for each in (decoded.jip, decoded.uip) if each}
        is_jump = decoded.opcode is Opcode.JMPI and decoded.predicate is Predicate.NONE
        return ways if is_jump else {index + 1, *ways}

    def exits(self, loop: tuple[int, int]) -> list[int]:
        """Offsets of the instructions with which lanes leave a loop that is one of ``loops``."""
        (head, tail), found = loop, []
        for index in range(self.index_at(head), self.index_at(tail) + 1):
            after = [self.steps[each].offset for each in self.after(index)]
            if len(after) < 1 or not all(head <= each <= tail for each in after):
                found.append(self.steps[index].offset)
        return found

    def keeps_together(self, offset: int) -> bool:
        """Whether all lanes that the function was entered with are at ``offset`` when one is: no
        instruction that may be executed before lets them part."""
        waiting = [self.index_at(offset)]
        seen = set(waiting)
        while waiting:
            for before in self._thread_before.get(waiting.pop(), ()):
                decoded = self.steps[before].decoded
                parts = decoded.opcode not in _TOGETHER and not decoded.is_call
                if (decoded.jip or decoded.uip) and parts:
                    return False
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)
        return not any(
            each.decoded.opcode is Opcode.RET and each.is_conditional for each in self.steps
        )

    @cached_property
    def _thread_before(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for index in range(len(self.steps)):
            for after in self.thread_after(index):
                found.setdefault(after, []).append(index)
        return found

    def may_lead(self, start: int, end: int) -> bool:
        """Whether the thread may come from offset ``start`` to offset ``end``, by one instruction
        at least."""
        wanted, waiting, seen = self.index_at(end), [self.index_at(start)], set[int]()
        while waiting:
            index = waiting.pop()
            for after in self.thread_after(index) if index < len(self.steps) else ():
                if after == wanted:
                    return True
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return False

    def stretch_begin(self, index: int, events: Sequence[int]) -> int:
        """The earliest instruction from which all lanes come to the one of number ``index``, none
        others come there, and none of the instructions on the way is one of ``events`` (numbers,
        the smallest first)."""
        first = self._block_first[index]
        if first == index:
            return index
        place = bisect_left(events, index)
        return max(first, events[place - 1] if place else 0) + 1

    def stretch_end(self, index: int, events: Sequence[int]) -> int:
        """The first instruction, from that of number ``index`` on, from which not all lanes come to
        the following one, or that is one of ``events`` (numbers, the smallest first)."""
        place = bisect_left(events, index)
        last = self._block_last[index]
        return min(last, events[place]) if place < len(events) else last

    def writers(self, index: int, wanted: int, written: Mapping[int, int]) -> set[int | None]:
        """Numbers of the instructions whose results a place may have in front of the instruction
        of number ``index``; None: what it had when the function began. ``wanted`` has a set bit
        for each byte of the place, ``written`` gives those that instructions write, by their
        numbers."""
        found: set[int | None] = set()
        waiting, seen = [(index, wanted)], {index: wanted}
        events = sorted(written)
        while waiting:
            at, missing = waiting.pop()
            if at == 0:
                found.add(None)
            for before in self.before(at):
                step, rest = self.steps[before], missing
                made = written.get(before, 0) & missing
                if made:
                    found.add(before)
                    rest = missing if step.is_conditional else missing & ~made
                ahead = self.stretch_begin(before, events)
                rest &= ~seen.get(ahead, 0)
                if rest:
                    seen[ahead] = seen.get(ahead, 0) | rest
                    waiting.append((ahead, rest))
        return found

    def after_any(self, indices: Iterable[int]) -> set[int]:
        """Numbers of all instructions that a lane may execute after one of those of ``indices``."""
        found: set[int] = set()
        waiting = list(indices)
        while waiting:
            for following in self.after(waiting.pop()):
                if following not in found:
                    found.add(following)
                    waiting.append(following)
        return found

    def block_before(self, at: int) -> Iterator[Step]:
        """The instructions in front of that at offset ``at``, the last first, as far as lanes come
        to them on one way only."""
        index = self.index_at(at)
        yield from reversed(self.steps[self._block_first_before(index) : index])

    def block_begin(self, at: int) -> int:
        """The offset of the first instruction of :meth:`block_before`; ``at`` if there is none."""
        index = self.index_at(at)
        first = self._block_first_before(index)
        return self.steps[first].offset if first < index else at

    def straight_around(self, at: int) -> range:
        """The offsets from the first to the last instruction of those around that at offset ``at``
        that lanes execute one after the other, all of them if one."""
        first = last = self.index_at(at)
        while self._is_followed(first - 1):
            first -= 1
        while self._is_followed(last):
            last += 1
        return range(self.steps[first].offset, self.steps[last].end)

    def _is_followed(self, index: int) -> bool:
        """Whether lanes execute the next instruction after that of number ``index``, and only
        after that."""
        if index < 0 or self.after(index) != [index + 1]:
            return False
        return self.before(index + 1) == [index]

    def avoids(self, at: int, *passed: int) -> bool:
        """Whether a lane may come to offset ``at`` without the instructions at ``passed``."""
        start, walls = self.index_at(at), set(map(self.index_at, passed))
        if start in walls:
            return False
        waiting, seen = [start], {start}
        while waiting:
            index = waiting.pop()
            if index == 0:
                return True
            for before in self._before[index]:
                if before not in walls and before not in seen:
                    seen.add(before)
                    waiting.append(before)
        return False

    def between(self, since: int, at: int) -> list[Step]:
        """What a lane may execute after the instruction at offset ``since`` and in front of ``at``,
        without executing that one again."""
        wall, start = self.index_at(since), self.index_at(at)
        before, waiting = set[int](), [start]
        while waiting:
            for each in self._before[waiting.pop()]:
                if each != wall and each not in before:
                    before.add(each)
                    waiting.append(each)
        after, waiting = set[int](), [wall]
        while waiting:
            for each in self.after(waiting.pop()):
                if each != wall and each not in after:
                    after.add(each)
                    waiting.append(each)
        return [self.steps[each] for each in sorted(before & after)]

    def leads_to(self, since: int, to: int, passed: int | None = None) -> bool:
        """Whether a lane may come from offset ``since`` to ``to`` without a jump back; ``passed``:
        and without the instruction there."""
        start, goal = self.index_at(since), self.index_at(to)
        wall = None if passed is None else self.index_at(passed)
        waiting, seen = [start], {start}
        while waiting:
            index = waiting.pop()
            if index == goal:
                return True
            for following in self.after(index):
                if index < following <= goal and following != wall and following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return False

    def is_passed(self, loop: tuple[int, int], at: int, *, by_leaving: bool) -> bool:
        """Whether all lanes come to offset ``at`` once in each pass of ``loop`` in which they go
        round it; ``by_leaving``: in those in which they leave it, too. At a join, lanes that wait
        for it are not there yet."""
        key = loop, at, by_leaving
        if key not in self._passed:
            self._passed[key] = self._is_passed(*key)
        return self._passed[key]

    def _is_passed(self, loop: tuple[int, int], at: int, by_leaving: bool) -> bool:
        around = sorted(self.loops_around(at), key=lambda each: each[1] - each[0])
        if around[:1] != [loop] or any(each[0] == loop[0] for each in around[1:]):
            return False  # several times, or in passes that are not known
        if self.steps[self.index_at(at)].decoded.opcode is Opcode.JOIN:
            return False
        ends = [loop[1], *(self.exits(loop) if by_leaving else ())]
        return all(at in (loop[0], end) or not self.leads_to(loop[0], end, at) for end in ends)

    def loops_around(self, offset: int) -> frozenset[tuple[int, int]]:
        """The loops that the instruction at ``offset`` is in."""
        return frozenset(each for each in self.loops if each[0] <= offset <= each[1])

    def _block_first_before(self, index: int) -> int:
        return self._block_first[index] if index < len(self.steps) else index

    def _targets(self, index: int, step: Step) -> set[int]:
        """Numbers of the instructions that a lane may execute next."""
        decoded = step.decoded
        if decoded.is_end_of_thread or decoded.opcode is Opcode.RET:
            return set()
        if not (decoded.jip or decoded.uip):
            return {index + 1}
        ways = [self.index_at(step.offset + each) for each in (decoded.jip, decoded.uip) if each]
        if decoded.opcode in _OTHER_LEAPS:
            return {index + 1, *ways}
        if decoded.opcode not in _LEAPS:
            return {index + 1}
        if decoded.predicate is Predicate.NONE:
            return {ways[-1]}
        # Lanes that do not take a jump back go to where the others will wait.
        return {ways[-1], ways[0] if decoded.branch_control else index + 1}
