"""Text of decoded instructions, in the syntax of Intel's assembler (IGA)."""

from collections.abc import Callable
from dataclasses import replace

from zedbg.xe.immediates import immediate_text
from zedbg.xe.instruction import NO_MATH_MACRO, Decoded, Operand, Region, RegisterFile
from zedbg.xe.isa.encoding import Encoding, UnstructuredRegisters
from zedbg.xe.isa.names import (
    MATH_MACROS,
    TOKEN_SYNC_FUNCTIONS,
    Arf,
    Condition,
    Predicate,
)
from zedbg.xe.isa.opcodes import Format, Opcode, Trait

Label = Callable[[int], str]

_UNNUMBERED = frozenset({Arf.NULL, Arf.CHANNEL_ENABLE, Arf.INSTRUCTION_POINTER})


def instruction_text(encoding: Encoding, decoded: Decoded, address: int, label: Label) -> str:
    """One line; `label` writes the address of a branch target."""
    decoded = _counted(encoding.unstructured, decoded)
    words = [
        _predication(decoded),
        _mnemonic(decoded),
        _execution(decoded),
        _condition(decoded),
        *_operands(decoded, address, label),
        _options(decoded),
    ]
    return " ".join(word for word in words if word)


def _counted(unstructured: UnstructuredRegisters, decoded: Decoded) -> Decoded:
    """`decoded` with offsets into registers without elements as Intel's assembler counts them."""

    def is_unstructured(operand: Operand) -> bool:
        return operand.file is RegisterFile.ARF and operand.arf in unstructured.registers

    operands = (decoded.destination, *decoded.sources)
    if not any(each is not None and is_unstructured(each) for each in operands):
        return decoded

    def counted(operand: Operand) -> Operand:
        if not is_unstructured(operand):
            return operand
        # As so many elements, so that what is written is the number of units.
        units = operand.byte_offset // unstructured.unit
        return replace(operand, byte_offset=units * operand.type.size)

    return replace(
        decoded,
        destination=decoded.destination and counted(decoded.destination),
        sources=tuple(map(counted, decoded.sources)),
    )


def _mnemonic(decoded: Decoded) -> str:
    if decoded.opcode is Opcode.BFN:
        return f"bfn.0x{decoded.boolean_function:02X}"
    if decoded.opcode.format is Format.DPAS:
        return f"{decoded.opcode.value}.{decoded.dpas_depth}x{decoded.dpas_repeat}"
    return decoded.mnemonic


def _predication(decoded: Decoded) -> str:
    parts = []
    if decoded.no_mask:
        parts.append("W")
    if decoded.predicate is not Predicate.NONE:
        inversion = "~" if decoded.predicate_inverted else ""
        group = "" if decoded.predicate is Predicate.NORMAL else f".{decoded.predicate.value}"
        parts.append(f"{inversion}{_flag(decoded)}{group}")
    return f"({'&'.join(parts)})" if parts else ""


def _flag(decoded: Decoded) -> str:
    return f"f{decoded.flag_register}.{decoded.flag_subregister}"


def _execution(decoded: Decoded) -> str:
    if decoded.opcode.has_trait(Trait.WITHOUT_EXECUTION_SIZE):
        return ""
    return f"({decoded.execution_size}|M{decoded.channel_offset})"


def _condition(decoded: Decoded) -> str:
    if decoded.condition is Condition.NONE:
        return ""
    return f"({decoded.condition.value}){_flag(decoded)}"


def _operands(decoded: Decoded, address: int, label: Label) -> list[str]:
    match decoded.opcode.format:
        case Format.ILLEGAL | Format.NOP:
            return []
        case Format.SYNC:
            return [_sync_operand(decoded)]
        case Format.JUMP | Format.DIVERGE | Format.CALL:
            saved = [] if decoded.destination is None else [register_text(decoded.destination)]
            return saved + _targets(decoded, address, label)
        case Format.SEND:
            return _send_operands(decoded)
        case Format.DPAS:
            return _dpas_operands(decoded)
        case _:
            return _arithmetic_operands(decoded)


def _sync_operand(decoded: Decoded) -> str:
    source = decoded.sources[0] if decoded.sources else Operand()
    if source.file is RegisterFile.ARF:
        kind = "" if source.is_null else f":{source.type.value}"
        return f"{register_text(source)}{kind}"
    if decoded.sync in TOKEN_SYNC_FUNCTIONS:
        mask = source.immediate
        names = (f"${token}" for token in range(mask.bit_length()) if mask >> token & 1)
        return f"({','.join(names)})"
    return immediate_text(source.type, source.immediate).removesuffix(":ud")


def _targets(decoded: Decoded, address: int, label: Label) -> list[str]:
    distances = (decoded.jip, decoded.uip)
    targets = [label(address + distance) for distance in distances if distance is not None]
    return [*map(register_text, decoded.sources), *targets]


