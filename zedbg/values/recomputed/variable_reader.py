"""A variable in memory, read in thread after thread: where it lies is worked out once.

At -O0 every variable lies at the sum of some registers and the lane times a distance. For threads
at one instruction only the registers differ, and so for their callers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf import Variable
from zedbg.dwarf.expressions.lane_addresses import LaneAddress, lane_address
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import PointerType, Type
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing, MissingError
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.frame_context import FrameContext, lookup_address
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.locate import is_plain, is_untagged
from zedbg.values.typed.scalars import is_scalar
from zedbg.values.typed.value import LaneValues
from zedbg.xe.registers import RegisterKind, dwarf_register

_MASK = (1 << 64) - 1
_MOST_BYTES = 4096  # from the first lane to the last; more is not read in one piece


@dataclass(frozen=True)
class _Term:
    """A register that is a part of the address: ``size`` bytes at ``start`` of its set."""

    kind: RegisterKind
    start: int
    size: int


class VariableReader:
    """A scalar variable in ``lanes`` of threads that are stopped at one instruction."""

    def __init__(
        self, value_type: Type, lanes: tuple[int, ...], terms: list[_Term], address: LaneAddress
    ) -> None:
        self.type = value_type
        self._lanes = lanes
        self._terms = terms
        self._address = address
        stride = address.stride
        self._first = min(lanes) * stride
        self._places = [lane * stride - self._first for lane in lanes]
        self._length = max(self._places) + value_type.size

    @classmethod
    def of(
        cls, variable: Variable, context: ThreadContext, lanes: Sequence[int]
    ) -> VariableReader | None:
        """What reads ``variable`` where ``context`` is stopped, or goes on; None where that takes
        more than this."""
        info = context.debug_info
        if info is None or variable.constant is not None or not lanes:
            return None
        recomputation = Recomputation.of(context)
        if recomputation.has_source and not (
            recomputation.is_unoptimised and recomputation.is_in_frame(variable)
        ):
            return None  # its place is to be checked
        address = lookup_address(context)
        expression = info.location_expression(variable, address)
        summed = None if isinstance(expression, Missing) else lane_address(expression)
        if summed is None or info.interleaved_partition(variable, address):
            return None
        stripped = variable.type.stripped()
        if not is_scalar(stripped) or (isinstance(stripped, PointerType) and stripped.reference):
            return None
        if any(not context.active_lanes >> lane & 1 for lane in lanes):
            return None  # it is missing there
        terms = []
        for each in summed.registers:
            register = dwarf_register(each.number)
            layout = None if register is None else context.register_layout.get(register.kind)
            if register is None or layout is None or (each.bit_offset | each.bit_size) & 7:
                return None
            size = each.bit_size // 8 or layout.byte_size - each.bit_offset // 8
            start = register.index * layout.byte_size + each.bit_offset // 8
            terms.append(_Term(register.kind, start, size))
        reader = cls(variable.type, tuple(lanes), terms, summed)
        return reader if reader._length <= _MOST_BYTES and is_plain(0, variable) else None

    def read(self, context: ThreadContext) -> LaneValues | None:
        """The values in the thread ``context``; None where something cannot be read."""
        span = self._span(context)
        if span is None:
            return None
        base, found = span
        return LaneValues(
            self.type,
            self._lanes,
            self._parts(found),
            [MemoryHome(MemorySpace.GLOBAL, base + place) for place in self._places],
        )

    def data(self, context: ThreadContext) -> list[bytes] | None:
        """As :meth:`read`, without where they lie."""
        span = self._span(context)
        return None if span is None else self._parts(span[1])

    def _parts(self, found: bytes) -> list[bytes]:
        size = self.type.size
        return [found[place : place + size] for place in self._places]

    def _span(self, context: ThreadContext) -> tuple[int, bytes] | None:
        """The address of the first lane's value, and all bytes up to the last one's."""
        base = self._first
        try:
            if isinstance(context, FrameContext):
                base += self._address.base(context.frame.state)
            else:
                base += self._address.offset
                for term in self._terms:
                    data = context.read_registers(term.kind)[term.start : term.start + term.size]
                    if len(data) < term.size:
                        return None
                    base += int.from_bytes(data, "little")
            base &= _MASK
            if not is_untagged(base):
                return None
            return base, context.read_memory(MemorySpace.PRIVATE, base, self._length)
        except (LevelZeroError, MissingError):
            return None
