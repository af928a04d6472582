"""Evaluating where a variable is in a frame: what its location may ask of the frame, of its callers
and of its unit."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf.expressions.evaluator import Evaluator
from zedbg.dwarf.expressions.places import MemoryPlace, RegisterPlace, ValuePlace, of_lane
from zedbg.dwarf.expressions.surroundings import FrameReader, Surroundings
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.unwind import caller, frame_address
from zedbg.dwarf.info import DebugInfo
from zedbg.dwarf.scopes.scopes import Function, Variable
from zedbg.missing import Missing, MissingError


def evaluator_in(
    info: DebugInfo, variable: Variable, frame: FrameState, address: int, lanes: Sequence[int]
) -> Evaluator:
    """Evaluates locations of ``variable`` in ``frame``, which executes the code at ``address``.

    Raises MissingError.
    """

    def cfa() -> int:
        found = frame_address(info, frame)
        if isinstance(found, Missing):
            raise MissingError(found.reason)
        return found

    def base() -> int:
        function = info.function_at(address)
        if function is None or function.frame_base is None:
            return cfa()
        return frame_base(function, frame, Surroundings(cfa, unit=function.unit))

    def entry_value(expression: bytes) -> int:
        return value_at_entry(info, frame, expression)

    return Evaluator(frame, lanes, Surroundings(cfa, base, entry_value, variable.unit))


def frame_base(function: Function, frame: FrameReader, surroundings: Surroundings) -> int:
    """What fbreg counts from in ``frame``, which executes ``function``.

    Raises MissingError when the compiler says it in no usable way.
    """
    (group,) = Evaluator(frame, (0,), surroundings).place(function.frame_base or b"")
    match group.place:
        case MemoryPlace(addresses=numbers) | ValuePlace(values=int(numbers)):
            return of_lane(numbers, 0)
        case RegisterPlace(bits=bits):
            return frame.register_bits(of_lane(bits.registers, 0), 0, 0)
        case Missing(reason=reason):
            raise MissingError(reason)
    raise MissingError("the compiler does not say where this function's frame is")


def value_at_entry(info: DebugInfo, frame: FrameState, expression: bytes) -> int:
    """The number that ``expression`` had when the function of ``frame`` was entered, as its caller
    says that it passed it. MissingError when it does not."""
    outer = caller(info, frame)
    function = info.function_at(outer.pc - 1)
    given = None if function is None else argument_passed(function, outer.pc, expression)
    if function is None or given is None:
        raise MissingError("the compiler does not say what its function was called with")
    further = Surroundings(
        entry_value=lambda wanted: value_at_entry(info, outer, wanted), unit=function.unit
    )
    return Evaluator(outer, (0,), further).number(given)


def argument_passed(function: Function, return_address: int, expression: bytes) -> bytes | None:
    """The expression, in the frame of ``function``, of what the call that returns to
    ``return_address`` passed in the register of ``expression``; None when it is not known."""
    for site in function.call_sites:
        if site.return_address == return_address:
            return site.values.get(expression)
    return None
