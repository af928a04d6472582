"""One call of a function by one work-item: what is known of it, and what has been computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from zedbg.spirv.analysis.private_memory import Iterations, Visit, Way, Writers, WrittenBytes
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.numbers.device_maths import Rough

MOST_STEPS = 50_000  # instructions that one answer may take


class NeedsIteration(UnknownValue):
    """The value differs between the iterations of a loop, and which one it is is not known."""

    def __init__(self, header: int) -> None:
        super().__init__("it changes in a loop, and which iteration this is is not known")
        self.header = header


class TooMuch(UnknownValue):
    """So many instructions would have to be computed that nobody should wait for it."""

    def __init__(self) -> None:
        super().__init__("too much would have to be computed for it")


class When(Enum):
    """Of what a work-item does in an iteration of a loop, and of where it is now."""

    PAST = auto()  # it is in a later iteration: it has done that for certain
    NOW = auto()  # it is in this iteration: the device may not have made yet what is made there
    ELSEWHERE = auto()  # it is in none of the loops
    UNKNOWN = auto()


@dataclass
class KnownValues:
    """What stays known of one call of a function by a work-item, whatever the work-item does next:
    what results are, in which iterations loops are left, which iterations of loops are made for
    certain, and the same of the calls that it makes, by their instruction and when."""

    values: dict[tuple[int, Iterations], Value | Place] = field(default_factory=dict)
    exits: dict[tuple[int, Iterations], int] = field(default_factory=dict)
    rounds: dict[tuple[int, Iterations], int] = field(default_factory=dict)
    called: dict[tuple[int, Visit], KnownValues] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many they are."""
        own = len(self.values) + len(self.exits)
        return own + sum(each.size + 1 for each in self.called.values())


@dataclass
class Activation:
    """One call of a function. ``arguments`` gives its parameters when they are asked for.
    ``caller``: the call that made it, by which instruction, when. ``known``: what is known of it
    at all stops; ``values``, ``exits`` and ``rounds``: the same, at this one."""

    function: Function
    arguments: Sequence[Callable[[], Value | Place]]
    roots: Sequence[frozenset[int] | None]  # of the kernel's parameters that each may point into
    depth: int = 0
    caller: tuple[Activation, Instruction, Visit] | None = None
    known: KnownValues = field(default_factory=KnownValues)
    values: dict[tuple[int, Iterations], Value | Place] = field(default_factory=dict)
    exits: dict[tuple[int, Iterations], int] = field(default_factory=dict)
    rounds: dict[tuple[int, Iterations], int] = field(default_factory=dict)
    unknown: dict[tuple[int, Iterations], UnknownValue] = field(default_factory=dict)
    #: Of floating-point numbers that are not known, what they are roughly; None: nobody knows.
    rough: dict[tuple[int, Iterations], Rough | None] = field(default_factory=dict)
    way: Way | None = None  # from its beginning
    # To its variables, and to those of its callers.
    written: dict[int, WrittenBytes] = field(default_factory=dict)
    # To global memory that one of these parameters of the kernel points into.
    stored: dict[frozenset[int], WrittenBytes] = field(default_factory=dict)
    storing: dict[frozenset[int], Writers] = field(default_factory=dict)  # what may do that
    called: dict[tuple[int, Visit], Activation] = field(default_factory=dict)
    reached: int | None = None  # a block that the work-item comes to, for certain

    def ask_anew(self) -> None:
        """Forgets what is not known, also of the calls that it makes: more may be known now of what
        the work-item has made already."""
        self.unknown.clear()
        self.written.clear()
        self.stored.clear()
        if self.way is not None and self.way.ended is not None:
            self.way = None
        self.rough = {key: rough for key, rough in self.rough.items() if rough is not None}
        for each in self.called.values():
            each.ask_anew()

    def is_first(self, iterations: Iterations) -> bool:
        """Whether ``iterations`` of loops of this call, and those that it is made in, are the first
        ones of all these loops: the work-item has not been there before."""
        if any(each != 0 for each in iterations):
            return False
        if self.caller is None:
            return True
        caller, _, visit = self.caller
        return caller.is_first(visit.iterations)


class Values(Protocol):
    """Computes the values of a call. ``is_of_stop``: with what is known at this stop only."""

    is_of_stop: bool

    def of(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place:
        """What ``result`` is where it is used in ``block``. Raises UnknownValue."""

    def called(self, call: Activation, instruction: Instruction, visit: Visit) -> Activation:
        """The call that the OpFunctionCall ``instruction`` makes at ``visit``, kept with ``call``.
        Raises UnknownValue for a function without a body."""

    def when(self, call: Activation, block: int, iterations: Iterations) -> When:
        """When the work-item does what it does in ``block``, in ``iterations`` of the first loops
        around that."""

    def step(self) -> None:
        """Counts an instruction that is looked at. Raises TooMuch."""
