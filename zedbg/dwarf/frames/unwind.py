"""The call chain of a stopped thread.

A call leaves the return IP (relative to the instruction base) and the mask of the calling lanes in
a register. Where they are later, and where the function saved what its caller counts on, is read
from the function's code (:mod:`zedbg.dwarf.frames.code_frames`), or else from the compiler's call
frame information, which not every compiler writes, and which says nothing of the lanes in optimised
code. A kernel has no caller: the chain ends there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zedbg.dwarf.expressions.evaluator import Evaluator
from zedbg.dwarf.expressions.machine import Machine, MemorySpace
from zedbg.dwarf.frames.code_frames import caller_by_code
from zedbg.dwarf.frames.frame_state import ALL_BYTES, FrameState
from zedbg.dwarf.info import CodeLocation, DebugInfo
from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.dwarf.reading.bytestream import EndOfBytesError
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.reading.frame_section import FrameRow, Rule, RuleKind
from zedbg.dwarf.scopes.scopes import Function, InlinedCall, Scope
from zedbg.missing import Missing, MissingError
from zedbg.xe.registers import (
    DWARF_INSTRUCTION_POINTER,
    Register,
    RegisterKind,
    dwarf_register,
)

_EXECUTION_MASK = 1  # DWARF number of ce
_LANES = Register(RegisterKind.CE, 0)
_MASK_BYTES = 4
_FRAME_LIMIT = 1000


@dataclass(frozen=True)
class Frame:
    """One entry of a backtrace. Inlined calls have frames of their own over the same code."""

    level: int
    state: FrameState
    function: Function | None
    scope: Scope | None  # the function, or the inlined call that this frame stands for
    file: SourceFile | None
    line: int
    lookup_address: int  # an address inside the instruction that the frame executes

    @property
    def pc(self) -> int:
        """Where the frame goes on: the next instruction, or the one after the call."""
        return self.state.pc

    @property
    def name(self) -> str | None:
        """The name of the function, None when nothing is known of it."""
        if isinstance(self.scope, InlinedCall):
            return self.scope.name
        return self.function.name if self.function is not None else None

    @property
    def is_inlined(self) -> bool:
        """Whether the function was inlined into the next frame's."""
        return isinstance(self.scope, InlinedCall)

    @property
    def call_lanes(self) -> int | Missing:
        """Mask of the lanes that executed the frame when it called the next inner one."""
        try:
            return self.state.register_bits(_EXECUTION_MASK, 0, 32)
        except MissingError as error:
            return error.missing


@dataclass(frozen=True)
class Backtrace:
    """The frames of a thread, innermost first; ``stopped`` says why there are not more."""

    frames: list[Frame]
    stopped: Missing | None = None


def backtrace(info: DebugInfo, machine: Machine, limit: int = _FRAME_LIMIT) -> Backtrace:
    """The call chain of ``machine``, whose pc lies in the module of ``info``."""
    frames: list[Frame] = []
    state = FrameState.of(machine)
    while True:
        # A caller's pc is after its call, which may be the last instruction of its line.
        lookup = state.pc if state.level == 0 else state.pc - 1
        frames += _frames_at(info, state, lookup, len(frames))
        function = info.function_at(lookup)
        if function is None or function.is_kernel:
            return Backtrace(frames)
        if len(frames) >= limit:
            return Backtrace(frames[:limit], Missing(f"more than {limit} frames"))
        try:
            state = caller(info, state)
        except MissingError as error:
            return Backtrace(frames, error.missing)


def _frames_at(info: DebugInfo, state: FrameState, lookup: int, level: int) -> list[Frame]:
    location: CodeLocation = info.location_of_address(lookup)
    file, line = location.file, location.line
    frames: list[Frame] = []
    for call in info.inlined_calls_at(lookup):
        frames.append(
            Frame(
                level=level + len(frames),
                state=state,
                function=location.function,
                scope=call,
                file=file,
                line=line,
                lookup_address=lookup,
            )
        )
        file, line = call.call_file, call.call_line
    function = location.function
    frames.append(
        Frame(
            level=level + len(frames),
            state=state,
            function=function,
            scope=function,
            file=file,
            line=line,
            lookup_address=lookup,
        )
    )
    return frames


def caller(info: DebugInfo, state: FrameState) -> FrameState:
    """The frame that called ``state``; MissingError with the reason when it cannot be found."""
    found = caller_by_code(info, state)
    if found is not None and _LANES not in found.lost:
        return found
    lookup = state.pc if state.level == 0 else state.pc - 1
    try:
        entry = info.frames.entry_at(lookup)
        row = entry.row_at(lookup) if entry is not None else None
        if found is None and row is None:
            raise MissingError(
                "the compiler gave no call frame information for this function, and its code does "
                "not show where it returns to"
            )
    except (DebugInfoError, EndOfBytesError) as error:
        if found is None:
            raise MissingError(str(error)) from error
        row = None
    if row is None:
        assert found is not None
        return found
    assert entry is not None
    unwinder = _Unwinder(state, row, entry.common.return_register)
    return unwinder.caller() if found is None else unwinder.with_lanes(found)


