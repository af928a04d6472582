"""Code in device memory: breakpoint bits that come and go, and reads that never show them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from zedbg.engine.modules.instruction_bits import COMPACT_LENGTH, NATIVE_LENGTH, InstructionBits
from zedbg.engine.modules.step_range import StepRange
from zedbg.levelzero.debug import ALL_THREADS, ProgramDebug
from zedbg.levelzero.enums import DebugMemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.xe.isa.platform import Platform

_BLOCK_BYTES = 4096
_REMOVALS = 2  # attempts to take a bit out before its code counts as gone
_FEW = 2  # bytes that are sooner written than read
_DEFAULT = DebugMemorySpace.DEFAULT


@dataclass
class _Patch:
    """A breakpoint bit that zedbg set: ``mask`` in the byte at ``address``, for ``users``."""

    address: int
    mask: int
    users: int


class CodeMemory:
    """The code of one device.

    ``range_of`` gives the code range around an address (first, after the last), None outside of
    loaded modules; ``platform`` whose instructions they are. Calls raise LevelZeroError when the
    driver refuses.
    """

    def __init__(
        self,
        debug: ProgramDebug,
        range_of: Callable[[int], tuple[int, int] | None],
        platform: Platform = Platform.XE_HPG,
    ) -> None:
        self.platform = platform
        self.debug = debug
        self._range_of = range_of
        # What steps by lines run through at once, by where and how they begin; None: nothing.
        self.step_ranges: dict[tuple[object, ...], StepRange | None] = {}
        self._patches: dict[int, _Patch] = {}  # by instruction address
        # While the past is shown: the patches that the present's memory has.
        self._present: dict[int, _Patch] | None = None
        self._ever_set: dict[int, int] = {}  # masks of bits, by the address of their byte
        self._blocks: dict[int, tuple[int, bytes]] = {}  # block number: first address, bytes
        self._instructions: dict[int, InstructionBits] = {}  # by address, as the blocks have them

    def insert(self, address: int) -> None:
        """Sets the breakpoint bit of the instruction at ``address``, or counts one user more."""
        patch = self._patches.get(address)
        if patch is not None:
            patch.users += 1
            return
        if self._present is not None:
            self._note(address)
            return
        bits = InstructionBits.at(self._read_instruction(address), self.platform)
        byte, bit = divmod(bits.breakpoint_bit, 8)
        # A bit that the program brought along stays: there is nothing to set, or to take back.
        mask = 0 if bits.has_breakpoint else 1 << bit
        patch = _Patch(address + byte, mask, 1)
        if mask:
            self._remember({patch.address: mask})
            self._write_byte(patch.address, bits.data[byte] | mask)
        self._patches[address] = patch

    def _note(self, address: int) -> None:
        """A breakpoint at ``address`` that is set when the present is back."""
        bits = self.instruction(address)
        if bits is None:
            raise ValueError(f"there is no instruction at {address:#x}")
        byte, bit = divmod(bits.breakpoint_bit, 8)
        self._patches[address] = _Patch(address + byte, 0 if bits.has_breakpoint else 1 << bit, 1)

    def _remember(self, masks: Mapping[int, int]) -> None:
        """Memory of the past may show the bits of ``masks``, by the addresses of their bytes."""
        for address, mask in masks.items():
            self._ever_set[address] = self._ever_set.get(address, 0) | mask

    def leave_present(self) -> None:
        """The past is shown, which nobody can write to: breakpoints come and go without bits."""
        if self._present is None:
            self._present = dict(self._patches)

    def return_to_present(self) -> None:
        """The present is back: sets and clears the bits of what came and went meanwhile."""
        if self._present is None:
            return
        before, self._present = self._present, None
        gone = {a: each for a, each in before.items() if self._patches.get(a) is not each}
        new = {a: each for a, each in self._patches.items() if before.get(a) is not each}
        for patches, wanted in ((gone, False), (new, True)):
            for patch in patches.values():
                self._change_bits([patch], {}, wanted)

    @property
    def breakpoints(self) -> list[int]:
        """The addresses of the instructions that have one."""
        return list(self._patches)

    def remove(self, address: int) -> None:
        """Takes one user away, and the bit with the last one."""
        patch = self._patches.get(address)
        if patch is None:
            return
        patch.users -= 1
        if patch.users > 0:
            return
        del self._patches[address]
        if patch.mask and self._present is None:
            now = self.debug.read_memory(ALL_THREADS, _DEFAULT, patch.address, 1)[0]
            self._write_byte(patch.address, now & ~patch.mask)

    def insert_together(self, addresses: Collection[int]) -> dict[int, int]:
        """As :meth:`insert`, for ``addresses`` that lie close together, each one of
        :meth:`instruction`; for a moment in which nothing else changes code. What
        :meth:`remove_together` wants."""
        added, before = {}, {}
        for address in addresses:
            bits = self.instruction(address)
            if address not in self._patches and bits is not None:
                byte, bit = divmod(bits.breakpoint_bit, 8)
                mask = 0 if bits.has_breakpoint else 1 << bit
                added[address] = _Patch(address + byte, mask, 0)
                # No relocation changes this byte: it has the opcode, or control bits.
                before[address + byte] = bits.data[byte]
        self._change_bits(added.values(), before, True)
        self._patches |= added
        for address in addresses:
            self._patches[address].users += 1
        return before

    def remove_together(self, addresses: Collection[int], before: Mapping[int, int]) -> None:
        """Takes one user of each of ``addresses`` away; ``before``: bytes without breakpoints, by
        address."""
        unused = []
        for address in addresses:
            patch = self._patches.get(address)
            if patch is not None:
                patch.users -= 1
                if not patch.users:
                    unused.append(self._patches.pop(address))
        self._change_bits(unused, before, False)

    def _change_bits(
        self, patches: Collection[_Patch], before: Mapping[int, int], wanted: bool
    ) -> None:
        """Sets or clears the bits of ``patches``. ``before``: bytes without them, by address."""
        masks = {each.address: each.mask for each in patches if each.mask}
        self._remember(masks)
        if not masks or self._present is not None:
            return
        if len(masks) <= _FEW and masks.keys() <= before.keys():
            for address, mask in masks.items():
                self._write_byte(address, before[address] | (mask if wanted else 0))
            return
        start, size = min(masks), max(masks) + 1 - min(masks)
        data = bytearray(self.debug.read_memory(ALL_THREADS, _DEFAULT, start, size))
        for address, mask in masks.items():
            data[address - start] &= ~mask
            data[address - start] |= mask if wanted else 0
        self.debug.write_memory(ALL_THREADS, _DEFAULT, start, bytes(data))

    def remove_all(self) -> None:
        """Takes every bit out; goes on past addresses that are gone."""
        for address, patch in list(self._patches.items()):
            for _ in range(_REMOVALS):
                patch.users = 1
                self._patches[address] = patch
                with contextlib.suppress(LevelZeroError):
                    self.remove(address)
                    break
            self._patches.pop(address, None)

    def forget(self, first: int, end: int) -> None:
        """Code from ``first`` up to ``end`` left the device."""
        for patches in (self._patches, self._present or {}):
            for address in [a for a in patches if first <= a < end]:
                del patches[address]
        for address in [a for a in self._ever_set if first <= a < end]:
            del self._ever_set[address]
        self._forget_contents()

    def has_breakpoint(self, address: int) -> bool:
        """Whether zedbg has a breakpoint at ``address``."""
        return address in self._patches

    def traps(self, address: int) -> bool:
        """Whether the instruction at ``address`` carries a breakpoint bit, zedbg's or its own."""
        if address in self._patches:
            return True
        bits = self.instruction(address)
        return bits is not None and bits.has_breakpoint

    def instruction(self, address: int) -> InstructionBits | None:
        """The instruction at ``address`` without zedbg's bits; None outside of known code."""
        known = self._instructions.get(address)
        if known is None:
            try:
                known = InstructionBits.at(self.cached(address, NATIVE_LENGTH), self.platform)
            except ValueError:
                return None
            self._instructions[address] = known
        return known

    def cached(self, address: int, size: int) -> bytes:
        """Up to ``size`` bytes of code at ``address``: less at the end of its section."""
        bounds = self._range_of(address)
        if bounds is None:
            return b""
        first, section_end = bounds
        parts = []
        end = min(address + size, section_end)
        while address < end:
            start, data = self._block(address, first, section_end)
            part = data[address - start : end - start]
            if not part:
                break
            parts.append(part)
            address += len(part)
        return b"".join(parts)

    def hide(self, address: int, data: bytes) -> bytes:
        """``data`` as read from ``address``, without zedbg's own breakpoint bits."""
        shown: bytearray | None = None
        masks = ((each.address, each.mask) for each in self._patches.values())
        for place, mask in masks if self._present is None else self._ever_set.items():
            offset = place - address
            if mask and 0 <= offset < len(data):
                shown = shown or bytearray(data)
                shown[offset] &= ~mask & 0xFF
        return data if shown is None else bytes(shown)

    def overlay(self, address: int, data: bytes) -> bytes:
        """``data`` as it must be written to ``address`` so that breakpoints stay."""
        self._forget_contents()
        written: bytearray | None = None
        for patch in self._patches.values():
            offset = patch.address - address
            if patch.mask and 0 <= offset < len(data):
                written = written or bytearray(data)
                written[offset] |= patch.mask
        return data if written is None else bytes(written)

    def _forget_contents(self) -> None:
        self._blocks.clear()
        self._instructions.clear()
        self.step_ranges.clear()

    def _block(self, address: int, first: int, end: int) -> tuple[int, bytes]:
        number = address // _BLOCK_BYTES
        found = self._blocks.get(number)
        if found is None or not found[0] <= address < found[0] + len(found[1]):
            start = max(number * _BLOCK_BYTES, first)
            size = min((number + 1) * _BLOCK_BYTES, end) - start
            data = self.debug.read_memory(ALL_THREADS, _DEFAULT, start, size)
            found = self._blocks[number] = (start, self.hide(start, data))
        return found

    def _read_instruction(self, address: int) -> bytes:
        try:
            return self.debug.read_memory(ALL_THREADS, _DEFAULT, address, NATIVE_LENGTH)
        except LevelZeroError:
            # A compacted instruction may be the last of its memory.
            return self.debug.read_memory(ALL_THREADS, _DEFAULT, address, COMPACT_LENGTH)

    def _write_byte(self, address: int, value: int) -> None:
        self.debug.write_memory(ALL_THREADS, _DEFAULT, address, bytes([value]))
