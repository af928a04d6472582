"""Operands of native instruction words."""

from dataclasses import replace

from zedbg.xe.instruction import NO_MATH_MACRO, Operand, Region, RegisterFile
from zedbg.xe.isa import Encoding
from zedbg.xe.isa.fields import DestinationFields, Field, SourceFields
from zedbg.xe.isa.names import Arf, DataType

_FIRST_MATH_MACRO_ACCUMULATOR = 8  # acc8 and up are mme0 and up
_IMMEDIATE_BITS = {
    DataType.UW: 16,
    DataType.W: 16,
    DataType.HF: 16,
    DataType.BF: 16,
    DataType.UQ: 64,
    DataType.Q: 64,
    DataType.DF: 64,
}
_TERNARY_IMMEDIATE_TYPES = frozenset(
    {DataType.UW, DataType.W, DataType.UD, DataType.D, DataType.HF, DataType.BF}
)
_DPAS_ELEMENT_BITS = (8, 4, 2)


class InvalidWordError(Exception):
    """The word makes no sense; the message says why."""


def signed(field: Field, word: int) -> int:
    """The field's value in two's complement."""
    value = field.extract(word)
    return value - (1 << field.width) if value >> (field.width - 1) else value


class OperandDecoder:
    """Decodes the operands of one native word; InvalidWordError where they make no sense."""

    def __init__(self, encoding: Encoding, word: int) -> None:
        self._encoding = encoding
        self._word = word
        self.has_immediate64 = False  # a 64-bit immediate was among the sources

    def destination(self, layout: DestinationFields) -> Operand:
        """Of an instruction with one or two sources."""
        if self._get(layout.indirect):
            operand = self._indirect(layout.address_subregister, layout.address_immediate)
        else:
            operand = self._register(layout.file, layout.register, layout.subregister)
        strides = self._encoding.values.horizontal_strides
        horizontal = strides[self._get(layout.horizontal)]
        return replace(
            operand, type=self._type(layout.type), region=Region(horizontal=horizontal or 0)
        )

    def source(self, layout: SourceFields) -> Operand:
        """Of an instruction with one or two sources."""
        if self._get(layout.is_immediate):
            return self._immediate(layout)
        if self._get(layout.indirect):
            operand = self._indirect(layout.address_subregister, layout.address_immediate)
        else:
            operand = self._register(layout.file, layout.register, layout.subregister)
        return replace(
            operand,
            type=self._type(layout.type),
            negate=bool(self._get(layout.negate)),
            absolute=bool(self._get(layout.absolute)),
            region=self._region(layout, indirect=operand.indirect),
        )

    def ternary_destination(self, layout: DestinationFields) -> Operand:
        """Of an instruction with three sources."""
        operand = self._register(layout.file, layout.register, layout.subregister)
        horizontal = 2 if self._get(layout.horizontal) else 1
        return replace(operand, type=self._type(layout.type), region=Region(horizontal=horizontal))

    def ternary_source(self, layout: SourceFields) -> Operand:
        """Of an instruction with three sources."""
        if self._get(layout.is_immediate):
            return self._ternary_immediate(layout)
        operand = self._register(layout.file, layout.register, layout.subregister)
        return replace(
            operand,
            type=self._type(layout.type),
            negate=bool(self._get(layout.negate)),
            absolute=bool(self._get(layout.absolute)),
            region=self._ternary_region(layout),
        )

    def whole_register(self, layout: DestinationFields | SourceFields) -> Operand:
        """Of dpas: the destination, or the source that is added."""
        operand = self._register(layout.file, layout.register, layout.subregister)
        region = Region(horizontal=1)
        if isinstance(layout, SourceFields):
            if self._get(layout.is_immediate):
                raise InvalidWordError("an immediate as the source of dpas")
            if operand.file is RegisterFile.ARF and not operand.is_null:
                raise InvalidWordError("an architecture register as the source of dpas")
            region = Region(vertical=1)
        return replace(operand, type=self._type(layout.type), region=region)

    def multiplied_register(self, layout: SourceFields) -> Operand:
        """Of dpas: a source that is multiplied."""
        operand = self.whole_register(layout)
        if operand.file is not RegisterFile.GRF:
            raise InvalidWordError("an architecture register as a factor of dpas")
        if self._encoding.values.dpas_factor_types[self._get(layout.type)] is None:
            raise InvalidWordError("reserved data type of a factor of dpas")
        return operand

    def element_bits(self, multiplied: Operand, precision: Field) -> int:
        """Bits of one element of a factor of dpas; only those of byte types can be less than 8."""
        value = self._get(precision)
        narrows = multiplied.type in (DataType.B, DataType.UB)
        if value >= (len(_DPAS_ELEMENT_BITS) if narrows else 1):
            raise InvalidWordError("reserved precision of a source of dpas")
        return _DPAS_ELEMENT_BITS[value]

    def scalar_dword(self, layout: DestinationFields | SourceFields) -> Operand:
        """Of a branch: a target, or what a call saves."""
        operand = self._register(layout.file, layout.register, layout.subregister)
        if isinstance(layout, DestinationFields):
            return replace(operand, region=Region(horizontal=1))
        return operand

    def payload(self, file: Field, register: Field) -> Operand:
        """Of a send: whole registers."""
        return replace(self._register(file, register, Field()), region=Region(vertical=1))

    def as_math_macro(self, operand: Operand, math_macro: Field) -> Operand:
        """`operand` with its sub-register read as the number of an mme register."""
        if operand.file is RegisterFile.IMMEDIATE:
            raise InvalidWordError("an immediate as the operand of a math macro")
        number = self._get(math_macro)
        if number > NO_MATH_MACRO:
            raise InvalidWordError("reserved math macro register")
        return replace(operand, math_macro_register=number, byte_offset=0)

    def _get(self, field: Field) -> int:
        return field.extract(self._word)

    def _type(self, field: Field) -> DataType:
        kind = self._encoding.values.register_types[self._get(field)]
        if kind is None:
            raise InvalidWordError("reserved data type")
        return kind

    def _register(self, file: Field, register: Field, subregister: Field) -> Operand:
        number = self._get(register)
        byte_offset = self._get(subregister) * self._encoding.subregister_unit
        if self._get(file):
            return Operand(file=RegisterFile.GRF, register_number=number, byte_offset=byte_offset)
        arf = self._encoding.values.architecture_registers[number >> 4]
        if arf is None:
            raise InvalidWordError("reserved architecture register")
        number &= 0xF
        if arf is Arf.ACCUMULATOR and number >= _FIRST_MATH_MACRO_ACCUMULATOR:
            arf = Arf.MME
            number -= _FIRST_MATH_MACRO_ACCUMULATOR
        return Operand(arf=arf, register_number=number, byte_offset=byte_offset)

    def _indirect(self, subregister: Field, immediate: Field) -> Operand:
        return Operand(
            file=RegisterFile.GRF,
            indirect=True,
            address_subregister=self._get(subregister),
            address_immediate=signed(immediate, self._word),
        )

    def _immediate(self, layout: SourceFields) -> Operand:
        kind = self._encoding.values.immediate_types[self._get(layout.type)]
        if kind is None:
            raise InvalidWordError("reserved type of an immediate")
        width = _IMMEDIATE_BITS.get(kind, 32)
        if width <= 32:
            value = self._get(layout.immediate) & ((1 << width) - 1)
        elif layout.immediate64.segments:
            self.has_immediate64 = True
            value = self._get(layout.immediate64)
        else:
            raise InvalidWordError("a 64-bit immediate with two sources")
        return Operand(file=RegisterFile.IMMEDIATE, type=kind, immediate=value)

    def _ternary_immediate(self, layout: SourceFields) -> Operand:
        kind = self._type(layout.type)
        if kind not in _TERNARY_IMMEDIATE_TYPES:
            raise InvalidWordError("a 16-bit immediate of a type that has none")
        value = self._get(layout.immediate)
        if kind is DataType.D:
            value = signed(layout.immediate, self._word) & 0xFFFFFFFF
        return Operand(file=RegisterFile.IMMEDIATE, type=kind, immediate=value)

    def _region(self, layout: SourceFields, *, indirect: bool) -> Region:
        values = self._encoding.values
        vertical = self._get(layout.vertical)
        width = values.widths[self._get(layout.width)]
        horizontal = values.horizontal_strides[self._get(layout.horizontal)] or 0
        if width is None:
            raise InvalidWordError("reserved region width")
        if vertical == values.vertical_by_address and indirect:
            return Region(width=width, horizontal=horizontal, vertical_by_address=True)
        stride = values.vertical_strides[vertical]
        if stride is None:
            raise InvalidWordError("reserved vertical stride")
        return Region(stride, width, horizontal)

    def _ternary_region(self, layout: SourceFields) -> Region:
        """`<vertical; horizontal>` with the width that these imply; the last source has one."""
        values = self._encoding.values
        horizontal = values.horizontal_strides[self._get(layout.horizontal)] or 0
        if not layout.vertical.segments:
            return Region(vertical=horizontal)
        vertical = values.ternary_vertical_strides[self._get(layout.vertical)] or 0
        if horizontal == 0:
            return Region(vertical=vertical)
        if vertical < horizontal:
            raise InvalidWordError("a region whose strides imply no width")
        return Region(vertical, vertical // horizontal, horizontal)
