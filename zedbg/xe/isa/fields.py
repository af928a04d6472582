"""Bit fields of instruction words, and the groups of fields that formats are made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Segment:
    """`width` bits of a word, from bit `low` upwards."""

    low: int
    width: int


@dataclass(frozen=True)
class Field:
    """A value that lies in one or more segments of a word, least significant segment first.

    A field without segments is absent from the platform: it reads as zero.
    """

    segments: tuple[Segment, ...] = ()

    @property
    def width(self) -> int:
        """Bits of the value."""
        return sum(segment.width for segment in self.segments)

    def extract(self, word: int) -> int:
        """The field's value in `word` (a 64- or 128-bit word as an integer)."""
        if len(self.segments) == 1:
            (segment,) = self.segments
            return word >> segment.low & ((1 << segment.width) - 1)
        value = 0
        position = 0
        for segment in self.segments:
            bits = (word >> segment.low) & ((1 << segment.width) - 1)
            value |= bits << position
            position += segment.width
        return value

    def insert(self, value: int) -> int:
        """A word that is zero but for this field, which holds `value`."""
        word = 0
        for segment in self.segments:
            word |= (value & ((1 << segment.width) - 1)) << segment.low
            value >>= segment.width
        return word


ABSENT = Field()


def bits(high: int, low: int) -> Field:
    """The field in bits `high` to `low`, inclusive."""
    return Field((Segment(low, high - low + 1),))


def bit(position: int) -> Field:
    """The one-bit field at `position`."""
    return bits(position, position)


def join(*parts: Field) -> Field:
    """The field made of `parts`, least significant first."""
    return Field(tuple(segment for part in parts for segment in part.segments))


@dataclass(frozen=True)
class CommonFields:
    """What nearly every native instruction has in the same place."""

    opcode: Field
    scoreboard: Field  # SWSB: software scoreboard annotation
    execution_size: Field  # log2 of the lanes
    channel_offset: Field  # in units of Encoding.channel_offset_unit lanes
    flag_subregister: Field
    flag_register: Field
    predicate: Field
    predicate_inverted: Field
    compacted: Field
    breakpoint: Field  # DebugCtrl
    no_mask: Field  # MaskCtrl
    atomic: Field
    accumulator_write: Field  # AccWrCtrl
    saturate: Field
    condition: Field


@dataclass(frozen=True)
class DestinationFields:
    """A destination operand."""

    indirect: Field
    type: Field
    horizontal: Field
    file: Field
    subregister: Field  # in units of `offset_unit`
    register: Field
    address_subregister: Field
    address_immediate: Field  # signed, in units of `offset_unit`
    math_macro: Field  # mmeN of an operand of a math macro; 8 is none
    offset_unit: int  # bytes


@dataclass(frozen=True)
class SourceFields:
    """A source operand: a register region or an immediate."""

    is_immediate: Field
    type: Field
    absolute: Field
    negate: Field
    horizontal: Field
    width: Field
    vertical: Field
    file: Field
    subregister: Field
    register: Field
    indirect: Field
    address_subregister: Field
    address_immediate: Field
    math_macro: Field
    immediate: Field  # up to 32 bits
    immediate64: Field
    offset_unit: int  # bytes in a step of the sub-register and of the address immediate


@dataclass(frozen=True)
class BasicFields:
    """Instructions with one or two sources; those of `math` and `sync`."""

    destination: DestinationFields
    source0: SourceFields
    source1: SourceFields
    function: Field  # of math and sync
    must_be_zero: Field


@dataclass(frozen=True)
class TernaryFields:
    """Instructions with three sources."""

    destination: DestinationFields
    source0: SourceFields
    source1: SourceFields
    source2: SourceFields
    boolean_function: Field  # truth table of bfn
    boolean_condition: Field  # where bfn has its condition modifier


@dataclass(frozen=True)
class DpasFields:
    """Systolic dot product: the fields that differ from the other ternary instructions."""

    depth: Field  # log2
    repeat: Field  # count - 1
    source1_precision: Field  # sub-byte precision
    source2_precision: Field


@dataclass(frozen=True)
class BranchFields:
    """Control flow."""

    jip: Field  # signed bytes from this instruction
    uip: Field
    jip_is_immediate: Field
    uip_is_immediate: Field
    branch_control: Field


@dataclass(frozen=True)
class SendFields:
    """`send` and `sendc`."""

    shared_function: Field
    descriptor: Field
    descriptor_in_register: Field
    extended_descriptor: Field
    extended_descriptor_in_register: Field
    extended_descriptor_subregister: Field
    extended_bindless_offset: Field  # ExBSO
    # What is added to an extended descriptor in a register: its bits 14:11 and 31:19. The bit of
    # ExBSO is bit 15 where the shared function has no such option.
    extended_offset_low: Field
    extended_offset_high: Field
    source1_length: Field  # GRFs
    destination_file: Field
    destination: Field
    source0_file: Field
    source0: Field
    source1_file: Field
    source1: Field
    end_of_thread: Field
    serialize: Field
    coarse_pixel: Field  # CPS, with ExBSO
