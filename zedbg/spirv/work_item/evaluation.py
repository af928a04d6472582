"""Values of one work-item, computed again from what cannot have changed since.

A value is that of an instruction in one iteration of each loop around it. It is computed when it is
asked for: from constants, arguments, ids, and other values. Which of several ways a work-item took
is decided by the conditions of the jumps. What is loaded is loaded again where nothing that the
kernel executes may have written to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Bytes, Iterations, Visit
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation, KnownValues, TooMuch
from zedbg.spirv.work_item.changed_memory import MemoryBefore
from zedbg.spirv.work_item.computed_values import Certainty, ComputedValues
from zedbg.spirv.work_item.device_numbers import Held
from zedbg.spirv.work_item.given_values import GivenValues, WorkItem
from zedbg.spirv.work_item.local_loads import LocalLoads


class Evaluation:
    """Answers questions about one work-item of a launch of ``kernel``. Each raises UnknownValue
    where the answer is not known, TooMuch of them where it would take long."""

    def __init__(
        self,
        model: Model,
        kernel: Function,
        item: WorkItem,
        is_called: bool = False,
        held: Held | None = None,
        local: LocalLoads | None = None,
        before: MemoryBefore | None = None,
        known_values: KnownValues | None = None,
        certainty: Certainty | None = None,
        *,
        is_made: bool = False,
    ) -> None:
        """``is_called``: the kernel is a function which one calls, whose arguments are not known;
        ``held`` gives what loads, and atomic operations, gave in their latest execution; ``local``
        what any load of local memory gave; ``before`` what the work-item finds in global memory;
        ``known_values`` is what other evaluations of the work-item have found, and this one adds
        to; ``certainty`` is that of other evaluations that this one and they need; ``is_made``: all
        that is asked for, the work-item has made already."""
        self._model = model
        given = GivenValues(model, kernel, item, is_called, known_values)
        #: The call of the kernel.
        self.outermost = given.outermost
        certainty = certainty or Certainty()
        self._values = ComputedValues(model, given, held, local, before, certainty, is_made)

    def value(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place:
        """What ``result`` is where it is used in ``block``."""
        with self._answering():
            return self._values.of(call, result, block, iterations)

    def is_now(self, call: Activation, block: int, iterations: Iterations) -> None:
        """Takes note that the work-item is there: what it has made in earlier iterations, and was
        found by what is known at this stop only, stays known."""
        self._values.is_now(call, Visit(block, iterations))

    def activation(
        self, call: Activation, instruction: Instruction, block: int, iterations: Iterations
    ) -> Activation:
        """The call that the OpFunctionCall ``instruction`` of ``block`` makes. Raises UnknownValue
        for a function without a body."""
        return self._values.activation(call, instruction, block, iterations)

    def last_iteration(self, call: Activation, header: int, outer: Iterations) -> int:
        """The iteration in which a work-item leaves the loop of ``header``."""
        with self._answering():
            return self._values.ways.last_iteration(call, header, outer)

    def makes(self, call: Activation, header: int, outer: Iterations, number: int) -> bool:
        """Whether a work-item makes iteration ``number`` of the loop of ``header``: what it does
        later need not be known."""
        with self._answering():
            return self._values.ways.makes(call, header, outer, number)

    def may_come(
        self, call: Activation, block: int, header: int, outer: Iterations, number: int
    ) -> bool:
        """Whether iteration ``number`` of the loop of ``header`` is one of :meth:`count_of`: what a
        work-item does later need not be known."""
        with self._answering():
            return self._values.ways.may_come(call, block, header, outer, number)

    def count_of(self, call: Activation, block: int, header: int, outer: Iterations) -> int:
        """How many iterations of the loop of ``header`` may come to ``block``: the last one does
        not where a work-item leaves the loop at its first block."""
        with self._answering():
            return self._values.ways.count_of(call, block, header, outer)

    def most_of(self, call: Activation, block: int, header: int, outer: Iterations) -> int:
        """As :meth:`count_of`, where nothing ends the loop but the condition of its first block:
        of so many a compiler that unrolls the loop makes code."""
        with self._answering():
            return self._values.ways.most_of(call, block, header, outer)

    def comes_to(self, call: Activation, block: int) -> bool:
        """Whether a work-item comes to ``block`` in this call."""
        with self._answering():
            return self._values.ways.comes_to(call, block)

    def passes(self, call: Activation, block: int, header: int, iterations: Iterations) -> bool:
        """Whether a work-item comes to ``block`` in an iteration of the loop of ``header``, the
        last one of ``iterations``."""
        with self._answering():
            return self._values.ways.passes(call, block, header, iterations)

    def goes_round(self, call: Activation, header: int, iterations: Iterations) -> bool:
        """Whether a work-item makes another iteration of the loop of ``header`` after the last one
        of ``iterations``."""
        with self._answering():
            return self._values.ways.goes_round(call, header, iterations)

    def next_block(self, call: Activation, block: int, iterations: Iterations) -> int | None:
        """The block that a work-item goes to from ``block``; None where the function ends."""
        with self._answering():
            return self._values.ways.next_block(call, block, iterations)

    def before(self, call: Activation, visit: Visit) -> Visit:
        """The visit of the block that a work-item came from to this one."""
        with self._answering():
            return self._values.ways.before(call, visit)

    def visits(self, call: Activation) -> Iterator[Visit]:
        """The blocks that a work-item comes to in this call, in their order."""
        with self._answering():
            yield from self._values.ways.visits(call)

    def visits_of(self, call: Activation, block: int, most: int) -> list[Visit]:
        """All visits of ``block`` by the work-item in this call. Raises TooMuch where they are more
        than ``most``."""
        return list(self._visits(call, block, most, None))

    def visits_until(self, call: Activation, last: Visit, most: int) -> list[Visit]:
        """As :meth:`visits_of`, of the block of the visit ``last`` up to that one."""
        return list(self._visits(call, last.block, most, last))

    def _visits(
        self, call: Activation, block: int, most: int, last: Visit | None
    ) -> Iterator[Visit]:
        with self._answering():
            for visit in self._values.ways.visits(call):
                if visit.block == block:
                    most -= 1
                    if most < 0:
                        raise TooMuch
                    yield visit
                    if visit == last:
                        return
        if last is not None:
            raise UnknownValue("the work-item is not known to come there")

    def bytes_in_memory(
        self, call: Activation, variable: int, size: int, visit: Visit, index: int
    ) -> Bytes:
        """The bytes of a function's variable in front of item ``index`` of a block. ``variable``
        may be a parameter that points to one of a caller, as to a structure that is passed or
        returned by value. Raises UnknownValue where none of them is known."""
        with self._answering():
            place = self._values.of(call, variable, visit.block, visit.iterations)
            if not isinstance(place, Place):
                raise UnknownValue("it is in memory that a pointer leads to")
            return self._values.private.bytes_at(call, place, size, visit, index)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        self._values.steps = 0
        try:
            yield
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            if not self._model.is_damaged:
                raise
            raise UnknownValue("the module's SPIR-V is damaged") from error
