"""Where the values that a called function was entered with are, in front of each instruction.

A caller counts on them: the return address and the lanes that it was itself entered with, which
``call`` leaves in two dwords of a register and ``ret`` takes from there, and registers that the
function saves before it uses them. Copies are followed through moves of whole dwords that no lane
can leave out, and through block messages to the thread's scratch space at the stack pointer plus a
constant. So nothing is assumed of where prologues and epilogues are, nor of whether the function
uses the stack at all.

Of IGC's stack calls only this is taken for granted: the last register has the return address in
dword 0 and the stack pointer, in bytes of scratch space, in dword 2, and calls keep the upper half
of the registers (measured on both compilers' code; visa/G4_Kernel.hpp of IGC says the same).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.data_message import Access, AddressModel, AddressOrder, MessageError, SendWords
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate, SharedFunction
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform
from zedbg.xe.load_store_message import load_store_message

DWORD = 4
_REGISTERS = 128
_MANY_REGISTERS = 256
_SPECIAL_REGISTERS = 8  # not counted where the registers are halved
_STACK_POINTER = 2  # dword of the last register
_UNKNOWN = -1
_STACK = 1 << 40  # values: dwords of registers at entry, or the stack pointer then plus a number
_ADDED = frozenset({Opcode.ADD})
_INTEGERS = frozenset({DWORD, 2 * DWORD})  # bytes of elements that moves keep whole


@dataclass(frozen=True)
class RegisterDword:
    """A dword of the general registers, counted from r0."""

    number: int


@dataclass(frozen=True)
class StackDword:
    """A dword of the thread's scratch space, ``offset`` bytes from where the dword ``pointer`` of
    the general registers points."""

    pointer: int
    offset: int


EntryPlace = RegisterDword | StackDword


@dataclass(frozen=True)
class CallerPlaces:
    """Where the caller's values are: ``return_address`` and the lanes that the caller was
    ``entered_by``, in the order in which to try them; ``moved`` has the dwords of the general
    registers that may have other values now, each with where its own one is. ``is_together``:
    whether all lanes that called are where one is.
    """

    return_address: tuple[EntryPlace, ...]
    entered_by: tuple[EntryPlace, ...]
    moved: Mapping[int, tuple[EntryPlace, ...]]
    is_together: bool


@dataclass
class _State:
    """What dwords have in front of an instruction; registers that are left out have what they had
    at entry, and stack dwords that are left out are not known."""

    registers: dict[int, int]
    stack: dict[int, int]  # by offset from the stack pointer at entry

    def copy(self) -> _State:
        return _State(dict(self.registers), dict(self.stack))

    def meet(self, other: _State) -> bool:
        """Keeps what both have; whether that changed it."""
        changed = False
        for dword in self.registers.keys() | other.registers.keys():
            mine, theirs = self.registers.get(dword, dword), other.registers.get(dword, dword)
            if mine not in (theirs, _UNKNOWN):
                self.registers[dword] = _UNKNOWN
                changed = True
        for offset in [at for at, value in self.stack.items() if other.stack.get(at) != value]:
            del self.stack[offset]
            changed = True
        return changed


class EntryValues:
    """Follows them through the code of ``flow``, which begins where the function is entered."""

    def __init__(
        self,
        flow: RegisterFlow,
        platform: Platform,
        called: Callable[[int], frozenset[int] | None],
    ) -> None:
        """``called`` gives, of the function that the instruction at an offset calls without the
        stack, the dwords of registers that it may change; None where that is not known."""
        self._flow = flow
        self._platform = platform
        self._per_register = flow.grf_bytes // DWORD
        registers = max(_register_counts(flow), default=_REGISTERS)
        self._last = (registers - 1) * self._per_register
        self._kept = range((registers - _SPECIAL_REGISTERS) // 2, registers)
        self._called = called

    @cached_property
    def returns(self) -> int | None:
        """The dword of the general registers from which ``ret`` takes the address; None where the
        function has none, or several in different places."""
        found = set()
        for step in self._flow.steps:
            if step.decoded.opcode is Opcode.RET:
                source = step.decoded.sources[0]
                at_dword = source.file is RegisterFile.GRF and not source.byte_offset % DWORD
                found.add(self._dword(source) if at_dword and not source.indirect else None)
        return found.pop() if len(found) == 1 else None

    @cached_property
    def changed(self) -> frozenset[int] | None:
        """The dwords of the general registers that may be others when it has returned; None where
        that is not known."""
        if self.returns is None:
            return None
        found: set[int] = set()
        for index, step in enumerate(self._flow.steps):
            if step.decoded.opcode is Opcode.RET and index in self._states:
                registers = self._states[index].registers
                found |= {dword for dword, value in registers.items() if value != dword}
        return frozenset(found)

    def places(self, offset: int, in_call: bool) -> CallerPlaces | None:
        """Where they are in front of the instruction at ``offset``; ``in_call``: while the one
        before ``offset``, a call, is executed. None where nothing returns from here."""
        index = self._flow.index_at(offset) - (1 if in_call else 0)
        state = self._states.get(index)
        if state is None or self.returns is None:
            return None
        if in_call:
            state = state.copy()
            made = self._flow.steps[index].decoded.destination
            if made is not None and made.file is RegisterFile.GRF:
                for dword in (self._dword(made), self._dword(made) + 1):
                    state.registers[dword] = _UNKNOWN
        together = not in_call and self._flow.keeps_together(offset)
        return _Search(state, self._initial).places(self.returns, together)

    def _dword(self, operand: Operand) -> int:
        return operand.register_number * self._per_register + operand.byte_offset // DWORD

    def _initial(self, dword: int) -> int:
        return _STACK if dword == self._last + _STACK_POINTER else dword

    @cached_property
    def _states(self) -> dict[int, _State]:
        """By number of the instruction, those that are reached."""
        steps = self._flow.steps
        pointer = self._last + _STACK_POINTER
        states = {0: _State({pointer: _STACK}, {})} if steps else {}
        waiting = list(states)
        while waiting:
            index = waiting.pop()
            after = states[index].copy()
            self._execute(steps[index], after)
            for target in self._flow.thread_after(index):
                if target >= len(steps):
                    continue
                known = states.get(target)
                if known is None:
                    states[target] = after.copy()
                elif not known.meet(after):
                    continue
                waiting.append(target)
        return states

    def _execute(self, step: Step, state: _State) -> None:
        decoded = step.decoded
        if decoded.is_call:
            self._call(step, state)
        elif decoded.send is not None:
            self._send(step, state)
        elif decoded.destination is not None:
            values = self._values(step, state)
            for dword in self._written(step):
                state.registers[dword] = _UNKNOWN if values is None else values.pop(0)

    def _written(self, step: Step) -> list[int]:
        """The dwords that it may write to."""
        target = step.decoded.destination
        assert target is not None
        if target.file is not RegisterFile.GRF:
            return []
        if target.indirect or (step.decoded.send is not None and step.writes is None):
            first, end = 0, self._last + self._per_register
            if target.indirect:
                low, high = self._flow.indirect_range(step)
                first, end = low // DWORD, min(-(-high // DWORD), end)
            return list(range(first, end))
        return [] if step.writes is None else list(_dwords(step.writes))

    def _values(self, step: Step, state: _State) -> list[int] | None:
        """What it writes, dword by dword, where that is known."""
        decoded, target = step.decoded, step.decoded.destination
        assert target is not None
        plain = (
            decoded.no_mask
            and decoded.predicate is Predicate.NONE
            and not decoded.saturate
            and decoded.sources
            and not (decoded.sources[0].negate or decoded.sources[0].absolute)
        )
        if not plain or step.writes is None or step.writes.first % DWORD:
            return None
        source = decoded.sources[0]
        if decoded.opcode is Opcode.MOV:
            same = source.type is target.type and target.type.size in _INTEGERS
            read = step.reads[0] if step.reads else None
            whole = step.writes.end - step.writes.first
            packed = whole == decoded.execution_size * target.type.size
            if not same or not packed or read is None or read.end - read.first != whole:
                return None
            if read.first % DWORD or (decoded.execution_size > 1 and not _is_row(source)):
                return None
            return [state.registers.get(each, each) for each in _dwords(read)]
        if decoded.opcode in _ADDED and decoded.execution_size == 1 and target.type.size == DWORD:
            number = decoded.sources[1]
            if number.file is not RegisterFile.IMMEDIATE or source.file is not RegisterFile.GRF:
                return None
            base = state.registers.get(self._dword(source), _UNKNOWN)
            if source.byte_offset % DWORD or source.type.size != DWORD or not _is_stack(base):
                return None
            return [base + _signed(number)]
        return None

    def _call(self, step: Step, state: _State) -> None:
        target = step.decoded.destination
        per = self._per_register
        if target is not None and target.file is RegisterFile.GRF:
            written = self._dword(target)
            if target.register_number != self._last // per:
                changed = self._called(step.offset)
                end = self._last + per
                for dword in range(end) if changed is None else changed:
                    state.registers[dword] = _UNKNOWN
            else:
                lost = [*range(self._kept.start), self._kept.stop - 2]  # the header of messages
                for register in lost:
                    for dword in range(register * per, (register + 1) * per):
                        state.registers[dword] = _UNKNOWN
            for dword in (written, written + 1):
                state.registers[dword] = _UNKNOWN

    def _send(self, step: Step, state: _State) -> None:
        decoded = step.decoded
        block = self._block(step, state)
        if block is None:
            if decoded.destination is not None:
                for dword in self._written(step):
                    state.registers[dword] = _UNKNOWN
            return
        access, start, size = block
        if access is Access.WRITE:
            first = self._dword(decoded.sources[1])
            for index in range(size // DWORD):
                if start is None:
                    continue
                value = state.registers.get(first + index, first + index)
                if value == _UNKNOWN:
                    state.stack.pop(start + index * DWORD, None)
                else:
                    state.stack[start + index * DWORD] = value
            if start is None:
                state.stack.clear()
            return
        values = [] if start is None else range(start, start + size, DWORD)
        known = [state.stack.get(each, _UNKNOWN) for each in values]
        for index, dword in enumerate(self._written(step)):
            state.registers[dword] = known[index] if index < len(known) else _UNKNOWN

    def _block(self, step: Step, state: _State) -> tuple[Access, int | None, int] | None:
        """What a message does to a block of the scratch space, with the block's offset from the
        stack pointer at entry, where that is known, and its size."""
        decoded, send = step.decoded, step.decoded.send
        assert send is not None
        if send.function is not SharedFunction.UGM or send.descriptor is None:
            return None
        words = SendWords(
            self._platform,
            send.function,
            send.descriptor,
            send.extended_descriptor or 0,
            send.extended_descriptor is None,
            send.extended_bindless_offset,
            send.extended_offset,
        )
        try:
            message = load_store_message(words)
        except MessageError:
            return None
        if message is None or message.model is not AddressModel.SCRATCH_SURFACE:
            return None
        if message.access is Access.ATOMIC:
            return None
        is_block = message.order is AddressOrder.BLOCK and not message.extent % DWORD
        if not is_block:
            return None  # private variables of lanes, which lie elsewhere in the scratch space
        base = state.registers.get(self._dword(decoded.sources[0]), _UNKNOWN)
        whole = decoded.no_mask and decoded.predicate is Predicate.NONE
        known = whole and _is_stack(base)
        return message.access, base - _STACK + message.offset if known else None, message.extent


class _Search:
    """Finds values in a state."""

    def __init__(self, state: _State, initial: Callable[[int], int]) -> None:
        self._initial = initial
        self._state = state
        pointers = [
            (dword, value - _STACK) for dword, value in state.registers.items() if _is_stack(value)
        ]
        self._pointers = sorted(pointers, key=lambda each: each[1])
        self._registers: dict[int, list[int]] = {}
        for dword, value in state.registers.items():
            self._registers.setdefault(value, []).append(dword)
        self._slots: dict[int, list[int]] = {}
        for offset, value in state.stack.items():
            self._slots.setdefault(value, []).append(offset)

    def places(self, returns: int, is_together: bool) -> CallerPlaces:
        """All that a caller counts on, of a function that returns by the dword ``returns``."""
        moved = {
            dword: tuple(self._of(dword))
            for dword, value in self._state.registers.items()
            if value != self._initial(dword)
        }
        return CallerPlaces(
            tuple(self._of(returns)), tuple(self._of(returns + 1)), moved, is_together
        )

    def _of(self, dword: int) -> Iterator[EntryPlace]:
        """Where the value of ``dword`` at entry is now."""
        value = self._initial(dword)
        if self._state.registers.get(dword, dword) == value:
            yield RegisterDword(dword)
        yield from (RegisterDword(each) for each in self._registers.get(value, ()) if each != dword)
        for offset in self._slots.get(value, ()):
            yield from (StackDword(each, offset - own) for each, own in self._pointers)


def _register_counts(flow: RegisterFlow) -> Iterator[int]:
    """How many registers there are, as calls by the stack and returns from them say."""
    for step in flow.steps:
        decoded = step.decoded
        used = decoded.sources[0] if decoded.opcode is Opcode.RET else decoded.destination
        if not (decoded.is_call or decoded.opcode is Opcode.RET) or used is None:
            continue
        if used.register_number in (_REGISTERS - 1, _MANY_REGISTERS - 1):
            yield used.register_number + 1


def _is_stack(value: int) -> bool:
    return value > _STACK >> 1


def _is_row(source: Operand) -> bool:
    """Whether the elements of ``source`` lie side by side."""
    region = source.region
    if region.width <= 1:
        return region.vertical == 1
    return region.horizontal == 1 and region.vertical == region.width


def _dwords(span: Span) -> range:
    return range(span.first // DWORD, -(-span.end // DWORD))


def _signed(operand: Operand) -> int:
    size = 8 * operand.type.size
    number = operand.immediate & (1 << size) - 1
    is_signed = operand.type.name in ("W", "D", "Q", "B")
    return number - (1 << size) if is_signed and number >> size - 1 else number
