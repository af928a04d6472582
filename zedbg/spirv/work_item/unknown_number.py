"""Floating-point numbers that are not known exactly, of which more may be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from zedbg.spirv.analysis.private_memory import Bytes, Iterations, all_known
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.types import Kind, Type, Undefined, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.spirv.numbers.bounds import Bounded
from zedbg.spirv.numbers.device_maths import Rough
from zedbg.spirv.work_item.activation import Activation

_Said = TypeVar("_Said")


class NumbersOfItem(Protocol):
    """What can be said of the unknown numbers of one work-item."""

    def bounds_of(self, number: UnknownNumber) -> Bounded | None:
        """What ``number`` lies between; None where that is not known. Raises UnknownValue."""

    def roughly(self, number: UnknownNumber) -> Rough | None:
        """About what ``number`` is; None where that is not known. Raises UnknownValue."""

    def component(self, number: UnknownNumber, index: int) -> float | None:
        """One component of ``number``, a vector; None where nothing says it. Raises
        UnknownValue."""


class UnknownNumber(UnknownValue):
    """A floating-point number, or a vector of them, is not known exactly: ``item`` makes it in
    ``call``, in a block ``label``. What is made of it without a change, as by a store and a load,
    is this number, too, also in other work-items: ``numbers`` are those of the one that made it."""

    def __init__(
        self,
        text: str,
        numbers: NumbersOfItem,
        call: Activation,
        item: Instruction,
        label: int,
        iterations: Iterations,
    ) -> None:
        super().__init__(text)
        self.numbers = numbers
        self.call = call
        self.item = item
        self.label = label
        self.iterations = iterations
        #: Its bounds, or None for it, once they were asked for.
        self.bounds: tuple[Bounded | None] | None = None

    def bounds_for(self, asker: object) -> Bounded | None:
        """Its bounds, None where they are not known, for the values ``asker`` of a work-item.
        Raises UnknownValue only where that is the one that made it."""
        return self._said(self.numbers.bounds_of, asker)

    def roughly_for(self, asker: object) -> Rough | None:
        """About what it is, as :meth:`bounds_for`."""
        return self._said(self.numbers.roughly, asker)

    def component(self, index: int) -> float | None:
        """One component of it, a vector; None where nothing says it."""
        try:
            return self.numbers.component(self, index)
        except UnknownValue:
            return None

    def _said(self, question: Callable[[UnknownNumber], _Said], asker: object) -> _Said | None:
        try:
            return question(self)
        except UnknownValue:
            if self.numbers is asker:
                raise
            return None  # which iteration of another work-item it is does not matter here


def has_its_components(kind: Type, of: Type) -> bool:
    """Whether what is loaded as a ``kind`` from where a value ``of`` another one was stored has the
    first components of that: a vector of three is stored as one of four."""
    if kind == of:
        return True
    are_vectors = kind.kind is of.kind is Kind.VECTOR
    return are_vectors and (kind.count, of.count) == (3, 4) and kind.element == of.element


def loaded_value(kind: Type, data: Bytes) -> Value:
    """The value of ``kind`` with these bytes, of which the program may have left parts undefined,
    as the padding of a vector of three. Raises UnsetValue where it has not set it, and UnknownValue
    where one of them is unknown: an UnknownNumber only where all bytes are of that number."""
    value = kind.decode_parts(_loaded_bytes(data))
    if isinstance(value, Undefined):
        raise UnsetValue
    return value


def _loaded_bytes(data: Bytes) -> list[int | None]:
    try:
        return all_known(data)
    except UnknownNumber as number:
        if all(each is number for each in data):
            raise
        raise UnknownValue(str(number)) from None
