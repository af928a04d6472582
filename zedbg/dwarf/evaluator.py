"""Evaluating location expressions for many lanes at once.

Numbers on the stack are either the same for all lanes or one for each lane. A branch that lanes
take differently splits them into groups that go on apart; the result is one place for each group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from zedbg.dwarf import operations as ops
from zedbg.dwarf import typed_numbers
from zedbg.dwarf.bytestream import EndOfBytesError
from zedbg.dwarf.expression_path import Entry, Path
from zedbg.dwarf.expression_unit import ExpressionUnit
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
from zedbg.dwarf.stack_arithmetic import BINARY, MASK, UNARY, apply, combine
from zedbg.dwarf.typed_numbers import GENERIC, NumberType

_STEP_LIMIT = 10_000  # operations; expressions may branch backwards
_CALL_LIMIT = 16  # expressions that run others
_OF_UNIT = frozenset(
    {
        "addrx",
        "constx",
        "implicit_pointer",
        "call2",
        "call4",
        "call_ref",
        "const_type",
        "convert",
        "reinterpret",
        "regval_type",
        "deref_type",
    }
)


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
def _decoded(expression: bytes, offset_size: int) -> dict[int, Operation]:
    """The operations of an expression by their offset."""
    return {operation.offset: operation for operation in decode(expression, offset_size)}


class FrameReader(Protocol):
    """What an evaluation reads from a frame; :class:`FrameState` is one."""

    def register_bits(self, number: int, bit_offset: int, bit_size: int) -> int:
        """Bits of the register that DWARF calls ``number``."""

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``."""


@dataclass(frozen=True)
class Surroundings:
    """What an expression asks of the frame and of the unit that it stands in; None: not known.

    ``cfa`` gives the canonical frame address, ``frame_base`` what fbreg counts from (the CFA, when
    it is None), ``entry_value`` the number that an expression had when the function was entered:
    all raise MissingError when they cannot.
    """

    cfa: Callable[[], int] | None = None
    frame_base: Callable[[], int] | None = None
    entry_value: Callable[[bytes], int] | None = None
    unit: ExpressionUnit | None = None


_NOTHING = Surroundings()


