"""Where the functions of a kernel begin, as its calls say.

An older compiler (IGC 1) says it wrongly where a kernel calls functions without the stack: each of
them begins where the kernel's own debug information ends, after the first few instructions; all but
the last are empty there, and that one has the code of the others and of the kernel. They lie in the
order in which they are described (checked against the calls in the modules' SPIR-V, on all of the
corpora), so that the targets of the calls say where each begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from zedbg.xe.decoding import decode_head, decode_once
from zedbg.xe.instruction import NATIVE_LENGTH, Decoded
from zedbg.xe.isa.opcodes import Opcode, Operation
from zedbg.xe.isa.platform import Platform

Range = tuple[int, int]  # first address, after the last


class Routines:
    """The functions in ``code``, which begins with one; offsets in it."""

    def __init__(self, code: bytes, platform: Platform) -> None:
        self._jumps: list[tuple[int, int]] = []
        self._is_known = True
        calls: list[tuple[int, int, int]] = []
        offset = 0
        while offset < len(code):
            word = code[offset : offset + NATIVE_LENGTH]
            opcode, length = decode_head(platform, word)
            if opcode is not None and opcode.row.operation is Operation.BRANCH:
                self._add(offset, decode_once(platform, word), calls)
            offset += length
        #: Each call: where it is, where it goes on, what it calls.
        self.calls = calls
        self.starts = [0, *sorted({target for _, _, target in calls})]

    def _add(self, offset: int, decoded: Decoded, calls: list[tuple[int, int, int]]) -> None:
        ways = [each for each in (decoded.jip, decoded.uip) if each]
        if not decoded.is_call:
            self._jumps += [(offset, offset + each) for each in ways]
        elif decoded.opcode is Opcode.CALL and ways:
            calls.append((offset, offset + decoded.length, offset + ways[0]))
        else:
            self._is_known = False

    @property
    def are_apart(self) -> bool:
        """Whether the code of each lies together: every call says where it goes, and no jump goes
        from one into another."""
        return self._is_known and all(
            self.index_at(source) == self.index_at(target) for source, target in self._jumps
        )

    def index_at(self, offset: int) -> int:
        """Which of them the instruction at ``offset`` is of."""
        return bisect_right(self.starts, offset) - 1


def are_misplaced(ranges: Sequence[Range]) -> bool:
    """Whether ``ranges``, of a kernel and of the functions in its section, look as that compiler
    writes them: the functions begin where the kernel ends, and only the last one has code."""
    if len(ranges) < 2:
        return False
    (_, end), *others = ranges
    filled = [low < high for low, high in others]
    return all(low == end for low, _ in others) and filled[-1] and not any(filled[:-1])


def mended(ranges: Sequence[Range], code: Routines) -> list[Range] | None:
    """The ranges of what :func:`are_misplaced` holds of; ``code`` begins with the kernel. None
    where the code does not say it, or says that nothing is wrong."""
    base, end = ranges[0][0], ranges[-1][1]
    starts = [base + each for each in code.starts]
    if ranges[0][1] in starts or len(starts) != len(ranges) or not code.are_apart:
        return None
    return list(zip(starts, [*starts[1:], end], strict=True))
