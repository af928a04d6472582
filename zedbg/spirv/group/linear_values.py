"""What results of a kernel may be in any work-item of a launch, in any iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zedbg.spirv.analysis.inductions import with_low_bits
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import BuiltIn, Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue, signed, whole
from zedbg.spirv.numbers.comparisons import OPPOSITE, ORDERS, UNSIGNED_ORDERS
from zedbg.spirv.numbers.linear import Condition, Linear, Of, Unknown
from zedbg.spirv.work_item.given_values import GivenValues, WorkItem

_ADDRESS_BITS = 64
_MOST_LOADED = 4_096  # numbers
_Ids = tuple[int, int, int]
_SAME = frozenset({Op.COPY_OBJECT, Op.BITCAST, Op.PTR_CAST_TO_GENERIC, Op.GENERIC_CAST_TO_PTR})
_UNSIGNED = frozenset(
    {
        *UNSIGNED_ORDERS,
        *(Op.U_DIV, Op.U_MOD, Op.SHIFT_RIGHT_LOGICAL, Op.U_CONVERT),
    }
)
_COMPARED = frozenset({Op.I_EQUAL, Op.I_NOT_EQUAL, *ORDERS})


class _Most(NamedTuple):
    """How far a counter goes: to ``end``, or ``more`` than that; not there if its condition
    ``has_held``."""

    end: Linear
    more: int
    has_held: bool


class LinearValues:
    """Those of ``kernel``, of the launch that ``item`` is a work-item of, which is ``given`` its
    arguments, and memory that stays; it has so many ``groups`` at most. Whole numbers are known
    modulo 2 to the power of their bits. Raises UnknownValue where the launch is not known."""

    def __init__(
        self,
        model: Model,
        kernel: Function,
        given: GivenValues,
        item: WorkItem,
        groups: _Ids,
    ) -> None:
        self._model = model
        self._code = model.code
        self._kernel = kernel
        self._given = given
        self._flow = model.flow(kernel)
        self._made = model.made(kernel)
        self._known: dict[tuple[int, frozenset[int]], Linear | None] = {}
        # The loops in whose bodies a value is asked for: their conditions have held.
        self._inside: frozenset[int] = frozenset()
        self._size = item.built_in(BuiltIn.WORKGROUP_SIZE)
        self._item = item
        #: What work-items differ in: by dimension, the number of the group and the local id.
        self.groups = [
            Unknown(Of.GROUP, each, max(count, 1) - 1) for each, count in enumerate(groups)
        ]
        self.locals = [Unknown(Of.LOCAL, each, size - 1) for each, size in enumerate(self._size)]

    def ids(self, item: WorkItem) -> dict[Unknown, int]:
        """What ``item`` has of what work-items differ in. Raises UnknownValue."""
        group, local = (
            item.built_in(each) for each in (BuiltIn.WORKGROUP_ID, BuiltIn.LOCAL_INVOCATION_ID)
        )
        own = item.built_in(BuiltIn.GLOBAL_INVOCATION_ID)
        if any(a * b + c != d for a, b, c, d in zip(group, self._size, local, own, strict=True)):
            raise UnknownValue("global ids do not begin with 0, or groups differ in size")
        return dict(zip([*self.groups, *self.locals], [*group, *local], strict=True))

    def address(self, pointer: int, block: int) -> Linear:
        """The address that ``pointer`` is where it is used in ``block``."""
        self._inside = frozenset(self._flow.loops_around(block)) - {block}
        return self._of(pointer)

    def conditions(self, block: int) -> list[Condition]:
        """Those of comparisons under which a work-item comes to ``block``, for the same execution
        of it as :meth:`address`: the block that a jump decides to go to is the only one which the
        jump leads to that way, and each way to ``block`` goes through it. Between that jump and
        ``block``, nothing that is compared can be made anew: that would be on a way to ``block``
        which the jump is not on."""
        self._inside = frozenset(self._flow.loops_around(block)) - {block}
        return list(self._conditions_between(0, block))

    def _conditions_between(self, start: int, block: int) -> Iterator[Condition]:
        """The same from the block ``start`` on, which dominates ``block``."""
        here = block
        while here != start and here != (above := self._flow.dominator.get(here, here)):
            jump = self._kernel.blocks[above].terminator
            if jump is not None and jump.opcode == Op.BRANCH_CONDITIONAL:
                asked, yes, no = jump.operands[:3]
                if yes != no and here in (yes, no) and self._flow.before[here] == [above]:
                    yield from self._compared(asked, holds=here == yes)
            here = above

    def _compared(self, asked: int, *, holds: bool) -> Iterator[Condition]:
        """What follows where a comparison ``holds``, or does not, or several in a row, as those of
        ``&&`` and ``||``: then a work-item has come by the last one."""
        label, item = self._made.get(asked, (0, None))
        if item is not None and item.opcode == Op.PHI and label not in self._flow.loops:
            ways = zip(item.operands[0::2], item.operands[1::2], strict=True)
            left = [each for each in ways if self._code.constants.get(each[0]) != int(not holds)]
            if len(left) == 1:
                ((last, came),) = left
                yield from self._compared(last, holds=holds)
                yield from self._conditions_between(self._flow.dominator.get(label, 0), came)
        if item is None or item.opcode not in _COMPARED:
            return
        opcode = item.opcode if holds else OPPOSITE[item.opcode]
        is_signed = opcode not in _UNSIGNED
        one, other = (self._number(each, is_signed=is_signed) for each in item.operands[:2])
        difference = one.plus(other.times(-1))
        if opcode == Op.I_EQUAL:
            yield Condition(difference, 0, 0)
        elif opcode in ORDERS:
            is_less, more = ORDERS[opcode]
            low, high = difference.bounds
            if is_less:
                yield Condition(difference, low, more - 1)
            else:
                yield Condition(difference, 1 - more, high)

    def _of(self, result: int) -> Linear:
        key = result, self._inside
        if key not in self._known:
            self._known[key] = None  # while it is looked at
            self._known[key] = self._found(result)
        return self._known[key] or self._anything(result)

    def _bits(self, result: int) -> int:
        kind = self._code.type_of.get(result)
        return _ADDRESS_BITS if kind is None or kind.kind is Kind.POINTER else kind.bits

    def _anything(self, result: int, *, is_signed: bool = False) -> Linear:
        bits = self._bits(result)
        first = _first(bits, is_signed)
        return Linear(first, first + (1 << bits) - 1)

    def _number(self, result: int, *, is_signed: bool) -> Linear:
        """``result`` as the number that its bits are."""
        bits = self._bits(result)
        first = _first(bits, is_signed)
        return self._of(result).within(first, bits) or self._anything(result, is_signed=is_signed)

    def _found(self, result: int) -> Linear | None:
        """None: nothing is known of it."""
        constant = self._code.constants.get(result)
        if constant is not None:
            return Linear(constant, constant) if isinstance(constant, int) else None
        if result in self._kernel.parameters:
            return self._argument(result)
        label, item = self._made.get(result, (0, None))
        if item is None:
            return None
        operands = item.operands
        match item.opcode:
            case Op.I_ADD:
                return self._of(operands[0]).plus(self._of(operands[1]))
            case Op.I_SUB:
                return self._of(operands[0]).plus(self._of(operands[1]).times(-1))
            case Op.S_NEGATE:
                return self._of(operands[0]).times(-1)
            case Op.I_MUL:
                return self._product(operands[0], operands[1])
            case Op.SHIFT_LEFT_LOGICAL:
                amount = self._of(operands[1]).number
                return None if amount is None else self._of(operands[0]).times(1 << (amount & 63))
            case Op.S_CONVERT | Op.U_CONVERT:
                if self._bits(result) <= self._bits(operands[0]):
                    return self._of(operands[0])
                return self._number(operands[0], is_signed=item.opcode == Op.S_CONVERT)
            case Op.SELECT:
                which = self._of(operands[0]).number
                if which is not None:
                    return self._of(operands[1 if which else 2])
                return self._of(operands[1]).any_of(self._of(operands[2]))
            case Op.PHI:
                return self._chosen(label, item)
            case Op.COMPOSITE_EXTRACT:
                return self._built_in(operands)
            case Op.EXT_INST:
                return self._function(item)
            case Op.LOAD:
                return self._loaded(item)
            case opcode if opcode in _SAME:
                kinds = [self._code.type_of[each].kind for each in (result, operands[0])]
                return self._of(operands[0]) if kinds[0] is kinds[1] else None
        return self._address(item) or self._part(item)

    def _argument(self, parameter: int) -> Linear | None:
        try:
            value = self._given.outermost.arguments[self._kernel.parameters.index(parameter)]()
        except UnknownValue:
            return None
        return Linear(value, value) if isinstance(value, int) else None

    def _product(self, one: int, other: int) -> Linear | None:
        a, b = self._of(one), self._of(other)
        for number, value in ((a.number, b), (b.number, a)):
            if number is not None:
                return value.times(number)
        return None

    def _built_in(self, operands: Sequence[int]) -> Linear | None:
        """A component of an id or a size."""
        source, *path = operands
        _, item = self._made.get(source, (0, None))
        if item is None or item.opcode != Op.LOAD or len(path) != 1 or path[0] > 2:
            return None
        which, (at,) = self._code.built_ins.get(item.operands[0]), path
        group, local, size = self.groups[at], self.locals[at], self._size[at]
        match which:
            case BuiltIn.WORKGROUP_ID:
                return Linear(0, 0, {group: 1})
            case BuiltIn.LOCAL_INVOCATION_ID:
                return Linear(0, 0, {local: 1})
            case BuiltIn.GLOBAL_INVOCATION_ID:
                return Linear(0, 0, {group: size, local: 1})
            case BuiltIn.WORKGROUP_SIZE | BuiltIn.ENQUEUED_WORKGROUP_SIZE:
                return Linear(size, size)
            case BuiltIn.GLOBAL_SIZE:
                return self._global_size(at)
        return None

    def _global_size(self, dimension: int) -> Linear | None:
        try:
            size = self._item.built_in(BuiltIn.GLOBAL_SIZE)[dimension]
        except UnknownValue:
            return None
        return Linear(size, size)

    def _address(self, item: Instruction) -> Linear | None:
        """What an access chain makes."""
        pure = self._model.computation(item)
        if pure is None or pure.chain is None:
            return None
        base, *indices = pure.operands
        found = self._of(base).plus(Linear(pure.chain.offset, pure.chain.offset))
        for each, (_, size) in zip(indices, pure.chain.steps, strict=True):
            found = found.plus(self._number(each, is_signed=True).times(size))
        return found

    def _loaded(self, item: Instruction) -> Linear | None:
        """What is loaded from an array that the kernel does not write to, or from a structure that
        it is passed by value: a number between the least and the greatest one of those that the
        index may lead to. They are the same at all times, and for all work-items."""
        pointer, kind = item.operands[0], self._code.type_of[item.result]
        root, begin, indices = self._steps(pointer)
        moving = [(number, step) for number, step in indices if number.number is None]
        if kind.kind is not Kind.INTEGER or len(moving) > 1:
            return None
        begin += sum(number.low * step for number, step in indices if number.number is not None)
        (least, greatest), step = (0, 0), kind.size
        if moving:
            ((number, step),) = moving
            least, greatest = number.bounds
        if greatest - least >= _MOST_LOADED:
            return None
        begin, size = begin + least * step, (greatest - least) * step + kind.size
        try:
            data = self._bytes_at(pointer, root, begin, size)
        except UnknownValue:
            return None
        found = [
            signed(whole(kind.decode(data[at : at + kind.size])), kind.bits)
            for at in range(0, size, step)
        ]
        return Linear(min(found), max(found))

    def _bytes_at(self, pointer: int, root: int, offset: int, size: int) -> bytes:
        """``size`` bytes, so many after ``root``, which ``pointer`` is made of. Raises
        UnknownValue."""
        if root in self._code.by_value.intersection(self._kernel.parameters):
            if self._model.writes_to_copies(self._kernel):
                raise UnknownValue("the function may write to what was passed to it by value")
            return self._given.passed_bytes(root, offset, size)
        address = self._of(root).number
        if address is None:
            raise UnknownValue("an address that is not known")
        return self._given.bytes_at(self._given.outermost, pointer, address + offset, size)

    def _steps(self, pointer: int) -> tuple[int, int, list[tuple[Linear, int]]]:
        """What access chains make ``pointer`` of: another one, bytes after that, and numbers with
        the bytes of one."""
        _, item = self._made.get(pointer, (0, None))
        pure = None if item is None else self._model.computation(item)
        if item is not None and item.opcode in _SAME:
            return self._steps(item.operands[0])
        if self._of(pointer).number is not None or pure is None or pure.chain is None:
            return pointer, 0, []
        base, *indices = pure.operands
        root, begin, found = self._steps(base)
        for each, (_, size) in zip(indices, pure.chain.steps, strict=True):
            found.append((self._number(each, is_signed=True), size))
        return root, begin + pure.chain.offset, found

    def _part(self, item: Instruction) -> Linear | None:
        """What takes a part of a number, or divides it."""
        if len(item.operands) != 2:
            return None
        divided, by = item.operands[0], self._of(item.operands[1]).number
        if item.opcode == Op.BITWISE_AND and by is None:
            divided, by = item.operands[1], self._of(item.operands[0]).number
        is_signed = item.opcode not in _UNSIGNED
        is_negative = is_signed and by is not None and by >> self._bits(item.result) - 1
        if by is None or by <= 0 or is_negative:
            return None
        number = self._number(divided, is_signed=is_signed)
        low, _ = number.bounds
        match item.opcode:
            case Op.BITWISE_AND if by & by + 1:
                return Linear(0, by)
            case Op.BITWISE_AND:
                return number.remainder(by + 1)
            case Op.U_MOD | Op.S_REM:
                return number.remainder(by) if low >= 0 else Linear(1 - by, by - 1)
            case Op.S_DIV | Op.U_DIV if low >= 0:
                return number.quotient(by)
            case Op.SHIFT_RIGHT_LOGICAL | Op.SHIFT_RIGHT_ARITHMETIC if by < self._bits(item.result):
                return number.quotient(1 << by)
        return None

    def _function(self, item: Instruction) -> Linear | None:
        """Least and greatest numbers: the bounds."""
        if item.operands[0] not in self._code.maths:
            return None
        which, *operands = item.operands[1:]
        if which not in (Std.S_CLAMP, Std.S_MAX, Std.S_MIN):
            return None
        (low, high), *others = (self._number(each, is_signed=True).bounds for each in operands)
        if which != Std.S_MIN:
            (least, most), *others = others
            low, high = max(low, least), max(high, most)
        for least, most in others:
            low, high = min(low, least), min(high, most)
        return Linear(low, high)

    def _chosen(self, label: int, item: Instruction) -> Linear | None:
        """An OpPhi: a counter of a loop, or what may be any of several values."""
        loop = self._flow.loops.get(label)
        if loop is not None:
            return self._counter(loop, item)
        first, *others = (self._of(each) for each in item.operands[0::2])
        for each in others:
            first = first.any_of(each)
        return first

    def _counter(self, loop: Loop, item: Instruction) -> Linear | None:
        """What is more by the same in each iteration, until the loop's condition ends it."""
        ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
        begins = {value for block, value in ways.items() if block not in loop.blocks}
        nexts = {value for block, value in ways.items() if block in loop.blocks}
        condition = self._condition(loop)
        if len(begins) != 1 or len(nexts) != 1 or condition is None:
            return None
        opcode, counter, end, holds_inside = condition
        bits = self._bits(item.result)
        _, sum_ = self._made.get(self._with_low_bits(nexts.pop(), bits), (0, None))
        if counter != item.result or sum_ is None or len(sum_.operands) != 2:
            return None
        one, other = (self._with_low_bits(each, bits) for each in sum_.operands)
        if item.result not in (one, other):
            return None
        added = self._of(other if one == item.result else one)
        if sum_.opcode == Op.I_SUB and one == item.result:
            added = added.times(-1)
        elif sum_.opcode != Op.I_ADD:
            return None
        step = added.within(-(1 << bits - 1), bits)
        grows, more = ORDERS[opcode]
        if step is None or not step.number or (step.number > 0) != grows:
            return None
        is_signed = opcode not in _UNSIGNED
        begin, end_at = begins.pop(), self._number(end, is_signed=is_signed)
        has_held = holds_inside and loop.header in self._inside
        most = _Most(end_at, more, has_held)
        return self._from(loop, begin, step.number, most, is_signed=is_signed)

    def _with_low_bits(self, value: int, bits: int) -> int:
        return with_low_bits(self._code, self._made, value, bits)

    def _from(
        self, loop: Loop, begin: int, step: int, most: _Most, *, is_signed: bool
    ) -> Linear | None:
        """What begins as ``begin``, and is more by ``step`` in each iteration up to ``most``."""
        bits = self._bits(begin)
        start = self._number(begin, is_signed=is_signed)
        (low, high), (least, greatest) = start.bounds, most.end.bounds
        way = greatest + most.more - low if step > 0 else high - least + most.more
        last = max(0, -(-way // abs(step)) - most.has_held)
        iteration = Unknown(Of.ITERATION, loop.header, last)
        found = start.plus(Linear(0, 0, {iteration: step}))
        first = _first(bits, is_signed)
        low, high = found.bounds
        return found if first <= low and high < first + (1 << bits) else None

    def _condition(self, loop: Loop) -> tuple[int, int, int, bool] | None:
        """Under which the loop goes on from its first block: the comparison, the counter, the end;
        and whether it goes on to all other blocks under that only. None where it has another
        one."""
        jump = self._kernel.blocks[loop.header].terminator
        if jump is None or jump.opcode != Op.BRANCH_CONDITIONAL:
            return None
        asked, *targets = jump.operands[:3]
        goes_on = [each in loop.blocks for each in targets]
        is_alone = goes_on[0] != goes_on[1]
        if not is_alone:  # it may lead to where several conditions in a row end
            goes_on = [not self._leaves(loop, each) for each in targets]
        _, item = self._made.get(asked, (0, None))
        if item is None or goes_on[0] == goes_on[1]:
            return None
        opcode = item.opcode if goes_on[0] else OPPOSITE.get(item.opcode, 0)
        counter, end = item.operands[:2]
        return (opcode, counter, end, is_alone) if opcode in ORDERS else None

    def _leaves(self, loop: Loop, block: int) -> bool:
        """Whether a work-item that comes to ``block`` from the first one of ``loop`` leaves it
        there, as where the first condition of several in a row does not hold."""
        jump = self._kernel.blocks[block].terminator if block in loop.blocks else None
        if jump is None or jump.opcode != Op.BRANCH_CONDITIONAL:
            return False
        asked, yes, no = jump.operands[:3]
        label, item = self._made.get(asked, (0, None))
        if item is None or item.opcode != Op.PHI or label != block:
            return False
        ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
        chosen = self._code.constants.get(ways.get(loop.header, 0))
        return chosen is not None and (yes if chosen else no) not in loop.blocks


def _first(bits: int, is_signed: bool) -> int:
    """The least number of so many bits."""
    return -(1 << bits - 1) if is_signed and bits else 0
