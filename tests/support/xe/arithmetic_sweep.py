"""Instructions for every opcode with every combination of types, and what each has to leave.

`OPERATIONS` is the table: which types an opcode takes on which device, and what else it may carry.
`sweep` makes instructions of it. Regions, modifiers, predicates, saturation, conditions, execution
sizes, channel offsets and what is an immediate are drawn from a generator with a fixed seed.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.support.devices import EACH_PLATFORM
from tests.support.xe import arithmetic_model as model
from tests.support.xe.arithmetic_model import TYPES, ElementType, Number, Source
from zedbg.xe.devices import DEVICES

SOURCE_REGISTERS = (10, 30, 50)
DESTINATION_REGISTER = 80
ELEMENTS = 24  # of each source, in memory
CONDITIONS = ("eq", "ne", "gt", "ge", "lt", "le")
_MIXED = "b ub w uw d ud"
_ALL = "b ub w uw d ud q uq"
_TWO_SOURCE_REGIONS = ((1, 1, 0), (0, 1, 0), (2, 1, 0), (8, 8, 1), (4, 4, 1), (4, 2, 2), (2, 2, 1))
_TERNARY_REGIONS = ((1, 0), (0, 0), (4, 1), (4, 2), (8, 2))


@dataclass(frozen=True)
class Operation:
    """An opcode with types: the source types of each operand, and those of the destination."""

    name: str
    sources: tuple[str, ...]
    into: str
    modifiers: str = ""  # of "-a", negation and absolute value
    saturate: bool = False
    conditions: tuple[str, ...] = ()
    alike: bool = False  # all operands have the type of the first source
    devices: tuple[str, ...] = EACH_PLATFORM
    immediates: bool = True

    @property
    def is_ternary(self) -> bool:
        return len(self.sources) == 3


_OV = (*CONDITIONS, "ov")
_QUADWORDS = tuple(each for each in EACH_PLATFORM if DEVICES[each].has_double)
OPERATIONS = (
    Operation("mov", (_ALL,), _ALL, "-a", saturate=True, conditions=_OV),
    Operation("add", (_ALL, _ALL), _ALL, "-a", saturate=True, conditions=_OV),
    Operation("avg", (_MIXED, _MIXED), _MIXED, "-a", saturate=True, conditions=CONDITIONS),
    Operation("mul", (_MIXED, _MIXED), _ALL, "-a", saturate=True, conditions=_OV),
    Operation("and", (_ALL, _ALL), _ALL, "-", conditions=CONDITIONS),
    Operation("or", (_ALL, _ALL), _ALL, "-", conditions=CONDITIONS),
    Operation("xor", (_ALL, _ALL), _ALL, "-", conditions=CONDITIONS),
    Operation("not", (_ALL,), _ALL, "-", conditions=CONDITIONS),
    Operation("shl", (_ALL, "uw w ud d"), _ALL, saturate=True, conditions=CONDITIONS),
    Operation("shr", ("ub uw ud uq", "uw w ud d"), _ALL, conditions=CONDITIONS),
    Operation("asr", (_ALL, "uw w ud d"), _ALL, conditions=CONDITIONS),
    Operation("rol", ("uw ud uq",) * 2, "uw ud uq", alike=True, immediates=False),
    Operation("ror", ("uw ud uq",) * 2, "uw ud uq", alike=True, immediates=False),
    Operation("addc", ("ud", "ud"), "ud"),
    Operation("subb", ("ud", "ud"), "ud"),
    Operation("cmp", (_ALL, _ALL), _ALL, "-a", conditions=CONDITIONS),
    Operation("cmpn", (_MIXED, _MIXED), _MIXED, "-a", conditions=CONDITIONS),
    Operation("sel", (_ALL, _ALL), _ALL, "-a", saturate=True, conditions=("lt", "ge")),
    Operation("csel", ("w uw d ud",) * 3, "w uw d ud", "-a", conditions=CONDITIONS, alike=True),
    Operation("add3", ("w uw d ud",) * 3, "w uw d ud", "-a", saturate=True, conditions=_OV),
    Operation("mad", ("w uw d ud",) * 3, "w uw d ud", "-a", saturate=True, conditions=_OV),
    Operation("bfn", ("uw ud",) * 3, "uw ud", conditions=("eq", "gt", "lt"), alike=True),
    Operation("bfe", ("d ud",) * 3, "d ud", alike=True),
    Operation("bfi1", ("d ud",) * 2, "d ud", alike=True),
    Operation("bfi2", ("d ud",) * 3, "d ud", alike=True),
    Operation("dp4a", ("d ud", "d ud", "d ud"), "d ud"),
    Operation("bfrev", ("ud",), "ud"),
    Operation("cbit", ("ub uw ud",), "ub uw ud"),
    Operation("lzd", ("d ud",), "ud"),
    Operation("fbh", ("d ud",), "d ud"),
    Operation("fbl", ("ub uw ud",), "ub uw ud"),
    Operation("mov", ("hf f",), f"{_MIXED} hf f bf", "-a", saturate=True, conditions=CONDITIONS),
    Operation("mov", (_MIXED,), "hf f", "-a", saturate=True, conditions=CONDITIONS),
    Operation("mov", ("bf",), "f bf", "-a", saturate=True, conditions=CONDITIONS),
    Operation("mov", ("df f q uq d ud w uw",), "df", "-a", saturate=True, devices=_QUADWORDS),
    Operation("mov", ("df",), "df f d ud q uq", "-a", saturate=True, devices=_QUADWORDS),
)
_FLOATS = ("hf", "f", "df", "hf f", "bf f")  # types that may meet in one instruction
_FLOAT_OPERATIONS = (
    Operation("add", ("", ""), "", "-a", saturate=True, conditions=CONDITIONS),
    Operation("mul", ("", ""), "", "-a", saturate=True, conditions=CONDITIONS),
    Operation("mad", ("",) * 3, "", "-a", saturate=True, conditions=CONDITIONS),
    Operation("cmp", ("", ""), "", "-a", conditions=CONDITIONS),
    Operation("cmpn", ("", ""), "", "-a", conditions=CONDITIONS),
    Operation("sel", ("", ""), "", "-a", saturate=True, conditions=("lt", "ge")),
    Operation("csel", ("",) * 3, "", "-a", saturate=True, conditions=CONDITIONS, alike=True),
    Operation("rndd", ("",), "", "-a", saturate=True, conditions=CONDITIONS, alike=True),
    Operation("rndu", ("",), "", "-a", saturate=True, conditions=CONDITIONS, alike=True),
    Operation("rnde", ("",), "", "-a", saturate=True, conditions=CONDITIONS, alike=True),
    Operation("rndz", ("",), "", "-a", saturate=True, conditions=CONDITIONS, alike=True),
    Operation("frc", ("",), "", "-a", conditions=CONDITIONS, alike=True),
)


@dataclass(frozen=True)
class SourceOperand:
    type: ElementType
    values: tuple[int, ...]  # bits of the elements in memory
    region: tuple[int, int, int]  # <vertical; width, horizontal>
    text: str
    negate: bool
    absolute: bool

    def of_lane(self, lane: int) -> Source:
        vertical, width, horizontal = self.region
        at = lane // width * vertical + lane % width * horizontal
        return Source(self.type.decode(self.values[at]), self.type, self.negate, self.absolute)


@dataclass(frozen=True)
class SweptInstruction:
    """One instruction of the sweep."""

    operation: Operation
    text: str
    sources: tuple[SourceOperand, ...]
    into: ElementType
    lanes: int  # execution size
    first_channel: int
    stride: int  # of the destination, in elements
    null: bool  # the destination is null
    saturate: bool
    condition: str | None
    flag: tuple[int, int]  # register and sub-register
    predicate: str  # "", "f" or "~f"
    function: int  # truth table of bfn


@dataclass(frozen=True)
class Outcome:
    """What the lanes leave; a lane of `stored` that is None is not written."""

    stored: tuple[Number | None, ...]
    raw: bool  # `stored` are bits
    flags: tuple[bool | None, ...]


def _bits_of(choose: random.Random, kind: ElementType) -> int:
    """Extremes, and numbers of every magnitude; for floats such as integers can hold, too."""
    if not kind.is_float:
        extremes = (0, 1, -1, kind.low, kind.high, kind.high - 1, 7, 31, 32)
        if choose.random() < 0.4:
            return kind.wrap(choose.choice(extremes))
        return choose.getrandbits(kind.bits) >> choose.randrange(kind.bits)
    way = choose.random()
    if way < 0.25:
        return choose.getrandbits(kind.bits)
    one = kind.bias << kind.fraction_bits
    infinity = ((1 << kind.exponent) - 1) << kind.fraction_bits
    sign = choose.getrandbits(1) << (kind.bits - 1)
    if way < 0.5:
        special = (0, 1, one, infinity, infinity - 1, infinity | 1 << (kind.fraction_bits - 1))
        return sign | choose.choice(special)
    near = choose.randint(-3, min(34, kind.bias))
    fraction = choose.getrandbits(kind.fraction_bits)
    if choose.random() < 0.5:
        kept = choose.randint(0, min(4, kind.fraction_bits))  # few bits: ties, and equal numbers
        fraction = fraction >> (kind.fraction_bits - kept) << (kind.fraction_bits - kept)
    return sign | (kind.bias + near) << kind.fraction_bits | fraction


def _source(
    choose: random.Random, operation: Operation, kind: ElementType, index: int
) -> SourceOperand:
    last = index == len(operation.sources) - 1
    values = tuple(_bits_of(choose, kind) for _ in range(ELEMENTS))
    literal = kind.name in ("w", "uw", "d", "ud", "hf", "f") and operation.immediates
    if literal and len(operation.sources) < 3 and last and choose.random() < 0.15:
        text = f"0x{values[0]:x}:{kind.name}"
        return SourceOperand(kind, values[:1], (0, 1, 0), text, negate=False, absolute=False)
    negate = "-" in operation.modifiers and choose.random() < 0.25
    absolute = "a" in operation.modifiers and choose.random() < 0.25
    complement = operation.name in model.LOGIC
    prefix = ("~" if complement else "-") * negate + "(abs)" * absolute
    register = f"{prefix}r{SOURCE_REGISTERS[index]}.0"
    if operation.is_ternary:
        vertical, horizontal = choose.choice(_TERNARY_REGIONS)
        if last:
            region = (horizontal, 1, 0)
            text = f"{register}<{horizontal}>:{kind.name}"
        else:
            width = vertical // horizontal if horizontal else 1
            region = (vertical, width, horizontal)
            text = f"{register}<{vertical};{horizontal}>:{kind.name}"
    else:
        region = choose.choice(_TWO_SOURCE_REGIONS)
        text = f"{register}<{region[0]};{region[1]},{region[2]}>:{kind.name}"
    return SourceOperand(kind, values, region, text, negate, absolute)


def _instruction(
    choose: random.Random,
    operation: Operation,
    kinds: tuple[ElementType, ...],
    into: ElementType,
    device: str,
) -> SweptInstruction:
    sources = tuple(_source(choose, operation, kind, index) for index, kind in enumerate(kinds))
    if operation.is_ternary:
        lanes, stride = choose.choice((1, 4, 8, 8)), choose.choice((1, 1, 2))
    else:
        widest = max(source.region[1] for source in sources)
        lanes = choose.choice([size for size in (1, 2, 4, 8, 8, 8) if size >= widest] or [8])
        stride = choose.choice((1, 1, 2, 4))
    first_channel = choose.choice((0, 0, 8, 16))
    flag = (choose.randrange(2 if device == "dg2" else 4), 0)
    compares = operation.name in ("cmp", "cmpn", "csel")
    wanted = choose.random()
    condition = choose.choice(operation.conditions) if operation.conditions else None
    predicate = choose.choice(("", "", "f", "~f"))
    if operation.name == "sel":
        condition, predicate = (condition, "") if wanted < 0.5 else (None, predicate or "f")
    elif not compares and wanted < 0.6:
        condition = None
    if operation.name == "csel":
        predicate = ""
    saturate = operation.saturate and choose.random() < 0.35
    null = operation.name in ("cmp", "cmpn") and choose.random() < 0.3
    function = choose.randrange(256) if operation.name == "bfn" else 0
    flag_text = f"f{flag[0]}.{flag[1]}"
    words = [f"({predicate.replace('f', flag_text)})" if predicate else ""]
    words.append(f"{operation.name}{f'.0x{function:02X}' if operation.name == 'bfn' else ''}")
    words.append(f"({lanes}|M{first_channel})")
    words.append(f"({condition}){flag_text}" if condition else "")
    place = "null" if null else f"r{DESTINATION_REGISTER}.0"
    words.append(f"{'(sat)' if saturate else ''}{place}<{stride}>:{into.name}")
    words += [source.text for source in sources]
    if operation.name in ("addc", "subb") and device == "dg2":
        words.append("{AccWrEn}")
    return SweptInstruction(
        operation, " ".join(filter(None, words)), sources, into, lanes, first_channel, stride, null,
        saturate, condition, flag, predicate, function,
    )  # fmt: skip


def _kinds(operation: Operation, device: str) -> Iterator[tuple[list[ElementType], ElementType]]:
    """Every combination of source types, each with some type of destination."""

    def types(names: str) -> list[ElementType]:
        known = [TYPES[name] for name in names.split()]
        return [kind for kind in known if device != "dg2" or kind.bits < 64]

    into = types(operation.into)
    if operation.alike:
        yield from (([kind] * len(operation.sources), kind) for kind in into)
        return
    turn = itertools.cycle(into)
    for kinds in itertools.product(*map(types, operation.sources)):
        repeated = len(into) if len(operation.sources) == 1 else 2
        for _ in range(repeated):
            yield list(kinds), next(turn)


def _float_operations(device: str) -> Iterator[Operation]:
    for operation in _FLOAT_OPERATIONS:
        for names in _FLOATS:
            narrow = operation.name in ("csel", "frc") or operation.name.startswith("rnd")
            if (device == "dg2" and "df" in names) or (narrow and " " in names):
                continue
            if "bf" in names and (operation.is_ternary or operation.name == "cmpn"):
                continue  # which know no bf
            mixed = " " in names and operation.is_ternary
            into = "f" if mixed else names
            if operation.name in ("cmp", "cmpn"):
                into = "ud uw" if names != "df" else "uq ud"
            yield replace(operation, sources=(names,) * len(operation.sources), into=into)


def sweep(device: str, seed: int, repeat: int) -> Iterator[SweptInstruction]:
    """The instructions of a device, `repeat` of each combination of types."""
    choose = random.Random(f"{device} {seed}")
    for operation in (*OPERATIONS, *_float_operations(device)):
        if device not in operation.devices:
            continue
        for kinds, into in _kinds(operation, device):
            for _ in range(repeat):
                yield _instruction(choose, operation, tuple(kinds), into, device)


def _number(instruction: SweptInstruction, sources: list[Source], taken: bool) -> Number | None:
    """The stored number of a lane; `taken`: its predicate. None: not written."""
    name, into = instruction.operation.name, instruction.into
    saturate, condition = instruction.saturate, instruction.condition
    if name in ("sel", "csel"):
        if name == "csel":
            assert condition is not None
            first = model.holds(condition, sources[2].modified)
        elif condition is not None:
            is_extremum = condition in ("lt", "ge")  # of which a number is preferred to a NaN
            second_is_none = is_extremum and math.isnan(sources[1].modified)
            first = second_is_none or model.holds(
                condition, sources[0].modified, sources[1].modified
            )
            if condition == "ne" and any(math.isnan(each.modified) for each in sources[:2]):
                first = False
        else:
            first = taken
        chosen = sources[0 if first else 1].modified
        if into.is_float:
            return model.stored_float(float(chosen), into, saturate=saturate)
        return into.clamp(int(chosen)) if saturate else into.decode(into.wrap(int(chosen)))
    if sources[0].type.is_float or into.is_float:
        exact = model.float_result(name, sources) if sources[0].type.is_float else None
        if exact is None:
            value = sources[0].modified
            assert isinstance(value, int)
            exact = model.Fraction(value) if value else 0.0
        if name != "mov":
            kind = model.execution_type(sources, into)
            exact = kind.round(exact)
            if name == "frc" and exact >= 1:  # it is below one, even if that is not the nearest
                exact = 1 - 2.0 ** -(kind.fraction_bits + 1)
        return model.stored_float(exact, into, saturate=saturate)
    exact = model.integer_result(name, sources, into, instruction.function)
    return into.clamp(exact) if saturate else into.decode(into.wrap(exact))


def outcome(instruction: SweptInstruction, enabled: int, flags: int) -> Outcome:
    """What the instruction leaves with those channels enabled and that flag register before."""
    stored: list[Number | None] = []
    flagged: list[bool | None] = []
    name = instruction.operation.name
    source = instruction.sources[0]
    raw = (
        name == "mov" and source.type == instruction.into and source.type.is_float
        and not (instruction.saturate or instruction.condition or source.negate or source.absolute)
        and not source.text.startswith("0x")
    )  # fmt: skip
    for lane in range(instruction.lanes):
        channel = instruction.first_channel + lane
        taken = bool(flags >> channel & 1) != instruction.predicate.startswith("~")
        sources = [operand.of_lane(lane) for operand in instruction.sources]
        written = bool(enabled >> channel & 1)
        if instruction.predicate and name != "sel":
            written = written and taken
        if not written:
            stored.append(None)
            flagged.append(None)
            continue
        if name in ("cmp", "cmpn"):
            assert instruction.condition is not None
            truth = model.holds(instruction.condition, *(each.modified for each in sources))
            if name == "cmpn" and math.isnan(sources[1].modified):
                truth = instruction.condition != "ne"
            into = instruction.into
            stored.append(None if instruction.null else into.decode(into.wrap(-int(truth))))
            flagged.append(truth)
            continue
        number = _number(instruction, sources, taken)
        if raw:
            vertical, width, horizontal = source.region
            at = lane // width * vertical + lane % width * horizontal
            number = source.values[at]
        stored.append(number)
        if instruction.condition is None or name in ("sel", "csel"):
            flagged.append(None)
        elif instruction.condition == "ov":
            exact = model.integer_result(name, sources, instruction.into, instruction.function)
            flagged.append(not instruction.into.low <= exact <= instruction.into.high)
        else:
            assert number is not None
            flagged.append(model.holds(instruction.condition, number))
    return Outcome(tuple(stored), raw, tuple(flagged))
