"""Where a step by lines may end: the addresses at which a statement of the source begins.

Intel's compilers mark a line's first row as a statement, once in a table: neither the head of a
loop that is entered again, nor the second copy of an inlined function has a mark. And optimised
code is full of short returns to earlier lines, leftovers that nobody wants to stop in.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from zedbg.dwarf.lines.line_table import LineRow
from zedbg.dwarf.scopes.scopes import Function, InlinedCall
from zedbg.xe.decoding import decode_head, decode_once
from zedbg.xe.instruction import NATIVE_LENGTH
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

_LOOPING = frozenset({Opcode.JMPI, Opcode.GOTO, Opcode.WHILE})
_LEAVING = frozenset({Opcode.JMPI, Opcode.GOTO, Opcode.IF, Opcode.ELSE, Opcode.BREAK})
_MEETING = frozenset({Opcode.JOIN, Opcode.ENDIF})


def backward_jumps(code: bytes, platform: Platform) -> list[int]:
    """Offsets of the instructions of ``code`` that jump back, ascending."""
    return [
        offset
        for offset, targets in _jumps(code, platform, _LOOPING)
        if any(each < offset for each in targets)
    ]


def jump_past_end(code: bytes, platform: Platform) -> int | None:
    """The offset of the first instruction of ``code`` that jumps to after its end; None where none
    does."""
    for offset, targets in _jumps(code, platform, _LEAVING):
        if any(each > len(code) for each in targets):
            return offset
    return None


def _jumps(
    code: bytes, platform: Platform, opcodes: Container[Opcode]
) -> Iterator[tuple[int, list[int]]]:
    """The instructions of ``code`` that have one of ``opcodes``: their offsets, and those that they
    may jump to."""
    offset = 0
    while offset < len(code):
        word = code[offset : offset + NATIVE_LENGTH]
        opcode, length = decode_head(platform, word)
        if opcode in opcodes:
            jump = decode_once(platform, word)
            yield offset, [offset + each for each in (jump.jip, jump.uip) if each is not None]
        offset += length


def entered_past(code: bytes, platform: Platform, first: int) -> int | None:
    """The offset in ``code``, after ``first``, to which a jump before ``first`` leads, and nothing
    else: what executes the instruction at ``first`` does not come there. None where there is none.
    """
    targets: set[int] = set()
    offset, goes_on = 0, True
    while offset < len(code):
        word = code[offset : offset + NATIVE_LENGTH]
        opcode, length = decode_head(platform, word)
        if offset > first and offset in targets and not goes_on:
            while opcode in _MEETING:  # there those that jumped become active
                offset += length
                opcode, length = decode_head(platform, code[offset : offset + NATIVE_LENGTH])
            return offset if offset < len(code) else None
        if opcode in _LEAVING:
            jump = decode_once(platform, word)
            if offset < first:
                targets |= {offset + each for each in (jump.jip, jump.uip) if each is not None}
            goes_on = opcode is Opcode.IF or jump.predicate is not Predicate.NONE
        elif opcode is not Opcode.NOP:
            goes_on = True
        offset += length
    return None


def statement_starts(
    function: Function, rows: Sequence[LineRow], jumps: Sequence[int]
) -> frozenset[int]:
    """The addresses in ``function`` at which a statement begins.

    ``rows``: its line rows, by address; ``jumps``: addresses of its backward jumps. A statement
    begins where the compiler says so; where the code of a line begins for the first time in the
    function, or in one inlined call; and where the code of a loop's head jumps back.
    """
    last_of_address = {row.address: row for row in rows}
    ranges: list[LineRow] = []
    for row in last_of_address.values():
        if not ranges or (row.file, row.line) != (ranges[-1].file, ranges[-1].line):
            ranges.append(row)
    found = {row.address for row in last_of_address.values() if row.is_stmt and row.line}
    seen: set[tuple[object, ...]] = set()
    ends = [row.address for row in ranges[1:]] + [function.high]
    for row, end in zip(ranges, ends, strict=True):
        if not row.line:
            continue
        key = (_instance(function, row.address), row.file, row.line)
        loops = any(row.address <= jump < end for jump in jumps)
        if loops or key not in seen:
            found.add(row.address)
        seen.add(key)
    return frozenset(found)


def _instance(function: Function, address: int) -> Function | InlinedCall:
    """The inlined call that ``address`` is in, or the function itself."""
    for scope in function.innermost_at(address).outwards():
        if isinstance(scope, InlinedCall):
            return scope
    return function
