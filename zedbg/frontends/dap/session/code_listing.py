"""The instructions of a piece of code, found by position: backwards, too."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.xe.disassembly import Instruction, disassemble_one, instruction_length

_SHORTEST = 8
_LONGEST = 16


@dataclass(frozen=True, eq=False)
class CodeListing:
    """The code of ``module`` from ``first`` up to ``end``: one section of it.

    Instructions have 8 or 16 bytes, so where one begins is only known from the section's start on.
    """

    device: DeviceContents
    module: LoadedModule
    first: int
    end: int

    @cached_property
    def _code(self) -> bytes:
        return self.device.code.cached(self.first, self.end - self.first)

    @cached_property
    def addresses(self) -> list[int]:
        """Where each instruction begins."""
        code, platform = self._code, self.device.code.platform
        found, offset = [], 0
        while offset + _SHORTEST <= len(code):
            found.append(self.first + offset)
            offset += instruction_length(code[offset : offset + _SHORTEST], platform)
        return found

    def position(self, address: int) -> int:
        """The number of the instruction, from 0, that ``address`` lies in."""
        return bisect_right(self.addresses, address) - 1

    def instruction(self, position: int) -> Instruction:
        """Instruction number ``position``, from 0."""
        address = self.addresses[position]
        offset = address - self.first
        code = self._code[offset : offset + _LONGEST]
        return disassemble_one(code, address, self.device.code.platform, self._label)

    def _label(self, target: int) -> str:
        if not self.first <= target < self.end:
            return f"{target:#x}"
        return f"<+{target - self.first}>"

    def line(self, position: int) -> str:
        """The instruction as a line of text: offset, and what it does."""
        one = self.instruction(position)
        return f"<+{one.address - self.first}>:".ljust(10) + one.text

    @property
    def text(self) -> str:
        """All of it, a line for each instruction."""
        return "\n".join(self.line(position) for position in range(len(self.addresses))) + "\n"


class CodeListings:
    """The listings of all loaded code, each made when it is first needed."""

    def __init__(self) -> None:
        self._known: dict[tuple[LoadedModule, int], CodeListing] = {}

    def around(self, device: DeviceContents, address: int) -> CodeListing | None:
        """The code around ``address`` on ``device``; None where there is none."""
        module = device.module_at(address)
        bounds = None if module is None else module.code_range_at(address)
        if module is None or bounds is None:
            return None
        key = module, bounds[0]
        if key not in self._known:
            self._known[key] = CodeListing(device, module, *bounds)
        return self._known[key]

    def module_unloaded(self, module: LoadedModule) -> None:
        """Its code is gone."""
        for key in [key for key in self._known if key[0] is module]:
            del self._known[key]
