"""Ways through the code of a function, found with nothing but its jumps."""

from __future__ import annotations

from collections.abc import Collection

from zedbg.dwarf.scopes.function_bytes import code_of
from zedbg.dwarf.scopes.scopes import Function
from zedbg.xe.decoding import decode_once
from zedbg.xe.instruction import Decoded
from zedbg.xe.isa.opcodes import Opcode
from zedbg.zebin import Module

JUMPS = {Opcode.JMPI, Opcode.GOTO, Opcode.IF, Opcode.ELSE, Opcode.WHILE, Opcode.BREAK, Opcode.CONT}
_NEVER_PASSED = {Opcode.JMPI, Opcode.GOTO, Opcode.BREAK, Opcode.CONT}  # without a predicate


def instructions_of(module: Module, function: Function) -> dict[int, Decoded]:
    """Those of ``function`` by address."""
    code, platform = code_of(module, function)
    found, offset = {}, 0
    while offset < len(code):
        decoded = decode_once(platform, code[offset : offset + 16])
        found[function.low + offset] = decoded
        offset += decoded.length
    return found


def comes_to_end_without(
    instructions: dict[int, Decoded], begin: int, avoided: Collection[int]
) -> bool:
    """Whether a way leads from ``begin`` to where the function ends, past none of ``avoided``."""
    passed = (instructions[each] for each in _come_to(instructions, begin, avoided))
    return any(each.opcode is Opcode.RET or each.is_end_of_thread for each in passed)


def comes_to(instructions: dict[int, Decoded], begin: int, end: int) -> bool:
    """Whether a way of a lane leads from ``begin`` to ``end``."""
    return end in _come_to(instructions, begin, ())


def _come_to(instructions: dict[int, Decoded], begin: int, avoided: Collection[int]) -> set[int]:
    """Where a lane may come to from ``begin``: with inactive lanes a jump leads to others."""
    found: set[int] = set()
    waiting = [begin]
    while waiting:
        address = waiting.pop()
        decoded = instructions.get(address)
        if address in found or address in avoided or decoded is None:
            continue
        found.add(address)
        if decoded.opcode is Opcode.RET or decoded.is_end_of_thread:
            continue
        if decoded.opcode in JUMPS:
            to = decoded.uip if decoded.opcode is Opcode.GOTO else decoded.jip
            waiting += [address + each for each in (to, decoded.uip) if each]
        if decoded.opcode not in _NEVER_PASSED or decoded.predicate.value:
            waiting.append(address + decoded.length)
    return found
