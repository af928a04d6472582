"""Decoded instructions as the native decoder's test program prints them."""

from __future__ import annotations

import subprocess
import tempfile

from tests.support.native_programs import native_program
from zedbg.xe.decoding import decode
from zedbg.xe.instruction import NO_MATH_MACRO, Decoded, Operand, RegisterFile, Send
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform


def native_lines(code: bytes, platform: Platform = Platform.XE_HPG) -> list[str]:
    """One line for each instruction of `code`, from native/eu/tests/decode_dump.cpp."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(code)
        file.flush()
        run = subprocess.run(
            [native_program("xesim_eu_decode_dump"), file.name, platform.name.lower()],
            capture_output=True,
            check=True,
            text=True,
        )
    return run.stdout.splitlines()


def python_lines(code: bytes, platform: Platform = Platform.XE_HPG) -> list[str]:
    """The same from the Python decoder."""
    lines = []
    offset = 0
    while offset < len(code):
        decoded = decode(platform, code[offset : offset + 16])
        lines.append(f"{offset:x} {_line(decoded)}")
        offset += decoded.length
    return lines


def _line(decoded: Decoded) -> str:
    if decoded.opcode is Opcode.ILLEGAL:
        return f"illegal length={decoded.length}"
    fields = {
        "length": decoded.length,
        "exec": f"{decoded.execution_size}@{decoded.channel_offset}",
        "mask": int(decoded.no_mask),
        "pred": f"{decoded.predicate.value},{int(decoded.predicate_inverted)}",
        "flag": f"{decoded.flag_register}.{decoded.flag_subregister}",
        "cond": decoded.condition.value,
        "sat": int(decoded.saturate),
        "acc": int(decoded.accumulator_write),
        "atomic": int(decoded.atomic),
        "breakpoint": int(decoded.breakpoint),
        "function": decoded.boolean_function,
        "dpas": f"{decoded.dpas_depth}x{decoded.dpas_repeat},"
        f"{decoded.dpas_bits[0]},{decoded.dpas_bits[1]}",
        "dst": _destination(decoded.destination or Operand()),
    }
    fields |= {f"src{i}": _source(operand) for i, operand in enumerate(decoded.sources)}
    fields |= {"jip": decoded.jip or 0, "uip": decoded.uip or 0}
    if decoded.send is not None:
        fields |= _send_fields(decoded.send)
    return " ".join([decoded.mnemonic, *(f"{name}={value}" for name, value in fields.items())])


def _send_fields(send: Send) -> dict[str, object]:
    extended = send.extended_descriptor
    lengths = (send.source0_length, send.source1_length, send.response_length)
    return {
        "sfid": send.function.value,
        "desc": "a0" if send.descriptor is None else send.descriptor,
        "exdesc": f"a0.{send.extended_descriptor_subregister}" if extended is None else extended,
        "exbso": int(send.extended_bindless_offset),
        "offset": send.extended_offset,
        "lengths": ",".join(str(length or 0) for length in lengths),
        "eot": int(send.end_of_thread),
    }


def _destination(operand: Operand) -> str:
    return f"{_register(operand)}<{operand.region.horizontal}>{_kind(operand)}"


def _source(operand: Operand) -> str:
    if operand.file is RegisterFile.IMMEDIATE:
        return f"imm:{operand.immediate}:{operand.type.value}"
    region = operand.region
    vertical = "a" if region.vertical_by_address else region.vertical
    modifiers = f"{'-' if operand.negate else ''}{'|' if operand.absolute else ''}"
    strides = f"<{vertical};{region.width},{region.horizontal}>"
    return f"{modifiers}{_register(operand)}{strides}{_kind(operand)}"


def _register(operand: Operand) -> str:
    if operand.indirect:
        return f"a{operand.address_subregister}+{operand.address_immediate}"
    name = "r" if operand.file is RegisterFile.GRF else operand.arf.value
    return f"{name}{operand.register_number}@{operand.byte_offset}"


def _kind(operand: Operand) -> str:
    number = operand.math_macro_register
    macro = "" if number is None or number == NO_MATH_MACRO else f":mme{number}"
    return f":{operand.type.value}{macro}"
