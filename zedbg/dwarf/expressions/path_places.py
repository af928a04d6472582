"""The place that a location expression has come to: one, or several pieces."""

from __future__ import annotations

from zedbg.dwarf.expressions.expression_path import Path
from zedbg.dwarf.expressions.lane_stack import LaneStack
from zedbg.dwarf.expressions.places import (
    ImplicitPlace,
    MemoryPlace,
    Piece,
    PiecedPlace,
    Place,
    RegisterBits,
    RegisterPlace,
    SimplePlace,
    ValuePlace,
)
from zedbg.missing import Missing, MissingError


class PathPlaces:
    """Makes places of what paths have on their stack, and have named."""

    def __init__(self, stack: LaneStack, reads_values: bool) -> None:
        """Without ``reads_values`` a value that is just register bits is not read."""
        self._stack = stack
        self._reads_values = reads_values

    def end_piece(self, path: Path, bit_size: int, bit_offset: int) -> None:
        """Ends a piece: ``bit_size`` bits, from ``bit_offset`` on, of where the path is."""
        place = self._simple(path)
        path.pieces.append(Piece(place, bit_size, bit_offset))
        path.stack, path.register, path.implicit = [], None, None
        path.is_value = False

    def result(self, path: Path) -> Place:
        """Where the variable is, at the end of the expression. Raises MissingError."""
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
        number = self._stack.number(path, entry)
        return ValuePlace(number, entry.source) if path.is_value else MemoryPlace(number)
