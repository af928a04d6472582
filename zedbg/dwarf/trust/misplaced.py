"""Places that the compiler's debug information gives and that the code contradicts.

Intel's compilers keep a counter that all lanes of a loop share in one register, also where lanes
leave the loop one after the other: after the loop the register has what the last lane came to.
The value of the others is elsewhere, and the debug information still names the register. And they
say of local ids, which the hardware packs as words (zeinfo, per_thread_payload_arguments), that
they lie a dword apart: those are looked for where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zedbg.dwarf.expressions.operations import (
    INTEL_PUSH_SIMD_LANE,
    INTEL_REGVAL_BITS,
    Operation,
    UnknownOperatorError,
    decode,
)
from zedbg.dwarf.reading.bytestream import EndOfBytesError
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.missing import Missing
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.registers import RegisterKind, dwarf_register

# A uniform jump (jmpi) may close a loop that lanes leave by a jump of their own inside.
_LANE_JUMPS = frozenset({Opcode.GOTO, Opcode.WHILE, Opcode.BREAK})
_JUMPS = _LANE_JUMPS | {Opcode.JMPI}
_WORD_BITS, _DWORD_BITS = 16, 32
_MOST_DECODED = 1024  # expressions
# Operators of the expression that says where local ids really are.
_PUSH_LANE, _REGVAL_BITS = 0xED, 0xFE
_CONST1U, _LIT0, _AND, _MUL, _PLUS_UCONST, _SHR = 0x08, 0x30, 0x1A, 0x1E, 0x23, 0x25
STACK_VALUE = 0x9F

SHARED_COUNTER = Missing(
    "lanes left the loop at different times, and the compiler kept the last one's value only"
)


class CodeWrites:
    """Which bytes of the general registers the instructions of a function write, and the loops
    that lanes may leave one after the other."""

    def __init__(self, flow: RegisterFlow) -> None:
        self._writes = [
            (step.offset, step.writes) for step in flow.steps if step.writes is not None
        ]
        jumps: list[tuple[int, int, bool]] = []  # from, to, whether lanes take it by themselves
        for step in flow.steps:
            if step.decoded.opcode in _JUMPS:
                targets = [
                    each for each in (step.decoded.jip, step.decoded.uip) if each is not None
                ]
                by_lane = step.decoded.opcode in _LANE_JUMPS
                jumps += [(step.offset, step.offset + target, by_lane) for target in targets]
        # Head and end of each loop.
        self._loops = [
            (head, end)
            for end, head, by_lane in jumps
            if head < end and (by_lane or _is_left_by_lanes(head, end, jumps))
        ]

    def _is_written(self, place: tuple[int, int], low: int, high: int) -> bool:
        """Whether an instruction from ``low`` up to ``high`` writes to the bytes of ``place``."""
        return any(
            low <= offset < high and span.first < place[1] and place[0] < span.end
            for offset, span in self._writes
        )

    def changes_in_loop_around(self, place: tuple[int, int], at: int) -> bool:
        """Whether ``at`` is in a loop that changes what all lanes share in ``place``."""
        return any(
            head <= at <= jump and self._is_written(place, head, jump) for head, jump in self._loops
        )

    def is_left_by_loop(self, place: tuple[int, int], since: int, at: int) -> bool:
        """Whether what is in ``place`` at ``at`` is what a loop left there that lanes leave one
        after the other; the place holds from ``since`` on."""
        return any(
            since <= jump < at
            and not head <= at <= jump
            and self._is_written(place, head, jump)
            and not self._is_written(place, jump, at)
            for head, jump in self._loops
        )


def _is_left_by_lanes(head: int, end: int, jumps: Sequence[tuple[int, int, bool]]) -> bool:
    """Whether lanes jump out of the loop from ``head`` to ``end`` by themselves."""
    return any(head <= at <= end < target for at, target, by_lane in jumps if by_lane)


def shared_register(expression: bytes, grf_bytes: int) -> tuple[int, int] | None:
    """The bytes, from r0, of a general register that ``expression`` gives all lanes; None for any
    other place."""
    operations = _decoded(expression)
    names = [each.name for each in operations]
    if (
        names
        and names[0] in ("constu", "const1u", "const2u")
        and names[2:] == [INTEL_REGVAL_BITS, "stack_value"]
    ):
        number, bit = operations[0].operands[0], operations[1].operands[:1]
        size = operations[2].operands[0]
    elif names == ["regx", "bit_piece"]:
        number, bit = operations[0].operands[0], operations[1].operands[1:]
        size = operations[1].operands[0]
    else:
        return None
    register = dwarf_register(number)
    if register is None or register.kind is not RegisterKind.GRF or len(bit) != 1:
        return None
    first = register.index * grf_bytes + bit[0] // 8
    return first, first + -(-size // 8)


def misplaced_local_ids(expression: bytes, id_registers: range) -> int | None:
    """The first register (DWARF's number) from which ``expression`` reads words a dword apart, if
    it is one of the local ids' ``id_registers``; None for any other place."""
    operations = _decoded(expression)
    for index, each in enumerate(operations):
        if each.name != INTEL_REGVAL_BITS or each.operands[0] != _WORD_BITS:
            continue
        before = operations[:index]
        if [one.name for one in before[-2:]] != ["const1u", "mul"]:
            continue
        starts = [one.operands[0] for one in before if one.name == "plus_uconst"]
        register = dwarf_register(starts[-1]) if starts else None
        by_lane = any(one.name == INTEL_PUSH_SIMD_LANE for one in before)
        if before[-2].operands[0] == _DWORD_BITS and by_lane and register is not None:
            is_id = register.kind is RegisterKind.GRF and register.index in id_registers
            return starts[-1] if is_id else None
    return None


def packed_values(first: int, grf_bytes: int, bits: int, stride: int) -> bytes:
    """An expression for the first ``bits`` bits of element N, in lane N, of elements of ``stride``
    bytes in the registers from ``first`` (DWARF's number) on."""
    per_register = grf_bytes // stride
    number = bytes([first]) if first < 0x80 else bytes([first & 0x7F | 0x80, first >> 7])
    return bytes(
        [
            *(_PUSH_LANE, _LIT0 + per_register.bit_length() - 1, _SHR, _PLUS_UCONST, *number),
            *(_PUSH_LANE, _CONST1U, per_register - 1, _AND, _CONST1U, stride * 8, _MUL),
            *(_REGVAL_BITS, bits, STACK_VALUE),
        ]
    )


@lru_cache(maxsize=_MOST_DECODED)
def _decoded(expression: bytes) -> tuple[Operation, ...]:
    try:
        return tuple(decode(expression))
    except (UnknownOperatorError, EndOfBytesError):
        return ()
