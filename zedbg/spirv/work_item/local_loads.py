"""What a work-item loads from local memory, as those who compute its values ask for it."""

from __future__ import annotations

from typing import Protocol

from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation


class LocalLoads(Protocol):
    """Gives what a load of local memory from an address gives. Raises UnknownValue."""

    @property
    def is_of_stop(self) -> bool:
        """Whether what it has given may be known at this stop only."""

    def __call__(
        self, call: Activation, item: Instruction, source: Value | Place, visit: Visit, /
    ) -> Value: ...