class Evaluator:
    """Evaluates expressions in one frame for some lanes."""

    def __init__(
        self,
        frame: FrameReader,
        lanes: Sequence[int],
        surroundings: Surroundings = _NOTHING,
        reads_values: bool = True,
    ) -> None:
        """Without ``reads_values`` a value that is just register bits is not read."""
        self._frame = frame
        self._reads_values = reads_values
        self._lanes = tuple(lanes)
        self._around = surroundings
        self._depth = 0  # of expressions that run others

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
                self._run(path, self._operations(expression), waiting)
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
            self._run(path, self._operations(expression), [])
        except (UnknownOperatorError, EndOfBytesError) as error:
            raise MissingError(f"its location cannot be read: {error}") from error
        return of_lane(self._pop(path), 0)

    def _operations(self, expression: bytes) -> dict[int, Operation]:
        unit = self._around.unit
        return _decoded(bytes(expression), 4 if unit is None else unit.offset_size)

    def _start(self, initial: Sequence[int]) -> Path:
        return Path(self._lanes, stack=[Entry(number & MASK) for number in initial])

    def _run(self, path: Path, code: dict[int, Operation], waiting: list[Path] | None) -> None:
        """Runs ``path`` to the end; lanes that branch off are added to ``waiting``, which is None
        where none may."""
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

    def _branch(self, path: Path, operation: Operation, waiting: list[Path] | None) -> None:
        condition = self._pop(path)
        path.stack = [
            Entry(self._number(path, entry), entry.source, entry.kind) for entry in path.stack
        ]
        target = operation.end + operation.operands[0]
        if isinstance(condition, int):
            path.position = target if condition else operation.end
            return
        taken = [bool(number) for number in condition]
        if all(taken) or not any(taken):
            path.position = target if taken[0] else operation.end
            return
        if waiting is None:
            raise MissingError("lanes take different ways in a location that its location runs")
        waiting.append(path.split(taken, target))
        rest = path.split([not wanted for wanted in taken], operation.end)
        vars(path).update(vars(rest))

    def _step(self, path: Path, operation: Operation) -> None:
        name, operands = operation.name, operation.operands
        if name in _CONSTANTS:
            self._push(path, operands[0])
        elif name in BINARY:
            self._combine(path, name)
        elif name in UNARY:
            self._change(path, name)
        elif name == "plus_uconst":
            self._push(path, operands[0])
            self._combine(path, "plus")
        elif name == ops.INTEL_PUSH_SIMD_LANE:
            self._push(path, path.lanes)
        elif name in ("dup", "drop", "over", "pick", "swap", "rot"):
            self._shuffle(path, name, operands)
        elif name in ("deref", "deref_size"):
            self._dereference(path, operands[0] if operands else 8)
        elif name in ("regx", "bregx", ops.INTEL_REGS):
            self._name_register(path, name, operands)
        elif name == ops.INTEL_REGVAL_BITS:
            offset, register = self._pop(path), self._pop(path)
            self._push_bits(path, RegisterBits(register, offset, operands[0]))
        elif name == ops.INTEL_PUSH_BIT_PIECE_STACK:
            self._push_bit_piece(path)
        elif name in ("call_frame_cfa", "fbreg"):
            self._push(path, self._frame_number(name) + (operands[0] if operands else 0))
        elif name == "entry_value":
            if self._around.entry_value is None:
                raise MissingError("what it was when the function was entered is not known")
            self._push(path, self._around.entry_value(operation.block))
        elif name in _OF_UNIT:
            self._ask_unit(path, operation)
        elif name == "implicit_value":
            path.implicit = operation.block
        elif name == "stack_value":
            path.is_value = True
        elif name in ("piece", "bit_piece"):
            size = operands[0] * (8 if name == "piece" else 1)
            self._end_piece(path, size, operands[1] if name == "bit_piece" else 0)
        elif name == "form_tls_address":
            raise MissingError("it is local to a thread of the host: no device has such memory")
        elif name == "push_object_address":
            raise MissingError("its location counts from an object, and none is given")
        elif name == "GNU_uninit":
            raise MissingError("it has not been set yet")
        elif name != "nop":
            raise MissingError(f"its location uses DW_OP_{name}, which is not supported")

    def _frame_number(self, name: str) -> int:
        """The canonical frame address, or what fbreg counts from."""
        around = self._around
        base = around.frame_base if name == "fbreg" else None
        give = base or around.cfa
        if give is None:
            raise MissingError("its location needs a frame that is not known")
        return give()

    def _ask_unit(self, path: Path, operation: Operation) -> None:
        """An operator that refers to something in the unit of the expression."""
        unit, name, operands = self._around.unit, operation.name, operation.operands
        if unit is None:
            raise MissingError(f"its location uses DW_OP_{name} outside of a unit")
        if name in ("addrx", "constx"):
            self._push(path, unit.address_at(operands[0]))
        elif name == "implicit_pointer":
            inside = f" at byte {operands[1]} of it" if operands[1] else ""
            target = unit.name_at(operands[0])
            raise MissingError(f"optimised out; it pointed to {target}{inside}")
        elif name in ("call2", "call4", "call_ref"):
            find = unit.location_at if name == "call_ref" else unit.location_in_unit
            self._call(path, find(operands[0]))
        elif name == "const_type":
            kind = unit.number_type(operands[0])
            self._push_typed(path, int.from_bytes(operation.block, "little"), kind)
        elif name in ("convert", "reinterpret"):
            self._convert(path, unit.number_type(operands[0]), name == "convert")
        elif name == "regval_type":
            kind = unit.number_type(operands[1])
            bits = RegisterBits(operands[0], 0, 8 * (kind or GENERIC).size)
            path.stack.append(Entry(None, bits, kind))
        else:
            kind = unit.number_type(operands[1])
            self._dereference(path, operands[0])
            self._push_typed(path, self._pop(path), kind)

    def _call(self, path: Path, expression: bytes) -> None:
        """Runs ``expression`` on the stack of ``path``, and goes on with that."""
        if self._depth >= _CALL_LIMIT:
            raise MissingError("its location runs others without end")
        self._depth += 1
        position, path.position = path.position, 0
        try:
            self._run(path, self._operations(expression), None)
        finally:
            path.position = position
            self._depth -= 1

    def _combine(self, path: Path, name: str) -> None:
        """An operator of two numbers; those without a type take that of the other."""
        right, right_kind = self._pop_typed(path)
        left, left_kind = self._pop_typed(path)
        kind = left_kind or right_kind
        if kind is None:
            self._push(path, combine(BINARY[name], left, right))
            return
        if left_kind and right_kind and left_kind != right_kind:
            raise MissingError("its location computes with numbers of different types")
        typed = kind

        def result(one: int, other: int) -> int:
            return typed_numbers.binary(name, one, other, typed)

        is_relation = name in typed_numbers.RELATIONS
        self._push_typed(path, combine(result, left, right), None if is_relation else kind)

    def _change(self, path: Path, name: str) -> None:
        """An operator of one number."""
        number, kind = self._pop_typed(path)
        if kind is None:
            self._push(path, apply(UNARY[name], number))
            return
        typed = kind
        changed = apply(lambda bits: typed_numbers.unary(name, bits, typed), number)
        self._push_typed(path, changed, kind)

    def _convert(self, path: Path, target: NumberType | None, keeps_number: bool) -> None:
        """Gives the top of the stack another type: with the same number, or with the same bits."""
        number, source = self._pop_typed(path)
        before, behind = source or GENERIC, target or GENERIC
        if keeps_number:
            number = apply(lambda bits: typed_numbers.convert(bits, before, behind), number)
        elif before.size != behind.size:
            raise MissingError("its location takes bits for a type of another size")
        self._push_typed(path, number, target)

    def _push_typed(self, path: Path, number: LaneNumber, kind: NumberType | None) -> None:
        path.stack.append(Entry(apply(lambda value: value & MASK, number), kind=kind))

    def _pop_typed(self, path: Path) -> tuple[LaneNumber, NumberType | None]:
        kind = path.stack[-1].kind if path.stack else None
        return self._pop(path), kind

    def _push(self, path: Path, number: LaneNumber, source: RegisterBits | None = None) -> None:
        path.stack.append(Entry(apply(lambda value: value & MASK, number), source))

    def _pop(self, path: Path) -> LaneNumber:
        if not path.stack:
            raise MissingError("its location takes more from the stack than there is")
        return self._number(path, path.stack.pop())

    def _number(self, path: Path, entry: Entry) -> LaneNumber:
        if entry.number is not None:
            return entry.number
        assert entry.source is not None
        return self.read_bits(entry.source, len(path.lanes))

    def _shuffle(self, path: Path, name: str, operands: tuple[int, ...]) -> None:
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

    def _dereference(self, path: Path, size: int) -> None:
        if path.register is not None:
            # Older compilers write a register where its value is meant.
            bits = RegisterBits(path.register, 0, size * 8)
            path.register = None
            self._push_bits(path, bits)
            return
        addresses = self._pop(path)
        self._push(path, apply(lambda address: self._read_number(address, size), addresses))

    def _read_number(self, address: int, size: int) -> int:
        data = self._frame.read_memory(MemorySpace.GLOBAL, address, size)
        return int.from_bytes(data, "little")

    def _name_register(self, path: Path, name: str, operands: tuple[int, ...]) -> None:
        if name == "bregx":
            base = self._frame.register_bits(operands[0], 0, 0)
            self._push(path, base + operands[1])
        elif name == "regx":
            path.register = operands[0]
        else:
            path.register = self._pop(path)

    def _push_bit_piece(self, path: Path) -> None:
        """Intel's older form: the bits of the register named before, at the offset on the stack."""
        size, offset = self._pop(path), self._pop(path)
        if path.register is None or not isinstance(size, int):
            raise MissingError("its location reads bits of no register")
        bits = RegisterBits(path.register, offset, size)
        path.register = None
        self._push_bits(path, bits)

    def _push_bits(self, path: Path, bits: RegisterBits) -> None:
        if not 0 < bits.bit_size <= 64:
            raise MissingError("the compiler gives no usable location for it in registers")
        path.stack.append(Entry(None, bits))

    def read_bits(self, bits: RegisterBits, lane_count: int) -> LaneNumber:
        """The register bits of a group of ``lane_count`` lanes."""
        read = self._frame.register_bits
        if isinstance(bits.registers, int) and isinstance(bits.bit_offsets, int):
            return read(bits.registers, bits.bit_offsets, bits.bit_size)
        return tuple(
            read(of_lane(bits.registers, index), of_lane(bits.bit_offsets, index), bits.bit_size)
            for index in range(lane_count)
        )

    def _end_piece(self, path: Path, bit_size: int, bit_offset: int) -> None:
        place = self._simple(path)
        path.pieces.append(Piece(place, bit_size, bit_offset))
        path.stack, path.register, path.implicit = [], None, None
        path.is_value = False

    def _result(self, path: Path) -> Place:
        if path.pieces:
            if path.stack or path.register is not None or path.implicit is not None:
                raise MissingError("its location ends in the middle of a piece")
            return PiecedPlace(tuple(path.pieces))
        place = self._simple(path)
        return Missing("optimised out") if place is None else place

    def _simple(self, path: Path) -> SimplePlace | None:
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
        if path.is_value and not self._reads_values:
            return ValuePlace(entry.number, entry.source)
        number = self._number(path, entry)
        return ValuePlace(number, entry.source) if path.is_value else MemoryPlace(number)
