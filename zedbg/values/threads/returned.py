"""What a function returned, where the ABI of its call says where that is.

Stack calls return in registers from r26 on, one after the other: component ``i`` of lane ``l`` lies
at element ``i * SIMD width + l`` (IGC's stack call ABI, versions 1 and 2). Small structures of
scalars are returned so, member by member, each where SIMD width times its offset is; others in
memory, at an address that the call passes. Which ones are small depends on the compiler's version:
the caller reads what is in registers. Subroutines of a kernel return where the compiler likes, and
the debug information does not say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.reading.frame_section import RuleKind
from zedbg.dwarf.types.program_types import ArrayType, StructType, Type
from zedbg.missing import Missing
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.scalars import is_scalar
from zedbg.values.typed.value import LaneValues
from zedbg.xe.registers import FIRST_ARGUMENT_REGISTER, RegisterKind, RegisterSet

_REGISTER_COUNT = 8
_STRUCTURE_BYTES = 16  # of a structure that may be returned in registers

IN_MEMORY = Missing(
    "the compiler returns it in memory, at an address that the call passed and nothing keeps: "
    "look at the variable that it is assigned to"
)
NOT_IN_REGISTERS = Missing(
    "the code after the call takes it from no register: the compiler returns it in memory, or "
    "nothing uses it"
)


@dataclass(frozen=True)
class _Part:
    """Bytes of a value that lie together in each lane: from ``offset`` on."""

    offset: int
    size: int


def is_stack_call(info: DebugInfo, address: int) -> bool:
    """Whether the function around ``address`` is called by the stack call ABI (version 1 or 2):
    its return address is in a register, or saved; a subroutine's is computed."""
    entry = info.frames.entry_at(address)
    if entry is None:
        return False
    rule = entry.row_at(address).rules.get(entry.common.return_register)
    return rule is not None and rule.kind is not RuleKind.VALUE_EXPRESSION


def returned_values(context: ThreadContext, value_type: Type, lanes: Sequence[int]) -> LaneValues:
    """What a stack call to a function of ``value_type`` returned; ``context`` is just after it."""
    size, width = value_type.size, context.simd_width
    found = _parts_in_registers(context, value_type)
    if isinstance(found, Missing):
        return LaneValues(value_type, tuple(lanes), (found,) * len(lanes))
    grf, parts = found
    start = FIRST_ARGUMENT_REGISTER * grf.byte_size
    if isinstance(value_type.stripped(), StructType) and not all(
        _is_read(context, start + part.offset * width, part.size * width) for part in parts
    ):
        return LaneValues(value_type, tuple(lanes), (NOT_IN_REGISTERS,) * len(lanes))
    data = context.read_registers(RegisterKind.GRF)[start:]
    values: list[bytes | Missing] = []
    for lane in lanes:
        value = bytearray(size)
        for part in parts:
            place = part.offset * width + lane * part.size
            value[part.offset : part.offset + part.size] = data[place : place + part.size]
        values.append(bytes(value))
    return LaneValues(value_type, tuple(lanes), tuple(values))


