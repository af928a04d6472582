"""Letting a call return at once: what is left of its function is not executed.

The thread executes the function's ``ret``, which restores the lanes that called: no register of a
debugger can do that. Lanes that wait elsewhere in the function do not execute it: they go on there,
and those that have returned wait for them in front of the caller's next instruction. Of calls by
the stack call ABI, call frame information says where the
registers are that the caller counts on; they are put back before. Subroutines of a kernel save
nothing: the compiler gives them registers of their own. Which of them has the value is seen in the
code.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from zedbg.dwarf import DebugInfo, Function
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.unwind import Frame as DwarfFrame
from zedbg.dwarf.trust.steps import Span
from zedbg.dwarf.types.program_types import Type
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.stops import Outcome
from zedbg.engine.stepping.lone_thread import LoneThread
from zedbg.engine.threads.frames import backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing, MissingError
from zedbg.values.expressions.api import Expression
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.returned import (
    ResultPlace,
    is_stack_call,
    result_of_subroutine,
    result_registers,
    returning_registers,
    stack_result,
)
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.xe.coordinates import format_lanes, lanes_of
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.registers import Register, RegisterKind

_SPECIAL_REGISTERS = 8  # a quarter of a thread's registers, without these, are saved by callees
_INSTEAD = "Type finish to run to its end, or jump LINE to skip lines of it."


@dataclass(frozen=True)
class DroppedCall:
    """A call that can return at once: of ``function``, by ``lanes``; ``staying`` ones may be
    elsewhere in it, and go on there.

    ``return_instruction``: the address of its ``ret``, which reads general register
    ``return_register`` and goes to ``goes_on_at``; ``registers``: what the general registers, by
    number, have there; ``result``: where a subroutine leaves its value, None for other calls.
    """

    function: Function
    lanes: int
    staying: int
    return_instruction: int
    return_register: int
    goes_on_at: int
    registers: Mapping[int, bytes]
    result: ResultPlace | Missing | None = None


def dropped_call(thread: HardwareThread, level: int) -> DroppedCall:
    """The call of frame ``level`` of ``thread``; NoThreadError says why it cannot be dropped, and
    what to do."""
    frames = backtrace(thread).frames
    frame = frames[level].unwound
    if frame is None or frame.function is None:
        raise NoThreadError(f"Nothing is known of this frame: {thread.debug_info_advice}.")
    name = frames[level].location.function
    if frame.is_inlined:
        raise NoThreadError(f"{name} is inlined here: no call of it can be dropped. {_INSTEAD}")
    if frame.function.is_kernel:
        raise NoThreadError(
            f"{name} is a kernel, which nothing called. Type jump LINE to skip lines of it, or "
            "kill to end the program."
        )
    info = thread.debug_info
    outer = frames[level + 1].unwound if level + 1 < len(frames) else None
    if info is None or outer is None:
        raise NoThreadError(f"Nothing says where {name} returns to. {_INSTEAD}")
    if not is_stack_call(info, frame.lookup_address):
        return _of_subroutine(thread, info, frame, outer.state)
    return _of_stack_call(thread, frame, outer.state)


def returned_registers(
    thread: HardwareThread, scope: ThreadContext, call: DroppedCall, expression: str
) -> dict[int, bytes]:
    """The general registers of ``thread``, by number, for ``call`` to return ``expression``, which
    ``scope`` gives a value in each lane; none for an empty one.

    Raises EvaluationError, also where the value has no place in registers.
    """
    function = call.function
    if not expression:
        return {}
    if function.type is None:
        raise EvaluationError(f"{function.name} returns no value: return without one.")
    lanes = lanes_of(call.lanes)
    values = Expression(expression, thread.debug_info).converted(scope, function.type, lanes)
    by_lane = dict(zip(lanes, values, strict=True))
    _require_kept(thread, call, function.type)
    if isinstance(call.result, ResultPlace):
        if not all(call.result.is_one(each) for each in values):
            raise EvaluationError(
                f"{function.name} is a subroutine: nothing says in which order it leaves the parts "
                "of a vector. Return one whose parts are equal, or type finish and set var."
            )
        return result_registers(thread, call.result, by_lane)
    registers = call.result or returning_registers(thread, function.type, by_lane)
    if isinstance(registers, Missing):
        raise EvaluationError(
            f"{function.name} cannot be given a value to return: {registers.reason}. {_INSTEAD}"
        )
    return registers


def _require_kept(thread: HardwareThread, call: DroppedCall, kind: Type) -> None:
    """EvaluationError when lanes that stay in the function may overwrite what others return."""
    info = thread.debug_info
    place = stack_result(thread, kind) if call.result is None else call.result
    if not call.staying or info is None or isinstance(place, Missing):
        return
    span = None if place is None else Span(place.first, place.end, place.size)
    if span is None or not info.code.lanes_are_kept(span, thread.simd_width, thread.pc):
        raise EvaluationError(
            f"Lanes {format_lanes(call.staying)} may be elsewhere in {call.function.name}, whose "
            f"code may overwrite what the others return. {_INSTEAD}"
        )


def _of_stack_call(thread: HardwareThread, frame: DwarfFrame, caller: FrameState) -> DroppedCall:
    """The call of ``frame``, after which ``caller`` goes on."""
    assert frame.function is not None
    name = frame.function.name
    grf = thread.register_layout.get(RegisterKind.GRF)
    if grf is None:
        raise NoThreadError(f"{thread.device.name} has no general registers.")
    first_saved = (grf.count - _SPECIAL_REGISTERS) // 2
    kept = range(first_saved, grf.count - _SPECIAL_REGISTERS)
    lost = [
        each.name
        for each, of in caller.lost.items()
        if of and _is_general(each) and each.index in kept
    ]
    if lost:
        raise NoThreadError(
            f"The compiler does not say where {name} saved {min(lost)} for its caller. {_INSTEAD}"
        )
    now = thread.read_registers(RegisterKind.GRF)
    registers = {
        each.index: data + grf.slice(now, each.index)[len(data) :]
        for each, data in caller.saved.items()
        if _is_general(each) and (each.index in kept or each.index == grf.count - 1)
    }
    address, register, offset = _return_instruction(thread, frame.lookup_address, f"{name}")
    try:
        data = caller.register(Register(RegisterKind.GRF, register))
    except MissingError as error:
        raise NoThreadError(f"Where {name} returns to is not known: {error}.") from error
    pointer, called = struct.unpack_from("<2I", data, offset)
    if caller.isa_base + pointer != caller.pc:
        raise NoThreadError(f"r{register} of {name} does not say where it returns to. {_INSTEAD}")
    lanes, staying = _parted(thread, frame, caller, called)
    return DroppedCall(frame.function, lanes, staying, address, register, caller.pc, registers)


def _of_subroutine(
    thread: HardwareThread, info: DebugInfo, frame: DwarfFrame, caller: FrameState
) -> DroppedCall:
    """The same of a call that does not use the stack: its instruction left the address, and the
    lanes, in the register that ``ret`` reads."""
    assert frame.function is not None
    name = frame.function.name
    grf = thread.register_layout.get(RegisterKind.GRF)
    assert grf is not None
    address, register, offset = _return_instruction(thread, frame.lookup_address, f"{name}")
    now = grf.slice(thread.read_registers(RegisterKind.GRF), register)
    pointer, called = struct.unpack_from("<2I", now, offset)
    if caller.isa_base + pointer != caller.pc:
        raise NoThreadError(f"r{register} of {name} does not say where it returns to. {_INSTEAD}")
    lanes, staying = _parted(thread, frame, caller, called)
    kind, width = frame.function.type, thread.simd_width
    place = None if kind is None else result_of_subroutine(info, kind, width, address, caller.pc)
    return DroppedCall(frame.function, lanes, staying, address, register, caller.pc, {}, place)


def _parted(
    thread: HardwareThread, frame: DwarfFrame, caller: FrameState, executing: int
) -> tuple[int, int]:
    """Masks of the lanes that can return from ``frame``, and of others that may be elsewhere in it.
    ``executing``: the lanes of the caller, of which some may not have called; functions that are
    not optimised save those that have."""
    saved = caller.saved.get(Register(RegisterKind.CE, 0))
    called = executing if saved is None else int.from_bytes(saved[:4], "little")
    called &= thread.dispatch_lanes
    staying = called & ~thread.active_lanes
    if staying and frame.level:
        raise NoThreadError(
            f"Lanes {format_lanes(staying)} may be elsewhere in {frame.name}: some lanes can "
            f"return without the others from the innermost frame only. {_INSTEAD}"
        )
    return called & ~staying, staying


def _is_general(register: Register) -> bool:
    return register.kind is RegisterKind.GRF


def _return_instruction(thread: HardwareThread, address: int, name: str) -> tuple[int, int, int]:
    """The last ``ret`` of the function around ``address``: where it is, and the general register,
    with the byte in it, from which it takes the return address and the lanes."""
    module = thread.module
    bounds = None if module is None else module.function_range_at(address)
    found = None
    here, after = bounds or (0, 0)
    while here < after:
        instruction = thread.device.code.instruction(here)
        if instruction is None:
            break
        if instruction.is_return:
            source = instruction.decoded.sources[0]
            if source.file is RegisterFile.GRF:
                found = here, source.register_number, source.byte_offset
        here += instruction.size
    if found is None:
        raise NoThreadError(f"{name} has no ret instruction, which would return. {_INSTEAD}")
    return found


class FrameReturn(LoneThread):
    """Drops calls of ``thread``."""

    def drop(self, call: DroppedCall, returned: Mapping[int, bytes]) -> Outcome | None:
        """The function of ``call`` returns; ``returned``: the registers, by number, that have the
        value. None when it did, or the outcome that ends the command before.

        Lanes that stay in it need its registers, and put those of the caller back themselves.
        """
        thread = self._thread
        grf = thread.register_layout.get(RegisterKind.GRF)
        assert grf is not None
        number = call.return_register
        before = grf.slice(thread.read_registers(RegisterKind.GRF), number)
        self._write({**returned, number: call.registers.get(number, before)})
        thread.go_to(call.return_instruction)
        ended = self.one()
        if ended is not None:
            return ended
        is_left = thread.pc == call.goes_on_at and not call.lanes & ~thread.active_lanes
        self._write({**call.registers, **returned} if is_left else {number: before})
        return None

    def _write(self, registers: Mapping[int, bytes]) -> None:
        for number, data in registers.items():
            self._thread.write_registers(RegisterKind.GRF, number, data)
