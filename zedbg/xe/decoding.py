"""From instruction words to decoded instructions, with the ISA tables of `zedbg.xe.isa`.

`native/eu/decode/decode.cpp` decodes for the simulated GPU from the same tables.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from zedbg.xe.expansion import expand
from zedbg.xe.instruction import (
    COMPACT_LENGTH,
    NATIVE_LENGTH,
    Decoded,
    Operand,
    Region,
    Send,
)
from zedbg.xe.isa.encoding import ENCODINGS, Encoding
from zedbg.xe.isa.fields import Field
from zedbg.xe.isa.names import (
    BINARY_MATH_FUNCTIONS,
    MATH_MACROS,
    TOKEN_SYNC_FUNCTIONS,
    Condition,
)
from zedbg.xe.isa.opcodes import Format, Opcode, Trait
from zedbg.xe.isa.platform import Platform
from zedbg.xe.operand_decoding import InvalidWordError, OperandDecoder, signed
from zedbg.xe.scoreboard import annotation

_T = TypeVar("_T")
_FIRST_EXTENDED_DESCRIPTOR_BIT = 11
_BINDLESS_OFFSET_BIT = 15
_FIRST_HIGH_OFFSET_BIT = 19
_LARGEST_EXECUTION_SIZE_LOG2 = 5


def decode(platform: Platform, code: bytes) -> Decoded:
    """Decodes the instruction at the start of `code` (16 bytes; 8 are enough if compacted).

    Never fails: what makes no sense comes back as Opcode.ILLEGAL with `invalid_reason`, and the
    length that its compaction bit claims.
    """
    return _decode(platform, code[:NATIVE_LENGTH])


def decode_once(platform: Platform, code: bytes) -> Decoded:
    """As `decode`, for code that is looked at once: nothing is kept of it.

    A decoded instruction takes a hundred times its bytes.
    """
    return _decode.__wrapped__(platform, code[:NATIVE_LENGTH])


def is_compacted(platform: Platform, code: bytes) -> bool:
    """Whether the instruction whose first 8 bytes are in `code` has the 8-byte form."""
    encoding = ENCODINGS[platform]
    return bool(encoding.common.compacted.extract(int.from_bytes(code[:COMPACT_LENGTH], "little")))


def decode_head(platform: Platform, code: bytes) -> tuple[Opcode | None, int]:
    """Opcode and length (bytes) of the instruction at the start of `code`, without its operands.

    None where the opcode is reserved. What comes after the head may still make no sense.
    """
    encoding = ENCODINGS[platform]
    word = int.from_bytes(code[:COMPACT_LENGTH], "little")
    opcode = encoding.opcodes.get(encoding.common.opcode.extract(word))
    return opcode, COMPACT_LENGTH if is_compacted(platform, code) else NATIVE_LENGTH


@lru_cache(maxsize=8192)
def _decode(platform: Platform, code: bytes) -> Decoded:
    encoding = ENCODINGS[platform]
    if len(code) < COMPACT_LENGTH:
        return _invalid("fewer than 8 bytes", NATIVE_LENGTH)
    length = COMPACT_LENGTH if is_compacted(platform, code) else NATIVE_LENGTH
    if len(code) < length:
        return _invalid("fewer than 16 bytes", length)
    word = int.from_bytes(code[:length], "little")
    opcode = encoding.opcodes.get(encoding.common.opcode.extract(word))
    if opcode is None:
        return _invalid("reserved opcode", length)
    if length == COMPACT_LENGTH:
        native = expand(encoding, opcode, word)
        if native is None:
            stops = bool(encoding.compact_breakpoint.extract(word))
            return _invalid("no such compacted form", length, stops)
        word = native
    try:
        return _Decoder(encoding, opcode, word, length).run()
    except InvalidWordError as error:
        return _invalid(str(error), length, bool(encoding.common.breakpoint.extract(word)))


def _invalid(reason: str, length: int, stops: bool = False) -> Decoded:
    return Decoded(Opcode.ILLEGAL, length, invalid_reason=reason, breakpoint=stops)


class _Decoder:
    """Decodes one native word."""

    def __init__(self, encoding: Encoding, opcode: Opcode, word: int, length: int) -> None:
        self._encoding = encoding
        self._opcode = opcode
        self._word = word
        self._length = length
        self._features = encoding.features
        self._operands = OperandDecoder(encoding, encoding.operand_types(opcode), word)

    def run(self) -> Decoded:
        """The instruction; InvalidWordError where the word makes no sense."""
        common = self._encoding.common
        fields: dict[str, Any] = {
            "scoreboard": annotation(
                self._encoding.scoreboard, self._opcode, self._get(common.scoreboard)
            ),
            "breakpoint": self._flag(common.breakpoint),
        }
        match self._opcode.format:
            case Format.ILLEGAL:
                raise InvalidWordError("opcode 0 is the illegal instruction")
            case Format.NOP:
                pass
            case Format.SYNC:
                fields |= self._sync()
            case Format.UNARY:
                fields |= self._basic(1)
            case Format.BINARY:
                fields |= self._basic(2)
            case Format.MATH:
                fields |= self._math()
            case Format.TERNARY:
                fields |= self._three_sources() | self._condition(common.condition)
            case Format.BFN:
                fields |= self._boolean_function()
            case Format.MADM:
                fields |= self._math_macro_mad()
            case Format.DPAS:
                fields |= self._dpas()
            case Format.JUMP:
                fields |= self._jump()
            case Format.DIVERGE:
                fields |= self._diverge()
            case Format.CALL:
                fields |= self._call()
            case Format.SEND:
                fields |= self._send()
        return Decoded(self._opcode, self._length, **fields)

    def _get(self, field: Field) -> int:
        return field.extract(self._word)

    def _flag(self, field: Field) -> bool:
        return bool(self._get(field))

    def _meaning(self, table: tuple[_T | None, ...], field: Field, reason: str) -> _T:
        value = self._get(field)
        meaning = table[value] if value < len(table) else None
        if meaning is None:
            raise InvalidWordError(reason)
        return meaning

    def _execution_controls(self) -> dict[str, Any]:
        common, values = self._encoding.common, self._encoding.values
        log2 = self._get(common.execution_size)
        if log2 > _LARGEST_EXECUTION_SIZE_LOG2:
            raise InvalidWordError("reserved execution size")
        fields: dict[str, Any] = {
            "execution_size": 1 << log2,
            "channel_offset": self._get(common.channel_offset) * self._encoding.channel_offset_unit,
            "no_mask": self._flag(common.no_mask),
            "flag_register": self._get(common.flag_register),
            "flag_subregister": self._get(common.flag_subregister),
            "atomic": self._flag(common.atomic),
        }
        if self._opcode not in self._features.without_predicate:
            fields["predicate"] = self._meaning(
                values.predicates, common.predicate, "reserved predicate control"
            )
            fields["predicate_inverted"] = self._flag(common.predicate_inverted)
        return fields

    def _arithmetic_controls(self) -> dict[str, Any]:
        common = self._encoding.common
        saturates = self._opcode not in self._features.without_saturation
        return self._execution_controls() | {
            "accumulator_write": self._flag(common.accumulator_write),
            "saturate": saturates and self._flag(common.saturate),
        }

    def _condition(self, field: Field) -> dict[str, Any]:
        if self._opcode in self._features.without_condition:
            return {}
        conditions = self._encoding.values.conditions
        return {"condition": self._meaning(conditions, field, "reserved condition modifier")}

    def _unmodified(self, source: Operand) -> Operand:
        """`source`, without modifiers where the operation has none."""
        modified = source.negate or source.absolute
        if modified and self._opcode in self._features.without_source_modifiers:
            return replace(source, negate=False, absolute=False)
        return source

    def _basic(self, sources: int) -> dict[str, Any]:
        layout = self._encoding.basic
        fields = self._arithmetic_controls()
        fields["destination"] = self._operands.destination(layout.destination)
        if sources == 2 and self._flag(layout.source0.is_immediate):
            raise InvalidWordError("an immediate first source with two sources")
        layouts = (layout.source0, layout.source1)[:sources]
        fields["sources"] = tuple(
            self._unmodified(self._operands.source(source)) for source in layouts
        )
        # The upper dword of a 64-bit immediate lies where the condition modifier would.
        if not self._operands.has_immediate64:
            fields |= self._condition(self._encoding.common.condition)
        return fields

    def _sync(self) -> dict[str, Any]:
        layout = self._encoding.basic
        fields = self._execution_controls()
        fields["execution_size"] = 1
        values = self._encoding.values
        if self._flag(layout.source0.is_immediate):
            functions, reason = values.sync_functions_of_immediates, "no such sync of an immediate"
            operand = (
                self._operands.sync_tokens(layout.source0)
                if functions[self._get(layout.function)] in TOKEN_SYNC_FUNCTIONS
                else self._operands.sync_immediate(layout.source0)
            )
            fields["sources"] = (operand,)
        else:
            functions, reason = values.sync_functions, "reserved sync function"
            if self._flag(layout.source0.file):
                raise InvalidWordError("a general register as the operand of sync")
            if self._encoding.sync_has_register:
                fields["sources"] = (self._operands.sync_register(layout.source0),)
        fields["sync"] = self._meaning(functions, layout.function, reason)
        return fields

    def _math(self) -> dict[str, Any]:
        layout = self._encoding.math
        if self._flag(layout.must_be_zero):
            raise InvalidWordError("an indirect destination on math")
        fields = self._arithmetic_controls()
        function = self._meaning(
            self._encoding.values.math_functions, layout.function, "reserved math function"
        )
        count = 2 if function in BINARY_MATH_FUNCTIONS else 1
        layouts = (layout.source0, layout.source1)[:count]
        destination = self._operands.destination(layout.destination)
        sources = tuple(self._operands.source(source) for source in layouts)
        if self._operands.has_immediate64:
            raise InvalidWordError("a 64-bit immediate on math")
        if function in MATH_MACROS:
            fields["condition"] = Condition.EO
            macro = self._operands.as_math_macro
            destination = macro(destination, layout.destination.math_macro)
            sources = tuple(
                macro(operand, source.math_macro)
                for operand, source in zip(sources, layouts, strict=True)
            )
        return fields | {"math": function, "destination": destination, "sources": sources}

    def _three_sources(self) -> dict[str, Any]:
        layout = self._encoding.ternary
        return self._arithmetic_controls() | {
            "destination": self._operands.ternary_destination(layout.destination),
            "sources": tuple(
                self._unmodified(self._operands.ternary_source(source))
                for source in (layout.source0, layout.source1, layout.source2)
            ),
        }

    def _boolean_function(self) -> dict[str, Any]:
        layout = self._encoding.ternary
        fields = self._three_sources()
        fields["condition"] = self._meaning(
            self._encoding.values.boolean_conditions, layout.boolean_condition, ""
        )
        fields["boolean_function"] = self._get(layout.boolean_function)
        return fields

    def _math_macro_mad(self) -> dict[str, Any]:
        layout = self._encoding.ternary
        fields = self._three_sources() | self._condition(self._encoding.common.condition)
        macro = self._operands.as_math_macro
        destination = macro(fields["destination"], layout.destination.math_macro)
        fields["destination"] = replace(destination, region=Region(horizontal=1))
        layouts = (layout.source0, layout.source1, layout.source2)
        fields["sources"] = tuple(
            macro(operand, source.math_macro)
            for operand, source in zip(fields["sources"], layouts, strict=True)
        )
        return fields

    def _dpas(self) -> dict[str, Any]:
        layout, extra = self._encoding.ternary, self._encoding.dpas
        added = self._operands.systolic_sum(layout.source0)
        factors = (
            self._operands.systolic_factor(layout.source1),
            self._operands.systolic_factor(layout.source2),
        )
        depth = self._meaning(
            self._encoding.values.systolic_depths, extra.depth, "reserved systolic depth"
        )
        return self._arithmetic_controls() | {
            "destination": self._operands.systolic_sum(layout.destination),
            "sources": (added, *factors),
            "dpas_depth": depth,
            "dpas_repeat": self._get(extra.repeat) + 1,
            "dpas_bits": (
                self._operands.element_bits(factors[0], extra.source1_precision),
                self._operands.element_bits(factors[1], extra.source2_precision),
            ),
        }

    def _target(self) -> dict[str, Any]:
        """The target in JIP: an immediate, or the first source."""
        branch = self._encoding.branch
        if self._flag(branch.jip_is_immediate):
            return {"jip": signed(branch.jip, self._word)}
        return {"sources": (self._operands.scalar_dword(self._encoding.basic.source0),)}

    def _jump(self) -> dict[str, Any]:
        fields = self._execution_controls() | self._target()
        if self._opcode is Opcode.JMPI:
            fields["execution_size"] = 1
        return fields

    def _diverge(self) -> dict[str, Any]:
        branch = self._encoding.branch
        fields = self._execution_controls()
        if not self._flag(branch.jip_is_immediate):
            raise InvalidWordError("a register where a jump needs an immediate")
        if not self._flag(branch.uip_is_immediate):
            raise InvalidWordError("a jump without its second immediate target")
        return fields | {
            "branch_control": self._opcode.has_trait(Trait.BRANCH_CONTROL)
            and self._flag(branch.branch_control),
            "jip": signed(branch.jip, self._word),
            "uip": signed(branch.uip, self._word),
        }

    def _call(self) -> dict[str, Any]:
        destination = self._operands.scalar_dword(self._encoding.basic.destination)
        return self._execution_controls() | {"destination": destination} | self._target()

    def _extended_offset(self, bindless_bit: bool) -> int:
        """What is added to the extended descriptor in a register."""
        layout = self._encoding.send
        low = self._get(layout.extended_offset_low) << _FIRST_EXTENDED_DESCRIPTOR_BIT
        high = self._get(layout.extended_offset_high) << _FIRST_HIGH_OFFSET_BIT
        return low | bindless_bit << _BINDLESS_OFFSET_BIT | high

    def _send(self) -> dict[str, Any]:
        layout = self._encoding.send
        in_register = self._flag(layout.extended_descriptor_in_register)
        function = self._meaning(
            self._encoding.values.shared_functions,
            layout.shared_function,
            "reserved shared function",
        )
        has_bindless = function in self._encoding.values.bindless_offset_functions
        bindless_bit = self._flag(layout.extended_bindless_offset)
        bindless = in_register and has_bindless and bindless_bit
        extended = self._get(layout.extended_descriptor) << _FIRST_EXTENDED_DESCRIPTOR_BIT
        descriptor = self._get(layout.descriptor)
        send = Send(
            function=function,
            descriptor=None if self._flag(layout.descriptor_in_register) else descriptor,
            extended_descriptor=None if in_register else extended,
            extended_descriptor_subregister=self._get(layout.extended_descriptor_subregister)
            if in_register
            else 0,
            extended_bindless_offset=bindless,
            extended_offset=self._extended_offset(bindless_bit and not has_bindless)
            if in_register
            else 0,
            source1_length=None
            if in_register and has_bindless and not bindless
            else self._get(layout.source1_length),
            end_of_thread=self._flag(layout.end_of_thread),
            serialize=self._flag(layout.serialize),
            coarse_pixel=bindless and self._flag(layout.coarse_pixel),
        )
        return self._execution_controls() | {
            "send": send,
            "destination": self._operands.payload(layout.destination_file, layout.destination),
            "sources": (
                self._operands.payload(layout.source0_file, layout.source0),
                self._operands.payload(layout.source1_file, layout.source1),
            ),
        }
