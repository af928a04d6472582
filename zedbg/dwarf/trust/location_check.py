"""Whether the code bears out what the debug information says of a variable's place.

Intel's compilers move instructions, let values of different variables share registers, and put them
into registers in other forms, and do not always keep the debug information in step. A place is
believed only where the code does not speak against it: all that it may hold there was put there for
the variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from zedbg.dwarf.expressions.fixed_places import fixed_places
from zedbg.dwarf.expressions.places import (
    ImplicitPlace,
    Piece,
    PiecedPlace,
    Place,
    RegisterBits,
    RegisterPlace,
    ValuePlace,
    of_lane,
)
from zedbg.dwarf.scopes.scopes import LocationEntry, Variable
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.missing import Missing
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.registers import RegisterKind, dwarf_register

OTHER_WAY = Missing(
    "lanes come here by different ways, and the compiler says where it is for one of them only"
)
OVERWRITTEN = Missing("its register has been overwritten, though the compiler still names it")
AHEAD = Missing("the compiler moved a later assignment to it ahead of this line")
LOST_CONSTANT = Missing("the compiler gives a constant for it that held some lines before")
LEFT_OVER = Missing("nothing here uses it any more: its register may hold an older value")
OTHER_ARGUMENT = Missing("the compiler names the register of another argument for its address")
UNKNOWN_PART = Missing("the compiler does not say which part of a register holds it")
OTHER_FORM = Missing("the compiler says it takes more bits in each lane than its code gives it")


_PARTS = 96  # bytes in which the compiler writes a value of many lanes, part by part
_HEADER_LANES = 8
_SECOND_HALF = 16  # of 32 lanes
# Lanes: the second one says how far they are apart, and one of the others begins each register.
_LOOKED_AT = (0, 1, *range(4, 32, 4))


@dataclass(frozen=True)
class RegisterForm:
    """Where a place has the value of each lane: the bytes of some lanes, the first one's first; the
    distance to the second lane's (0: all lanes share it); how many bytes it takes; and where the
    second half of the lanes begins, if that is said apart."""

    spans: tuple[Span, ...]
    stride: int
    size: int
    second_half: int | None


@lru_cache(maxsize=4096)
def register_form(
    expression: bytes, size: int, grf_bytes: int, lanes: int
) -> RegisterForm | Missing | None:
    """What ``expression`` says of a variable of ``size`` bytes that is in general registers, None
    for one that is elsewhere. ``lanes``: of the code."""
    found = fixed_places(expression, tuple(lane for lane in _LOOKED_AT if lane < max(lanes, 2)))
    if not found:
        return None
    starts: dict[int, int] = {}
    bits = 0
    for group in found:
        place = group.place
        if isinstance(place, PiecedPlace) and len(place.pieces) == 1:
            place = _only_piece(place.pieces[0])
        source = place.bits if isinstance(place, RegisterPlace) else None
        source = place.source if isinstance(place, ValuePlace) else source
        if source is None:
            return None
        if isinstance(place, RegisterPlace) and source.bit_size == 0:
            register = dwarf_register(of_lane(source.registers, 0))
            is_general = register is not None and register.kind is RegisterKind.GRF
            return UNKNOWN_PART if is_general and size < grf_bytes else None
        bits = source.bit_size
        for index, lane in enumerate(group.lanes):
            register = dwarf_register(of_lane(source.registers, index))
            if register is None or register.kind is not RegisterKind.GRF:
                return None
            if register.index == 0:
                return UNKNOWN_PART  # of the header that a thread begins with
            byte = of_lane(source.bit_offsets, index) // 8
            starts[lane] = register.index * grf_bytes + byte
    taken = -(-bits // 8)
    spans = {starts[lane]: Span(starts[lane], starts[lane] + taken, 0) for lane in sorted(starts)}
    second = starts.get(_SECOND_HALF) if len(found) > 1 else None
    return RegisterForm(tuple(spans.values()), starts[1] - starts[0], taken, second)


@dataclass(frozen=True)
class Claim:
    """What the debug information says of a variable: every entry, and the one in question."""

    variable: Variable
    entries: Sequence[LocationEntry]  # offsets in the function
    entry: LocationEntry

    @property
    def size(self) -> int:
        """Bytes of the variable."""
        return self.variable.type.size

    @cached_property
    def others(self) -> list[LocationEntry]:
        """The entries that are not the one in question."""
        return [each for each in self.entries if each != self.entry]

    def named_elsewhere(self, offset: int) -> LocationEntry | None:
        """The entry that holds at ``offset``, if it is not the one in question."""
        for each in self.others:
            if each.low <= offset < each.high:
                return each
        return None


class LocationCheck:
    """Judges places in one function."""

    def __init__(
        self,
        flow: RegisterFlow,
        lanes: int,
        line_at: Callable[[int], tuple[object, int]],
        is_anothers: Callable[[Step, Span, Claim], bool],
    ) -> None:
        """``lanes``: of the code; ``line_at`` gives the function (an inlined call, or the function
        itself) and the line of the instruction at an offset, line 0 for none; ``is_anothers`` says
        whether what an instruction puts into a place may be another variable."""
        self._flow = flow
        self._lanes = lanes
        self._line_at = line_at
        self._is_anothers = is_anothers

    def contradicts(self, claim: Claim, at: int) -> Missing | None:
        """Why the variable is not where ``claim`` says at offset ``at``, None when nothing speaks
        against it."""
        expression = claim.entry.expression
        form = register_form(expression, claim.size, self._flow.grf_bytes, self._lanes)
        if isinstance(form, Missing):
            return form
        if self._begins_ahead(claim.entry.low, at) or self._goes_back(claim, form):
            return AHEAD
        if form is None:
            is_constant = _constant(expression, claim.size) is not None
            return self._constant_contradicted(claim, at) if is_constant else None
        if self._is_left_over(claim, form, at):
            return LEFT_OVER
        looked_at: list[dict[int, int]] = []
        for span in form.spans:
            writes = self._flow.writes_to(span)
            if writes in looked_at:
                continue  # the same instructions write other lanes
            looked_at.append(writes)
            wrong = self._register_contradicted(claim, span, at)
            if wrong is not None:
                return wrong
        return None

    def _constant_contradicted(self, claim: Claim, at: int) -> Missing | None:
        """Compilers lose track of what follows a constant: of the counter of a loop that they take
        apart, say. They are believed for the line in which it begins to hold, and where the
        variable is a parameter that never has another value."""
        low = claim.entry.low
        if self._flow.avoids(at, low):
            return OTHER_WAY
        alone = all(each.expression == claim.entry.expression for each in claim.entries)
        if (claim.variable.is_parameter and alone) or self._line_at(low) == self._line_at(at):
            return None
        return LOST_CONSTANT

    def _register_contradicted(self, claim: Claim, span: Span, at: int) -> Missing | None:
        """Follows all ways to ``at`` back to where the compiler begins to name the place, or to
        what puts something into it."""
        flow, low = self._flow, claim.entry.low
        wall, start = flow.index_at(low), flow.index_at(at)
        # With the bytes that nothing has been put into yet, and the other place that the compiler
        # names on the way, while it names none else.
        waiting: list[tuple[int, int, LocationEntry | None]] = [(start, span.every, None)]
        seen: dict[tuple[int, LocationEntry | None], int] = {(start, None): span.every}
        passes_beginning = start == wall
        writes = flow.writes_to(span)
        bounds = (each for other in claim.others for each in (other.low, other.high))
        events = sorted({wall, *writes, *map(flow.index_at, bounds)})
        while waiting:
            index, missing, named = waiting.pop()
            if index == wall:
                passes_beginning = True
                continue
            if index == 0:
                return OTHER_WAY
            for before in flow.before(index):
                step = flow.steps[before]
                other = claim.named_elsewhere(step.offset)
                if other is not None and other.expression == claim.entry.expression:
                    other = None if named is None else other
                if other is not None and named is not None and other != named:
                    return OTHER_WAY
                rest, written = missing, writes.get(before, 0) & missing
                if written:
                    wrong = self._written_wrongly(claim, step, span, at, named)
                    if wrong is not None:
                        return wrong
                    rest = missing if step.is_conditional else missing & ~written
                begin = wall if before == wall else flow.stretch_begin(before, events)
                ahead = begin, other or named
                rest &= ~seen.get(ahead, 0)
                if rest:
                    seen[ahead] = seen.get(ahead, 0) | rest
                    waiting.append((begin, rest, other or named))
        if passes_beginning:
            for number in flow.definitions(span, low):
                if number is not None and self._is_ahead(flow.steps[number], at):
                    return AHEAD
                if number is not None and _copies_header(flow.steps[number]):
                    return UNKNOWN_PART
        return None

    def _is_left_over(self, claim: Claim, form: RegisterForm, at: int) -> bool:
        """Whether nothing uses the place at ``at`` or later, and the line there has not used it:
        then the compiler may have put the variable elsewhere without a word."""
        if any(self._flow.is_read(span, at) for span in form.spans):
            return False
        asked = self._line_at(at)
        for step in self._flow.block_before(at):
            uses = any(each.meets(span) for each in step.reads for span in form.spans)
            if step.offset < claim.entry.low or (uses and self._line_at(step.offset) == asked):
                return False
        return True

    def _goes_back(self, claim: Claim, form: RegisterForm | None) -> bool:
        """Whether the compiler names a place again that it had left before, without anything that
        puts a value there: it mixes instructions of before and after an assignment."""
        same = [e for e in claim.entries if e.expression == claim.entry.expression]
        earlier = max((e.high for e in same if e.high <= claim.entry.low), default=None)
        if earlier is None:
            return False
        since = max(earlier, self._flow.block_begin(claim.entry.low))
        between = any(since <= each.low < claim.entry.low for each in claim.entries)
        first, last = self._flow.index_at(earlier), self._flow.index_at(claim.entry.low)
        spans = () if form is None else form.spans
        return between and not any(
            step.writes is not None and any(step.writes.meets(span) for span in spans)
            for step in self._flow.steps[max(first - 1, 0) : last]
        )

    def _begins_ahead(self, low: int, at: int) -> bool:
        """Whether the place is that of a later line's assignment, which the compiler put ahead of
        the instruction at ``at``."""
        flow = self._flow
        index = flow.index_at(low)
        around = flow.steps[max(index - 1, 0) : index + 1]
        return bool(around) and all(self._is_ahead(step, at) for step in around)

    def _written_wrongly(
        self, claim: Claim, step: Step, span: Span, at: int, named: LocationEntry | None
    ) -> Missing | None:
        """Why what ``step`` writes to the place is not the variable as it is at ``at``; ``named``:
        the place that the compiler names instead after it."""
        if named is not None:
            return None if self._copies(step, named, claim.size) else OTHER_WAY
        entry = claim.entry
        if entry.low <= step.offset < entry.high:
            wrong = self._overwritten(claim, step, span)
        else:
            wrong = None if self._vouched(claim, step) else OTHER_WAY
        return wrong or (AHEAD if self._is_ahead(step, at) else None)

    def _vouched(self, claim: Claim, step: Step) -> bool:
        """Whether what ``step`` puts into the place is the variable: it is so where the compiler
        names the place from then on, or the variable was in what it copies."""
        for each in claim.entries:
            if each.expression == claim.entry.expression and each.low <= step.end < each.high:
                return True
            if each.low <= step.offset < each.high and self._copies(step, each, claim.size):
                return True
        return False

    def _copies(self, step: Step, entry: LocationEntry, size: int) -> bool:
        """Whether ``step`` copies what ``entry`` says the variable to be."""
        if step.decoded.opcode is not Opcode.MOV:
            return False
        constant = _constant(entry.expression, size)
        source = step.decoded.sources[0]
        if constant is not None:
            number = source.immediate if source.file is RegisterFile.IMMEDIATE else None
            return number is not None and (number ^ constant) & (1 << 8 * min(size, 4)) - 1 == 0
        form = register_form(entry.expression, size, self._flow.grf_bytes, self._lanes)
        if not isinstance(form, RegisterForm) or not step.reads:
            return False
        return any(each.meets(step.reads[0]) for each in form.spans)

    def _overwritten(self, claim: Claim, step: Step, span: Span) -> Missing | None:
        """Whether ``step``, which writes to the place while the compiler names it, does so for
        something else, or may do so."""
        begins = self._flow.steps[max(self._flow.index_at(claim.entry.low) - 1, 0)]
        is_part = self._line_at(begins.offset) == self._line_at(step.offset)
        if is_part and step.offset <= claim.entry.low + _PARTS:
            return None
        if self._is_anothers(step, span, claim):
            return OVERWRITTEN
        return None

    def _is_ahead(self, step: Step, at: int) -> bool:
        """Whether ``step`` belongs to a line that comes after that of the instruction at ``at``,
        which it precedes in the same turn of all loops that the latter is in."""
        if step.offset >= at:
            return False
        written, asked = self._line_at(step.offset), self._line_at(at)
        if written[0] is not asked[0] or not written[1] or not asked[1] or written == asked:
            return False
        around, loops = self._flow.loops_around(step.offset), self._flow.loops_around(at)
        if not loops <= around:
            return False
        closes = any(self._line_at(jump) == written for _, jump in loops)
        return closes or written[1] > asked[1]


def _only_piece(piece: Piece) -> Place:
    """The place of a variable that is one piece of something."""
    place = piece.place
    if isinstance(place, RegisterPlace) and isinstance(place.bits.bit_offsets, int):
        offset = place.bits.bit_offsets + piece.bit_offset
        return RegisterPlace(RegisterBits(place.bits.registers, offset, piece.bit_size))
    return PiecedPlace((piece,))


def _copies_header(step: Step) -> bool:
    """Whether ``step`` copies the header that a thread begins with."""
    decoded = step.decoded
    whole = decoded.opcode is Opcode.MOV and decoded.execution_size >= _HEADER_LANES
    return whole and decoded.no_mask and bool(step.reads) and step.reads[0].first == 0


def _constant(expression: bytes, size: int) -> int | None:
    """The number of ``size`` bytes that ``expression`` is in every thread; None when it is none."""
    found = fixed_places(expression, (0,))
    place = found[0].place if found else None
    if isinstance(place, ImplicitPlace):
        return int.from_bytes(place.data[:size], "little")
    if isinstance(place, ValuePlace) and place.source is None and place.values is not None:
        return of_lane(place.values, 0) & (1 << 8 * size) - 1
    return None
