"""What an instruction does with values, whatever it is."""

from __future__ import annotations

from zedbg.xe.flow.arithmetic import arithmetic, call
from zedbg.xe.flow.messages import message
from zedbg.xe.flow.places import Assignment
from zedbg.xe.flow.systolic import systolic
from zedbg.xe.flow.thread_view import ThreadView
from zedbg.xe.instruction import Decoded
from zedbg.xe.isa.opcodes import Format, Operation


def assignments(decoded: Decoded, view: ThreadView) -> list[Assignment]:
    """Everything that ``decoded`` writes in the thread that stands in front of it.

    ``view`` has the registers as they are before. Left out: modes of cr0, which say how numbers are
    rounded, the notifications of barriers, and where lanes go next. Raises MessageError for a send
    that is not read.
    """
    if decoded.opcode.format is Format.CALL:
        return list(call(decoded, view))
    match decoded.opcode.row.operation:
        case Operation.ILLEGAL | Operation.BRANCH:
            return []
        case Operation.EXTERNAL:
            return [] if decoded.send is None else list(message(decoded, view))
        case Operation.SYSTOLIC:
            return list(systolic(decoded, view))
        case _:
            return list(arithmetic(decoded, view))
