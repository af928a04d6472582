"""What a function returned, where the ABI of its call says where that is.

Stack calls return in registers from r26 on, one after the other: component ``i`` of lane ``l`` lies
at element ``i * SIMD width + l`` (IGC's stack call ABI, versions 1 and 2). Subroutines of a kernel
return where the compiler likes, and the debug information does not tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.frame_section import RuleKind
from zedbg.dwarf.machine import Missing
from zedbg.dwarf.types import ArrayType, Type
from zedbg.values.context import ThreadContext
from zedbg.values.scalars import is_scalar
from zedbg.values.value import LaneValues
from zedbg.xe.registers import RegisterKind

_FIRST_REGISTER = 26
_REGISTER_COUNT = 8


def is_stack_call(info: DebugInfo, address: int) -> bool:
    """Whether the function around ``address`` is called by the stack call ABI (version 1 or 2):
    its return address is in a register, or saved; a subroutine's is computed."""
    entry = info.frames.entry_at(address)
    if entry is None:
        return False
    rule = entry.row_at(address).rules.get(entry.common.return_register)
    return rule is not None and rule.kind is not RuleKind.VALUE_EXPRESSION


def returned_values(context: ThreadContext, value_type: Type, lanes: Sequence[int]) -> LaneValues:
    """What a stack call to a function of ``value_type`` returned; ``context`` is just behind it."""
    grf = context.register_layout.get(RegisterKind.GRF)
    stripped = value_type.stripped()
    vector = isinstance(stripped, ArrayType) and stripped.is_vector
    element = stripped.element if isinstance(stripped, ArrayType) and vector else value_type
    count = (stripped.count or 0) if isinstance(stripped, ArrayType) and vector else 1
    size, width = element.size, context.simd_width
    reason = None
    if grf is None:
        reason = Missing("the device has no general registers")
    elif not is_scalar(element):
        reason = Missing("structures are returned in parts that are not known here")
    elif count * width * size > _REGISTER_COUNT * grf.byte_size:
        reason = Missing("it is too large for the registers that values are returned in")
    if grf is None or reason is not None:
        return LaneValues(value_type, tuple(lanes), (reason or Missing("unknown"),) * len(lanes))
    start = _FIRST_REGISTER * grf.byte_size
    data = context.read_registers(RegisterKind.GRF)[start:]
    values: list[bytes | Missing] = []
    for lane in lanes:
        places = [(index * width + lane) * size for index in range(count)]
        parts = b"".join(data[place : place + size] for place in places)
        values.append(parts.ljust(value_type.size, b"\0"))
    return LaneValues(value_type, tuple(lanes), tuple(values))
