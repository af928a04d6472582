"""Floating-point numbers that are not known exactly, of which more may be said."""

from __future__ import annotations

from zedbg.spirv.activation import Activation, Values
from zedbg.spirv.arithmetic import UnknownValue
from zedbg.spirv.bounds import Bounded
from zedbg.spirv.instructions import Instruction
from zedbg.spirv.private_memory import Bytes, Iterations, all_known


class UnknownNumber(UnknownValue):
    """A floating-point number, or a vector of them, is not known exactly: ``item`` makes it in
    ``call``, in a block ``label``, to the work-item of which ``values`` are computed. What is made
    of it without a change, as by a store and a load, is this number, too."""

    def __init__(
        self,
        text: str,
        values: Values,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
    ) -> None:
        super().__init__(text)
        self.values = values
        self.call = call
        self.item = item
        self.label = label
        self.iterations = iterations
        #: Its bounds, or None for it, once they were asked for.
        self.bounds: tuple[Bounded | None] | None = None


def loaded_bytes(data: Bytes) -> list[int | None]:
    """The bytes that are loaded, where nothing of them is unknown. Raises UnknownValue: an
    UnknownNumber only where all bytes are of that number."""
    try:
        return all_known(data)
    except UnknownNumber as number:
        if all(each is number for each in data):
            raise
        raise UnknownValue(str(number)) from None
