"""Which copies of an unrolled loop's body messages to memory are of, by how far apart they access.

Each iteration of the source accesses memory at another address, so many bytes from that of the
first one. Where the messages of that place of the source access the same bytes beside each other,
each belongs to the iteration that accesses them, and so does what takes what it loads. Compilers
make one message of several that lie side by side: it is the first one's, and what takes a part of
what it loads is of that part's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.message_places import MessagePlace
from zedbg.dwarf.trust.register_sums import Sum
from zedbg.dwarf.trust.steps import Step
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.source.single_places import SinglePlace
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.registers import RegisterKind

#: Of each iteration, the address that a pointer is there, in a block, and None for one that does
#: not come there; None where an address is not known.
Addresses = Callable[[int, int], Sequence[int | None] | None]


@dataclass(frozen=True)
class OfCopies:
    """Addresses of instructions: with the iteration that each is of (``known``), and with one that
    it is of no later one than (``latest``)."""

    known: Sequence[tuple[int, int]]
    latest: Sequence[tuple[int, int]]


def copies_by_address(
    frame: SourceFrame,
    code: FunctionCode,
    place: SinglePlace,
    steps: Sequence[Step],
    addresses: Addresses,
) -> Iterator[OfCopies]:
    """What is known by ``steps``, which are those of ``place`` in the same loops of the machine
    code."""
    item = place.item
    if item.opcode not in (Op.LOAD, Op.STORE):
        return
    begins = addresses(item.operands[0], place.label)
    size = _size(frame.model.code, item)
    if begins is None or size is None:
        return
    groups: dict[object, list[MessagePlace]] = {}
    for each in code.message_places(steps):
        groups.setdefault(each.memory, []).append(each)
    for messages in groups.values():
        begin = messages[0].begin
        distances = [_distance(frame, code, each.begin, begin) for each in messages]
        known = [each for each in distances if each is not None]
        if len(known) == len(distances):
            yield from of_messages(messages, known, begins, size)


def _size(source: SpirvCode, item: Instruction) -> int | None:
    """The bytes that ``item`` accesses."""
    kind = source.type_of.get(item.result if item.opcode == Op.LOAD else item.operands[1])
    return None if kind is None else kind.size


def _distance(frame: SourceFrame, code: FunctionCode, one: Sum, other: Sum) -> int | None:
    """How much ``one`` is more than ``other``; None where that is not known."""
    difference = one.plus(other.times(-1))
    found = difference.number
    for term, factor in difference.terms:
        place = code.uniform_place(term, frame.address)
        if place is None:
            return None
        try:
            registers = frame.context.read_registers(RegisterKind.GRF)
        except LevelZeroError:
            return None
        data = registers[place.first : place.end]
        found += factor * int.from_bytes(data, "little", signed=True)
    return found


def of_messages(
    messages: Sequence[MessagePlace],
    distances: Sequence[int],
    begins: Sequence[int | None],
    size: int,
) -> Iterator[OfCopies]:
    """What ``messages`` say, which lie at these ``distances``."""
    known_begins = [(number, at) for number, at in enumerate(begins) if at is not None]
    if not known_begins:
        return
    accessed = {byte: number for number, at in known_begins for byte in range(at, at + size)}
    moved = min(distances) - min(accessed)
    places = [
        range(at - moved, at - moved + each.extent)
        for each, at in zip(messages, distances, strict=True)
    ]
    given = [byte for each in places for byte in each]
    if len(accessed) < len(known_begins) * size or sorted(accessed) != sorted(given):
        return
    known: list[tuple[int, int]] = []
    latest: list[tuple[int, int]] = []
    for each, place in zip(messages, places, strict=True):
        numbers = {accessed[byte] for byte in place}
        if len(numbers) == 1 or each.takers:
            known.append((each.offset, min(numbers)))
        latest += [(at, min(numbers)) for at in each.addressing]
        for parts, found in ((each.takers, known), (each.makers, latest)):
            for at, first, end in parts:
                own = {accessed[byte] for byte in place[first:end]}
                if len(own) == 1:
                    found.append((at, own.pop()))
    yield OfCopies(known, latest)


def addresses_in(
    evaluation: Evaluation,
    call: Activation,
    pointer: int,
    label: int,
    iterations: Sequence[Iterations | None],
) -> list[int | None] | None:
    """What ``pointer`` is in ``label`` of ``call``, in each of these ``iterations`` of the loops
    around it, or how far it is from where one variable begins; None where that is not known."""
    variables = set[int | None]()
    found: list[int | None] = []
    for each in iterations:
        if each is None:
            found.append(None)
            continue
        try:
            value = evaluation.value(call, pointer, label, each)
        except UnknownValue:
            return None
        variables.add(value.variable if isinstance(value, Place) else None)
        offset = value.offset if isinstance(value, Place) else value
        if not isinstance(offset, int):
            return None
        found.append(offset)
    return found if len(variables) == 1 else None
