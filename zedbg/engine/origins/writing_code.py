"""Which instructions of a kernel can write to a register at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.device import Device
from zedbg.levelzero.device_time import RangeSpace, SearchRange
from zedbg.xe.decoding import decode_once
from zedbg.xe.flow.places import RegisterPlace
from zedbg.xe.instruction import NATIVE_LENGTH, Decoded, RegisterFile
from zedbg.xe.isa.names import Arf, Condition
from zedbg.xe.isa.opcodes import Format, Opcode, Trait
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind

_KINDS = {
    Arf.ADDRESS: RegisterKind.ADDR,
    Arf.ACCUMULATOR: RegisterKind.ACC,
    Arf.FLAG: RegisterKind.FLAG,
}
_LINK_BYTES = 8  # of a call


@dataclass(frozen=True)
class _Writer:
    """The instruction at ``address`` writes bytes of general registers from ``first`` up to
    ``end``, and to the sets ``kinds``."""

    address: int
    first: int
    end: int
    kinds: frozenset[RegisterKind]


class WritingCode:
    """The code that threads of the kernel called ``kernel`` execute on ``device``."""

    def __init__(self, device: Device, kernel: str) -> None:
        platform = device.code.platform
        self._writers = [
            writer
            for first, end in _code_ranges(device, kernel)
            for writer in _writers(device.read_memory(first, end - first), first, platform)
        ]

    def ranges(self, place: RegisterPlace) -> tuple[SearchRange, ...]:
        """The addresses of the instructions that can write to ``place``, each with the next byte:
        what it is that an instruction writes depends on more."""
        end = place.first + place.size
        return tuple(
            SearchRange(RangeSpace.CODE, each.address, each.address + 1)
            for each in self._writers
            if place.kind in each.kinds
            and (
                place.kind is not RegisterKind.GRF or (each.first < end and place.first < each.end)
            )
        )


def _code_ranges(device: Device, kernel: str) -> list[tuple[int, int]]:
    """The sections of the kernel, and of the functions that it may call."""
    for module in device.known_modules():
        sections = _sections(module)
        if any(name == kernel for name, _, _ in sections):
            return [(first, end) for name, first, end in sections if name in (kernel, None)]
    return []


def _sections(module: LoadedModule) -> list[tuple[str | None, int, int]]:
    """Kernel (None: functions), first address and end of each section of code."""
    found = []
    for section in [] if module.image is None else module.image.code_sections:
        kernel = module.kernel_at(section.address)
        name = None if kernel is None else kernel.name
        found.append((name, section.address, section.address + section.size))
    return found


def _writers(code: bytes, address: int, platform: Platform) -> Iterator[_Writer]:
    offset = 0
    while offset < len(code):
        decoded = decode_once(platform, code[offset : offset + NATIVE_LENGTH])
        kinds = _kinds(decoded)
        if kinds:
            first, end = _general_bytes(decoded, platform)
            yield _Writer(address + offset, first, end, kinds)
        offset += decoded.length


def _kinds(decoded: Decoded) -> frozenset[RegisterKind]:
    """The register sets that it writes to, or may."""
    found = set()
    destination = decoded.destination
    if destination is not None and not destination.is_null:
        if destination.file is RegisterFile.GRF:
            found.add(RegisterKind.GRF)
        else:
            found |= {_KINDS[destination.arf]} if destination.arf in _KINDS else set(RegisterKind)
    if decoded.condition is not Condition.NONE:
        found.add(RegisterKind.FLAG)
    carries = decoded.opcode in (Opcode.ADDC, Opcode.SUBB)
    if decoded.accumulator_write or carries or decoded.opcode.has_trait(Trait.ACCUMULATES):
        found.add(RegisterKind.ACC)
    return frozenset(found)


def _general_bytes(decoded: Decoded, platform: Platform) -> tuple[int, int]:
    """The first byte, and the end, of the general registers that it may write."""
    destination = decoded.destination
    everything = 0, 1 << 32
    if destination is None or destination.file is not RegisterFile.GRF:
        return 0, 0
    if destination.indirect:
        return everything
    first = destination.register_number * platform.grf_bytes + destination.byte_offset
    if decoded.send is not None:
        length = decoded.send.response_length
        # The field of 5 bits cannot say that there are 32.
        return everything if length is None else (first, first + (length + 1) * platform.grf_bytes)
    size = destination.type.size
    if decoded.opcode.format is Format.CALL:
        return first, first + _LINK_BYTES
    if decoded.opcode.format is Format.DPAS:
        return first, first + decoded.dpas_repeat * decoded.execution_size * size
    stride = max(destination.region.horizontal, 1) * size
    return first, first + (decoded.execution_size - 1) * stride + size
