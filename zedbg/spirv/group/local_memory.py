"""What work-items load from local memory, by what all of their group stored there.

Local memory changes while a group runs, so nothing is read from it. But which store gave what a
load loads is said by the source: the last one before the barrier that came last, unless others are
not ordered with the load by a barrier. That store belongs to another work-item of the group, whose
values are computed as those of the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.group.group_stores import GroupStores, WorkGroup
from zedbg.spirv.group.inlined_kernel import InlinedKernel, NotInlinedError
from zedbg.spirv.group.phase_stores import Byte, PhaseStores, Store
from zedbg.spirv.group.phases import Moment, Phases, Writer, may_change_local_memory
from zedbg.spirv.group.way_from_border import IN_ONE_PHASE
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue, signed, whole
from zedbg.spirv.numbers.computations import Place, known
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.local_loads import LocalLoads
from zedbg.spirv.work_item.unknown_number import UnknownNumber, loaded_value

_AT_ONCE = "several work-items write to it in local memory at once"
_OTHERS = "it is loaded from local memory, which code of another kind changes"
_BEFORE_OPERAND = 3  # of an atomic operation: pointer, scope, semantics


def _signed(choose: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, bits: choose(signed(a, bits), signed(b, bits))


#: Atomic operations whose order does not matter among those of one family: what they make of a
#: number, an operand, and the bits of both.
_ACCUMULATING: dict[int, tuple[str, Callable[[int, int, int], int]]] = {
    Op.ATOMIC_I_INCREMENT: ("sum", lambda a, b, bits: a + b),
    Op.ATOMIC_I_DECREMENT: ("sum", lambda a, b, bits: a - b),
    Op.ATOMIC_I_ADD: ("sum", lambda a, b, bits: a + b),
    Op.ATOMIC_I_SUB: ("sum", lambda a, b, bits: a - b),
    Op.ATOMIC_S_MIN: ("least signed", _signed(min)),
    Op.ATOMIC_U_MIN: ("least", lambda a, b, bits: min(a, b)),
    Op.ATOMIC_S_MAX: ("most signed", _signed(max)),
    Op.ATOMIC_U_MAX: ("most", lambda a, b, bits: max(a, b)),
    Op.ATOMIC_AND: ("and", lambda a, b, bits: a & b),
    Op.ATOMIC_OR: ("or", lambda a, b, bits: a | b),
    Op.ATOMIC_XOR: ("exclusive or", lambda a, b, bits: a ^ b),
}


@dataclass(frozen=True)
class _Code:
    """A kernel, and its phases."""

    kernel: InlinedKernel
    phases: Phases


def _code_of(model: Model, kernel: Function) -> _Code:
    """``kernel`` with what it calls that changes local memory, as one function. Raises
    UnknownValue."""
    key = "inlined", kernel.result
    found = model.objects.get(key)
    if not isinstance(found, _Code):
        try:
            inlined = InlinedKernel(model, kernel, partial(may_change_local_memory, model))
        except NotInlinedError as error:
            raise UnknownValue(_OTHERS) from error
        found = model.objects[key] = _Code(inlined, Phases(model, inlined.function))
    return found


@dataclass(frozen=True)
class _LoadsOfItem:
    """See :class:`zedbg.spirv.work_item.local_loads.LocalLoads`: what work-item ``number``
    loads."""

    memory: LocalMemory
    number: int

    @property
    def is_of_stop(self) -> bool:
        return self.memory.is_of_stop

    def __call__(
        self, call: Activation, item: Instruction, source: Value | Place, visit: Visit
    ) -> Value:
        return self.memory.loaded(self.number, call, item, source, visit)


class LocalMemory:
    """That of ``group``, which executes ``kernel``. Raises UnknownValue where that is not known."""

    def __init__(self, model: Model, kernel: Function, group: WorkGroup) -> None:
        self._model = model
        self._code = model.code
        self._group = group
        inside = _code_of(model, kernel)
        self._kernel, self._phases = inside.kernel, inside.phases
        self._stores = GroupStores(
            model,
            self._kernel.function,
            self._phases,
            group,
            self.of,
            lambda number: group.held(number, inside.kernel),
        )
        self._together: dict[tuple[Moment, int, int], Sequence[int | None]] = {}
        self._known: dict[tuple[Moment, tuple[Byte, ...]], list[int | None]] = {}
        # What is loaded where nothing is stored between a border and the next one.
        self._shared: dict[tuple[Moment, int, int, Type], Value] = {}
        self._moments: dict[tuple[int, Visit], Moment] = {}
        self._borders: dict[Moment, Moment] = {}
        self._generation = 0  # of the stores that these were found with
        self._passed: set[Moment] = {self._phases.begin}  # borders that all work-items come to

    @property
    def is_of_stop(self) -> bool:
        """Whether what was given may be known at this stop only."""
        return self._stores.is_of_stop

    def begin_stop(self) -> None:
        """Looks at the group anew; only where nothing that was given is_of_stop."""
        self._stores.begin_stop()

    def of(self, number: int) -> LocalLoads:
        """What gives the loads of one work-item."""
        return _LoadsOfItem(self, number)

    def loaded(
        self, number: int, call: Activation, item: Instruction, source: Value | Place, visit: Visit
    ) -> Value:
        """What ``item``, a load from ``source``, gives to a work-item. Raises UnknownValue."""
        if not self._phases.are_known:
            raise UnknownValue(_OTHERS)
        kind = self._code.type_of[item.result]
        variable, start = self._stores.place(source, kind.size)
        if call.function is not self._kernel.function:
            item, visit = self._kernel.place(call, item, visit)
        moment = self._moment(item, visit)
        border = self._before(moment, number)
        if self._generation != self._stores.generation:
            self._generation = self._stores.generation
            for each in (self._together, self._known, self._shared):
                each.clear()
        self._group.require_local_memory(None if variable else start, kind.size)
        key = border, variable, start, kind
        shared = self._shared.get(key)
        if shared is not None:
            return shared
        self._stores.step()
        self._require_passed(border)
        wanted = tuple((variable, start + offset) for offset in range(kind.size))
        stores = self._stores.after(border, (variable, start))
        if stores.unplaced or any(
            stores.at(each) for each in dict.fromkeys(map(stores.cell, wanted))
        ):
            return loaded_value(kind, self._stored(number, stores, border, moment, wanted))
        value = loaded_value(kind, self._stored_before(border, wanted))
        self._shared[key] = value
        return value

    def _moment(self, item: Instruction, visit: Visit) -> Moment:
        """In front of ``item``, or of the quiet loops that it is in."""
        key = item.result, visit
        if key not in self._moments:
            index = self._model.index(self._kernel.function, item)
            self._moments[key] = self._phases.outside_of_quiet_loops(Moment(visit, index))
        return self._moments[key]

    # --- which store ---------------------------------------------------------------------------

    def _stored(
        self,
        number: int,
        stores: PhaseStores,
        border: Moment,
        moment: Moment,
        wanted: Sequence[Byte],
    ) -> list[int | None]:
        """Each byte as a work-item loads it at ``moment``, which comes after ``border``, after
        which there are ``stores``. Raises UnknownValue."""
        self._require_later(number, stores.unplaced, border, moment)
        found: dict[Byte, int | None] = {}
        for cell in dict.fromkeys(map(stores.cell, wanted)):
            own = self._own_store(number, stores.at(cell), border, moment)
            if own is not None:
                data = self._bytes_of(own, wanted)
                for byte in wanted:
                    if stores.cell(byte) == cell:
                        found[byte] = data[byte[1] - own.start]
        left = tuple(each for each in wanted if each not in found)
        if left:
            found.update(zip(left, self._stored_before(border, left), strict=True))
        return [found[each] for each in wanted]

    def _stored_before(self, border: Moment, wanted: tuple[Byte, ...]) -> list[int | None]:
        """Each byte as all work-items may load it after ``border``. Raises UnknownValue."""
        key = border, wanted
        if key not in self._known:
            self._known[key] = self._find_before(border, wanted)
        return self._known[key]

    def _find_before(self, border: Moment, wanted: tuple[Byte, ...]) -> list[int | None]:
        found: dict[Byte, int | None] = {}
        while len(found) < len(wanted):
            if border == self._phases.begin:
                raise UnsetValue
            self._stores.step()
            border = self._before(border)
            stores = self._stores.after(border, wanted[0])
            if stores.unplaced:
                raise UnknownValue(IN_ONE_PHASE)
            left = [each for each in wanted if each not in found]
            for cell in dict.fromkeys(map(stores.cell, left)):
                last = self._last_stores(stores.at(cell), border)
                if not last:
                    continue
                data = self._bytes_by(last, border, wanted)
                for byte in left:
                    if stores.cell(byte) == cell:
                        found[byte] = data[byte[1] - last[0].start]
        return [found[each] for each in wanted]

    def _own_store(
        self, number: int, stores: Sequence[Store], border: Moment, moment: Moment
    ) -> Store | None:
        """The last of ``stores`` by the work-item itself between ``border`` and ``moment``. Raises
        UnknownValue where another one may store there before the next border."""
        way, found = self._stores.way(number, border), []
        for each in stores:
            if each.number != number:
                if self._stores.way(each.number, border).comes_to(each.writer.visit):
                    raise UnknownValue(IN_ONE_PHASE)
                continue
            if way.is_in_front(each.writer, moment):
                found.append(each)
        return max(found, key=way.order, default=None)

    def _require_later(
        self, number: int, writers: Sequence[Writer], border: Moment, moment: Moment
    ) -> None:
        """Raises UnknownValue where one of ``writers`` may store something between ``border`` and
        ``moment``, or another work-item than that one does so before the next border."""
        for writer in writers:
            for each in range(self._group.count):
                way, is_own = self._stores.way(each, border), each == number
                if way.is_in_front(writer, moment) if is_own else way.comes_to(writer.visit):
                    raise UnknownValue(IN_ONE_PHASE)

    def _last_stores(self, stores: Sequence[Store], border: Moment) -> Sequence[Store]:
        """Which of ``stores`` are left between ``border`` and the next one: the last one of each
        work-item, or all atomic operations."""
        found: list[Store] = []
        last: dict[int, Store] = {}
        for each in stores:
            way = self._stores.way(each.number, border)
            if way.comes_to(each.writer.visit):
                found.append(each)
                last[each.number] = max(last.get(each.number, each), each, key=way.order)
        if any(each.writer.item.opcode != Op.STORE for each in found):
            return found
        return list(last.values())

    def _bytes_by(
        self, stores: Sequence[Store], border: Moment, wanted: Sequence[Byte]
    ) -> Sequence[int | None]:
        """What is left of ``stores`` of several work-items between ``border`` and the next one, of
        which ``wanted`` are loaded. Raises UnknownValue where it depends on their order."""
        if len(stores) == 1 and stores[0].writer.item.opcode == Op.STORE:
            return self._bytes_of(stores[0], wanted)
        variable = wanted[0][0]
        key = border, variable, stores[0].start
        if key not in self._together:
            if len({(each.start, each.kind) for each in stores}) > 1:
                raise UnknownValue(_AT_ONCE)
            if any(each.writer.item.opcode != Op.STORE for each in stores):
                self._together[key] = self._accumulated(stores, border, variable)
            else:
                values = {tuple(self._bytes_of(each, ())) for each in stores}
                if len(values) > 1:
                    raise UnknownValue(_AT_ONCE)
                self._together[key] = values.pop()
        return self._together[key]

    def _accumulated(
        self, stores: Sequence[Store], border: Moment, variable: int
    ) -> Sequence[int | None]:
        """What atomic operations make together of a number, whatever their order."""
        kind, start = stores[0].kind, stores[0].start
        families = {_ACCUMULATING.get(each.writer.item.opcode, ("", None))[0] for each in stores}
        if kind.kind is not Kind.INTEGER or len(families) > 1 or families == {""}:
            raise UnknownValue("atomic operations changed it in local memory")
        wanted = tuple((variable, start + offset) for offset in range(kind.size))
        data = [each for each in self._stored_before(border, wanted) if each is not None]
        if len(data) < len(wanted):
            raise UnsetValue
        number = whole(kind.decode(bytes(data)))
        for each in stores:
            item, visit = each.writer.item, each.writer.visit
            _, compute = _ACCUMULATING[item.opcode]
            operand = 1
            if len(item.operands) > _BEFORE_OPERAND:
                value = self._stores.value(each.number, item.operands[_BEFORE_OPERAND], visit)
                operand = whole(known(value))
            number = compute(number, operand, kind.bits) & (1 << kind.bits) - 1
        return list(number.to_bytes(kind.size, "little"))

    def _before(self, moment: Moment, number: int = 0) -> Moment:
        """The border that work-item ``number``, which comes to ``moment``, came past last in front
        of that. Raises UnknownValue."""
        if moment not in self._borders:
            evaluation = self._stores.evaluation(number)

            def last(header: int, outer: Iterations) -> int:
                return evaluation.last_iteration(evaluation.outermost, header, outer)

            found = self._phases.before(moment, last)
            self._borders[moment] = self._on_way(moment, evaluation) if found is None else found
        return self._borders[moment]

    def _on_way(self, moment: Moment, evaluation: Evaluation) -> Moment:
        """The same, by the way that a work-item came: all of a group come to the same borders."""
        visit, index = moment.visit, None if moment.index < 0 else moment.index
        border = self._phases.last_barrier(visit, index)
        while border is None:
            if visit == self._phases.begin.visit:
                return self._phases.begin
            self._stores.step()
            came = evaluation.before(evaluation.outermost, visit)
            visit = self._phases.outside_of_quiet_loops(Moment(came, 0)).visit
            border = self._phases.last_barrier(visit, None)
        return border

    def _require_passed(self, border: Moment) -> None:
        """Raises UnknownValue where not all work-items are known to come to ``border``, and to
        those before it."""
        if self._phases.are_uniform:
            return
        waiting = []
        while border not in self._passed:
            waiting.append(border)
            border = self._before(border)
        for following in reversed(waiting):
            for number in range(self._group.count):
                if self._stores.way(number, border).followed().end != following:
                    raise UnknownValue("not all work-items come to a barrier")
            self._passed.add(following)
            border = following

    def _bytes_of(self, store: Store, wanted: Sequence[Byte]) -> Sequence[int | None]:
        """What is stored; None for bytes that the program has not set. Raises UnknownValue: an
        UnknownNumber only where ``wanted``, what is loaded, are all bytes of it."""
        item, visit = store.writer.item, store.writer.visit
        if item.opcode != Op.STORE:
            raise UnknownValue("it was given by an atomic operation")
        try:
            value = self._stores.value(store.number, item.operands[1], visit)
        except UnknownNumber as number:
            if [at for _, at in wanted] == [*range(store.start, store.start + store.kind.size)]:
                raise
            raise UnknownValue(str(number)) from None
        if isinstance(value, Place):
            raise UnknownValue("an address that is not known")
        return store.kind.encode_parts(value)
