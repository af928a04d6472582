"""The calling frame, as the code of the called function shows it.

See :mod:`zedbg.dwarf.trust.entry_values`. What is found there is true in every place of a function:
in its prologue and its epilogue too, where call frame information often is not.
"""

from __future__ import annotations

from collections.abc import Iterable

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.frames.frame_state import ALL_BYTES, FrameState
from zedbg.dwarf.info import DebugInfo
from zedbg.dwarf.trust import CallerPlaces, EntryPlace, RegisterDword, StackDword
from zedbg.missing import MissingError
from zedbg.xe.registers import SCRATCH_BASE_INDEX, Register, RegisterKind

_DWORD = 4
_ENABLED = Register(RegisterKind.CE, 0)
_ADDRESSES = 1 << 32  # of the scratch space


def caller_by_code(info: DebugInfo, state: FrameState) -> FrameState | None:
    """The frame that called ``state``; None where the code does not show where it returns to."""
    places = info.code.caller_places(state.pc, state.level > 0)
    registers = state.machine.register_layout.get(RegisterKind.GRF)
    if places is None or registers is None:
        return None
    reader = _Reader(state, registers.byte_size, places)
    return_address = reader.first(places.return_address)
    if return_address is None:
        return None
    saved, lost = dict(state.saved), dict(state.lost)
    mask = reader.first(places.entered_by)
    entered_by = None if mask is None else int.from_bytes(mask, "little")
    called = _calling_lanes(state, entered_by, places.is_together)
    saved.pop(_ENABLED, None)
    lost[_ENABLED] = ALL_BYTES
    if called is not None:
        saved[_ENABLED] = called.to_bytes(_DWORD, "little")
        del lost[_ENABLED]
    per = registers.byte_size // _DWORD
    for index in sorted({dword // per for dword in places.moved}):
        register = Register(RegisterKind.GRF, index)
        moved = {
            dword % per: reader.first(places.moved[dword])
            for dword in range(index * per, (index + 1) * per)
            if dword in places.moved
        }
        missing = lost.pop(register, 0) & (1 << registers.byte_size) - 1
        try:
            data = bytearray(state.known_bytes(register).ljust(registers.byte_size, b"\0"))
        except MissingError:
            data, missing = bytearray(registers.byte_size), (1 << registers.byte_size) - 1
        for dword, value in moved.items():
            at = dword * _DWORD
            bits = 0xF << at
            missing = missing | bits if value is None else missing & ~bits
            data[at : at + _DWORD] = value or bytes(_DWORD)
        saved[register] = bytes(data)
        if missing:
            lost[register] = missing
    address = state.isa_base + int.from_bytes(return_address, "little")
    return FrameState(state.machine, address, state.level + 1, saved, lost, entered_by)


def _calling_lanes(state: FrameState, callers: int | None, is_together: bool) -> int | None:
    """The lanes that called the function of ``state``, whose caller was entered by ``callers``.

    A call keeps only the latter. Those that the function itself was entered with its own calls
    keep; where it makes none now, they are known if all that may have called are still here.
    """
    if state.level:
        return state.entered_by
    try:
        now = int.from_bytes(state.register(_ENABLED)[:_DWORD], "little")
    except MissingError:
        return None
    return now if is_together or now == callers else None


class _Reader:
    """Reads dwords in the frame ``state``; what its function saved is read at once."""

    def __init__(self, state: FrameState, register_bytes: int, places: CallerPlaces) -> None:
        self._state = state
        self._register_bytes = register_bytes
        self._blocks: dict[int, tuple[int, bytes]] = {}  # by pointer: first offset, content
        every = [places.return_address, places.entered_by, *places.moved.values()]
        offsets: dict[int, list[int]] = {}
        for each in every:
            for place in each:
                if isinstance(place, StackDword):
                    offsets.setdefault(place.pointer, []).append(place.offset)
        for pointer, found in offsets.items():
            try:
                size = max(found) + _DWORD - min(found)
                self._blocks[pointer] = min(found), self._stack(pointer, min(found), size)
            except MissingError:
                continue

    def first(self, places: Iterable[EntryPlace]) -> bytes | None:
        """What is in the first of ``places`` that can be read."""
        for place in places:
            try:
                return self._read(place)
            except MissingError:
                continue
        return None

    def _read(self, place: EntryPlace) -> bytes:
        if isinstance(place, RegisterDword):
            return self._register(place.number)
        block = self._blocks.get(place.pointer)
        if block is None:
            raise MissingError("the thread's stack cannot be read")
        at = place.offset - block[0]
        return block[1][at : at + _DWORD]

    def _register(self, dword: int) -> bytes:
        index, at = divmod(dword * _DWORD, self._register_bytes)
        register = Register(RegisterKind.GRF, index)
        if self._state.lost.get(register, 0) >> at & 0xF:
            raise MissingError(f"{register.name} was not saved by the called function")
        data = self._state.known_bytes(register)[at : at + _DWORD]
        if len(data) < _DWORD:
            raise MissingError(f"{register.name} was not saved by the called function")
        return data

    def _stack(self, pointer: int, offset: int, size: int) -> bytes:
        base = self._state.register(Register(RegisterKind.SBA, SCRATCH_BASE_INDEX))
        start = int.from_bytes(self._register(pointer), "little") + offset
        address = int.from_bytes(base, "little") + start % _ADDRESSES
        return self._state.read_memory(MemorySpace.PRIVATE, address, size)