def calling_frame(info: DebugInfo, state: FrameState) -> Frame:
    """The innermost frame of the code that called ``state``. Raises MissingError when it cannot be
    found."""
    outer = caller(info, state)
    return _frames_at(info, outer, outer.pc - 1, 0)[0]


def frame_address(info: DebugInfo, state: FrameState) -> int | Missing:
    """The canonical frame address of ``state``: where its part of the scratch stack begins."""
    lookup = state.pc if state.level == 0 else state.pc - 1
    try:
        entry = info.frames.entry_at(lookup)
        if entry is None:
            return Missing("the compiler gave no call frame information for this function")
        unwinder = _Unwinder(state, entry.row_at(lookup), entry.common.return_register)
        return state.untagged(unwinder.cfa)
    except MissingError as error:
        return error.missing
    except (DebugInfoError, EndOfBytesError) as error:
        return Missing(str(error))


class _Unwinder:
    """Applies one row of rules to a frame."""

    def __init__(self, state: FrameState, row: FrameRow, return_register: int) -> None:
        """``return_register``: the column of the return address. Older compilers count it after
        the general registers, newer ones call it the IP."""
        self._state = state
        self._row = row
        self._return_register = return_register
        self._evaluator = Evaluator(state, (0,))
        self._cfa: int | None = None

    def caller(self) -> FrameState:
        """The state of the calling frame. Raises MissingError."""
        rule = self._row.rules.get(self._return_register)
        if rule is None:
            raise MissingError("the compiler does not say where this function returns to")
        return_ip = int.from_bytes(self._previous(DWARF_INSTRUCTION_POINTER, rule, 4)[:4], "little")
        saved = dict(self._state.saved)
        lost = {**self._state.lost, _LANES: ALL_BYTES}
        for number, rule in self._row.rules.items():
            register = dwarf_register(number)
            if number == self._return_register or register is None:
                continue
            if rule.kind is RuleKind.SAME_VALUE:
                continue
            registers = self._state.machine.register_layout.get(register.kind)
            unknown = registers is None or rule.kind is RuleKind.UNDEFINED
            if registers is None or unknown or self._is_misplaced(rule):
                saved.pop(register, None)
                lost[register] = ALL_BYTES
                continue
            try:
                saved[register] = self._previous(number, rule, registers.byte_size)
                lost.pop(register, None)
            except MissingError:
                saved.pop(register, None)
                lost[register] = ALL_BYTES
        return FrameState(
            self._state.machine,
            self._state.isa_base + return_ip,
            self._state.level + 1,
            saved,
            lost,
        )

    def with_lanes(self, found: FrameState) -> FrameState:
        """``found``, the calling frame, with the lanes that called, if the function saved those."""
        rule = self._row.rules.get(_EXECUTION_MASK)
        if rule is None or rule.kind in (RuleKind.SAME_VALUE, RuleKind.UNDEFINED):
            return found
        try:
            data = self._previous(_EXECUTION_MASK, rule, _MASK_BYTES)
        except MissingError:
            return found
        lost = {each: mask for each, mask in found.lost.items() if each != _LANES}
        return replace(found, saved={**found.saved, _LANES: data}, lost=lost)

    def _is_misplaced(self, rule: Rule) -> bool:
        """Whether an older compiler says where a register was saved: it counts the offsets of all
        but the first in other units than its code does, so that they are wrong."""
        if self._return_register == DWARF_INSTRUCTION_POINTER:
            return False
        first = self._row.rules[self._return_register]
        return rule.kind is RuleKind.EXPRESSION and rule.expression != first.expression

    @property
    def cfa(self) -> int:
        """The canonical frame address. Raises MissingError."""
        if self._cfa is None:
            if self._row.cfa_expression is not None:
                self._cfa = self._evaluator.number(self._row.cfa_expression)
            elif self._row.cfa_register is not None:
                base = self._state.register_bits(self._row.cfa_register, 0, 0)
                self._cfa = base + self._row.cfa_offset
            else:
                raise MissingError("the compiler does not say where this function's frame is")
        return self._cfa

    def _previous(self, number: int, rule: Rule, size: int) -> bytes:
        """The caller's value of a register, ``size`` bytes of it."""
        if rule.kind is RuleKind.REGISTER:
            return self._state.register_bytes(rule.operand)[:size]
        if rule.kind is RuleKind.OFFSET:
            return self._read(self.cfa + rule.operand, size)
        if rule.kind is RuleKind.VALUE_OFFSET:
            return (self.cfa + rule.operand).to_bytes(8, "little")[:size]
        if rule.kind is RuleKind.EXPRESSION:
            return self._read(self._evaluator.number(rule.expression, (self.cfa,)), size)
        if rule.kind is RuleKind.VALUE_EXPRESSION:
            value = self._evaluator.number(rule.expression, self._initial_for_value())
            return value.to_bytes(8, "little")[:size]
        raise MissingError(f"DWARF register {number} was not saved")

    def _initial_for_value(self) -> tuple[int, ...]:
        """The CFA, where there is one: expressions of subroutines do not use it."""
        try:
            return (self.cfa,)
        except MissingError:
            return ()

    def _read(self, address: int, size: int) -> bytes:
        return self._state.read_memory(MemorySpace.PRIVATE, address, size)
