"""The frames of a host thread, by the call frame information of the files that it executes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from elftools.dwarf.callframe import CFARule, RegisterRule
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.dwarf.structs import DWARFStructs

from zedbg.host.image import DAMAGE, FrameRules, HostImage
from zedbg.host.mappings import Memory

STACK_POINTER = 7  # DWARF numbers of registers (System V ABI for AMD64, figure 3.36)
PROGRAM_COUNTER = 16
_WORD = struct.Struct("<Q")
_MASK = (1 << 64) - 1
_MOST_FRAMES = 512


@dataclass(frozen=True)
class HostFrame:
    """A frame: ``pc`` is the next instruction or the return address; ``function`` and ``offset``
    into it, ``file`` and ``line`` as far as they are known; ``library`` has the code. ``inlined``:
    the function is part of the one in the next frame, which has the same ``pc``; ``offset`` is 0.
    """

    pc: int
    function: str | None
    offset: int
    file: str | None
    line: int | None
    library: str | None
    inlined: bool = False


@dataclass(frozen=True)
class HostStack:
    """Frames, the innermost first. ``end`` says why there are no more, None at the outermost."""

    frames: tuple[HostFrame, ...]
    end: str | None = None


def unwind(
    registers: Mapping[int, int], memory: Memory, image_at: Callable[[int], HostImage | None]
) -> HostStack:
    """The frames of a thread with ``registers``, by their DWARF numbers. ``memory`` is its stack;
    ``image_at`` gives the file that an address is in."""
    frames: list[HostFrame] = []
    known = dict(registers)
    is_call = False  # whether the address is one that a call returns to
    while len(frames) < _MOST_FRAMES:
        pc = known[PROGRAM_COUNTER]
        image = image_at(pc)
        if image is None and frames:
            return HostStack(tuple(frames), f"nothing is known of the code at {pc:#x}")
        # The call is before the address that it returns to, which may be of another function.
        place = pc - is_call
        frames += frames_at(pc, place, image)
        rules = None if image is None else image.frame_rules(place)
        if rules is None:
            # By convention the outermost functions say nothing of how they were called.
            outermost = len(frames) > 1 and frames[-1].function in (None, "_start")
            reason = None if outermost else f"{frames[-1].library} does not say how to unwind it"
            return HostStack(tuple(frames), reason)
        if _is_undefined(rules):
            return HostStack(tuple(frames))
        caller = _caller(rules, known, memory)
        if caller is None:
            return HostStack(tuple(frames), "the rest of the stack was not saved")
        if not caller[PROGRAM_COUNTER]:
            return HostStack(tuple(frames))
        if caller[STACK_POINTER] <= known[STACK_POINTER] and is_call:
            return HostStack(tuple(frames), "the stack is damaged")
        is_call = not rules.is_signal
        known = caller
    return HostStack(tuple(frames), f"only {_MOST_FRAMES} frames are shown")


def frames_at(pc: int, place: int, image: HostImage | None) -> Iterator[HostFrame]:
    """The frames at ``pc`` of ``image``, the innermost first: the last one has registers of its
    own, those before were inlined into it. ``place`` is the address whose functions and lines they
    have."""
    if image is None:
        yield HostFrame(pc, None, 0, None, None, None)
        return
    symbol = image.symbol_at(place)
    file, line = image.line_at(place) or (None, None)
    for call in image.calls_at(place):
        yield HostFrame(pc, call.function, 0, file, line, image.name, inlined=True)
        file, line = call.file, call.line
    name, offset = (None, 0) if symbol is None else (symbol.name, pc - symbol.address)
    yield HostFrame(pc, name, offset, file, line, image.name)


def _is_undefined(rules: FrameRules) -> bool:
    rule = rules.rules.get(rules.return_register)
    return rule is not None and rule.type == RegisterRule.UNDEFINED


def _caller(
    rules: FrameRules, registers: Mapping[int, int], memory: Memory
) -> dict[int, int] | None:
    """The registers of the caller, as far as they are known; None where the stack is not."""
    try:
        cfa = _frame_address(rules.cfa, registers, memory)
        caller = {**registers, STACK_POINTER: cfa}
        for number, rule in rules.rules.items():
            if rule.type == RegisterRule.SAME_VALUE:
                continue
            value = _value(rule, cfa, registers, memory)
            if value is None:
                caller.pop(number, None)
            else:
                caller[number] = value
        caller[PROGRAM_COUNTER] = caller[rules.return_register]
    except (*DAMAGE, _NoMemory):
        return None
    return caller


class _NoMemory(Exception):
    """A word of the stack is not known."""


def _word(memory: Memory, address: int) -> int:
    data = memory.read(address, _WORD.size)
    if len(data) != _WORD.size:
        raise _NoMemory
    found: int = _WORD.unpack(data)[0]
    return found


def _frame_address(rule: CFARule, registers: Mapping[int, int], memory: Memory) -> int:
    """The canonical frame address."""
    if rule.reg is None or rule.offset is None:
        return _evaluate(list(rule.expr or ()), registers, memory, [])
    return (registers[rule.reg] + rule.offset) & _MASK


def _value(
    rule: RegisterRule, cfa: int, registers: Mapping[int, int], memory: Memory
) -> int | None:
    """A register of the caller; None when it is lost."""
    kind, argument = rule.type, rule.arg
    if kind == RegisterRule.UNDEFINED or argument is None:
        return None
    if not isinstance(argument, int):
        address = _evaluate(list(argument), registers, memory, [cfa])
        return address if kind == RegisterRule.VAL_EXPRESSION else _word(memory, address)
    if kind == RegisterRule.OFFSET:
        return _word(memory, cfa + argument)
    if kind == RegisterRule.VAL_OFFSET:
        return (cfa + argument) & _MASK
    return registers.get(argument)


_STRUCTS = DWARFStructs(little_endian=True, dwarf_format=32, address_size=8)
_BINARY: dict[str, Callable[[int, int], int]] = {
    "DW_OP_plus": lambda a, b: a + b,
    "DW_OP_minus": lambda a, b: a - b,
    "DW_OP_and": lambda a, b: a & b,
    "DW_OP_or": lambda a, b: a | b,
    "DW_OP_shl": lambda a, b: a << min(b, 64),
    "DW_OP_ge": lambda a, b: int(a >= b),
    "DW_OP_eq": lambda a, b: int(a == b),
}


def _evaluate(
    expression: list[int], registers: Mapping[int, int], memory: Memory, stack: list[int]
) -> int:
    """The value of a DWARF expression, as linkers and C libraries write them: for calls through the
    procedure linkage table, and for signal handlers. LookupError for other operations."""
    for operation in DWARFExprParser(_STRUCTS).parse_expr(expression):
        name, arguments = operation.op_name, operation.args
        if name.startswith("DW_OP_breg"):
            stack.append(registers[int(name[10:])] + arguments[0])
        elif name.startswith("DW_OP_lit"):
            stack.append(int(name[9:]))
        elif name.startswith("DW_OP_const"):
            stack.append(arguments[0])
        elif name == "DW_OP_plus_uconst":
            stack.append(stack.pop() + arguments[0])
        elif name == "DW_OP_deref":
            stack.append(_word(memory, stack.pop()))
        else:
            last = stack.pop()
            stack.append(_BINARY[name](stack.pop(), last))
        stack[-1] &= _MASK
    return stack[-1]
