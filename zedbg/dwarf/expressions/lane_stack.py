"""The stack on which location expressions compute, for some lanes at once.

Numbers are either the same for all lanes or one for each lane; bits of registers are read when they
are needed as numbers.
"""

from __future__ import annotations

from zedbg.dwarf.expressions import typed_numbers
from zedbg.dwarf.expressions.expression_path import Entry, Path
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.expressions.places import LaneNumber, RegisterBits, of_lane
from zedbg.dwarf.expressions.stack_arithmetic import BINARY, MASK, UNARY, apply, combine
from zedbg.dwarf.expressions.surroundings import FrameReader
from zedbg.dwarf.expressions.typed_numbers import GENERIC, NumberType
from zedbg.missing import MissingError


class LaneStack:
    """Operators on the stack of a path; what they need of ``frame`` is read from it. All raise
    MissingError where they have no result."""

    def __init__(self, frame: FrameReader) -> None:
        self._frame = frame

    def push(self, path: Path, number: LaneNumber, source: RegisterBits | None = None) -> None:
        """A number of the generic type; ``source``: the register bits that it is."""
        path.stack.append(Entry(apply(lambda value: value & MASK, number), source))

    def push_typed(self, path: Path, number: LaneNumber, kind: NumberType | None) -> None:
        """A number of type ``kind``, None for the generic one."""
        path.stack.append(Entry(apply(lambda value: value & MASK, number), kind=kind))

    def pop(self, path: Path) -> LaneNumber:
        """Takes the top away, as a number. Raises MissingError."""
        if not path.stack:
            raise MissingError("its location takes more from the stack than there is")
        return self.number(path, path.stack.pop())

    def pop_typed(self, path: Path) -> tuple[LaneNumber, NumberType | None]:
        """Takes the top away: number and type."""
        kind = path.stack[-1].kind if path.stack else None
        return self.pop(path), kind

    def number(self, path: Path, entry: Entry) -> LaneNumber:
        """What ``entry`` is as a number; reads it where it has not been read."""
        if entry.number is not None:
            return entry.number
        assert entry.source is not None
        return self._read_bits(entry.source, len(path.lanes))

    def shuffle(self, path: Path, name: str, operands: tuple[int, ...]) -> None:
        """dup, drop, over, pick, swap and rot. Raises MissingError."""
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

    def combine(self, path: Path, name: str) -> None:
        """An operator of two numbers; those without a type take that of the other.

        Raises MissingError.
        """
        right, right_kind = self.pop_typed(path)
        left, left_kind = self.pop_typed(path)
        kind = left_kind or right_kind
        if kind is None:
            self.push(path, combine(BINARY[name], left, right))
            return
        if left_kind and right_kind and left_kind != right_kind:
            raise MissingError("its location computes with numbers of different types")
        typed = kind

        def result(one: int, other: int) -> int:
            return typed_numbers.binary(name, one, other, typed)

        is_relation = name in typed_numbers.RELATIONS
        self.push_typed(path, combine(result, left, right), None if is_relation else kind)

    def change(self, path: Path, name: str) -> None:
        """An operator of one number."""
        number, kind = self.pop_typed(path)
        if kind is None:
            self.push(path, apply(UNARY[name], number))
            return
        typed = kind
        changed = apply(lambda bits: typed_numbers.unary(name, bits, typed), number)
        self.push_typed(path, changed, kind)

    def convert(self, path: Path, target: NumberType | None, keeps_number: bool) -> None:
        """Gives the top of the stack another type: with the same number, or with the same bits.

        Raises MissingError.
        """
        number, source = self.pop_typed(path)
        source_type, target_type = source or GENERIC, target or GENERIC
        if keeps_number:
            number = apply(
                lambda bits: typed_numbers.convert(bits, source_type, target_type), number
            )
        elif source_type.size != target_type.size:
            raise MissingError("its location takes bits for a type of another size")
        self.push_typed(path, number, target)

    def dereference(self, path: Path, size: int) -> None:
        """Replaces an address by the ``size`` bytes there, or a register by its value."""
        if path.register is not None:
            # Older compilers write a register where its value is meant.
            bits = RegisterBits(path.register, 0, size * 8)
            path.register = None
            self.push_bits(path, bits)
            return
        addresses = self.pop(path)
        self.push(path, apply(lambda address: self._read_number(address, size), addresses))

    def _read_number(self, address: int, size: int) -> int:
        data = self._frame.read_memory(MemorySpace.GLOBAL, address, size)
        return int.from_bytes(data, "little")

    def name_register(self, path: Path, name: str, operands: tuple[int, ...]) -> None:
        """bregx pushes an address; regx and INTEL_regs name a register for what follows."""
        if name == "bregx":
            base = self._frame.register_bits(operands[0], 0, 0)
            self.push(path, base + operands[1])
        elif name == "regx":
            path.register = operands[0]
        else:
            path.register = self.pop(path)

    def push_bit_piece(self, path: Path) -> None:
        """Intel's older form: the bits of the register named before, at the offset on the stack.

        Raises MissingError.
        """
        size, offset = self.pop(path), self.pop(path)
        if path.register is None or not isinstance(size, int):
            raise MissingError("its location reads bits of no register")
        bits = RegisterBits(path.register, offset, size)
        path.register = None
        self.push_bits(path, bits)

    def push_bits(self, path: Path, bits: RegisterBits) -> None:
        """Bits of a register, which are read when they are needed as a number.

        Raises MissingError.
        """
        if not 0 < bits.bit_size <= 64:
            raise MissingError("the compiler gives no usable location for it in registers")
        path.stack.append(Entry(None, bits))

    def _read_bits(self, bits: RegisterBits, lane_count: int) -> LaneNumber:
        """The register bits of a group of ``lane_count`` lanes."""
        read = self._frame.register_bits
        if isinstance(bits.registers, int) and isinstance(bits.bit_offsets, int):
            return read(bits.registers, bits.bit_offsets, bits.bit_size)
        return tuple(
            read(of_lane(bits.registers, index), of_lane(bits.bit_offsets, index), bits.bit_size)
            for index in range(lane_count)
        )
