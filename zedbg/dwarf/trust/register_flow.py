"""How values flow through the general registers of one function, from instruction to instruction.

Bytes are followed one by one: an instruction that writes a part of a value leaves the rest as it
was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property

from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.indirect_writes import IndirectWrites, KnownIndex
from zedbg.dwarf.trust.steps import Span, Step, with_accumulators
from zedbg.xe.instruction import RegisterFile

#: The number of the first accumulator, after all general registers.
FIRST_ACCUMULATOR = 256
_ANYWHERE = (0, 1 << 20)


class RegisterFlow(CodeFlow):
    """The ways through a function, and what instructions on them do to registers."""

    @cached_property
    def steps_with_accumulators(self) -> list[Step]:
        """The instructions, with accumulators as general registers from
        :data:`FIRST_ACCUMULATOR` on."""
        return [with_accumulators(each, FIRST_ACCUMULATOR, self.grf_bytes) for each in self.steps]

    def may_write(self, step: Step, place: Span) -> bool:
        """Whether ``step`` may write to a byte of ``place``."""
        decoded = step.decoded
        target = decoded.destination
        if decoded.is_call:
            return True
        if target is None:
            return False
        if decoded.send is not None and decoded.send.response_length is None:
            return target.file is RegisterFile.GRF
        if target.indirect:
            first, end = self.indirect_range(step)
            return first < place.end and place.first < end
        return step.writes is not None and step.writes.meets(place)

    def indirect_range(self, step: Step) -> tuple[int, int]:
        """The bytes, without the second, that ``step`` may write, which takes its register from
        a0."""
        return self._indirect_writes.get(step.offset, _ANYWHERE)

    @cached_property
    def _indirect_writes(self) -> dict[int, tuple[int, int]]:
        """By offset, which bytes instructions write that take the register from a0."""
        return self._ranges(IndirectWrites(self), self._by_index)

    @cached_property
    def _by_index(self) -> list[int]:
        """Numbers of the instructions that take the register which they write to from a0."""
        return [
            index
            for index, step in enumerate(self.steps)
            if step.decoded.destination is not None and step.decoded.destination.indirect
        ]

    def _writing_by_index(self, places: tuple[int, int]) -> list[int]:
        """Those of them at offsets ``places``, and between."""
        return [
            each for each in self._by_index if places[0] <= self.steps[each].offset <= places[1]
        ]

    def _ranges(self, writes: IndirectWrites, indices: list[int]) -> dict[int, tuple[int, int]]:
        found = writes.ranges(indices)
        return {self.steps[index].offset: written for index, written in found.items()}

    def may_be_written_unseen(self, place: Span) -> bool:
        """Whether an instruction may write to ``place`` that :meth:`writes_to` does not give: a
        call, a message with its descriptor in a0, or one that takes the register from a0."""
        return any(self.may_write(step, place) for step in self._writing_unseen)

    @cached_property
    def _writing_unseen(self) -> list[Step]:
        """Those that may write to some place so."""
        everywhere = Span(0, _ANYWHERE[1], 0)
        return [
            each
            for each in self.steps
            if each.decoded.is_call or (each.writes is None and self.may_write(each, everywhere))
        ]

    def unbounded_writes(self, places: tuple[int, int]) -> bool:
        """Whether an instruction at offsets ``places``, or between, may write to any register."""
        return any(
            self.indirect_range(self.steps[each]) == _ANYWHERE
            for each in self._writing_by_index(places)
        )

    def without_indirect_writes(self) -> RegisterFlow:
        """The same code, if it wrote nothing where it takes the register from a0."""
        return self._with_indirect({self.steps[each].offset: (0, 0) for each in self._by_index})

    def with_index(self, loop: tuple[int, int], index: KnownIndex) -> RegisterFlow | None:
        """The same code, where ``loop`` finds ``index`` as that says; None where it may write
        anywhere even so."""
        indices = self._writing_by_index(loop)
        found = self._ranges(IndirectWrites(self, index), indices)
        return self._with_indirect(found) if len(found) == len(indices) else None

    def _with_indirect(self, writes: dict[int, tuple[int, int]]) -> RegisterFlow:
        other = copy(self)
        other.__dict__["_indirect_writes"] = writes
        return other

    def definitions(self, place: Span, at: int) -> set[int | None]:
        """Numbers of the instructions whose results ``place`` may hold in front of the instruction
        at offset ``at``; None: what it held when the function began, or what an instruction wrote
        that takes the register from a0."""
        written, every = self.writes_to(place), place.every
        by_index = {each for each in self._by_index if self.may_write(self.steps[each], place)}
        if by_index:
            written = written | dict.fromkeys(by_index, every)
        found = self.writers(self.index_at(at), every, written)
        return {None, *found} - by_index if found & by_index else found

    def writes_to(self, place: Span) -> dict[int, int]:
        """By the number of each instruction that writes to a byte of ``place``, not by a0: which
        ones, as set bits of :attr:`Span.every`."""
        if place not in self._writes_to:
            self._writes_to[place] = self._taken(self._writing, place)
        return self._writes_to[place]

    def _reads_of(self, place: Span) -> dict[int, int]:
        """As :meth:`writes_to`, of the instructions that read them."""
        return self._taken(self._reading, place)

    def _taken(self, uses: Mapping[int, list[tuple[int, Span]]], place: Span) -> dict[int, int]:
        """By the number of each instruction that ``uses`` bytes of ``place``: which ones."""
        found: dict[int, int] = {}
        first, end, every = place.first, place.end, place.every
        begin = 0  # what begins in front of a register was seen at the one before
        for register in self._registers(place):
            for index, span in uses.get(register, ()):
                if span.first >= begin:
                    is_whole = span.first <= first and end <= span.end and span.is_dense
                    bits = every if is_whole else place.taken_by(span)
                    if bits:
                        found[index] = found.get(index, 0) | bits
            begin = (register + 1) * self.grf_bytes
        return found

    def _registers(self, place: Span) -> range:
        return range(place.first // self.grf_bytes, (place.end - 1) // self.grf_bytes + 1)

    @cached_property
    def _writes_to(self) -> dict[Span, dict[int, int]]:
        return {}

    @cached_property
    def _writing(self) -> dict[int, list[tuple[int, Span]]]:
        """Numbers of the instructions that write to each general register, with what they do."""
        return self._using(lambda step: () if step.writes is None else (step.writes,))

    @cached_property
    def _reading(self) -> dict[int, list[tuple[int, Span]]]:
        """Numbers of the instructions that read each general register, with what they do."""
        return self._using(lambda step: step.reads)

    def _using(self, spans: Callable[[Step], Iterable[Span]]) -> dict[int, list[tuple[int, Span]]]:
        found = defaultdict[int, list[tuple[int, Span]]](list)
        for index, step in enumerate(self.steps):
            for span in spans(step):
                used = index, span
                for number in self._registers(span):
                    found[number].append(used)
        return dict(found)

    def reads_from(self, first: int, at: int) -> Iterator[tuple[Step, Span]]:
        """The instructions from offset ``at`` on that read something which begins at byte
        ``first``, with that, in their order."""
        begin = self.index_at(at)
        for index, span in self._reading.get(first // self.grf_bytes, ()):
            if index >= begin and span.first == first:
                yield self.steps[index], span

    def is_read(self, place: Span, at: int) -> bool:
        """Whether anything from offset ``at`` on reads what ``place`` holds there."""
        writes, reads = self.writes_to(place), self._reads_of(place)
        events = sorted({*writes, *reads})
        start = self.index_at(at)
        waiting, seen = [(start, place.every)], {start: place.every}
        while waiting:
            index, left = waiting.pop()
            if index >= len(self.steps):
                continue
            index = self.stretch_end(index, events)
            if reads.get(index, 0) & left:
                return True
            if not self.steps[index].is_conditional:
                left &= ~writes.get(index, 0)
            for following in self.after(index):
                rest = left & ~seen.get(following, 0)
                if rest:
                    seen[following] = seen.get(following, 0) | rest
                    waiting.append((following, rest))
        return False

    def carries(
        self, places: Iterable[Span], loop: tuple[int, int], at: int, *, is_next: bool
    ) -> bool:
        """Whether ``places`` have at offset ``at`` what they had where this pass of ``loop`` began,
        and one of them something else in the next one; ``is_next``: what they will have where that
        begins, and one of them had something else in this one."""
        inner = [each for each in self.loops_around(at) if loop[0] <= each[0] < each[1] < loop[1]]
        first, last = min([at, *(a for a, _ in inner)]), max([at, *(b for _, b in inner)])
        inside = [each for each in self.steps if loop[0] <= each.offset <= loop[1]]
        written = {
            each.offset for each in inside for place in places if self.may_write(each, place)
        }
        if is_next:
            return bool(written) and max(written) < first
        return bool(written) and min(written) >= (last if inner else at)

    def keeps(self, place: Span, since: int, at: int) -> bool:
        """Whether ``place`` has at offset ``at`` what it had at offset ``since`` for all lanes,
        whichever way any of them went: nothing in between may have written to it."""
        ends = [tail for head, tail in self.loops if since <= head <= at <= tail]
        last = max([at, *ends])
        for step in self.steps[self.index_at(since) :]:
            if step.offset >= last:
                return True
            if self.may_write(step, place):
                return False
        return True
