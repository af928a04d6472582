"""From the arguments of a kernel in its SYCL source to those of its compiled code, and back.

The compiler removes arguments that a kernel does not use. The rest keep their order, so that the
source's argument N is not the compiled kernel's argument N.
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.sycl.property_sets import PropertySets
from zedbg.sycl.property_values import EliminatedArguments


@dataclass(frozen=True)
class ArgumentMap:
    """The arguments of one kernel; without ``eliminated``, none has been removed."""

    eliminated: EliminatedArguments | None

    @classmethod
    def of_kernel(cls, sets: PropertySets, kernel: str) -> ArgumentMap:
        """The map of ``kernel`` (mangled) in an image with the properties ``sets``."""
        return cls(sets.eliminated_arguments(kernel))

    def compiled_index(self, source_index: int) -> int | None:
        """``arg_index`` in the module of the source's argument; None when it was removed.

        Raises IndexError for an argument that the source does not have.
        """
        if source_index < 0:
            raise IndexError(f"argument {source_index}")
        if self.eliminated is None:
            return source_index
        if source_index >= self.eliminated.count:
            raise IndexError(f"argument {source_index} of {self.eliminated.count}")
        if self.eliminated.mask >> source_index & 1:
            return None
        below = self.eliminated.mask & ((1 << source_index) - 1)
        return source_index - below.bit_count()

    def source_index(self, compiled_index: int) -> int:
        """The source's argument that the module's argument ``compiled_index`` is.

        Arguments after the source's own are the compiler's, as is implicit local memory.
        Raises IndexError for those and for negative numbers.
        """
        if compiled_index < 0:
            raise IndexError(f"argument {compiled_index}")
        if self.eliminated is None:
            return compiled_index
        remaining = self.eliminated.remaining
        if compiled_index >= len(remaining):
            raise IndexError(f"argument {compiled_index} of {len(remaining)}")
        return remaining[compiled_index]
