"""Where kernels with implicit arguments find the rest of their payload.

Code that can be called from anywhere gets what it needs to know of its work through a structure
that the driver puts in front of the cross-thread data. The kernel's prologue adds the structure's
size, which the driver writes into the code, at a relocation against a symbol of that name (IGC,
``vISA_PATCH_CROSS_THREAD_OFFSET_OFF_R0``).
"""

from __future__ import annotations

from zedbg.zebin.module import Module

_SYMBOL = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0"


def implicit_size_places(module: Module) -> dict[int, int]:
    """Where the driver writes that size, a 32-bit word: an address for each code section that has
    such a place, by the section's index."""
    found: dict[int, int] = {}
    for each in module.relocations:
        if each.symbol == _SYMBOL:
            found.setdefault(each.section.index, each.section.address + each.offset)
    return found
