"""Operands of native instruction words."""

from dataclasses import replace
from typing import Any

from zedbg.xe.instruction import NO_MATH_MACRO, Operand, Region, RegisterFile
from zedbg.xe.isa.encoding import Encoding
from zedbg.xe.isa.fields import DestinationFields, Field, SourceFields
from zedbg.xe.isa.names import Arf, DataType
from zedbg.xe.isa.operations import OperandTypes, TypeTable

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

    def __init__(self, encoding: Encoding, types: OperandTypes, word: int) -> None:
        self._encoding = encoding
        self._types = types
        self._word = word
        self.has_immediate64 = False  # a 64-bit immediate was among the sources

    def destination(self, layout: DestinationFields) -> Operand:
        """Of an instruction with one or two sources."""
        place = self._register_or_address(layout)
        strides = self._encoding.values.horizontal_strides
        horizontal = strides[self._get(layout.horizontal)]
        return Operand(**place, type=self._type(layout), region=Region(horizontal=horizontal or 0))

    def source(self, layout: SourceFields) -> Operand:
        """Of an instruction with one or two sources."""
        if self._get(layout.is_immediate):
            return self._immediate(layout)
        place = self._register_or_address(layout)
        return Operand(
            **place,
            type=self._type(layout),
            negate=bool(self._get(layout.negate)),
            absolute=bool(self._get(layout.absolute)),
            region=self._region(layout, indirect="indirect" in place),
        )

    def ternary_destination(self, layout: DestinationFields) -> Operand:
        """Of an instruction with three sources."""
        place = self._register(layout)
        horizontal = 2 if self._get(layout.horizontal) else 1
        return Operand(**place, type=self._type(layout), region=Region(horizontal=horizontal))

    def ternary_source(self, layout: SourceFields) -> Operand:
        """Of an instruction with three sources."""
        if self._get(layout.is_immediate):
            return self._ternary_immediate(layout)
        place = self._register(layout)
        return Operand(
            **place,
            type=self._type(layout),
            negate=bool(self._get(layout.negate)),
            absolute=bool(self._get(layout.absolute)),
            region=self._ternary_region(layout),
        )

    def systolic_sum(self, layout: DestinationFields | SourceFields) -> Operand:
        """Of dpas: the destination, or the source that is added."""
        return self._systolic(layout, self._encoding.values.dpas_sum_types)

    def systolic_factor(self, layout: SourceFields) -> Operand:
        """Of dpas: a source that is multiplied. Raises InvalidWordError."""
        operand = self._systolic(layout, self._encoding.values.dpas_factor_types)
        if operand.file is not RegisterFile.GRF:
            raise InvalidWordError("an architecture register as a factor of dpas")
        return operand

    def element_bits(self, multiplied: Operand, precision: Field) -> int:
        """Bits of one element of a factor of dpas; only those of byte types can be less than 8.

        Raises InvalidWordError.
        """
        value = self._get(precision)
        narrows = multiplied.type in (DataType.B, DataType.UB)
        if value >= (len(_DPAS_ELEMENT_BITS) if narrows else 1):
            raise InvalidWordError("reserved precision of a source of dpas")
        return _DPAS_ELEMENT_BITS[value]

    def scalar_dword(self, layout: DestinationFields | SourceFields) -> Operand:
        """Of a branch: a target, or what a call saves."""
        place = self._register(layout)
        if isinstance(layout, DestinationFields):
            return Operand(**place, region=Region(horizontal=1))
        return Operand(**place)

    def sync_register(self, layout: SourceFields) -> Operand:
        """Of sync: an architecture register. The type of the null register is of no account."""
        operand = Operand(**self._register(layout))
        if operand.is_null:
            kind = self._types.source[self._get(layout.type)]
            return replace(operand, type=kind or DataType.UB)
        return replace(operand, type=self._type(layout))

    def sync_immediate(self, layout: SourceFields) -> Operand:
        """Of sync: up to 32 bits. Raises InvalidWordError."""
        operand = self._immediate(layout)
        if self.has_immediate64:
            raise InvalidWordError("a 64-bit immediate on sync")
        return operand

    def sync_tokens(self, layout: SourceFields) -> Operand:
        """Of sync: one bit for each token, whatever the type says."""
        return Operand(file=RegisterFile.IMMEDIATE, immediate=self._get(layout.immediate))

    def payload(self, file: Field, register: Field) -> Operand:
        """Of a send: whole registers."""
        return Operand(**self._whole(file, register), region=Region(vertical=1))

    def as_math_macro(self, operand: Operand, math_macro: Field) -> Operand:
        """`operand` with its sub-register read as the number of an mme register.

        Raises InvalidWordError.
        """
        if operand.file is RegisterFile.IMMEDIATE:
            raise InvalidWordError("an immediate as the operand of a math macro")
        if operand.indirect:
            return operand
        number = self._get(math_macro)
        if number > NO_MATH_MACRO:
            raise InvalidWordError("reserved math macro register")
        return replace(operand, math_macro_register=number, byte_offset=0)

    def _get(self, field: Field) -> int:
        return field.extract(self._word)

    def _systolic(self, layout: DestinationFields | SourceFields, types: TypeTable) -> Operand:
        operand = Operand(**self._register(layout))
        region = Region(horizontal=1)
        if isinstance(layout, SourceFields):
            if self._get(layout.is_immediate):
                raise InvalidWordError("an immediate as the source of dpas")
            if operand.file is RegisterFile.ARF and not operand.is_null:
                raise InvalidWordError("an architecture register as the source of dpas")
            region = Region(vertical=1)
        kind = self._type_in(types, layout, "reserved data type of an operand of dpas")
        return replace(operand, type=kind, region=region)

    def _type(self, layout: DestinationFields | SourceFields) -> DataType:
        is_source = isinstance(layout, SourceFields)
        return self._type_in(self._types.source if is_source else self._types.destination, layout)

    def _type_in(
        self,
        types: TypeTable,
        layout: DestinationFields | SourceFields,
        reason: str = "reserved data type",
    ) -> DataType:
        kind = types[self._get(layout.type)]
        if kind is None:
            raise InvalidWordError(reason)
        return kind

    # Where an operand is, as arguments of Operand: to make one and to replace its values one after
    # the other would take longer than to decode them.

    def _register(self, layout: DestinationFields | SourceFields) -> dict[str, Any]:
        place = self._whole(layout.file, layout.register)
        place["byte_offset"] = self._get(layout.subregister) * layout.offset_unit
        return place

    def _register_or_address(self, layout: DestinationFields | SourceFields) -> dict[str, Any]:
        return self._indirect(layout) if self._get(layout.indirect) else self._register(layout)

    def _whole(self, file: Field, register: Field) -> dict[str, Any]:
        number = self._get(register)
        if self._get(file):
            return {"file": RegisterFile.GRF, "register_number": number}
        arf = self._encoding.values.architecture_registers[number >> 4]
        if arf is None:
            raise InvalidWordError("reserved architecture register")
        number &= 0xF
        first_math_macro = self._encoding.first_math_macro_accumulator
        if arf is Arf.ACCUMULATOR and number >= first_math_macro:
            arf = Arf.MME
            number -= first_math_macro
        return {"arf": arf, "register_number": number}

    def _indirect(self, layout: DestinationFields | SourceFields) -> dict[str, Any]:
        return {
            "file": RegisterFile.GRF,
            "indirect": True,
            "address_subregister": self._get(layout.address_subregister),
            "address_immediate": signed(layout.address_immediate, self._word) * layout.offset_unit,
        }

    def _immediate(self, layout: SourceFields) -> Operand:
        kind = self._type_in(self._types.immediate, layout, "reserved type of an immediate")
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
        kind = self._type(layout)
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