def _send_operands(decoded: Decoded) -> list[str]:
    send = decoded.send
    if send is None or decoded.destination is None:
        raise ValueError("a send without its fields")
    length = "" if send.source1_length is None else f":{send.source1_length}"
    if length and decoded.sources[1].is_null:
        length = ":0"
    offset = f"0x{send.extended_offset:X}:" if send.extended_offset else ""
    extended = (
        f"{offset}a0.{send.extended_descriptor_subregister}"
        if send.extended_descriptor is None
        else f"0x{send.extended_descriptor:X}"
    )
    descriptor = "a0.0" if send.descriptor is None else f"0x{send.descriptor:08X}"
    return [
        whole_register_text(decoded.destination),
        whole_register_text(decoded.sources[0]),
        whole_register_text(decoded.sources[1]) + length,
        extended,
        descriptor,
    ]


def _dpas_operands(decoded: Decoded) -> list[str]:
    if decoded.destination is None:
        raise ValueError("dpas without a destination")
    narrow = dict(zip((1, 2), decoded.dpas_bits, strict=True))
    texts = []
    for position, operand in enumerate((decoded.destination, *decoded.sources)):
        bits = narrow.get(position - 1, 8)
        kind = operand.type.value if bits == 8 else f"{_sign_letter(operand)}{bits}"
        # The last source may start inside a register, so its sub-register is always there.
        subregister = operand.byte_offset * 8 // (operand.type.size * 8 if bits == 8 else bits)
        inside = f".{subregister}" if subregister or position == 3 else ""
        texts.append(f"{whole_register_text(operand)}{inside}:{kind}")
    return texts


def _sign_letter(operand: Operand) -> str:
    return "s" if operand.type.value == "b" else "u"


def _arithmetic_operands(decoded: Decoded) -> list[str]:
    if decoded.destination is None:
        raise ValueError(f"{decoded.mnemonic} without a destination")
    ternary = decoded.opcode.format in (Format.TERNARY, Format.BFN)
    bitwise = decoded.opcode.has_trait(Trait.BITWISE)
    saturation = "(sat)" if decoded.saturate else ""
    texts = [saturation + _destination_text(decoded.destination)]
    for position, source in enumerate(decoded.sources):
        if source.file is RegisterFile.IMMEDIATE:
            texts.append(immediate_text(source.type, source.immediate))
            continue
        if source.math_macro_register is not None:
            region = _macro_region(source)
        elif decoded.math in MATH_MACROS:  # addressed by a register, so without an mme number
            region = ""
        elif ternary:
            region = _ternary_region(source.region, last=position == 2)
        else:
            region = _region(source.region)
        modifier = _modifier(source, bitwise=bitwise)
        texts.append(f"{modifier}{_located(source)}{region}:{source.type.value}")
    return texts


def _destination_text(operand: Operand) -> str:
    region = _macro_region(operand)
    if not region or operand.region.horizontal != 1:
        region += f"<{operand.region.horizontal}>"
    return f"{_located(operand)}{region}:{operand.type.value}"


def _modifier(operand: Operand, *, bitwise: bool) -> str:
    if operand.negate and bitwise and not operand.absolute:
        return "~"
    return f"{'-' if operand.negate else ''}{'(abs)' if operand.absolute else ''}"


def _located(operand: Operand) -> str:
    """The register with its sub-register, but for the operands of math macros."""
    if operand.indirect:
        immediate = f",{operand.address_immediate}" if operand.address_immediate else ""
        return f"r[a0.{operand.address_subregister}{immediate}]"
    if operand.math_macro_register is not None:
        return whole_register_text(operand)
    return register_text(operand)


def register_text(operand: Operand) -> str:
    """A register with its sub-register in elements: `r5.1`, `cr0.0`, `null`."""
    name = whole_register_text(operand)
    subregister = operand.byte_offset // operand.type.size
    if operand.file is RegisterFile.ARF and operand.arf in _UNNUMBERED:
        return f"{name}.{subregister}" if subregister else name
    return f"{name}.{subregister}"


def whole_register_text(operand: Operand) -> str:
    """A register without its sub-register: `r5`, `acc0`, `null`."""
    if operand.file is RegisterFile.GRF:
        return f"r{operand.register_number}"
    if operand.arf in _UNNUMBERED:
        return f"{operand.arf.value}{operand.register_number or ''}"
    return f"{operand.arf.value}{operand.register_number}"


def _macro_region(operand: Operand) -> str:
    if operand.math_macro_register is None:
        return ""
    if operand.math_macro_register == NO_MATH_MACRO:
        return ".nomme"
    return f".mme{operand.math_macro_register}"


def _region(region: Region) -> str:
    if region.vertical_by_address:
        return f"<{region.width},{region.horizontal}>"
    return f"<{region.vertical};{region.width},{region.horizontal}>"


def _ternary_region(region: Region, *, last: bool) -> str:
    return f"<{region.vertical}>" if last else f"<{region.vertical};{region.horizontal}>"


def _options(decoded: Decoded) -> str:
    send = decoded.send
    options = [
        "AccWrEn" if decoded.accumulator_write else "",
        "Atomic" if decoded.atomic else "",
        "Breakpoint" if decoded.breakpoint else "",
        "Compacted" if decoded.is_compacted else "",
        "EOT" if decoded.is_end_of_thread else "",
        "Serialize" if send is not None and send.serialize else "",
        "ExBSO" if send is not None and send.extended_bindless_offset else "",
        "CPS" if send is not None and send.coarse_pixel else "",
        *decoded.scoreboard.texts,
    ]
    present = [option for option in options if option]
    return f"{{{','.join(present)}}}" if present else ""
