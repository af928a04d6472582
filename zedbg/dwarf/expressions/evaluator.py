"""Evaluating location expressions for many lanes at once.

Numbers on the stack are either the same for all lanes or one for each lane. A branch that lanes
take differently splits them into groups that go on apart; the result is one place for each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zedbg.dwarf.expressions import operations as ops
from zedbg.dwarf.expressions.expression_path import Entry, Path
from zedbg.dwarf.expressions.lane_stack import LaneStack
from zedbg.dwarf.expressions.operations import Operation, UnknownOperatorError, decode
from zedbg.dwarf.expressions.path_places import PathPlaces
from zedbg.dwarf.expressions.places import LaneGroup, RegisterBits, of_lane
from zedbg.dwarf.expressions.stack_arithmetic import BINARY, MASK, UNARY
from zedbg.dwarf.expressions.surroundings import NOTHING_AROUND, FrameReader, Surroundings
from zedbg.dwarf.expressions.typed_numbers import GENERIC
from zedbg.dwarf.reading.bytestream import EndOfBytesError
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.missing import Missing, MissingError

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


class Evaluator:
    """Evaluates expressions in one frame for some lanes."""

    def __init__(
        self,
        frame: FrameReader,
        lanes: Sequence[int],
        surroundings: Surroundings = NOTHING_AROUND,
        reads_values: bool = True,
    ) -> None:
        """Without ``reads_values`` a value that is just register bits is not read."""
        self._stack = LaneStack(frame)
        self._places = PathPlaces(self._stack, reads_values)
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
                done.append(LaneGroup(path.lanes, self._places.result(path)))
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
        return of_lane(self._stack.pop(path), 0)

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
        condition = self._stack.pop(path)
        path.stack = [
            Entry(self._stack.number(path, entry), entry.source, entry.kind) for entry in path.stack
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
            self._stack.push(path, operands[0])
        elif name in BINARY:
            self._stack.combine(path, name)
        elif name in UNARY:
            self._stack.change(path, name)
        elif name == "plus_uconst":
            self._stack.push(path, operands[0])
            self._stack.combine(path, "plus")
        elif name == ops.INTEL_PUSH_SIMD_LANE:
            self._stack.push(path, path.lanes)
        elif name in ("dup", "drop", "over", "pick", "swap", "rot"):
            self._stack.shuffle(path, name, operands)
        elif name in ("deref", "deref_size"):
            self._stack.dereference(path, operands[0] if operands else 8)
        elif name in ("regx", "bregx", ops.INTEL_REGS):
            self._stack.name_register(path, name, operands)
        elif name == ops.INTEL_REGVAL_BITS:
            offset, register = self._stack.pop(path), self._stack.pop(path)
            self._stack.push_bits(path, RegisterBits(register, offset, operands[0]))
        elif name == ops.INTEL_PUSH_BIT_PIECE_STACK:
            self._stack.push_bit_piece(path)
        elif name in ("call_frame_cfa", "fbreg"):
            self._stack.push(path, self._frame_number(name) + (operands[0] if operands else 0))
        elif name == "entry_value":
            if self._around.entry_value is None:
                raise MissingError("what it was when the function was entered is not known")
            self._stack.push(path, self._around.entry_value(operation.block))
        elif name in _OF_UNIT:
            self._ask_unit(path, operation)
        elif name == "implicit_value":
            path.implicit = operation.block
        elif name == "stack_value":
            path.is_value = True
        elif name in ("piece", "bit_piece"):
            size = operands[0] * (8 if name == "piece" else 1)
            self._places.end_piece(path, size, operands[1] if name == "bit_piece" else 0)
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
            try:
                self._stack.push(path, unit.address_at(operands[0]))
            except DebugInfoError as error:
                raise MissingError("its location names an address that is not there") from error
        elif name == "implicit_pointer":
            inside = f" at byte {operands[1]} of it" if operands[1] else ""
            target = unit.name_at(operands[0])
            raise MissingError(f"optimised out; it pointed to {target}{inside}")
        elif name in ("call2", "call4", "call_ref"):
            find = unit.location_at if name == "call_ref" else unit.location_in_unit
            self._call(path, find(operands[0]))
        elif name == "const_type":
            kind = unit.number_type(operands[0])
            self._stack.push_typed(path, int.from_bytes(operation.block, "little"), kind)
        elif name in ("convert", "reinterpret"):
            self._stack.convert(path, unit.number_type(operands[0]), name == "convert")
        elif name == "regval_type":
            kind = unit.number_type(operands[1])
            bits = RegisterBits(operands[0], 0, 8 * (kind or GENERIC).size)
            path.stack.append(Entry(None, bits, kind))
        else:
            kind = unit.number_type(operands[1])
            self._stack.dereference(path, operands[0])
            self._stack.push_typed(path, self._stack.pop(path), kind)

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
