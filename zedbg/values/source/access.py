"""Reading and writing values of many lanes with as few accesses to the device as possible."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, partial
from typing import cast

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing, MissingError
from zedbg.values.source.frame_context import frame_state
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import (
    ComputedHome,
    DataHome,
    Home,
    InterleavedHome,
    MemoryHome,
    Part,
    PartlyKnownHome,
    PartsHome,
    RegisterHome,
)
from zedbg.values.typed.locate import unreadable
from zedbg.values.typed.partial_memory import readable_part
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.xe.registers import Register, RegisterKind

# Reads closer together than this are made in one access: what lies between is cheaper to read
# than another round trip.
_MERGE_GAP = 4096


class Access:
    """Reads and writes what lies in the registers and memory that one frame sees."""

    def __init__(self, context: ThreadContext) -> None:
        self._context = context
        #: What was read, if anybody wants to know: each place with how many bytes of it.
        self.noted: list[tuple[Home | Missing, int]] | None = None

    @cached_property
    def _frame(self) -> FrameState:
        return frame_state(self._context)

    def load(self, homes: Sequence[Home | Missing], size: int) -> list[bytes | Missing]:
        """The ``size`` bytes at each of ``homes``."""
        if self.noted is not None:
            self.noted += [(home, size) for home in homes]
        kinds = set(map(type, homes))
        if len(kinds) == 1 and size:
            # What all lanes have in one kind of place is read in one go.
            kind = kinds.pop()
            together: list[bytes | Missing] | None = None
            if kind is Missing:
                return list(cast("Sequence[Missing]", homes))
            if kind in (DataHome, ComputedHome):
                known = cast("Sequence[DataHome]", homes)
                return [home.data[:size].ljust(size, b"\0") for home in known]
            if kind is RegisterHome:
                together = self._general_registers(cast("Sequence[RegisterHome]", homes), size)
            elif kind is MemoryHome:
                together = self._one_span(cast("Sequence[MemoryHome]", homes), size)
            if together is not None:
                return together
        return self._load_each(homes, size)

    def load_global(self, addresses: Sequence[int], size: int) -> list[bytes] | None:
        """The ``size`` bytes of global memory at each of ``addresses``; None where some of them
        cannot be read."""
        found: dict[int, bytes] = {}
        ordered = sorted(set(addresses))
        ends = [b for a, b in itertools.pairwise(ordered) if b - a > size + _MERGE_GAP]
        begins = [0, *(bisect_left(ordered, each) for each in ends), len(ordered)]
        try:
            for begin, end in itertools.pairwise(begins):
                span = ordered[begin:end]
                first = span[0]
                data = self._read(MemorySpace.GLOBAL, first, span[-1] + size - first)
                starts = [each - first for each in span]
                pieces = [data[start : start + size] for start in starts]
                found.update(zip(span, pieces, strict=True))
        except MissingError:
            return None
        return [found[each] for each in addresses]

    def _general_registers(
        self, homes: Sequence[RegisterHome], size: int
    ) -> list[bytes | Missing] | None:
        """Values that begin at a byte of a general register of the innermost frame; None when one
        of them does not."""
        registers = self._context.register_layout.get(RegisterKind.GRF)
        if registers is None or self._frame.level or self._frame.saved or self._frame.lost:
            return None
        width = registers.byte_size
        starts = [
            home.register.index * width + (home.bit_offset >> 3)
            for home in homes
            if home.register.kind is RegisterKind.GRF and not home.bit_offset & 7
        ]
        if len(starts) < len(homes):
            return None
        try:
            data = self._context.read_registers(RegisterKind.GRF)
        except LevelZeroError:
            return None
        if min(starts) < 0 or max(starts) + size > len(data):
            return None
        return [data[start : start + size] for start in starts]

    def _one_span(self, homes: Sequence[MemoryHome], size: int) -> list[bytes | Missing] | None:
        """Values in one stretch of memory that is worth reading at once; None if they are not."""
        space = homes[0].space
        if any(home.space is not space for home in homes):
            return None
        starts = [home.address for home in homes]
        first = min(starts)
        length = max(starts) + size - first
        if length > _MERGE_GAP + len(homes) * size:
            return None
        try:
            data = self._read(space, first, length)
        except MissingError:
            return None
        return [data[start - first : start - first + size] for start in starts]

    def _load_each(self, homes: Sequence[Home | Missing], size: int) -> list[bytes | Missing]:
        memory = {home for home in homes if isinstance(home, MemoryHome)}
        found = self._load_memory(memory, size)
        interleaved = {home for home in homes if isinstance(home, InterleavedHome)}
        whole = self._load_interleaved(interleaved, size)
        return [
            whole[home] if isinstance(home, InterleavedHome) else self._load_one(home, size, found)
            for home in homes
        ]

    def _load_interleaved(
        self, homes: set[InterleavedHome], size: int
    ) -> dict[InterleavedHome, bytes | Missing]:
        """Values whose parts lie between those of other lanes: all parts are read together."""
        parts = {home: home.parts(size) for home in homes}
        by_size: dict[int, set[MemoryHome]] = {}
        for part, count in (each for some in parts.values() for each in some):
            by_size.setdefault(count, set()).add(part)
        read = {count: self._load_memory(some, count) for count, some in by_size.items()}
        found: dict[InterleavedHome, bytes | Missing] = {}
        for home, some in parts.items():
            data = [read[count][part] for part, count in some]
            missing = next((each for each in data if isinstance(each, Missing)), None)
            present = [each for each in data if isinstance(each, bytes)]
            found[home] = b"".join(present) if missing is None else missing
        return found

    def _load_one(
        self, home: Home | Missing, size: int, memory: dict[MemoryHome, bytes | Missing]
    ) -> bytes | Missing:
        if isinstance(home, Missing):
            return home
        if isinstance(home, MemoryHome):
            return memory[home]
        assert not isinstance(home, InterleavedHome)
        try:
            if isinstance(home, RegisterHome):
                return self._load_register(home, size)
            if isinstance(home, PartsHome):
                return self._load_parts(home, size)
        except MissingError as error:
            return error.missing
        if isinstance(home, PartlyKnownHome):
            return _loaded_in_part(home, size)
        return home.data[:size].ljust(size, b"\0")

    def _load_memory(self, homes: set[MemoryHome], size: int) -> dict[MemoryHome, bytes | Missing]:
        found: dict[MemoryHome, bytes | Missing] = {}
        if size == 0:
            return dict.fromkeys(homes, b"")
        spans: list[list[MemoryHome]] = []
        for home in sorted(homes, key=lambda home: (home.space.value, home.address)):
            last = spans[-1][-1] if spans else None
            near = (
                last is not None
                and last.space is home.space
                and home.address - (last.address + size) <= _MERGE_GAP
            )
            if near:
                spans[-1].append(home)
            else:
                spans.append([home])
        for span in spans:
            found.update(self._load_span(span, size))
        return found

    def _load_span(self, span: list[MemoryHome], size: int) -> dict[MemoryHome, bytes | Missing]:
        first, last = span[0], span[-1]
        try:
            data = self._read(first.space, first.address, last.address + size - first.address)
        except MissingError as error:
            if len(span) == 1:
                return {first: error.missing}
            # Some part is not mapped; each lane then learns about its own.
            single: dict[MemoryHome, bytes | Missing] = {}
            for home in span:
                single.update(self._load_span([home], size))
            return single
        starts = {home: home.address - first.address for home in span}
        return {home: data[start : start + size] for home, start in starts.items()}

    def _read(self, space: MemorySpace, address: int, size: int) -> bytes:
        if address < 0 or address + size > 1 << 64:
            raise MissingError(unreadable(space, address))
        try:
            return self._context.read_memory(space, address, size)
        except LevelZeroError as error:
            address += len(readable_part(partial(self._context.read_memory, space), address, size))
            raise MissingError(unreadable(space, address)) from error

    def _load_register(self, home: RegisterHome, size: int) -> bytes:
        """Bytes of a register; a value in general registers may go on in the next ones."""
        register, bit = home.register, home.bit_offset
        data = self._frame.register(register)
        if register.kind is RegisterKind.GRF and bit >= len(data) * 8:
            skipped, bit = divmod(bit, len(data) * 8)
            register = Register(register.kind, register.index + skipped)
            data = self._frame.register(register)
        while register.kind is RegisterKind.GRF and len(data) * 8 < bit + size * 8:
            register = Register(register.kind, register.index + 1)
            data += self._frame.register(register)
        if bit + size * 8 > len(data) * 8:
            raise MissingError(f"register {home.register.name} has fewer bits than the value")
        value = int.from_bytes(data, "little") >> bit
        return (value & ((1 << size * 8) - 1)).to_bytes(size, "little")

    def _load_parts(self, home: PartsHome, size: int) -> bytes:
        value = position = 0
        for part in home.parts:
            value |= self._part_bits(part) << position
            position += part.bit_size
        total = -(-position // 8)
        data = value.to_bytes(total, "little")[home.skip : home.skip + size]
        return data.ljust(size, b"\0")

    def _part_bits(self, part: Part) -> int:
        if part.home is None:
            raise MissingError("a part of it is optimised out")
        size = -(-(part.bit_offset + part.bit_size) // 8)
        data = self.load([part.home], size)[0]
        if isinstance(data, Missing):
            raise MissingError(data.reason)
        return int.from_bytes(data, "little") >> part.bit_offset & ((1 << part.bit_size) - 1)

    def store(self, home: Home | Missing, data: bytes) -> None:
        """Writes ``data`` at ``home``; EvaluationError when nothing can be written there."""
        if isinstance(home, Missing):
            raise EvaluationError(f"cannot write: {home.reason}")
        try:
            if isinstance(home, MemoryHome):
                self._context.write_memory(home.space, home.address, data)
            elif isinstance(home, InterleavedHome):
                for part, count in home.parts(len(data)):
                    self._context.write_memory(part.space, part.address, data[:count])
                    data = data[count:]
            elif isinstance(home, RegisterHome):
                self._store_register(home, data)
            elif isinstance(home, PartsHome):
                self._store_parts(home, data)
            elif isinstance(home, ComputedHome | PartlyKnownHome):
                raise EvaluationError(
                    "It has no place here that could be written: its value is computed again."
                )
            else:
                raise EvaluationError("Left operand of assignment is not an lvalue.")
        except LevelZeroError as error:
            raise EvaluationError(str(error)) from error

    def _store_register(self, home: RegisterHome, data: bytes) -> None:
        register = home.register
        registers = self._context.register_layout.get(register.kind)
        if registers is None:
            raise EvaluationError(f"this device has no register {register.name}")
        if not registers.writeable:
            raise EvaluationError(f"register {register.name} cannot be written")
        if self._frame.level > 0:
            raise EvaluationError("registers can be written in the innermost frame only")
        count = -(-(home.bit_offset // 8 + len(data)) // registers.byte_size)
        if register.index + count > registers.count:
            raise EvaluationError(f"the value does not fit into register {register.name}")
        old = self._context.read_registers(register.kind)
        start = register.index * registers.byte_size
        changed = bytearray(old[start : start + count * registers.byte_size])
        first = home.bit_offset // 8
        if home.bit_offset % 8:
            raise EvaluationError("the value does not start at a byte of its register")
        changed[first : first + len(data)] = data
        self._context.write_registers(register.kind, register.index, bytes(changed))

    def _store_parts(self, home: PartsHome, data: bytes) -> None:
        position = -home.skip * 8
        for part in home.parts:
            start = position
            position += part.bit_size
            if position <= 0 or start >= len(data) * 8:
                continue
            if start % 8 or part.bit_size % 8 or part.bit_offset % 8 or part.home is None:
                raise EvaluationError("the value lies in pieces that cannot be written")
            first = max(start, 0) // 8
            piece = data[first : min(position // 8, len(data))]
            self.store(part.home.moved(part.bit_offset // 8 + first - start // 8), piece)


def _loaded_in_part(home: PartlyKnownHome, size: int) -> bytes | Missing:
    whole = PartlyKnown(home.reason, home.data, home.known)
    part = whole.part(home.skip, size)
    if part is None:
        return Missing(home.reason)
    return part.data if len(part.known) == size else part
