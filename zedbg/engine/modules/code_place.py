"""What is known of one address of a device's code, for every thread that is there."""

from __future__ import annotations

from functools import cached_property

from zedbg.engine.modules.code_memory import CodeMemory
from zedbg.engine.modules.header_copy import copy_of_header
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.zebin import Kernel


class CodePlace:
    """The address ``pc`` in ``module`` (None: none), as long as no module comes or goes.

    Thousands of threads stop at one place: what they share is looked for once.
    """

    def __init__(self, module: LoadedModule | None, pc: int, code: CodeMemory) -> None:
        self.module = module
        self._pc = pc
        self._code = code

    @cached_property
    def kernel(self) -> Kernel | None:
        """The kernel whose code it is."""
        return None if self.module is None else self.module.kernel_at(self._pc)

    @cached_property
    def simd_width(self) -> int:
        """Lanes of that kernel, from zeinfo or from DWARF; 0 when neither says."""
        if self.kernel is not None and self.kernel.simd_width:
            return self.kernel.simd_width
        info = None if self.module is None else self.module.debug_info
        return 0 if info is None else info.simd_width_at(self._pc) or 0

    @cached_property
    def location(self) -> CodeLocation:
        """Kernel, function, file and line, as far as they are known."""
        return CodeLocation(self._pc) if self.module is None else self.module.locate(self._pc)

    @cached_property
    def header_register(self) -> int:
        """The general register that has the header of threads; LevelZeroError when the driver
        refuses the code."""
        module, code, pc = self.module, self._code, self._pc
        bounds = None if module is None else module.code_range_at(pc)
        if module is None or bounds is None:
            return 0
        first, end = bounds
        if first not in module.header_copies:
            module.header_copies[first] = copy_of_header(
                code.cached(first, end - first), code.platform
            )
        copy = module.header_copies[first]
        return copy.register if copy is not None and pc - first > copy.offset else 0