def returning_registers(
    context: ThreadContext, value_type: Type, values: Mapping[int, bytes]
) -> dict[int, bytes] | Missing:
    """The registers, by number, with what they must have for a stack call to return ``values`` of
    ``value_type``, by lane; other lanes have what is there now. Missing: where the ABI of the call
    has no registers for them."""
    width = context.simd_width
    found = _parts_in_registers(context, value_type)
    if isinstance(found, Missing):
        return found
    grf, parts = found
    start = FIRST_ARGUMENT_REGISTER * grf.byte_size
    data = bytearray(context.read_registers(RegisterKind.GRF)[start:])
    for lane, value in values.items():
        for part in parts:
            place = part.offset * width + lane * part.size
            data[place : place + part.size] = value[part.offset : part.offset + part.size]
    used = range(-(-value_type.size * width // grf.byte_size))
    return {FIRST_ARGUMENT_REGISTER + number: grf.slice(bytes(data), number) for number in used}


@dataclass(frozen=True)
class ResultPlace:
    """The bytes of the general registers, counted from r0, in which a subroutine leaves its value:
    of each component of ``size`` bytes, lane after lane. The order of the components is not
    known."""

    first: int
    end: int
    size: int

    def is_one(self, value: bytes) -> bool:
        """Whether all components of ``value`` are the same."""
        return value == value[: self.size] * (len(value) // self.size)


def result_of_subroutine(
    info: DebugInfo, value_type: Type, width: int, leaves_at: int, goes_on_at: int
) -> ResultPlace | Missing:
    """Where the subroutine of ``value_type`` whose ``ret`` is at ``leaves_at`` leaves its value for
    the code at ``goes_on_at``, in ``width`` lanes: all that it writes and that is read there."""
    parts = _parts(value_type)
    if parts is None or isinstance(value_type.stripped(), StructType):
        return Missing("nothing says in which registers a subroutine returns a structure")
    spans = info.code.results(leaves_at, goes_on_at)
    if not spans:
        return Missing("nothing after the call reads it")
    size = parts[0].size
    first, end = min(each.first for each in spans), max(each.end for each in spans)
    if end - first != len(parts) * size * width or any(each.stride != size for each in spans):
        return Missing("the code does not show which registers it is in")
    return ResultPlace(first, end, size)


def result_registers(
    context: ThreadContext, place: ResultPlace, values: Mapping[int, bytes]
) -> dict[int, bytes]:
    """The registers, by number, with what they must have for a subroutine that returns in ``place``
    to return ``values``, by lane."""
    grf = context.register_layout.get(RegisterKind.GRF)
    assert grf is not None  # its code uses them
    data = bytearray(context.read_registers(RegisterKind.GRF))
    size, row = place.size, place.size * context.simd_width
    for lane, value in values.items():
        for index in range((place.end - place.first) // row):
            at = place.first + index * row + lane * size
            data[at : at + size] = value[index * size : (index + 1) * size]
    numbers = range(place.first // grf.byte_size, -(-place.end // grf.byte_size))
    return {number: grf.slice(bytes(data), number) for number in numbers}


def stack_result(context: ThreadContext, value_type: Type) -> ResultPlace | None:
    """Where a stack call returns ``value_type``; None where that is not in components of one
    size."""
    found = _parts_in_registers(context, value_type)
    if isinstance(found, Missing) or isinstance(value_type.stripped(), StructType):
        return None
    grf, parts = found
    first, size = FIRST_ARGUMENT_REGISTER * grf.byte_size, parts[0].size
    return ResultPlace(first, first + len(parts) * size * context.simd_width, size)


def _parts_in_registers(
    context: ThreadContext, value_type: Type
) -> tuple[RegisterSet, list[_Part]] | Missing:
    """The general registers, and what of a value lies apart in them; why it does not lie there."""
    grf = context.register_layout.get(RegisterKind.GRF)
    parts = _parts(value_type)
    if grf is None:
        return Missing("the device has no general registers")
    if parts is None:
        return IN_MEMORY
    if value_type.size * context.simd_width > _REGISTER_COUNT * grf.byte_size:
        return Missing("it is too large for the registers that values are returned in")
    return grf, parts


def _parts(value_type: Type) -> list[_Part] | None:
    """What lies apart in registers; None for a value that is returned in memory."""
    stripped = value_type.stripped()
    if isinstance(stripped, StructType):
        members = stripped.members
        flat = all(is_scalar(each.type) and not each.bit_size for each in members)
        is_small = stripped.keyword != "union" and stripped.size <= _STRUCTURE_BYTES
        if not (flat and is_small and members):
            return None
        return [_Part(each.offset, each.type.size) for each in members]
    if isinstance(stripped, ArrayType) and stripped.is_vector:
        size = stripped.element.size
        return [_Part(index * size, size) for index in range(stripped.count or 0)]
    return [_Part(0, stripped.size)] if is_scalar(stripped) else None


def _is_read(context: ThreadContext, first: int, size: int) -> bool:
    """Whether the code after the call reads ``size`` bytes from ``first`` on, counted from r0."""
    info = context.debug_info
    return info is not None and info.code.registers_are_read(first, first + size, context.pc)
