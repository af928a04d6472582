"""Evaluating location expressions for many lanes at once.

Numbers on the stack are either the same for all lanes or one for each lane. A branch that lanes
take differently splits them into groups that go on apart; the result is one place for each group.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from zedbg.dwarf import operations as ops
from zedbg.dwarf.bytestream import EndOfBytesError
from zedbg.dwarf.frame_state import FrameState
from zedbg.dwarf.machine import MemorySpace, Missing, MissingError
from zedbg.dwarf.operations import Operation, UnknownOperatorError, decode
from zedbg.dwarf.places import (
    ImplicitPlace,
    LaneGroup,
    LaneNumber,
    MemoryPlace,
    Piece,
    PiecedPlace,
    Place,
    RegisterBits,
    RegisterPlace,
    SimplePlace,
    ValuePlace,
    of_lane,
)

_MASK = (1 << 64) - 1
_STEP_LIMIT = 10_000  # operations; expressions may branch backwards


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise MissingError("the location divides by zero")
    quotient = abs(_signed(left)) // abs(_signed(right))
    return quotient if (_signed(left) < 0) == (_signed(right) < 0) else -quotient


def _modulo(left: int, right: int) -> int:
    if right == 0:
        raise MissingError("the location divides by zero")
    return left % right


def _compare(relation: Callable[[int, int], bool]) -> Callable[[int, int], int]:
    return lambda left, right: int(relation(_signed(left), _signed(right)))


_BINARY: dict[str, Callable[[int, int], int]] = {
    "and": operator.and_,
    "div": _divide,
    "minus": operator.sub,
    "mod": _modulo,
    "mul": operator.mul,
    "or": operator.or_,
    "plus": operator.add,
    "shl": lambda left, right: left << right if right < 64 else 0,
    "shr": lambda left, right: left >> right if right < 64 else 0,
    "shra": lambda left, right: _signed(left) >> min(right, 63),
    "xor": operator.xor,
    "eq": _compare(operator.eq),
    "ge": _compare(operator.ge),
    "gt": _compare(operator.gt),
    "le": _compare(operator.le),
    "lt": _compare(operator.lt),
    "ne": _compare(operator.ne),
}
_UNARY: dict[str, Callable[[int], int]] = {
    "abs": lambda number: abs(_signed(number)),
    "neg": operator.neg,
    "not": operator.invert,
}
_CONSTANTS = frozenset(
    {
        "addr",
        "const1u",
        "const1s",
        "const2u",
        "const2s",
        "const4u",
        "const4s",
        "const8u",
        "const8s",
        "constu",
        "consts",
    }
)


@lru_cache(maxsize=4096)
def _decoded(expression: bytes) -> dict[int, Operation]:
    """The operations of an expression by their offset."""
    return {operation.offset: operation for operation in decode(expression)}


@dataclass(frozen=True)
class _Entry:
    """A number on the stack, and the register bits that it was read from, if it is just that."""

    number: LaneNumber
    source: RegisterBits | None = None


@dataclass
class _Path:
    """One group of lanes on its way through an expression."""

    lanes: tuple[int, ...]
    position: int = 0
    stack: list[_Entry] = field(default_factory=list)
    register: LaneNumber | None = None  # named by regx, waiting for what uses it
    implicit: bytes | None = None
    is_value: bool = False
    pieces: list[Piece] = field(default_factory=list)

    def split(self, chosen: Sequence[bool], position: int) -> _Path:
        """The lanes for which ``chosen`` holds, going on at ``position``."""
        keep = [index for index, wanted in enumerate(chosen) if wanted]

        def pick(number: LaneNumber) -> LaneNumber:
            return number if isinstance(number, int) else tuple(number[i] for i in keep)

        return replace(
            self,
            lanes=tuple(self.lanes[index] for index in keep),
            position=position,
            stack=[_Entry(pick(entry.number)) for entry in self.stack],
            register=None if self.register is None else pick(self.register),
            pieces=list(self.pieces),
        )


class Evaluator:
    """Evaluates expressions in one frame for some lanes."""

    def __init__(
        self, frame: FrameState, lanes: Sequence[int], cfa: Callable[[], int] | None = None
    ) -> None:
        """``cfa`` gives the frame's canonical frame address, for the operators that need it."""
        self._frame = frame
        self._lanes = tuple(lanes)
        self._cfa = cfa

    def place(self, expression: bytes, initial: Sequence[int] = ()) -> list[LaneGroup]:
        """Where ``expression`` says that a variable is, for each lane.

        ``initial`` numbers are on the stack from the start. What cannot be found is
        :class:`Missing` with the reason.
        """
        waiting = [self._start(initial)]
        done = []
        while waiting:
            path = waiting.pop()
            try:
                self._run(path, _decoded(bytes(expression)), waiting)
                done.append(LaneGroup(path.lanes, self._result(path)))
            except (UnknownOperatorError, EndOfBytesError) as error:
                reason = Missing(f"its location cannot be read: {error}")
                return [LaneGroup(self._lanes, reason)]
            except MissingError as error:
                done.append(LaneGroup(path.lanes, error.missing))
        return done

    def number(self, expression: bytes, initial: Sequence[int] = ()) -> int:
        """The number that ``expression`` leaves, for expressions that do not depend on the lane.

        It is on top of what ``initial`` put there. Raises MissingError when there is none.
        """
        path = self._start(initial)
        try:
            self._run(path, _decoded(bytes(expression)), [])
        except (UnknownOperatorError, EndOfBytesError) as error:
            raise MissingError(f"its location cannot be read: {error}") from error
        return of_lane(self._pop(path).number, 0)

    def _start(self, initial: Sequence[int]) -> _Path:
        return _Path(self._lanes, stack=[_Entry(number & _MASK) for number in initial])

    def _run(self, path: _Path, code: dict[int, Operation], waiting: list[_Path]) -> None:
        """Runs ``path`` to the end; lanes that branch off are added to ``waiting``."""
        end = max((operation.end for operation in code.values()), default=0)
        for _ in range(_STEP_LIMIT):
            if path.position == end:
                return
            operation = code.get(path.position)
            if operation is None:
                raise MissingError("its location jumps into the middle of an operator")
            path.position = operation.end
            if operation.name == "bra":
                self._branch(path, operation, waiting)
            elif operation.name == "skip":
                path.position += operation.operands[0]
            else:
                self._step(path, operation)
        raise MissingError("its location does not come to an end")

    def _branch(self, path: _Path, operation: Operation, waiting: list[_Path]) -> None:
        condition = self._pop(path).number
        target = operation.end + operation.operands[0]
        if isinstance(condition, int):
            path.position = target if condition else operation.end
            return
        taken = [bool(number) for number in condition]
        if all(taken) or not any(taken):
            path.position = target if taken[0] else operation.end
            return
        waiting.append(path.split(taken, target))
        rest = path.split([not wanted for wanted in taken], operation.end)
        vars(path).update(vars(rest))

    def _step(self, path: _Path, operation: Operation) -> None:
        name, operands = operation.name, operation.operands
        if name in _CONSTANTS:
            self._push(path, operands[0])
        elif name in _BINARY:
            right, left = self._pop(path).number, self._pop(path).number
            self._push(path, _combine(_BINARY[name], left, right))
        elif name in _UNARY:
            self._push(path, _apply(_UNARY[name], self._pop(path).number))
        elif name == "plus_uconst":
            self._push(path, _combine(operator.add, self._pop(path).number, operands[0]))
        elif name == ops.INTEL_PUSH_SIMD_LANE:
            self._push(path, path.lanes)
        elif name in ("dup", "drop", "over", "pick", "swap", "rot"):
            self._shuffle(path, name, operands)
        elif name in ("deref", "deref_size"):
            self._dereference(path, operands[0] if operands else 8)
        elif name in ("regx", "bregx", ops.INTEL_REGS):
            self._name_register(path, name, operands)
        elif name == ops.INTEL_REGVAL_BITS:
            offset, register = self._pop(path).number, self._pop(path).number
            self._push_bits(path, RegisterBits(register, offset, operands[0]))
        elif name == ops.INTEL_PUSH_BIT_PIECE_STACK:
            self._push_bit_piece(path)
        elif name in ("call_frame_cfa", "fbreg"):
            if self._cfa is None:
                raise MissingError("its location needs a frame that is not known")
            self._push(path, self._cfa() + (operands[0] if operands else 0))
        elif name == "implicit_value":
            path.implicit = operation.block
        elif name == "stack_value":
            path.is_value = True
        elif name in ("piece", "bit_piece"):
            size = operands[0] * (8 if name == "piece" else 1)
            self._end_piece(path, size, operands[1] if name == "bit_piece" else 0)
        elif name != "nop":
            raise MissingError(f"its location uses DW_OP_{name}, which is not supported")

    def _push(self, path: _Path, number: LaneNumber, source: RegisterBits | None = None) -> None:
        path.stack.append(_Entry(_apply(lambda value: value & _MASK, number), source))

    def _pop(self, path: _Path) -> _Entry:
        if not path.stack:
            raise MissingError("its location takes more from the stack than there is")
        return path.stack.pop()

    def _shuffle(self, path: _Path, name: str, operands: tuple[int, ...]) -> None:
        depth = {"dup": 1, "drop": 1, "over": 2, "swap": 2, "rot": 3}.get(name)
        needed = operands[0] + 1 if depth is None else depth
        stack = path.stack
        if len(stack) < needed:
            raise MissingError("its location takes more from the stack than there is")
        if name == "drop":
            stack.pop()
        elif name == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        elif name == "rot":
            stack[-3:] = [stack[-1], stack[-3], stack[-2]]
        else:
            stack.append(stack[-needed])

    def _dereference(self, path: _Path, size: int) -> None:
        if path.register is not None:
            # Older compilers write a register where its value is meant.
            bits = RegisterBits(path.register, 0, size * 8)
            path.register = None
            self._push_bits(path, bits)
            return
        addresses = self._pop(path).number
        self._push(path, _apply(lambda address: self._read_number(address, size), addresses))

    def _read_number(self, address: int, size: int) -> int:
        data = self._frame.read_memory(MemorySpace.GLOBAL, address, size)
        return int.from_bytes(data, "little")

    def _name_register(self, path: _Path, name: str, operands: tuple[int, ...]) -> None:
        if name == "bregx":
            base = self._frame.register_bits(operands[0], 0, 0)
            self._push(path, base + operands[1])
        elif name == "regx":
            path.register = operands[0]
        else:
            path.register = self._pop(path).number

    def _push_bit_piece(self, path: _Path) -> None:
        """Intel's older form: the bits of the register named before, at the offset on the stack."""
        size, offset = self._pop(path).number, self._pop(path).number
        if path.register is None or not isinstance(size, int):
            raise MissingError("its location reads bits of no register")
        bits = RegisterBits(path.register, offset, size)
        path.register = None
        self._push_bits(path, bits)

    def _push_bits(self, path: _Path, bits: RegisterBits) -> None:
        if not 0 < bits.bit_size <= 64:
            raise MissingError("the compiler gives no usable location for it in registers")
        self._push(path, self.read_bits(bits, len(path.lanes)), bits)

    def read_bits(self, bits: RegisterBits, lane_count: int) -> LaneNumber:
        """The register bits of a group of ``lane_count`` lanes."""
        read = self._frame.register_bits
        if isinstance(bits.registers, int) and isinstance(bits.bit_offsets, int):
            return read(bits.registers, bits.bit_offsets, bits.bit_size)
        return tuple(
            read(of_lane(bits.registers, index), of_lane(bits.bit_offsets, index), bits.bit_size)
            for index in range(lane_count)
        )

    def _end_piece(self, path: _Path, bit_size: int, bit_offset: int) -> None:
        place = self._simple(path)
        path.pieces.append(Piece(place, bit_size, bit_offset))
        path.stack, path.register, path.implicit = [], None, None
        path.is_value = False

    def _result(self, path: _Path) -> Place:
        if path.pieces:
            if path.stack or path.register is not None or path.implicit is not None:
                raise MissingError("its location ends in the middle of a piece")
            return PiecedPlace(tuple(path.pieces))
        place = self._simple(path)
        return Missing("optimised out") if place is None else place

    def _simple(self, path: _Path) -> SimplePlace | None:
        """The one place that the path has come to; None when it names nothing."""
        if path.implicit is not None:
            return ImplicitPlace(path.implicit)
        if path.register is not None and not path.stack:
            return RegisterPlace(RegisterBits(path.register, 0, 0))
        if not path.stack:
            return None
        if len(path.stack) > 1:
            # The graphics compiler writes one register after the other for vectors, with no
            # pieces to tell them apart and with the size of the whole vector for each.
            raise MissingError("the compiler gives no usable location for it in registers")
        entry = path.stack[-1]
        if path.is_value:
            return ValuePlace(entry.number, entry.source)
        return MemoryPlace(entry.number)


def _apply(function: Callable[[int], int], number: LaneNumber) -> LaneNumber:
    if isinstance(number, int):
        return function(number)
    return tuple(map(function, number))


def _combine(
    function: Callable[[int, int], int], left: LaneNumber, right: LaneNumber
) -> LaneNumber:
    if isinstance(left, int) and isinstance(right, int):
        return function(left, right)
    if isinstance(left, int):
        assert not isinstance(right, int)
        return tuple(function(left, number) for number in right)
    if isinstance(right, int):
        return tuple(function(number, right) for number in left)
    return tuple(map(function, left, right))
