"""The blocks of a function: who comes before whom, and which loops they are in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op


@dataclass(frozen=True)
class Loop:
    """A loop: its first block, its other blocks, those that jump back, and the loops around it."""

    header: int
    blocks: frozenset[int]
    latches: tuple[int, ...]


def targets(jump: Instruction | None) -> list[int]:
    """The labels that the last instruction of a block may jump to."""
    if jump is None:
        return []
    operands = list(jump.operands)
    match jump.opcode:
        case Op.BRANCH:
            return operands[:1]
        case Op.BRANCH_CONDITIONAL:
            return operands[1:3]
        case Op.SWITCH:
            return [operands[1], *operands[3::2]]
    return []


def _may_be_reached(function: Function, label: int) -> bool:
    """Whether a program may come to block ``label``: neither that says that it does not, nor one
    that it only leads to."""
    seen = set[int]()
    while label not in seen:
        seen.add(label)
        block = function.blocks.get(label)
        if block is None:
            return False
        jump = block.terminator
        if jump is None or jump.opcode != Op.BRANCH or len(block.items) > 1:
            return jump is None or jump.opcode != Op.UNREACHABLE
        label = jump.operands[0]
    return True


class Flow:
    """The blocks of ``function``, by label. Jumps to where the program says that it never comes are
    none: compilers write them for what no ``case`` names, also where scopes end with ``continue``
    or ``break``."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._passages: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        self._following: dict[int, frozenset[int]] = {}
        self.after = {
            label: [each for each in targets(block.terminator) if _may_be_reached(function, each)]
            for label, block in function.blocks.items()
        }
        self.before: dict[int, list[int]] = {label: [] for label in function.blocks}
        for label, following in self.after.items():
            for each in dict.fromkeys(following):
                self.before[each].append(label)

    @cached_property
    def order(self) -> list[int]:
        """Blocks that can be reached, in reverse postorder."""
        found: list[int] = []
        seen = {self.function.entry}
        stack = [(self.function.entry, iter(self.after.get(self.function.entry, ())))]
        while stack:
            label, following = stack[-1]
            for each in following:
                if each not in seen:
                    seen.add(each)
                    stack.append((each, iter(self.after[each])))
                    break
            else:
                found.append(label)
                stack.pop()
        return found[::-1]

    @cached_property
    def dominator(self) -> dict[int, int]:
        """The last block that each one is only reached through; the entry is its own."""
        number = {label: index for index, label in enumerate(self.order)}
        entry = self.function.entry
        found = {entry: entry}
        changed = True
        while changed:
            changed = False
            for label in self.order[1:]:
                known = [each for each in self.before[label] if each in found]
                nearest = known[0]
                for each in known[1:]:
                    while nearest != each:
                        if number[nearest] > number[each]:
                            nearest = found[nearest]
                        else:
                            each = found[each]
                if found.get(label) != nearest:
                    found[label] = nearest
                    changed = True
        return found

    def dominates(self, block: int, other: int) -> bool:
        """Whether every way to ``other`` goes through ``block``."""
        while other != block:
            above = self.dominator.get(other)
            if above is None or above == other:
                return False
            other = above
        return True

    def leads_within(self, loop: Loop, block: int, other: int) -> bool:
        """Whether a way leads from ``block`` to ``other``, another one, in one iteration of
        ``loop``, which both are in."""
        waiting, seen = [block], {block, loop.header}
        while waiting:
            for each in self.after[waiting.pop()]:
                if each == other and each != loop.header:
                    return True
                if each in loop.blocks and each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return False

    def ends_without(self, loop: Loop, block: int, avoided: int) -> set[int]:
        """Where ways from ``block`` that do not come to the block ``avoided`` end an iteration of
        ``loop``: its first block, for the next one, and blocks after the loop."""
        waiting, seen, found = list(self.after[block]), {avoided}, set[int]()
        while waiting:
            label = waiting.pop()
            if label == loop.header or label not in loop.blocks:
                found.add(label)
            elif label not in seen:
                seen.add(label)
                waiting += self.after[label]
        return found

    def is_passed(self, block: int) -> bool:
        """Whether every way from the function's beginning to its end goes through ``block``."""
        entry = self.function.entry
        waiting, seen = [entry] if entry != block else [], {entry, block}
        while waiting:
            label = waiting.pop()
            if not self.after[label]:
                return False
            waiting += [each for each in self.after[label] if each not in seen]
            seen.update(self.after[label])
        return True

    @cached_property
    def loops(self) -> dict[int, Loop]:
        """The loops, by the label of their first block."""
        latches: dict[int, list[int]] = {}
        for label in self.order:
            for each in dict.fromkeys(self.after[label]):
                if self.dominates(each, label):
                    latches.setdefault(each, []).append(label)
        found = {}
        for header, back in latches.items():
            blocks = {header}
            waiting = list(back)
            while waiting:
                label = waiting.pop()
                if label not in blocks:
                    blocks.add(label)
                    waiting += [each for each in self.before[label] if each in self.dominator]
            found[header] = Loop(header, frozenset(blocks), tuple(back))
        return found

    @cached_property
    def is_structured(self) -> bool:
        """Whether every jump back goes to the first block of a loop."""
        number = {label: index for index, label in enumerate(self.order)}
        return all(
            number[each] > number[label] or self.dominates(each, label)
            for label in self.order
            for each in self.after[label]
        )

    @cached_property
    def _around(self) -> dict[int, tuple[int, ...]]:
        by_size = sorted(self.loops.values(), key=lambda loop: -len(loop.blocks))
        return {
            label: tuple(loop.header for loop in by_size if label in loop.blocks)
            for label in self.function.blocks
        }

    def loops_around(self, label: int) -> tuple[int, ...]:
        """The first blocks of the loops that a block is in, the outermost first."""
        return self._around[label]

    def passage(self, label: int, block: int) -> tuple[int, tuple[int, ...]]:
        """How many of the loops around ``label`` are around ``block``, too, counted from the
        outermost; and the first blocks of the others."""
        key = label, block
        found = self._passages.get(key)
        if found is None:
            around, here = self._around[label], self._around[block]
            shared = 0
            while shared < min(len(around), len(here)) and around[shared] == here[shared]:
                shared += 1
            found = self._passages[key] = shared, around[shared:]
        return found

    def following(self, label: int) -> frozenset[int]:
        """The blocks that may be executed after ``label``."""
        if label not in self._following:
            found: set[int] = set()
            waiting = [label]
            while waiting:
                for each in self.after[waiting.pop()]:
                    if each not in found:
                        found.add(each)
                        waiting.append(each)
            self._following[label] = frozenset(found)
        return self._following[label]

    def way_to(self, label: int, end: int) -> int | None:
        """The block that must be next after ``label`` where ``end`` is executed later; None where
        several may be, or where ``label`` may be executed after ``end``, too."""
        if label in self.following(end):
            return None
        ways = {each for each in self.after[label] if each == end or end in self.following(each)}
        return ways.pop() if len(ways) == 1 else None

    def last_before(self, labels: Iterable[int]) -> int:
        """The last block that every way to each of ``labels`` goes through."""
        first, *others = labels
        while not all(self.dominates(first, each) for each in others):
            first = self.dominator[first]
        return first
