"""What is known of one address of a device's code, for every thread that is there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from zedbg.engine.modules.header_copy import register_of_header
from zedbg.engine.modules.locations import CodeLocation
from zedbg.zebin import Kernel

if TYPE_CHECKING:
    from zedbg.engine.threads.device import Device


class CodePlace:
    """The address ``pc`` on ``device``, as long as no module comes or goes.

    Thousands of threads stop at one place: what they share is looked for once.
    """

    def __init__(self, device: Device, pc: int) -> None:
        self.module = device.module_at(pc)
        self._device = device
        self._pc = pc

    @cached_property
    def kernel(self) -> Kernel | None:
        """The kernel whose code it is."""
        return None if self.module is None else self.module.kernel_at(self._pc)

    @cached_property
    def location(self) -> CodeLocation:
        return CodeLocation(self._pc) if self.module is None else self.module.locate(self._pc)

    @cached_property
    def header_register(self) -> int:
        """The general register that has the header of threads; LevelZeroError when the driver
        refuses the code."""
        return register_of_header(self.module, self._pc, self._device.code)
